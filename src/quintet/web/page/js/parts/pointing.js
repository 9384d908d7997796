// Texts that point at the board: a cell's name lights up its cell, and a line of moves is drawn as numbered ghosts,
// while somebody points at it with the mouse, the keyboard or a finger.

import { button, closest, h } from "../dom.js";
import { tr } from "../language.js";
import { moveName, sentenceName, signed } from "../names.js";

/** @import { QuintetBoard } from "../board.js" */

const SELECTOR = "[data-lit], [data-line]";
const BETWEEN = ";";

export class Pointing {
  /** The line that is drawn and the cells that are lit while nothing is pointed at. @type {string[][]} */
  #rest = [[], []];

  /**
   * @param {QuintetBoard} board
   * @param {...HTMLElement} places where the names stand
   */
  constructor(board, ...places) {
    this.board = board;
    const mouse = /** @param {(event: Event) => void} act */ (act) => /** @param {PointerEvent} event */ (event) =>
      event.pointerType === "mouse" && act(event);
    for (const place of places) {
      place.addEventListener("pointerover", mouse((event) => this.#show(event)));
      place.addEventListener("pointerout", mouse(() => this.#hide()));
      place.addEventListener("focusin", (event) => this.#show(event));
      place.addEventListener("focusout", () => this.#hide());
      place.addEventListener("click", (event) => this.#show(event));
    }
  }

  /** @param {Event} event */
  #show(event) {
    const named = closest(event, SELECTOR)?.dataset;
    if (!named) return;
    this.board.lit = named.lit?.split(BETWEEN) ?? [];
    this.board.line = named.line?.split(BETWEEN) ?? this.#rest[0];
  }

  #hide() {
    [this.board.line, this.board.lit] = this.#rest;
  }

  /**
   * Draw a line and light cells up until others are.
   * @param {string[]} moves
   * @param {string[]} [lit]
   */
  keep(moves, lit = []) {
    this.#rest = [moves, lit];
    this.#hide();
  }

  /**
   * A line of moves, for the board and as a list: each of its moves shows the line up to itself.
   * @param {Api.View} view where the line begins
   * @param {string} title
   * @param {string[]} moves
   * @param {(count: number) => void} [onpick] is given how many moves were picked; without it they stay on the board
   */
  line(view, title, moves, onpick) {
    if (!moves.length) return [];
    const chips = h("ol", { class: "chips", hidden: !onpick }, moves.map((move, i) =>
      h("li", null, button(moveName(view, move), () => onpick?.(i + 1) ?? this.keep(moves.slice(0, i + 1)), {
        class: "chip",
        "data-line": moves.slice(0, i + 1).join(BETWEEN),
      }))));
    const toggle = button(tr("Show on the board"), () => {
      const isOn = toggle.getAttribute("aria-pressed") !== "true";
      toggle.setAttribute("aria-pressed", String(isOn));
      chips.hidden = !isOn && !onpick;
      this.keep(isOn ? moves : [], this.#rest[1]);
    }, { class: "chip", "aria-pressed": "false", "data-testid": "show-line" });
    return [h("div", { class: "line-bar" }, h("h2", { text: title }), toggle), chips];
  }
}

/**
 * A text whose names of cells can be pointed at: `C3`, and `#7` on a line.
 * @param {Api.View} view
 * @param {string} text
 */
export function withNames(view, text) {
  const labels = new Map(view.cells.map(({ label }) => [sentenceName(view, label), label]));
  return signed(text).split(/((?:\b[A-Z]|#)\d+)\b/).map((words) => {
    const label = labels.get(words);
    return label ? h("span", { class: "named", role: "button", tabindex: 0, "data-lit": label, text: words }) : words;
  });
}
