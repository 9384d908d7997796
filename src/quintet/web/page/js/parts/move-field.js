// A small field to type a move into, for those who would rather write than point. On touch screens a button shows it.

import { button, h, newId } from "../dom.js";
import { tr } from "../language.js";
import { icon } from "./icons.js";

export class MoveField {
  /** @param {(move: string) => void} onmove is given the text; the service reads it as leniently as anywhere */
  constructor(onmove) {
    const id = newId("move");
    this.input = h("input", {
      id,
      name: "move",
      maxlength: 20,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      "data-testid": "move-input",
    });
    this.button = h("button", { type: "submit", text: tr("Play move") });
    const onsubmit = /** @param {Event} event */ (event) => {
      event.preventDefault();
      const text = this.input.value.trim();
      this.input.value = "";
      if (text) onmove(text);
    };
    const label = h("label", { for: id, text: tr("Type a move") });
    this.opener = button(icon("keyboard"), () => {
      this.element.classList.add("shown");
      this.input.focus();
    }, { class: "icon opener", "aria-label": tr("Type a move"), title: tr("Type a move") });
    this.element = h("form", { class: "typing move-field", onsubmit }, this.opener, label, this.input, this.button);
  }

  /** @param {boolean} on */
  enable(on) {
    this.input.disabled = this.button.disabled = this.opener.disabled = !on;
  }
}
