// What the moves are worth: the overlay for a board, in signs and in words.

import { Failure, analysis } from "../api.js";

const VERBS = { win: "wins", loss: "loses", draw: "draws" };

/** A value in words: "wins by 5", "loses in 3 moves", "draws". */
export function inWords({ outcome, margin, plies }) {
  if (!outcome) return "not decided";
  if (margin) return `${VERBS[outcome]} by ${Math.abs(margin)}`;
  if (plies) return `${VERBS[outcome]} in ${plies} move${plies === 1 ? "" : "s"}`;
  return VERBS[outcome];
}

/** The overlay of an analysis: for every move whose outcome is known its sign, its words, and whether it is best. */
function overlayOf(found) {
  const overlay = {};
  for (const move of found.moves) {
    const { text, outcome, best } = found.values[move.move] ?? {};
    if (outcome) overlay[move.move] = { text: text.replace("-", "−"), outcome, best, words: inWords(move) };
  }
  return overlay;
}

/** Keeps the overlay of a board up to date while it is switched on. */
export class Overlay {
  #shown = null;
  on = false;

  /** `tell` takes the analysis, or null while there is none, and what went wrong. */
  constructor(board, tell) {
    this.board = board;
    this.tell = tell;
  }

  /** Show the values of the position that these options lead to. */
  async show(options) {
    const key = this.on && options ? JSON.stringify(options) : null;
    if (key === this.#shown) return;
    this.#shown = key;
    this.board.values = null;
    if (!key) return void this.tell(null);
    this.tell(null, "Working it out …");
    try {
      const found = await analysis(options);
      if (key !== this.#shown) return;
      this.board.values = overlayOf(found);
      this.tell(found);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (key === this.#shown) this.tell(null, error.message);
    }
  }
}
