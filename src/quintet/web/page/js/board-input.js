// How a board is used: with a mouse, with fingers, or with the keyboard.

import { closest } from "./dom.js";
import { cellName } from "./names.js";
import { tick } from "./sound.js";

/** @import { Zoom } from "./zoom.js" */

/**
 * What a board lends to its users' hands.
 * @typedef {object} Hands
 * @property {Api.View | null} view
 * @property {SVGGElement[]} cells
 * @property {number} across
 * @property {Zoom} zoom
 * @property {(index: number) => boolean} claim
 * @property {(index: number) => void} point
 */

/** The size below which a finger cannot be sure of a cell: a tap zooms in first. */
const UNSURE = 30;
/** Browsers send a click after a tap, which counts once. */
const CLICK_AFTER_TAP = 700;
const TYPING_PAUSE = 1200;

export class BoardInput {
  /** The cell that Tab leads to. */
  #at = -1;
  /** The cell under the finger; -1 for none, or if it has slid away. */
  #pressed = -1;
  #tapped = -1;
  #tappedAt = 0;
  #typed = "";
  #typedAt = 0;

  /** @param {HTMLElement & Hands} board */
  constructor(board) {
    this.board = board;
    board.addEventListener("click", (event) => {
      const index = indexOf(event);
      if (index < 0 || (index === this.#tapped && event.timeStamp - this.#tappedAt < CLICK_AFTER_TAP)) return;
      this.moveTo(index, false);
      board.claim(index);
    });
    board.addEventListener("keydown", (event) => this.#onKey(event));
    board.addEventListener("focusin", (event) => {
      const index = indexOf(event);
      if (index < 0) return;
      this.moveTo(index, false);
      if (board.cells[index].matches(":focus-visible")) board.point(index);
    });
    board.addEventListener("focusout", () => board.point(-1));
    board.addEventListener("pointerover", (event) => event.pointerType === "mouse" && board.point(indexOf(event)));
    board.addEventListener("pointerleave", () => this.#release());
    board.addEventListener("pointercancel", () => this.#release());
    board.addEventListener("pointerdown", (event) => this.#onPress(event));
    board.addEventListener("pointermove", (event) => {
      if (this.#pressed >= 0 && indexAt(event) !== this.#pressed) this.#release();
    });
    board.addEventListener("pointerup", (event) => this.#onLift(event));
    board.addEventListener("contextmenu", (event) => this.#pressed >= 0 && event.preventDefault());
  }

  /** Make a cell the one that Tab leads to. @param {number} index */
  moveTo(index, focus = true) {
    const { cells } = this.board;
    if (!cells[index]) return;
    cells[this.#at]?.setAttribute("tabindex", "-1");
    this.#at = index;
    cells[index].setAttribute("tabindex", "0");
    if (focus) cells[index].focus();
  }

  #release() {
    this.#pressed = -1;
    this.board.point(-1);
  }

  /** @param {PointerEvent} event */
  #onPress(event) {
    if (event.pointerType === "mouse") return;
    if (!event.isPrimary) return this.#release(); // Two fingers claim nothing.
    this.#pressed = indexOf(event);
    this.board.point(this.#pressed);
  }

  /** @param {PointerEvent} event */
  #onLift(event) {
    const index = this.#pressed;
    if (event.pointerType === "mouse" || index < 0) return;
    this.#tapped = index;
    this.#tappedAt = event.timeStamp;
    this.#release();
    const { board } = this;
    const size = board.cells[index].getBoundingClientRect().width;
    if (size < UNSURE && board.zoom.by(48 / size, [event.clientX, event.clientY])) return;
    this.moveTo(index, false);
    if (board.claim(index)) tick();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const { view, across, zoom, cells } = this.board;
    const index = indexOf(event);
    if (index < 0 || !view || event.ctrlKey || event.metaKey || event.altKey) return;
    const isLine = view.rows === 1;
    const row = isLine ? 0 : Math.floor(index / across) * across;
    const end = isLine ? cells.length - 1 : row + across - 1;
    /** The next cell in a direction, over holes. @type {(step: number, first: number, last: number) => number} */
    const next = (step, first, last) => {
      for (let i = index + step; i >= first && i <= last; i += step) if (cells[i]) return i;
      return index;
    };
    const last = view.cells.length - 1;
    /** @type {Record<string, number>} */
    const targets = {
      ArrowLeft: next(-1, row, end),
      ArrowRight: next(1, row, end),
      ArrowUp: isLine ? folded(index, across, -1) : next(-across, 0, last),
      ArrowDown: isLine ? folded(index, across, 1) : next(across, 0, last),
      Home: cells.findIndex((cell, i) => cell && i >= row),
      End: cells.findLastIndex((cell, i) => cell && i <= end),
    };
    if (/^[a-z0-9]$/i.test(event.key)) {
      if (!this.#seek(event, view)) return;
    } else {
      if (event.key in targets) this.moveTo(targets[event.key]);
      else if (event.key === "Enter" || event.key === " ") this.board.claim(index);
      else if (event.key === "+") zoom.by(1.6);
      else if (event.key === "-") zoom.by(1 / 1.6);
      else return;
      this.#typed = ""; // Another key ends a label.
    }
    event.preventDefault();
  }

  /**
   * Go to the cell whose name on screens or in the rule book begins with the keys typed in a row.
   * @param {KeyboardEvent} event
   * @param {Api.View} view
   */
  #seek(event, view) {
    if (event.timeStamp - this.#typedAt > TYPING_PAUSE) this.#typed = "";
    this.#typedAt = event.timeStamp;
    const names = [
      view.cells.map((cell, i) => (cell.label ? cellName(view, i).toLowerCase() : "")),
      view.cells.map((cell) => cell.label.replace(/\s/g, "").toLowerCase()),
    ];
    /** @type {(text: string) => number} */
    const find = (text) => [
      ...names.map((list) => list.indexOf(text)),
      ...names.map((list) => list.findIndex((name) => name.startsWith(text))),
    ].find((index) => index >= 0) ?? -1;
    const key = event.key.toLowerCase();
    const longer = find(this.#typed + key);
    this.#typed = longer < 0 ? key : this.#typed + key;
    const index = longer < 0 ? find(key) : longer;
    if (index >= 0) this.moveTo(index);
    return index >= 0;
  }
}

/**
 * The cell above or below one of a line that is folded to and fro.
 * @param {number} index
 * @param {number} across
 * @param {number} rows
 */
function folded(index, across, rows) {
  const row = Math.floor(index / across);
  return (row + rows) * across + (across - 1 - (index % across));
}

/** The cell that an event happened in; -1 for none. @param {Event} event */
function indexOf(event) {
  return Number(closest(event, "[data-cell]")?.dataset.cell ?? -1);
}

/** The cell under the finger, which may have moved since it was put down. @param {PointerEvent} event */
function indexAt(event) {
  const found = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
  return found instanceof SVGElement ? Number(found.dataset.cell) : -1;
}
