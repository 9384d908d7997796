// What is known of a position, on the board and beside it: the values of the moves with a legend, and the parts that
// the open cells fall into.

import { button, h } from "../dom.js";
import { hueOf } from "../cell.js";
import { GAP, tr, trCount } from "../language.js";
import { signed } from "../names.js";
import { Toggle } from "./forms.js";
import { Overlay, shownValues } from "./overlay.js";

/** @import { Options } from "../api.js" */
/** @import { QuintetBoard } from "../board.js" */

const OUTCOMES = ["win", "draw", "loss", "estimate"];
const APART = tr("The parts do not affect each other.");
const NIMBERS =
  tr("Equal nimbers cancel. The player to move loses if the whole has nimber 0, and otherwise wins.");

export class Insight {
  /** @type {Api.ExplainedAnalysis | null} */
  #found = null;
  /** @type {Options | null} */
  #options = null;

  /**
   * @param {QuintetBoard} board
   * @param {boolean} isOn whether values are shown from the start
   * @param {(found: Api.ExplainedAnalysis | null, message?: string) => void} onchange is given the analysis, or what to
   *   show while there is none
   */
  constructor(board, isOn, onchange) {
    this.board = board;
    this.overlay = new Overlay(board, (found, message) => {
      this.#found = found;
      this.#draw();
      onchange(found, message);
    });
    const changed = () => {
      this.show(this.#options);
      this.#draw();
    };
    this.values = new Toggle(tr("Show move values"), isOn, changed, { "data-testid": "values" });
    this.parts = new Toggle(tr("Parts"), false, changed, { "data-testid": "parts" });
    this.parts.element.hidden = true;
    this.legend = h("ul", { class: "legend", "aria-label": tr("Legend"), "data-testid": "legend" });
    this.sums = h("div", { class: "sums", "data-testid": "sums" });
    this.element = h("div", { class: "insight" },
      h("div", { class: "row" }, this.values.element, this.parts.element), this.legend, this.sums);
  }

  /** Switch the values on. */
  turnOn() {
    this.values.box.checked = true;
    this.show(this.#options);
    this.#draw();
  }

  /** Switch everything off. */
  turnOff() {
    this.values.box.checked = this.parts.box.checked = false;
  }

  /** Show what is known of the position that these options lead to. @param {Options | null} options */
  show(options) {
    this.#options = options;
    this.overlay.on = this.values.box.checked || this.parts.box.checked;
    return this.overlay.show(options);
  }

  #draw() {
    const found = this.#found;
    const isOn = this.values.box.checked;
    const parts = found?.parts ?? [];
    if (parts.length) this.parts.element.hidden = false; // From now on: the game has parts.
    const shown = this.parts.box.checked ? parts : [];
    this.board.values = isOn && found ? shownValues(found) : null;
    this.board.colours = shown.length
      ? Object.fromEntries(shown.flatMap(({ cells }, i) => cells.map((label) => [label, i])))
      : null;
    this.legend.replaceChildren(...(isOn && found ? legendOf(found) : []));
    this.sums.replaceChildren(...(shown.length && found ? sumOf(found) : []));
  }
}

/** An example of each kind of value on the board, with its meaning. @param {Api.ExplainedAnalysis} found */
function legendOf(found) {
  const values = Object.values(shownValues(found)).sort((a, b) => Number(b.best) - Number(a.best));
  const examples = OUTCOMES.flatMap((outcome) => values.find((value) => value.outcome === outcome) ?? []);
  const items = examples.map(({ text, outcome, proved, words, estimate }) =>
    entry(signed(text), `value-${outcome}`,
      proved ? signed(words) : tr("estimate: {words}", { words: estimate?.words ?? "" })));
  const isAnyBetter = values.some((value) => value.text !== values[0].text);
  if (isAnyBetter && values[0].best) items.push(entry("", "best", tr("best move")));
  if (found.moves.some((move) => move.plies)) items.push(h("li", { text: tr("Both players’ moves are counted.") }));
  return items;
}

/** @type {(sign: string, kind: string, words: string) => HTMLLIElement} */
const entry = (sign, kind, words) => h("li", null, h("b", { class: `sign ${kind}`, text: sign }), words);

/** The parts, each in its colour, and what they make together. @param {Api.ExplainedAnalysis} found */
function sumOf({ parts, nimber }) {
  const items = parts.map((part, i) => {
    const sample = h("span", { class: "sample", "aria-hidden": "true" });
    sample.style.setProperty("--hue", String(hueOf(i)));
    const { length } = part.cells;
    const words = part.nimber === null
      ? trCount("{count} cell", "{count} cells", length)
      : trCount("{count} cell, nimber {nimber}", "{count} cells, nimber {nimber}", length, { nimber: part.nimber });
    return h("li", null, button([sample, words], () => undefined, { class: "chip", "data-lit": part.cells.join(";") }));
  });
  const sum = parts.length > 1 ? `${parts.map((part) => part.nimber).join(" xor ")} = ${nimber}` : nimber;
  const whole = nimber === null
    ? APART
    : [h("b", { text: tr("The whole: nimber {sum}.", { sum: sum ?? "" }) }), GAP, NIMBERS];
  return [
    h("ul", { class: "chips", "aria-label": tr("Parts") }, items),
    h("p", { class: "small" }, whole),
  ];
}
