// A link to a view that opens in a drawer over the page. Escape and Back close it, and the focus goes back to the link.

import { button, h, link } from "../dom.js";
import { tr } from "../language.js";
import { attempt } from "../notices.js";
import { coverPage, fillView } from "../router.js";

/** @import { Properties } from "../dom.js" */

/**
 * @param {string} href
 * @param {string} text
 * @param {Properties} [properties]
 */
export function drawerLink(href, text, properties) {
  const open = async () => {
    const section = h("section");
    const leave = await fillView(section, href);
    const close = button("×", () => dialog.close(), { class: "icon close", "aria-label": tr("Close") });
    const onclose = () => {
      uncover();
      leave?.();
      dialog.remove();
      opener.focus();
    };
    const onclick = /** @param {Event} event */ ({ target }) => target === dialog && dialog.close();
    const name = section.querySelector("h1")?.textContent;
    const dialog = h("dialog", { class: "drawer", "aria-label": name, onclose, onclick }, close, section);
    document.body.append(dialog);
    dialog.showModal();
    const uncover = coverPage(() => dialog.close());
  };
  const opener = link(href, text, {
    ...properties,
    onclick: /** @param {MouseEvent} event */ (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      attempt(open);
    },
  });
  return opener;
}
