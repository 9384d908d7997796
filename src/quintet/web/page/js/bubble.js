// Why a claim does not count, said over the board: nothing moves, and it goes away by itself or at the next action.

import { h } from "./dom.js";

const SHOWN = 4500;

export class Bubble {
  element = h("p", { class: "bubble", role: "status", "data-testid": "refusal" });
  /** The cells that forbid the claim. @type {Set<number>} */
  lit = new Set();
  #timer = 0;

  /** @param {() => void} onhide */
  constructor(onhide) {
    this.onhide = onhide;
  }

  /**
   * Show a text at a cell, inside the board.
   * @param {SVGGElement} cell
   * @param {string} text
   * @param {Set<number>} lit
   */
  show(cell, text, lit) {
    this.hide();
    this.lit = lit;
    const { element } = this;
    element.textContent = text;
    const board = element.parentElement?.getBoundingClientRect();
    if (!board) return;
    const at = cell.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = element;
    /** @type {(wanted: number, most: number) => string} */
    const within = (wanted, most) => `${Math.round(Math.max(0, Math.min(wanted, most)))}px`;
    const isBelow = at.top - board.top < offsetHeight + 8;
    const left = (at.left + at.right - offsetWidth) / 2 - board.left;
    const top = (isBelow ? at.bottom + 8 : at.top - offsetHeight - 8) - board.top;
    element.style.insetInlineStart = within(left, board.width - offsetWidth);
    element.style.insetBlockStart = within(top, board.height - offsetHeight);
    cell.animate?.(shake(), { duration: 380 });
    addEventListener("pointerdown", this.hide, true);
    addEventListener("keydown", this.hide, true);
    this.#timer = setTimeout(this.hide, SHOWN);
  }

  hide = () => {
    if (!this.#timer) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    removeEventListener("pointerdown", this.hide, true);
    removeEventListener("keydown", this.hide, true);
    this.element.textContent = "";
    this.lit = new Set();
    this.onhide();
  };
}

/** A shake to and fro; none for those who want less motion. */
function shake() {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return isStill ? [] : [0, -5, 5, -4, 4, -2, 0].map((x) => ({ translate: `${x}px 0` }));
}
