// The values of the moves, shown on a board while that is switched on.

import { Failure, analysis, effects } from "../api.js";
import { tr } from "../language.js";

/** @import { Options } from "../api.js" */
/** @import { QuintetBoard } from "../board.js" */

/** Milliseconds to wait for exact values before what is known without a search is shown. */
const SOON = 500;

/**
 * What a board shows of an analysis: what is proved, and what is only estimated, marked as that.
 * @param {Api.ExplainedAnalysis | null} found
 * @returns {Record<string, Api.CellValue>}
 */
export function shownValues(found) {
  return Object.fromEntries(Object.entries(found?.values ?? {}).flatMap(([label, value]) => {
    const { proved, estimate } = value;
    if (proved) return [[label, value]];
    if (!estimate) return [];
    const words = tr("{proved}, estimate: {words}", { proved: value.words, words: estimate.words });
    return [[label, { ...value, text: estimate.text, outcome: "estimate", words }]];
  }));
}

/**
 * Let a board show what claims do before they are made, and why cells are refused.
 * @param {QuintetBoard} board
 * @param {Options} options what leads to the position on it
 */
export async function showEffects(board, options) {
  const { view } = board;
  const found = await effects(options).catch(() => null);
  if (board.view === view) board.effects = found;
}

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
    this.#take(null, key && tr("Computing values …"));
    if (!key || !options) return;
    const isLatest = () => key === this.#shown;
    let quick = null;
    try {
      quick = await analysis({ ...options, quick: true });
      if (!isLatest() || quick.complete) return void (isLatest() && this.#take(quick));
      const full = analysis(options);
      const isLate = await Promise.race([full.then(() => false), new Promise((done) => setTimeout(done, SOON, true))]);
      if (isLate && isLatest()) this.#take(quick);
      const found = await full;
      if (isLatest()) this.#take(found);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (isLatest()) this.#take(quick, error.message);
    }
  }

  /**
   * @param {Api.ExplainedAnalysis | null} found
   * @param {string} [message]
   */
  #take(found, message) {
    this.board.values = found && shownValues(found);
    this.onchange(found, message);
  }
}
