// What follows a puzzle of the day: its tries as squares, the streak, a way to share it, and when the next one comes.

import { button, h, link } from "../dom.js";
import { tr } from "../language.js";
import { dailyStreak, resultText, shareText, streakText } from "./daily.js";

/** @import { PuzzleResult } from "../storage.js" */
/** @import { ServiceClock } from "./daily.js" */

/**
 * The tries at a puzzle, as squares.
 * @param {number} wrong
 * @param {boolean} solved
 * @param {number} all
 */
export function trySquares(wrong, solved, all) {
  const name = tr("{count} of {all} tries used", { count: wrong + (solved ? 1 : 0), all });
  const kind = /** @param {number} i */ (i) => (i < wrong ? "wrong" : i === wrong && solved ? "right" : "unused");
  return h("span", { class: "tries", role: "img", "aria-label": name, "data-testid": "tries" },
    Array.from({ length: all }, (_, i) => h("i", { class: `try ${kind(i)}` })));
}

/** Share a text with the phone's own sheet, or copy it. @param {() => string} getText */
function shareButton(getText) {
  const said = h("p", { class: "small shared", role: "status", "data-testid": "shared" });
  const share = async () => {
    const text = getText();
    try {
      const isPhone = navigator.share !== undefined && matchMedia("(pointer: coarse)").matches;
      await (isPhone ? navigator.share({ text }) : navigator.clipboard.writeText(text));
      said.textContent = isPhone ? "" : tr("Copied.");
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return; // The sheet was closed again.
      said.textContent = tr("Copy this: {text}", { text }); // Browsers allow it on secure addresses only.
    }
  };
  return [button(tr("Share"), share, { class: "primary", "data-testid": "share" }), said];
}

export class DailyResult {
  #countdown = h("p", { class: "countdown", role: "timer", "data-testid": "countdown" });
  element = h("section", { class: "card outcome", hidden: true, "data-testid": "outcome" });

  /**
   * @param {PuzzleResult} result
   * @param {Api.DailyAnswer} puzzle
   * @param {PuzzleResult[]} results all of them
   * @param {ServiceClock} clock
   */
  show(result, puzzle, results, clock) {
    const { now, best } = dailyStreak(results, clock.today());
    const wrong = result.tries - (result.solved ? 1 : 0);
    const isToday = result.day === clock.today();
    const [share, shared] = shareButton(() => shareText(result, puzzle));
    this.element.setAttribute("aria-label", resultText(result));
    this.element.classList.toggle("solved", result.solved);
    this.element.replaceChildren(
      h("div", { class: "score-line" },
        h("b", { class: "verdict", text: result.solved ? "✓" : "✗", "aria-hidden": "true" }),
        h("span", { class: "score-text" },
          h("b", { text: `Quintet #${puzzle.number} ${result.solved ? result.tries : "X"}/${puzzle.tries}` }),
          trySquares(wrong, result.solved, puzzle.tries)),
        share),
      shared,
      h("p", { "data-testid": "streak" },
        h("b", { text: streakText(now) }), " · ", tr("Best: {count}", { count: best })),
      isToday
        ? this.#countdown
        : h("p", null, link("/daily", tr("Today’s puzzle"))));
    this.element.hidden = false;
    this.tick(clock);
  }

  /** @param {ServiceClock} clock */
  tick(clock) {
    this.#countdown.textContent = tr("Next puzzle in {time}", { time: clock.countdown() });
  }
}

/** What is said where nothing can be saved. */
export const forgetful = () =>
  tr("This browser does not allow Quintet to save anything: your tries and your streak are forgotten when you leave.");

/** What is shown at the address of a day that has no puzzle, or none yet. */
export const noPuzzle = () => [
  h("h1", { text: tr("No puzzle") }),
  h("p", { class: "lead", text: tr("There is no puzzle of that day. Puzzles come out at midnight UTC.") }),
  h("p", { class: "row" },
    link("/daily", tr("Today’s puzzle"), { class: "button primary" }),
    link("/daily/archive", tr("Archive"), { class: "button" })),
];
