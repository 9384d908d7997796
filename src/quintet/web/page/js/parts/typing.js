// A small field to type a move into, for those who would rather write than point.

import { h, newId } from "../dom.js";

/** `onmove` is told what was typed; the service reads it as forgivingly as anywhere. */
export function moveField(onmove) {
  const id = newId("move");
  const input = h("input", { id, name: "move", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", maxlength: 80, "data-testid": "move-input" });
  const form = h("form", {
    class: "typing",
    onsubmit: (event) => {
      event.preventDefault();
      const text = input.value.trim();
      input.value = "";
      if (text) onmove(text);
    },
  }, h("label", { for: id, text: "Type a move" }), input, h("button", { type: "submit", text: "Claim" }));
  form.enable = (on) => [input, form.lastElementChild].forEach((element) => (element.disabled = !on));
  return form;
}
