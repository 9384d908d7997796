// The pace at which the messages of a table are shown: engines answer after a moment, and their games can be watched.
//
// The service and its clocks know nothing of it. A person on the clock never waits.

import { button, h } from "../dom.js";
import { tr } from "../language.js";
import { pace, savePace } from "../storage.js";
import { field, select } from "./forms.js";

/** @import { Message } from "../live.js" */

/** @type {[number, string][]} */
const PACES = [[0, tr("At once")], [200, tr("Fast")], [450, tr("Normal")], [1000, tr("Slow")]];
/** How many times longer a move is shown where only engines play. */
const WATCHED = 2;
/** A game that is shown again is never over at once. */
const FAST = 200;

export class Pace {
  /** Messages, and places of a finished game that is shown again. @type {(Message | number)[]} */
  #waiting = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #shownAt = 0;
  isPaused = false;
  #moves = 0;
  /** Show everything at once: the rest of the game is only played out. */
  hurries = false;

  /**
   * @param {(message: Message) => void} show
   * @param {(message: Message) => boolean} isEngineMove whether a message brings a move that an engine has just made
   * @param {(ply: number) => void} step shows the place in the game after a number of moves
   */
  constructor(show, isEngineMove, step) {
    this.show = show;
    this.isEngineMove = isEngineMove;
    this.showPlace = step;
    this.choice = select("pace", PACES);
    this.choice.value = String(pace());
    this.choice.addEventListener("change", () => {
      savePace(Number(this.choice.value));
      this.#next();
    });
    this.pause = button(tr("Pause"), () => {
      this.isPaused = !this.isPaused;
      this.pause.textContent = this.isPaused ? tr("Continue") : tr("Pause");
      this.#next();
    });
    this.step = button(tr("Next move"), () => {
      if (!this.isPaused) this.pause.click();
      this.#showOne();
    });
    this.again = button(tr("Watch again"), () => this.#replay());
    this.watch = h("div", { class: "row" }, this.pause, this.step, this.again);
    this.element = h("div", { class: "pace row", hidden: true }, this.watch, field(tr("Pace"), this.choice));
  }

  /** Show the controls that a table needs. @param {Api.Table} table */
  update({ players, clock, state }) {
    const engines = [players[1], players[2]].filter(({ who }) => who !== "human").length;
    this.isWatched = engines === 2;
    this.isOff = !engines || (engines === 1 && Boolean(clock));
    this.element.hidden = this.isOff;
    this.watch.hidden = !this.isWatched;
    this.#moves = state.ply;
    this.again.hidden = !state.over || this.#waiting.length > 0;
    this.pause.hidden = this.step.hidden = !this.again.hidden;
  }

  /** Show a finished game from its first move. */
  #replay() {
    if (this.isPaused) this.pause.click();
    this.#shownAt = -Infinity; // The empty board comes at once.
    for (let ply = 0; ply <= this.#moves; ply++) this.push(ply);
  }

  /** Go to a place in the game; if it is being shown again, that ends. @param {number} ply */
  jump(ply) {
    this.#waiting = this.#waiting.filter((message) => typeof message !== "number");
    this.showPlace(ply);
  }

  /** @param {Message | number} message */
  push(message) {
    this.#waiting.push(message);
    if (this.#waiting.length === 1) this.#next();
  }

  #next() {
    clearTimeout(this.#timer);
    while (this.#waiting.length) {
      const [next] = this.#waiting;
      const isPlace = typeof next === "number";
      if (isPlace || (!this.hurries && !this.isOff && this.isEngineMove(next))) {
        if (this.isPaused) return;
        const moment = Math.max(pace(), isPlace ? FAST : 0) * (this.isWatched ? WATCHED : 1);
        const left = this.#shownAt + moment - performance.now();
        if (left > 0) return void (this.#timer = setTimeout(() => this.#next(), left));
      }
      this.#showOne();
    }
  }

  #showOne() {
    const message = this.#waiting.shift();
    if (message === undefined) return;
    this.#shownAt = performance.now();
    if (typeof message === "number") this.showPlace(message);
    else this.show(message);
  }

  /** Show all that waits. */
  flush() {
    clearTimeout(this.#timer);
    while (this.#waiting.length) this.#showOne();
  }

  stop() {
    clearTimeout(this.#timer);
  }
}
