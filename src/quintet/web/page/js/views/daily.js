// The puzzle of the day: three tries. A wrong answer is refuted on the board and taken back; the result is remembered.

import { Failure, ask, query } from "../api.js";
import { button, h, link } from "../dom.js";
import { tr, trCount } from "../language.js";
import { sentenceName } from "../names.js";
import { attempt } from "../notices.js";
import { Calendar } from "../parts/calendar.js";
import { ServiceClock, addDays, dailyPuzzle, dateText, resultText } from "../parts/daily.js";
import { DailyResult, forgetful, noPuzzle, trySquares } from "../parts/daily-result.js";
import { LatestRequest } from "../parts/latest-request.js";
import { showEffects } from "../parts/overlay.js";
import { Players } from "../parts/players.js";
import { Pointing, withNames } from "../parts/pointing.js";
import { Refutation } from "../parts/refutation.js";
import { urlOf } from "../site.js";
import { canSave, puzzleResults, resultOf, savePuzzleResult, saveTries, triesOf } from "../storage.js";

/** @import { PuzzleResult } from "../storage.js" */

/** @param {HTMLElement} section @param {string} day */
export async function show(section, day) {
  let puzzle;
  try {
    puzzle = await dailyPuzzle(day || undefined);
  } catch (error) {
    if (!(error instanceof Failure) || ![404, 422].includes(error.status)) throw error;
    section.classList.add("narrow");
    section.append(...noPuzzle());
    return undefined;
  }
  const view = new DailyView(section, !day, puzzle);
  return () => view.leave();
}

class DailyView {
  #puzzle;
  #clock;
  /** The wrong answers so far. @type {string[]} */
  #wrong = [];
  #isBusy = false;
  #isOver = false;
  #refutation = new Refutation();
  #latest = new LatestRequest();
  #stop = new AbortController();
  #title = h("h1");
  #about = h("p", { class: "small", "data-testid": "origin" });
  #note = h("p", { class: "small note-line", "data-testid": "note" });
  #task = h("p", { class: "turn-line", "data-testid": "task" });
  #players = new Players();
  #board = h("quintet-board", { "data-testid": "board" });
  #tries = h("div", { class: "try-line" });
  #again = button(tr("Try again"), () => this.#endRefutation(), { hidden: true, "data-testid": "again" });
  #next = link("/daily", "", { class: "button primary", hidden: true, "data-testid": "next" });
  #explore = link("", tr("Explore this position"), { hidden: true });
  #answer = h("p", { class: "answer", role: "status", "data-testid": "answer" });
  #line = h("div", { class: "best-line" });
  #pointing = new Pointing(this.#board, this.#answer, this.#line);
  #result = new DailyResult();
  #calendar = new Calendar();

  /**
   * @param {HTMLElement} section
   * @param {boolean} isToday whether the address is that of today's puzzle, whatever day it is
   * @param {Api.DailyAnswer} puzzle
   */
  constructor(section, isToday, puzzle) {
    this.isToday = isToday;
    this.#puzzle = puzzle;
    this.#clock = new ServiceClock(puzzle.now);
    this.#board.addEventListener("preview", (event) => this.#players.preview(event.detail));
    this.#board.addEventListener("claim", (event) => this.#solve(event.detail));
    addEventListener("storage", () => this.#sync(), { signal: this.#stop.signal });
    this.timer = setInterval(() => this.#tick(), 1000);
    section.append(
      h("div", { class: "heading daily-heading" }, this.#title, this.#about, this.#note),
      h("div", { class: "table daily-table" },
        h("div", { class: "stage" }, this.#task, this.#players.element, this.#board,
          h("div", { class: "row centred" }, this.#tries, this.#again, this.#next), this.#answer, this.#line),
        h("div", { class: "side" }, this.#result.element, this.#calendar.element,
          h("nav", { class: "game-links", "aria-label": tr("More puzzles") },
            link("/daily/archive", tr("Archive")), link("/puzzles", tr("More puzzles")), this.#explore))));
    this.#start(puzzle);
  }

  leave() {
    this.#stop.abort();
    this.#latest.cancel();
    this.#refutation.end();
    clearInterval(this.timer);
  }

  /** @param {Api.DailyAnswer} puzzle */
  #start(puzzle) {
    this.#puzzle = puzzle;
    this.#clock = new ServiceClock(puzzle.now);
    this.#isOver = false;
    this.#result.element.hidden = this.#next.hidden = this.#explore.hidden = true;
    const { view, day, rating, hardest, number } = puzzle;
    this.#title.textContent = `Quintet #${number}`;
    const difficulty = tr("difficulty {rating} of {hardest}", { rating, hardest });
    this.#about.textContent = [`${view.title} ${view.size}`, difficulty, dateText(String(day))].join(" · ");
    this.#board.name = tr("Puzzle: {game}", { game: view.title });
    this.#explore.href = urlOf(`/explore/${view.game}${query({ position: puzzle.position })}`);
    this.#say("", []);
    this.#ask();
    this.#sync();
  }

  get #day() {
    return String(this.#puzzle.day);
  }

  #ask() {
    this.#task.textContent = this.#puzzle.goal_text;
    this.#draw(this.#puzzle.view, true);
    showEffects(this.#board, { game: this.#puzzle.view.game, position: this.#puzzle.position });
  }

  /** @param {Api.View} view @param {boolean} playable */
  #draw(view, playable) {
    this.#board.classList.toggle("over", !playable);
    this.#board.playable = playable;
    this.#board.view = playable ? view : { ...view, cells: view.cells.map((cell) => ({ ...cell, legal: false })) };
    this.#players.update(view, [{ name: tr("Player 1") }, { name: tr("Player 2") }]);
  }

  /** @type {(text: string, moves: string[], kind?: string) => void} */
  #say(text, moves, kind = "") {
    this.#answer.className = `answer ${kind}`;
    this.#answer.replaceChildren(...withNames(this.#puzzle.view, text));
    this.#line.replaceChildren(...this.#pointing.line(this.#puzzle.view, tr("How it continues"), moves));
    this.#pointing.keep([]);
  }

  /** Show what is saved, here or in another tab: the tries so far, or the result. */
  #sync() {
    if (this.#isBusy || this.#isOver) return;
    this.#wrong = triesOf(this.#day);
    const result = resultOf(this.#day);
    if (result) this.#finish(result);
    else this.#drawTries();
  }

  #drawTries() {
    const { tries } = this.#puzzle;
    const left = tries - this.#wrong.length;
    this.#tries.replaceChildren(...(this.#isOver ? [] : [trySquares(this.#wrong.length, false, tries),
      h("span", { class: "small", text: trCount("{count} try left", "{count} tries left", left) })]));
    this.#tries.hidden = this.#isOver;
    const first = addDays(this.#day, 1 - Number(this.#puzzle.number));
    this.#calendar.update(puzzleResults(), this.#clock.today(), first, this.#day);
    const late = tr("A puzzle of an earlier day does not count for your streak.");
    this.#note.textContent = canSave() ? (this.#day === this.#clock.today() ? "" : late) : forgetful();
  }

  /** @param {string} move */
  async #solve(move) {
    this.#sync();
    if (this.#isBusy || this.#isOver) return;
    if (this.#wrong.includes(move)) return void this.#board.refuse(move, tr("You have tried this cell."));
    this.#isBusy = true;
    const asked = this.#puzzle;
    const verdict = await attempt(() => this.#latest.wait(this.#judge(move)));
    if (verdict && asked === this.#puzzle) await this.#take(move, verdict);
    this.#isBusy = false;
    if (!this.#stop.signal.aborted) this.#sync();
  }

  /** @param {string} move @returns {Promise<Api.Verdict>} */
  #judge = (move) => ask("/api/puzzles/judge", { body: { position: this.#puzzle.position, move } });

  /**
   * Save an answer, which counts before anything is shown of it.
   * @param {string} move
   * @param {Api.Verdict} verdict
   */
  async #take(move, verdict) {
    const { tries, game, rating, day } = this.#puzzle;
    this.#wrong = triesOf(this.#day);
    const isKnown = Boolean(resultOf(this.#day)); // Another tab was faster.
    if (!verdict.right && !isKnown) saveTries(this.#day, (this.#wrong = [...this.#wrong, move]));
    if (verdict.right || this.#wrong.length >= tries) {
      const count = this.#wrong.length + (verdict.right ? 1 : 0);
      const answer = verdict.right ? move : verdict.solution_line?.[0];
      const at = new Date(this.#clock.now()).toISOString();
      savePuzzleResult({ day, game, rating, tries: count, solved: verdict.right, at, answer });
      saveTries(this.#day, []);
    }
    if (!verdict.right && !isKnown) await this.#refute(move, verdict);
  }

  /**
   * Play a wrong move and what refutes it, and take it back.
   * @param {string} move
   * @param {Api.Verdict} verdict
   */
  async #refute(move, verdict) {
    this.#drawTries();
    this.#task.textContent = tr("{move} is wrong. See why:", { move: sentenceName(this.#puzzle.view, move) });
    this.#say(verdict.text, verdict.line, "wrong");
    this.#again.textContent = this.#wrong.length < this.#puzzle.tries ? tr("Try again") : tr("Show the solution");
    this.#again.hidden = false;
    this.#refutation = new Refutation();
    await this.#refutation.play(this.#puzzle, verdict, (view) => this.#draw(view, false));
    this.#again.hidden = true;
    this.#ask();
  }

  #endRefutation() {
    this.#refutation.end();
    this.#board.cells.find((cell) => cell?.tabIndex === 0)?.focus({ preventScroll: true });
  }

  /** Show a result, and the answer on the board. @param {PuzzleResult} result */
  async #finish(result) {
    this.#isOver = true;
    this.#drawTries();
    this.#board.playable = false;
    this.#task.textContent = `${result.solved ? "✓" : "✗"} ${resultText(result)}`;
    this.#result.show(result, this.#puzzle, puzzleResults(), this.#clock);
    this.#explore.hidden = false;
    const { answer } = result;
    const verdict = answer && await attempt(() => this.#latest.wait(this.#judge(answer)));
    if (!verdict) return;
    this.#draw(verdict.view, false);
    const [text, kind] = result.solved ? [verdict.text, "right"] : [verdict.solution, "solution"];
    this.#say(text ?? "", verdict.line.slice(1), kind);
  }

  /** Count down, and notice when the next day begins. */
  async #tick() {
    this.#result.tick(this.#clock);
    const fresh = await this.#clock.nextPuzzle();
    if (!fresh || this.#stop.signal.aborted) return;
    if (this.isToday && !this.#isBusy && !this.#isOver && !this.#wrong.length) return void this.#start(fresh);
    this.#clock = new ServiceClock(fresh.now); // It may be the same day: the clock of this device was changed.
    this.#next.hidden = fresh.day === this.#day;
    this.#next.textContent = tr("Solve Quintet #{number}", { number: fresh.number ?? 0 });
    this.#drawTries();
  }
}
