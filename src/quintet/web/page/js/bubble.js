// Why a claim does not count, said over the board: nothing moves, and it goes away by itself or at the next action.

import { h } from "./dom.js";

const SHOWN = 4500;

export class Bubble {
  element = h("p", { class: "bubble", role: "status", "data-testid": "refusal" });
  /** The cells that forbid the claim. @type {SVGGElement[]} */
  lit = [];
  #timer = 0;

  /** @param {() => void} onhide */
  constructor(onhide) {
    this.onhide = onhide;
  }

  /**
   * Show a text at a cell, inside the board, where it covers as few as possible of that cell and of those that forbid
   * the claim.
   * @param {string} text
   * @param {SVGGElement} cell
   * @param {SVGGElement[]} lit
   */
  show(text, cell, lit) {
    this.hide();
    this.lit = lit;
    const { element } = this;
    element.textContent = text;
    const board = element.parentElement?.getBoundingClientRect();
    if (!board) return;
    const { offsetWidth: width, offsetHeight: height } = element;
    const boxes = [cell, ...lit].map((one) => one.getBoundingClientRect());
    const [{ left, right, top, bottom }] = boxes;
    const x = Math.max(0, Math.min((left + right - width) / 2 - board.left, board.width - width));
    const tops = [top, ...boxes.map((box) => box.top)].map((edge) => edge - height - 6);
    const places = [...tops, bottom + 6, ...boxes.map((box) => box.bottom + 6)].map((edge) => edge - board.top);
    const inside = places.filter((y) => y >= 0 && y + height <= board.height);
    const covers = /** @param {number} y */ (y) => boxes.filter((box) =>
      box.top - board.top < y + height && box.bottom - board.top > y &&
      box.left - board.left < x + width && box.right - board.left > x).length;
    const [y = 0] = inside.toSorted((a, b) => covers(a) - covers(b));
    element.style.insetInlineStart = `${x}px`;
    element.style.insetBlockStart = `${y}px`;
    shake(cell);
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
    this.lit = [];
    this.onhide();
  };
}

/** Shake something to and fro; not for those who want less motion. @param {Element} element */
export function shake(element) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!isStill) element.animate?.([0, -5, 5, -4, 4, -2, 0].map((x) => ({ translate: `${x}px 0` })), { duration: 380 });
}
