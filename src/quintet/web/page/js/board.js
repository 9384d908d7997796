// <quintet-board>: draws any game from the view's description alone, and says which cell was claimed.
//
// Properties: `view` (as the service describes it), `values` (the overlay, by label), `playable`, `name` (what a screen
// reader calls the board). The attribute `mini` makes it a picture. A claim is told by the event `claim`, with `detail`
// the label of the cell. The service decides whether the claim counts.

import { s } from "./dom.js";
import { SIDE, drawCell, makeCell } from "./cell.js";

const MARGIN = 22;
const RIGHT = 8;
const SMALLEST = 30;
const TOUCH = 44;
const TINY = 20;
const PATIENCE = 1200;

class QuintetBoard extends HTMLElement {
  #view = null;
  #values = null;
  #playable = false;
  #cells = [];
  #shape = "";
  #at = null;
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

  set values(values) {
    this.#values = values;
    this.#draw();
  }

  set playable(playable) {
    if (this.#playable === playable) return;
    this.#playable = playable;
    this.#draw();
  }

  get #mini() {
    return this.hasAttribute("mini");
  }

  /** How many cells stand side by side: a long line goes on in the next row where it would become too small. */
  get #across() {
    const { rows, cols } = this.#view;
    const width = this.clientWidth;
    if (rows > 1 || !width) return cols;
    const lines = Math.ceil((cols * (this.#mini ? TINY : TOUCH)) / Math.max(width, TOUCH));
    return Math.ceil(cols / lines);
  }

  #draw(animate = false) {
    const view = this.#view;
    if (!view) return;
    const across = this.#across;
    const shape = [view.game, view.rows, view.cols, across, this.#mini].join();
    const isNew = shape !== this.#shape;
    if (isNew) this.#build(across);
    this.#shape = shape;
    this.firstElementChild.setAttribute("aria-label", this.name || `${view.title}, ${view.status}`);
    const last = view.last;
    view.cells.forEach((cell, i) => {
      const element = this.#cells[i];
      drawCell(element, cell, {
        value: cell.legal ? this.#values?.[cell.label] : undefined,
        player: view.player,
        isLast: i === last,
        playable: this.#playable,
        named: !view.column_labels.length && !this.#mini,
        animate: animate && !isNew,
      });
      if (animate && last !== null) element.style.setProperty("--wait", `${this.#distance(i, last) * 70}ms`);
    });
    if (isNew || !this.#cells[this.#at]) this.#rove(last ?? Math.floor(view.cells.length / 2), false);
  }

  #distance(i, j) {
    const { cols } = this.#view;
    return Math.abs(Math.floor(i / cols) - Math.floor(j / cols)) + Math.abs((i % cols) - (j % cols));
  }

  #build(across) {
    const view = this.#view;
    const labelled = view.column_labels.length > 0 && !this.#mini;
    const left = labelled ? MARGIN : 0;
    const lines = Math.ceil(view.cells.length / across);
    const width = left + across * SIDE + (labelled ? RIGHT : 0);
    const height = left + lines * SIDE;
    const rows = [];
    this.#cells = view.cells.map((_, i) =>
      makeCell(i, left + (i % across) * SIDE, left + Math.floor(i / across) * SIDE, this.#mini));
    for (let row = 0; row < lines; row++) {
      rows.push(s("g", { role: this.#mini ? null : "row" }, this.#cells.slice(row * across, (row + 1) * across)));
    }
    const text = (words, x, y) => s("text", { class: "edge", x, y, text: words });
    const edges = labelled && s(
      "g",
      { "aria-hidden": "true" },
      view.column_labels.map((words, col) => text(words, left + (col + 0.5) * SIDE, MARGIN / 2)),
      view.row_labels.map((words, row) => text(words, MARGIN / 2, left + (row + 0.5) * SIDE)),
    );
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: this.#mini ? "img" : "grid" }, edges, rows);
    this.replaceChildren(svg);
    this.style.setProperty("--ratio", width / height);
    this.style.setProperty("--zoom", Math.min(1.5, Math.max(1, across / 9)));
    this.style.setProperty("--widest", `${across * 116}px`);
    // Where the window is low, a board is as tall as it needs to be for a finger rather than as tall as it fits.
    this.style.setProperty("--fair", `${Math.max(across * SMALLEST, Math.min(across * TOUCH, 420))}px`);
    this.style.setProperty("--least", this.#mini ? "0px" : `${across * SMALLEST}px`);
    this.#at = null;
  }

  /** Make a cell the one that Tab leads to. */
  #rove(index, focus = true) {
    if (this.#mini || !this.#cells[index]) return;
    this.#cells[this.#at]?.setAttribute("tabindex", -1);
    this.#at = index;
    this.#cells[index].setAttribute("tabindex", 0);
    if (focus) this.#cells[index].focus();
  }

  #claim(index) {
    const cell = this.#view.cells[index];
    if (!this.#playable || cell.owner) return;
    this.dispatchEvent(new CustomEvent("claim", { detail: cell.label, bubbles: true }));
  }

  #indexOf(event) {
    const element = event.target.closest("[data-cell]");
    return element ? Number(element.dataset.cell) : null;
  }

  #onClick = (event) => {
    const index = this.#indexOf(event);
    if (index === null || this.#mini) return;
    this.#rove(index, false);
    this.#claim(index);
  };

  #onFocus = (event) => {
    const index = this.#indexOf(event);
    if (index !== null && index !== this.#at) this.#rove(index, false);
  };

  #onKey = (event) => {
    const index = this.#indexOf(event);
    if (index === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const across = this.#across;
    const row = Math.floor(index / across) * across;
    const end = Math.min(row + across, this.#cells.length) - 1;
    const to = {
      ArrowLeft: Math.max(row, index - 1),
      ArrowRight: Math.min(end, index + 1),
      ArrowUp: index >= across ? index - across : index,
      ArrowDown: index + across < this.#cells.length ? index + across : index,
      Home: row,
      End: end,
    }[event.key];
    if (/^[a-z0-9]$/i.test(event.key)) {
      if (!this.#seek(event)) return;
    } else {
      if (to !== undefined) this.#rove(to);
      else if (event.key === "Enter" || event.key === " ") this.#claim(index);
      else return;
      this.#typed = ""; // Another key ends a label.
    }
    event.preventDefault();
  };

  /** Go to the cell whose label begins with what was typed in a row. */
  #seek(event) {
    const bare = (text) => text.replace(/\s/g, "").toLowerCase();
    if (event.timeStamp - this.#typedAt > PATIENCE) this.#typed = "";
    this.#typedAt = event.timeStamp;
    const find = (text) => {
      const labels = this.#view.cells.map((cell) => bare(cell.label));
      const exact = labels.indexOf(text);
      return exact < 0 ? labels.findIndex((label) => label.startsWith(text)) : exact;
    };
    const key = event.key.toLowerCase();
    const longer = find(this.#typed + key);
    this.#typed = longer < 0 ? key : this.#typed + key;
    const index = longer < 0 ? find(key) : longer;
    if (index >= 0) this.#rove(index);
    return index >= 0;
  }
}

customElements.define("quintet-board", QuintetBoard);
