// The board of a new game: its size, and what else the game lets one choose.

import { h } from "../dom.js";
import { field } from "./forms.js";

const number = (text) => (text === "" ? undefined : Number(text));

/** How each option is asked for and read. A game names the options it has. */
const OPTIONS = {
  size: {
    label: "Board",
    hint: "Rows x columns up to 20x20, such as 6x6; a single number is a line.",
    input: (game) => ({ maxlength: 9, placeholder: game.size }),
    read: (text) => text || undefined,
  },
  target: {
    label: "Target",
    hint: "The score that wins at once.",
    input: (game) => ({ type: "number", min: 1, placeholder: game.target }),
    read: number,
  },
  values: {
    label: "Values of the cells",
    hint: "Numbers row by row, with commas.",
    input: () => ({ maxlength: 2000, placeholder: "the usual ones" }),
    read: (text) => text || undefined,
  },
  shuffle: {
    label: "Shuffle",
    hint: "Any number deals the values in another order.",
    input: () => ({ type: "number", min: 0, placeholder: "not shuffled" }),
    read: number,
  },
};

export class BoardOptions {
  #inputs = {};

  /** `params` are what the address asks for; a game that goes on from a position is `fixed`. */
  constructor(params, fixed, onchange) {
    this.params = params;
    this.fixed = fixed;
    this.onchange = onchange;
    this.fields = h("div", { class: "fields" });
    const open = fixed || Object.keys(OPTIONS).some((name) => params.has(name));
    this.element = h("details", { open }, h("summary", { text: "Board" }), this.fields);
  }

  /** Ask for what a game has. */
  choose(game) {
    this.#inputs = {};
    const fields = game.options.filter((name) => name in OPTIONS).map((name) => {
      const { label, hint, input } = OPTIONS[name];
      const value = this.params.get(name) ?? "";
      const control = h("input", { name, disabled: this.fixed, onchange: this.onchange, ...input(game), value });
      this.#inputs[name] = control;
      return field(label, control, hint);
    });
    this.fields.replaceChildren(...fields);
  }

  /** What was asked for. */
  get given() {
    return Object.fromEntries(
      Object.entries(this.#inputs).map(([name, input]) => [name, OPTIONS[name].read(input.value.trim())]),
    );
  }
}
