// A small field to type a move into, for those who would rather write than point.

import { h, newId } from "../dom.js";

/** `onmove` is told what was typed; the service reads it as forgivingly as anywhere. */
export function moveField(onmove) {
  const id = newId("move");
  const input = h("input", {
    id,
    name: "move",
    maxlength: 20,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    "data-testid": "move-input",
  });
  const claim = h("button", { type: "submit", text: "Claim" });
  const onsubmit = (event) => {
    event.preventDefault();
    const text = input.value.trim();
    input.value = "";
    if (text) onmove(text);
  };
  const form = h("form", { class: "typing", onsubmit }, h("label", { for: id, text: "Type a move" }), input, claim);
  form.enable = (on) => {
    input.disabled = claim.disabled = !on;
  };
  return form;
}
