// The board of a new game: its size, and the other options that the game has.

import { h } from "../dom.js";
import { tr } from "../language.js";
import { field } from "./forms.js";

/** @import { Properties } from "../dom.js" */
/** @typedef {{ label: string, hint: string, input: (game: Api.GameInfo) => Properties, isNumber?: boolean }} Option */

/** How each option is asked for. A game names the options it has. @type {Record<string, Option>} */
const OPTIONS = {
  size: {
    label: tr("Size"),
    hint: tr("Rows x columns, such as 6x6 (up to 20x20), or one number for a line."),
    input: (game) => ({ maxlength: 2000, placeholder: game.size }),
  },
  target: {
    label: tr("Target"),
    hint: tr("The score to reach."),
    input: (game) => ({ type: "number", min: 1, placeholder: game.target }),
    isNumber: true,
  },
  values: {
    label: tr("Cell values"),
    hint: tr("Numbers row by row, separated by commas."),
    input: () => ({ maxlength: 2000, placeholder: tr("standard") }),
  },
  shuffle: {
    label: tr("Shuffle"),
    hint: tr("A number. Each one puts the values in a different order."),
    input: () => ({ type: "number", min: 0, placeholder: tr("not shuffled") }),
    isNumber: true,
  },
};

export class BoardOptions {
  /** @type {Record<string, HTMLInputElement>} */
  #inputs = {};

  /**
   * @param {URLSearchParams} params what the address asks for
   * @param {boolean} fixed whether the game continues from a position, so that the board cannot be changed
   * @param {() => void} onchange
   */
  constructor(params, fixed, onchange) {
    this.params = params;
    this.fixed = fixed;
    this.onchange = onchange;
    this.fields = h("div", { class: "fields" });
    const open = fixed || Object.keys(OPTIONS).some((name) => params.has(name));
    this.element = h("details", { open }, h("summary", { text: tr("Board") }), this.fields);
  }

  /** Show the options of a game. @param {Api.GameInfo} game */
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

  /** The options that were filled in. @returns {Record<string, string | number>} */
  get chosen() {
    const filled = Object.entries(this.#inputs)
      .map(([name, input]) => /** @type {const} */ ([name, input.value.trim()]))
      .filter(([, text]) => text);
    return Object.fromEntries(filled.map(([name, text]) => [name, OPTIONS[name].isNumber ? Number(text) : text]));
  }
}
