// <quintet-board>: draws any game from the view's description alone, and reports which cell was claimed.
//
// Properties: `view` (as the service describes it), `values` (the overlay, by label), `playable`, `name` (what a screen
// reader calls the board). The attribute `mini` makes it a picture. A claim is the event `claim`, with `detail` the
// label of the cell. The service decides whether the claim counts.

import { closest, s } from "./dom.js";
import { SIDE, drawCell, makeCell } from "./cell.js";

const MARGIN = 22;
const RIGHT = 8;
const SMALLEST = 30;
const TOUCH = 44;
const TINY = 20;
const TYPING_PAUSE = 1200;

export class QuintetBoard extends HTMLElement {
  /** @type {Api.View | null} */
  #view = null;
  /** @type {Record<string, Api.CellValue> | null} */
  #values = null;
  #playable = false;
  /** @type {SVGGElement[]} */
  #cells = [];
  #shape = "";
  /** The cell that Tab leads to. */
  #at = -1;
  #typed = "";
  #typedAt = 0;
  #resized = new ResizeObserver(() => this.#draw());
  name = "";

  connectedCallback() {
    this.#resized.observe(this);
    this.addEventListener("click", this.#onClick);
    this.addEventListener("keydown", this.#onKey);
    this.addEventListener("focusin", this.#onFocus);
  }

  disconnectedCallback() {
    this.#resized.disconnect();
    this.removeEventListener("click", this.#onClick);
    this.removeEventListener("keydown", this.#onKey);
    this.removeEventListener("focusin", this.#onFocus);
  }

  get view() {
    return this.#view;
  }

  set view(view) {
    this.#view = view;
    this.#draw(true);
  }

  /** @param {Record<string, Api.CellValue> | null} values */
  set values(values) {
    this.#values = values;
    this.#draw();
  }

  /** @param {boolean} playable */
  set playable(playable) {
    if (this.#playable === playable) return;
    this.#playable = playable;
    this.#draw();
  }

  get #mini() {
    return this.hasAttribute("mini");
  }

  /**
   * How many cells stand side by side: a long line continues in the next row where it would become too small.
   * @param {Api.View} view
   */
  #across({ rows, cols }) {
    const width = this.clientWidth;
    if (rows > 1 || !width) return cols;
    const lines = Math.ceil((cols * (this.#mini ? TINY : TOUCH)) / Math.max(width, TOUCH));
    return Math.ceil(cols / lines);
  }

  #draw(animate = false) {
    const view = this.#view;
    if (!view) return;
    const across = this.#across(view);
    const shape = [view.game, view.rows, view.cols, across, this.#mini].join();
    const isNew = shape !== this.#shape;
    if (isNew) this.#build(view, across);
    this.#shape = shape;
    this.firstElementChild?.setAttribute("aria-label", this.name || `${view.title}, ${view.status}`);
    const last = view.last;
    view.cells.forEach((cell, i) => {
      const element = this.#cells[i];
      drawCell(element, cell, {
        value: cell.legal ? this.#values?.[cell.label] : undefined,
        player: view.player,
        isLast: i === last,
        playable: this.#playable,
        showLabel: !view.column_labels.length && !this.#mini,
        animate: animate && !isNew,
      });
      if (animate && last !== null) element.style.setProperty("--wait", `${distance(view, i, last) * 70}ms`);
    });
    if (isNew || !this.#cells[this.#at]) this.#moveTo(last ?? Math.floor(view.cells.length / 2), false);
  }

  /**
   * @param {Api.View} view
   * @param {number} across
   */
  #build(view, across) {
    const isLabelled = view.column_labels.length > 0 && !this.#mini;
    const left = isLabelled ? MARGIN : 0;
    const lines = Math.ceil(view.cells.length / across);
    const width = left + across * SIDE + (isLabelled ? RIGHT : 0);
    const height = left + lines * SIDE;
    const rows = [];
    this.#cells = view.cells.map((_, i) =>
      makeCell(i, left + (i % across) * SIDE, left + Math.floor(i / across) * SIDE, this.#mini));
    for (let row = 0; row < lines; row++) {
      rows.push(s("g", { role: this.#mini ? null : "row" }, this.#cells.slice(row * across, (row + 1) * across)));
    }
    /** @type {(words: string, x: number, y: number) => SVGTextElement} */
    const text = (words, x, y) => s("text", { class: "edge", x, y, text: words });
    const edges = isLabelled && s(
      "g",
      { "aria-hidden": "true" },
      view.column_labels.map((words, col) => text(words, left + (col + 0.5) * SIDE, MARGIN / 2)),
      view.row_labels.map((words, row) => text(words, MARGIN / 2, left + (row + 0.5) * SIDE)),
    );
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: this.#mini ? "img" : "grid" }, edges, rows);
    this.replaceChildren(svg);
    const zoom = Math.min(1.5, Math.max(1, across / 9));
    // Where the window is low, a board is as tall as it needs to be for a finger rather than as tall as it fits.
    const fair = Math.max(across * SMALLEST, Math.min(across * TOUCH, 420));
    this.style.setProperty("--ratio", String(width / height));
    this.style.setProperty("--zoom", String(zoom));
    this.style.setProperty("--widest", `${across * 116}px`);
    this.style.setProperty("--fair", `${fair}px`);
    this.style.setProperty("--least", this.#mini ? "0px" : `${across * SMALLEST}px`);
    this.#at = -1;
  }

  /** Make a cell the one that Tab leads to. @param {number} index */
  #moveTo(index, focus = true) {
    if (this.#mini || !this.#cells[index]) return;
    this.#cells[this.#at]?.setAttribute("tabindex", "-1");
    this.#at = index;
    this.#cells[index].setAttribute("tabindex", "0");
    if (focus) this.#cells[index].focus();
  }

  /** @param {number} index */
  #claim(index) {
    const cell = this.#view?.cells[index];
    if (!this.#playable || !cell || cell.owner) return;
    this.dispatchEvent(new CustomEvent("claim", { detail: cell.label, bubbles: true }));
  }

  /** @param {MouseEvent} event */
  #onClick = (event) => {
    const index = indexOf(event);
    if (index === null || this.#mini) return;
    this.#moveTo(index, false);
    this.#claim(index);
  };

  /** @param {FocusEvent} event */
  #onFocus = (event) => {
    const index = indexOf(event);
    if (index !== null && index !== this.#at) this.#moveTo(index, false);
  };

  /** @param {KeyboardEvent} event */
  #onKey = (event) => {
    const index = indexOf(event);
    if (index === null || !this.#view || event.ctrlKey || event.metaKey || event.altKey) return;
    const across = this.#across(this.#view);
    const row = Math.floor(index / across) * across;
    const end = Math.min(row + across, this.#cells.length) - 1;
    /** @type {Record<string, number>} */
    const targets = {
      ArrowLeft: Math.max(row, index - 1),
      ArrowRight: Math.min(end, index + 1),
      ArrowUp: index >= across ? index - across : index,
      ArrowDown: index + across < this.#cells.length ? index + across : index,
      Home: row,
      End: end,
    };
    if (/^[a-z0-9]$/i.test(event.key)) {
      if (!this.#seek(event, this.#view)) return;
    } else {
      if (event.key in targets) this.#moveTo(targets[event.key]);
      else if (event.key === "Enter" || event.key === " ") this.#claim(index);
      else return;
      this.#typed = ""; // Another key ends a label.
    }
    event.preventDefault();
  };

  /**
   * Go to the cell whose label begins with the keys typed in a row.
   * @param {KeyboardEvent} event
   * @param {Api.View} view
   */
  #seek(event, view) {
    if (event.timeStamp - this.#typedAt > TYPING_PAUSE) this.#typed = "";
    this.#typedAt = event.timeStamp;
    const labels = view.cells.map((cell) => cell.label.replace(/\s/g, "").toLowerCase());
    const find = /** @param {string} text */ (text) => {
      const exact = labels.indexOf(text);
      return exact < 0 ? labels.findIndex((label) => label.startsWith(text)) : exact;
    };
    const key = event.key.toLowerCase();
    const longer = find(this.#typed + key);
    this.#typed = longer < 0 ? key : this.#typed + key;
    const index = longer < 0 ? find(key) : longer;
    if (index >= 0) this.#moveTo(index);
    return index >= 0;
  }
}

/**
 * How many steps apart two cells are.
 * @param {Api.View} view
 * @param {number} i
 * @param {number} j
 */
function distance({ cols }, i, j) {
  return Math.abs(Math.floor(i / cols) - Math.floor(j / cols)) + Math.abs((i % cols) - (j % cols));
}

/** The cell that an event happened in. @param {Event} event */
function indexOf(event) {
  const element = closest(event, "[data-cell]");
  return element ? Number(element.dataset.cell) : null;
}

customElements.define("quintet-board", QuintetBoard);
