// <quintet-board>: draws any game from the view's description alone, and reports which cell was claimed.
//
// Properties: `view` (as the service describes it), `values` (the overlay, by label), `playable`, `waiting` (why
// not), `name` (what a screen reader calls the board), `effects` (what claims do, shown before they are made), `line`
// (moves to come, as numbered ghosts), `lit` (cells that stand out), `fade` (dims the others), `colours` (parts of
// the board by number); moves and cells by their labels. The attribute `mini` makes it a picture. `refuse` says why a
// claim does not count.
//
// Events: `claim`, with `detail` the label of the cell; the service decides whether it counts. `preview`, with `detail`
// the claim that is shown and the scores before and after it, or null when none is shown any more.

import { h } from "./dom.js";
import { BoardInput } from "./board-input.js";
import { TOUCH, buildBoard, cellsAcross, distance, middleCell } from "./board-layout.js";
import { Bubble } from "./bubble.js";
import { SIDE, drawCell } from "./cell.js";
import { cellSet, previewOf } from "./effects.js";
import { cellName, findCell } from "./names.js";
import { Zoom } from "./zoom.js";

const SMALLEST = 30;
/** How small cells may be for a finger and for a mouse before the board offers to zoom. */
const TAPPABLE = 40;
const POINTABLE = 30;
/** What a board leaves of the window's height to everything else. */
const AROUND = 368;

export class QuintetBoard extends HTMLElement {
  /** @type {Api.View | null} */
  #view = null;
  /** @type {Record<string, Api.CellValue> | null} */
  #values = null;
  /** @type {Api.Effects | null} */
  #effects = null;
  /** @type {string[]} */
  #line = [];
  /** @type {string[]} */
  #lit = [];
  /** @type {Record<string, number> | null} */
  #colours = null;
  #playable = false;
  #shape = "";
  /** How much of the board's width a cell has. */
  #share = 1;
  /** The cell that is pointed at, pressed, or has the keyboard's focus; -1 for none. */
  #pointed = -1;
  /** The claim that is shown before it is made. */
  #previewed = "";
  #pane = h("div", { class: "pane" });
  #bubble = new Bubble(() => this.#draw());
  #resized = new ResizeObserver(() => this.#draw(false, true));
  #input = new BoardInput(this);
  zoom = new Zoom(this.#pane);
  /** By number; a hole has no element. @type {SVGGElement[]} */
  cells = [];
  /** How many of them are side by side. */
  across = 1;
  name = "";
  /** Why nobody may claim here now; empty where nobody expects to. */
  waiting = "";
  /** Take back what `refuse` said. */
  hush = () => this.#bubble.hide();

  connectedCallback() {
    this.#draw(false, true); // Before it is painted: what follows a line depends on how it is folded.
    this.#resized.observe(this);
  }

  disconnectedCallback() {
    this.#resized.disconnect();
    this.#bubble.hide();
  }

  get view() {
    return this.#view;
  }

  set view(view) {
    const isOther = view?.cells.some((cell, i) => cell.owner !== this.#view?.cells[i]?.owner);
    this.#view = view;
    if (isOther) {
      this.#bubble.hide();
      this.#effects = null; // They were those of the position before.
    }
    this.#draw(true);
  }

  /** @param {Record<string, Api.CellValue> | null} values */
  set values(values) {
    this.#values = values;
    this.#draw();
  }

  get effects() {
    return this.#effects;
  }

  set effects(effects) {
    this.#effects = effects;
    this.#draw();
  }

  /** @param {string[]} line */
  set line(line) {
    this.#line = line;
    this.#draw();
  }

  /** @param {string[]} lit */
  set lit(lit) {
    this.#lit = lit;
    this.#draw();
  }

  /** @param {Record<string, number> | null} colours */
  set colours(colours) {
    this.#colours = colours;
    this.#draw();
  }

  /** @param {boolean} fade */
  set fade(fade) {
    this.toggleAttribute("fade", fade);
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
   * Say over the board why a cell may not be claimed, and show what forbids it. Returns whether there is such a cell.
   * @param {string} label its name in the rule book or on screens
   * @param {string} text
   */
  refuse(label, text) {
    const index = this.#view ? findCell(this.#view, label) : -1;
    const cell = this.#view?.cells[index];
    if (!cell) return false;
    const lit = cellSet(this.#effects?.refused[cell.label]?.by);
    this.#bubble.show(text, this.cells[index], [...lit].map((i) => this.cells[i]));
    this.#draw();
    return true;
  }

  #draw(animate = false, isResized = false) {
    const view = this.#view;
    if (!view) return;
    const room = this.#mini ? this.clientWidth * 0.6 : Math.max(innerHeight - AROUND, Math.min(this.clientWidth, 600));
    const across = cellsAcross(view, this.clientWidth, room, this.#mini);
    const shape = [view.game, view.size, across, this.#mini].join();
    const isNew = shape !== this.#shape;
    if (isNew) this.#build(view, across);
    this.#shape = shape;
    if ((isNew || isResized) && !this.#mini) {
      this.zoom.fit(this.#share, matchMedia("(pointer: coarse)").matches ? TAPPABLE : POINTABLE);
    }
    this.#pane.firstElementChild?.setAttribute("aria-label", this.name || `${view.title}, ${view.status}`);
    const { last, player } = view;
    const values = Object.values(this.#values ?? {});
    const isAnyBetter = values.some((value) => value.text !== values[0].text);
    const shown = this.#preview(view);
    view.cells.forEach((cell, i) => {
      const element = this.cells[i];
      if (!element) return;
      const value = cell.legal ? this.#values?.[cell.label] : undefined;
      const step = this.#line.indexOf(cell.label) + 1;
      drawCell(element, cell, {
        name: cellName(view, i),
        value: value && { ...value, best: value.best && isAnyBetter },
        player,
        isLast: i === last,
        playable: this.#playable,
        showName: !view.column_labels.length && !this.#mini,
        animate: animate && !isNew,
        isLit: this.#lit.includes(cell.label) || this.#bubble.lit.includes(element),
        step: cell.owner ? 0 : step,
        mover: ((player ?? 1) + step) % 2 ? 2 : 1,
        part: this.#colours?.[cell.label],
        ghost: shown && shown.taken.has(i) ? shown.player : 0,
        gain: shown?.index === i ? shown.gain : "",
        closing: shown?.closing(i) ?? "",
      });
      if (animate && last !== null) element.style.setProperty("--wait", `${distance(view, i, last) * 70}ms`);
    });
    if (isNew && !this.#mini) this.#input.moveTo(last ?? middleCell(view), false);
  }

  /** What is shown of the claim that is pointed at; those who listen are told. @param {Api.View} view */
  #preview(view) {
    const cell = view.cells[this.#pointed];
    const isShown = this.#playable && cell && this.#effects;
    const shown = isShown ? previewOf(isShown, cell.label, this.#pointed) : null;
    const label = shown ? cell.label : "";
    if (label !== this.#previewed) {
      this.#previewed = label;
      const detail = shown && { label, scores: shown.scores };
      this.dispatchEvent(new CustomEvent("preview", { detail, bubbles: true }));
    }
    return shown;
  }

  /**
   * @param {Api.View} view
   * @param {number} across
   */
  #build(view, across) {
    const { svg, cells, width, height } = buildBoard(view, across, this.#mini);
    this.cells = cells;
    this.across = across;
    this.#share = SIDE / width;
    this.#pane.replaceChildren(svg);
    this.replaceChildren(this.#pane, ...(this.#mini ? [] : [this.#bubble.element, this.zoom.bar]));
    const edge = Math.min(1.5, Math.max(1, across / 9));
    // Where the window is low, a board is as tall as it needs to be for a finger rather than as tall as it fits.
    const fair = Math.max(across * SMALLEST, Math.min(across * TOUCH, 420));
    this.style.setProperty("--ratio", String(width / height));
    this.style.setProperty("--zoom", String(edge));
    this.style.setProperty("--widest", `${across * 116}px`);
    this.style.setProperty("--fair", `${fair}px`);
  }

  /** Point at a cell, which shows what claiming it does; -1 points at none. @param {number} index */
  point(index) {
    if (this.#pointed === index || this.#mini) return;
    this.#pointed = index;
    this.#draw();
  }

  /** Claim a cell, and return whether the board takes the claim. @param {number} index */
  claim(index) {
    const cell = this.#view?.cells[index];
    if (this.#mini || !cell) return false;
    const refused = cell.owner ? this.#effects?.claimed : this.#effects?.refused[cell.label]?.why;
    const why = this.#playable ? refused : this.waiting;
    if (why) this.refuse(cell.label, why);
    if (why || !this.#playable || cell.owner) return false;
    return this.dispatchEvent(new CustomEvent("claim", { detail: cell.label, bubbles: true }));
  }
}

customElements.define("quintet-board", QuintetBoard);
