// A question in a dialog, answered by one of two buttons.

import { h } from "../dom.js";

/**
 * Whether the answer was yes.
 * @param {string} question
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes, no) {
  return new Promise((resolve) => {
    const onclose = () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    };
    const answers = [
      h("button", { value: "yes", class: "primary", text: yes }),
      h("button", { value: "no", text: no, autofocus: true }),
    ];
    const dialog = h("dialog", { "aria-label": question, onclose },
      h("form", { method: "dialog" }, h("p", { class: "lead", text: question }), h("div", { class: "row" }, answers)));
    document.body.append(dialog);
    dialog.showModal();
  });
}
