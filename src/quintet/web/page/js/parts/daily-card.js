// The puzzle of the day on the start page: its board and its number, and once it is over, the result and a countdown.

import { Failure } from "../api.js";
import { h, link } from "../dom.js";
import { tr } from "../language.js";
import { puzzleResults, triesOf } from "../storage.js";
import { ServiceClock, dailyPuzzle, dailyStreak, resultText, streakText } from "./daily.js";

export class DailyCard {
  /** @type {Api.DailyAnswer | null} */
  #puzzle = null;
  #clock = new ServiceClock(new Date().toISOString());
  #stop = new AbortController();
  #board = h("quintet-board", { mini: true });
  // These texts take as much room as those that follow, so that nothing moves.
  #title = h("h2", { text: "Quintet" });
  #about = h("p", { class: "about-daily", "data-testid": "about-daily", text: tr("Puzzle of the day") });
  #solve = link("/daily", tr("Solve"), { class: "button primary" });
  #streak = h("span", { class: "small", "data-testid": "streak" });

  constructor() {
    this.#board.name = tr("Puzzle of the day");
    this.element = h("article", { class: "game card daily", "data-testid": "daily" },
      h("div", { class: "picture" }, this.#board),
      h("div", { class: "game-text" }, this.#title, this.#about,
        h("div", { class: "row" }, this.#solve, link("/daily/archive", tr("Archive"), { class: "button quiet" })),
        h("p", { class: "small links" }, this.#streak)));
    this.#drawStreak();
    addEventListener("storage", () => this.#draw(), { signal: this.#stop.signal });
    this.timer = setInterval(() => this.#tick(), 1000);
  }

  stop() {
    this.#stop.abort();
    clearInterval(this.timer);
  }

  /** Show today's puzzle; without an answer the card only leads to it. */
  async load() {
    try {
      this.#take(await dailyPuzzle());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }

  /** @param {Api.DailyAnswer} puzzle */
  #take(puzzle) {
    this.#puzzle = puzzle;
    this.#clock = new ServiceClock(puzzle.now);
    this.#board.view = puzzle.view;
    this.#draw();
  }

  #draw() {
    const puzzle = this.#puzzle;
    if (!puzzle) return;
    const { view, day, number, goal } = puzzle;
    const results = puzzleResults();
    const result = results.find((one) => one.day === day);
    const words = { game: view.title, player: "XO"[(view.player ?? 1) - 1] };
    this.#title.textContent = `Quintet #${number}`;
    const next = tr("Next puzzle in {time}", { time: this.#clock.countdown() });
    this.#about.textContent = result
      ? `${result.solved ? "✓" : "✗"} ${resultText(result)}. ${next}`
      : goal === "win" ? tr("{game}: {player} to move and win", words) : tr("{game}: {player} to move and draw", words);
    const isBegun = day && triesOf(day).length;
    this.#solve.textContent = result ? tr("Result") : isBegun ? tr("Continue") : tr("Solve");
    this.#drawStreak();
  }

  #drawStreak() {
    const { now } = dailyStreak(puzzleResults(), this.#clock.today());
    this.#streak.textContent = now ? streakText(now) : tr("A new puzzle every day");
  }

  /** Count down, and show the next puzzle when its day begins. */
  async #tick() {
    if (!this.#puzzle) return;
    this.#draw();
    const fresh = await this.#clock.nextPuzzle();
    if (fresh) this.#take(fresh);
  }
}
