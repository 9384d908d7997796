// Why an answer to a puzzle is wrong, played on the board: the move, what refutes it, and how that continues.

import { position } from "../api.js";
import { pace } from "../storage.js";

/** Milliseconds for which each move is shown, unless moves are to be shown at once; the last twice as long. */
const STEP = 900;
/** The most moves that are played. */
const LONGEST = 7;

export class Refutation {
  #isEnded = false;
  #skip = () => {};

  /**
   * Play a line, move by move; done when it was played or ended.
   * @param {Api.PuzzleAnswer} puzzle where it begins
   * @param {Api.Verdict} verdict
   * @param {(view: Api.View) => void} draw
   */
  async play({ view, position: start }, verdict, draw) {
    const moves = verdict.line.slice(0, LONGEST);
    for (let i = 1; i <= moves.length && !this.#isEnded; i++) {
      const options = { game: view.game, position: start, moves: moves.slice(0, i).join("; ") };
      const shown = i === 1 ? verdict : await position(options).catch(() => null);
      if (!shown || this.#isEnded) return;
      draw(shown.view);
      await new Promise((done) => {
        const timer = setTimeout(done, pace() && STEP * (i === moves.length ? 2 : 1));
        this.#skip = () => done(clearTimeout(timer));
      });
    }
  }

  /** Play no more of it. */
  end() {
    this.#isEnded = true;
    this.#skip();
  }
}
