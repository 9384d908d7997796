// Zooming into a board with two fingers, buttons or keys. It scrolls as anything that is larger than its window.

import { button, h } from "./dom.js";
import { tr } from "./language.js";

const LARGEST = 72;
const STEP = 1.6;

export class Zoom {
  /** How many times larger than the whole board fits. */
  #level = 1;
  #fit = 0;
  #width = 0;
  #most = 1;
  /** What two fingers began with: how far apart they were, and the level. @type {[number, number] | null} */
  #pinch = null;
  #out = button("−", () => this.by(1 / STEP), { "aria-label": tr("Zoom out"), title: tr("Zoom out") });
  #in = button("+", () => this.by(STEP), { "aria-label": tr("Zoom in"), title: tr("Zoom in") });
  bar = h("div", { class: "zoom", role: "group", "aria-label": tr("Zoom"), hidden: true }, this.#out, this.#in);

  /** @param {HTMLElement} pane what scrolls; the board's picture is in it */
  constructor(pane) {
    this.pane = pane;
    pane.addEventListener("touchstart", this.#onTouch, { passive: true });
    pane.addEventListener("touchmove", this.#onTouch, { passive: false });
    pane.addEventListener("touchend", () => (this.#pinch = null));
  }

  get #picture() {
    return /** @type {SVGSVGElement} */ (this.pane.firstElementChild);
  }

  /** Show the whole board. @param {number} share how much of its width a cell has */
  fit(share, least = 0) {
    const { pane } = this;
    if (this.#level > 1 && pane.offsetWidth === this.#width) return; // A browser's bar came or went.
    this.#width = pane.offsetWidth;
    this.#level = 1;
    pane.style.blockSize = this.#picture.style.inlineSize = this.#picture.style.maxInlineSize = "";
    this.#fit = this.#picture.getBoundingClientRect().width;
    const size = this.#fit * share;
    this.#most = size && size < least ? LARGEST / size : 1;
    this.bar.hidden = this.#most === 1;
    pane.classList.toggle("zoomable", !this.bar.hidden);
    this.#update();
  }

  #update() {
    this.#out.disabled = this.#level === 1;
    this.#in.disabled = this.#level === this.#most;
  }

  /**
   * Zoom in or out around a point of the screen, by default the middle, and return whether that was possible.
   * @param {number} factor
   * @param {[number, number]} [point]
   */
  by(factor, point) {
    const before = this.#level;
    this.#to(before * factor, point);
    return this.#level !== before;
  }

  /**
   * @param {number} wanted
   * @param {[number, number]} [point]
   * @param {[number, number]} [from] where on the screen that point of the board was
   */
  #to(wanted, point, from = point) {
    const level = Math.min(this.#most, Math.max(1, wanted));
    if (level === this.#level && point === from) return;
    const { pane } = this;
    const picture = this.#picture;
    const box = pane.getBoundingClientRect();
    const [x, y] = point ?? [box.x + box.width / 2, box.y + box.height / 2];
    const [fromX, fromY] = from ?? [x, y];
    const before = picture.getBoundingClientRect();
    pane.style.blockSize = level > 1 ? `${box.height}px` : ""; // Nothing around the board moves.
    picture.style.inlineSize = level > 1 ? `${this.#fit * level}px` : "";
    picture.style.maxInlineSize = level > 1 ? "none" : "";
    this.#level = level;
    const after = picture.getBoundingClientRect();
    pane.scrollLeft += after.x + ((fromX - before.x) / before.width) * after.width - x;
    pane.scrollTop += after.y + ((fromY - before.y) / before.height) * after.height - y;
    this.#update();
  }

  /** @type {[number, number]} */
  #middle = [0, 0];

  /** @param {TouchEvent} event */
  #onTouch = (event) => {
    if (event.touches.length !== 2 || this.#most === 1) return;
    const [a, b] = event.touches;
    const apart = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
    /** @type {[number, number]} */
    const middle = [(a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2];
    if (!this.#pinch) this.#pinch = [apart, this.#level];
    else {
      event.preventDefault();
      this.#to((this.#pinch[1] * apart) / this.#pinch[0], middle, this.#middle);
    }
    this.#middle = middle;
  };
}
