// The values of the moves, shown on a board while that is switched on.

import { Failure, analysis } from "../api.js";

/** @import { Options } from "../api.js" */
/** @import { QuintetBoard } from "../board.js" */

export class Overlay {
  #shown = "";
  on = false;

  /**
   * @param {QuintetBoard} board
   * @param {(found: Api.ExplainedAnalysis | null, message?: string) => void} onchange is given the analysis, or what to
   *   show while there is none
   */
  constructor(board, onchange) {
    this.board = board;
    this.onchange = onchange;
  }

  /**
   * Show the values of the position that these options lead to; none without options.
   * @param {Options | null} options
   */
  async show(options) {
    const key = this.on && options ? JSON.stringify(options) : "";
    if (key === this.#shown) return;
    this.#shown = key;
    this.board.values = null;
    if (!key || !options) return void this.onchange(null);
    this.onchange(null, "Computing values …");
    try {
      const found = await analysis(options);
      if (key !== this.#shown) return;
      this.board.values = Object.fromEntries(Object.entries(found.values).filter(([, value]) => value.outcome));
      this.onchange(found);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (key === this.#shown) this.onchange(null, error.message);
    }
  }
}
