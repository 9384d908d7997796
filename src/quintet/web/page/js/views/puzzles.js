// Puzzles to practise, of any game and difficulty. Only the right move keeps the outcome; find it.

import { ask, games, query } from "../api.js";
import { button, h, link } from "../dom.js";
import { tr } from "../language.js";
import { attempt } from "../notices.js";
import { field, select } from "../parts/forms.js";
import { gameLinks } from "../parts/game-tabs.js";
import { LatestRequest } from "../parts/latest-request.js";
import { showEffects } from "../parts/overlay.js";
import { Players } from "../parts/players.js";
import { Pointing, withNames } from "../parts/pointing.js";
import { go } from "../router.js";
import { urlOf } from "../site.js";
import { savePuzzleResult, saveStreak, streak } from "../storage.js";

/** The lowest and the highest difficulty; the nearest that is found is shown. Few games have puzzles of each. */
const EASIER = "1";
const HARDER = "9";
const SEEDS = 1_000_000;

/**
 * @param {HTMLElement} section
 * @param {string} _
 * @param {URLSearchParams} params
 */
export async function show(section, _, params) {
  const day = params.get("day"); // The address of a day's puzzle, formerly.
  if (day) return void go(`/daily/${encodeURIComponent(day)}`, { replace: true });
  const all = await games();
  const NEXT = tr("Next puzzle");
  const request = new LatestRequest();
  /** @type {Api.PuzzleAnswer | null} */
  let puzzle = null;
  let tries = 0;
  let isFinished = false;
  /** @type {Api.Verdict | null} */
  let verdict = null;

  const board = h("quintet-board", { "data-testid": "board" });
  const players = new Players();
  const task = h("p", { class: "turn-line", "data-testid": "task" });
  const answer = h("p", { class: "answer", role: "status", "data-testid": "answer" });
  const line = h("div", { class: "best-line" });
  const pointing = new Pointing(board, answer, line);
  const origin = h("p", { class: "small", "data-testid": "origin" });
  const counter = h("p", { class: "small", "data-testid": "streak" });
  const which = select("which", all.map(named));
  const wanted = params.get("game") ?? "";
  which.value = all.some((game) => game.name === wanted) ? wanted : all[0].name;
  const rating = select("rating", [["", tr("Any")], [EASIER, tr("Easier")], [HARDER, tr("Harder")]]);
  if (!streak().best) rating.value = EASIER; // For somebody who has solved none.
  const ratingField = field(tr("Difficulty"), rating);
  const reveal = button(tr("Show the solution"), () => showSolution(), { "data-testid": "solution" });
  const next = button(NEXT, () => load(), { class: "primary", "data-testid": "next" });
  const explore = link("", tr("Explore this position"), { class: "button" });
  const links = h("div");

  async function load() {
    const options = { seed: Math.floor(Math.random() * SEEDS), rating: rating.value };
    board.playable = false;
    say("", []);
    reveal.hidden = explore.hidden = true;
    task.textContent = tr("Finding a puzzle …");
    const found = await attempt(() => request.wait(ask(`/api/puzzles/${which.value}${query(options)}`)));
    if (found === undefined) task.textContent = tr("No puzzle to show.");
    if (found) start(found);
  }

  /** @param {string} text what the way to another puzzle is called */
  function offer(text) {
    next.textContent = text;
    next.classList.toggle("primary", text === NEXT);
  }

  /** @param {Api.PuzzleAnswer} found */
  function start(found) {
    puzzle = found;
    tries = 0;
    isFinished = false;
    const { view, hardest } = found;
    task.textContent = found.goal_text;
    const source = h("span", { class: "unbroken", text: found.origin });
    const difficulty = tr("difficulty {rating} of {hardest}", { rating: found.rating, hardest });
    origin.replaceChildren(`${view.title} ${view.size} · ${difficulty} · `, source);
    offer(tr("Skip"));
    explore.href = urlOf(`/explore/${view.game}${query({ position: found.position })}`);
    links.replaceChildren(gameLinks(view.game, "puzzles"));
    board.name = tr("Puzzle: {game}", { game: view.title });
    draw(view, true);
    showEffects(board, { game: view.game, position: found.position });
  }

  /**
   * @param {Api.View} view
   * @param {boolean} playable
   */
  function draw(view, playable) {
    board.classList.toggle("over", !playable);
    board.playable = playable;
    board.view = view;
    players.update(view, [{ name: tr("Player 1") }, { name: tr("Player 2") }]);
  }

  /**
   * Show an answer, and the line that follows the first of these moves.
   * @param {string} text
   * @param {string[]} moves
   * @param {string} [kind]
   */
  function say(text, moves, kind = "") {
    const view = puzzle?.view;
    answer.className = `answer ${kind}`;
    answer.replaceChildren(...(view ? withNames(view, text) : []));
    line.replaceChildren(...(view ? pointing.line(view, tr("How it continues"), moves) : []));
    pointing.keep([]);
  }

  function showSolution() {
    if (!puzzle || !verdict) return;
    finish(false);
    say(verdict.solution ?? "", verdict.solution_line ?? [], "solution");
    pointing.keep(verdict.solution_line?.slice(0, 1) ?? []);
    reveal.hidden = true;
    explore.hidden = false;
    offer(NEXT);
  }

  /** @param {string} move */
  const solve = (move) => attempt(async () => {
    const asked = puzzle;
    if (!asked) return;
    /** @type {Api.Verdict} */
    const found = await ask("/api/puzzles/judge", { body: { position: asked.position, move } });
    if (asked !== puzzle) return;
    verdict = found;
    const { right } = found;
    tries += 1;
    if (tries === 1) score(right);
    if (right) finish(true);
    reveal.hidden = right;
    explore.hidden = !right;
    // A solved puzzle is over: nothing is left to claim.
    if (right) offer(NEXT);
    if (right) draw({ ...found.view, cells: found.view.cells.map((cell) => ({ ...cell, legal: false })) }, false);
    say(found.text, right ? found.line.slice(1) : found.line, right ? "right" : "wrong");
    if (!right) pointing.keep(found.line.slice(0, 2)); // The move and what refutes it.
  });

  /** Save the result, once. @param {boolean} solved */
  function finish(solved) {
    if (!puzzle || isFinished) return;
    isFinished = true;
    const { game, rating: level } = puzzle;
    savePuzzleResult({ day: null, game, rating: level, tries, solved, at: new Date().toISOString() });
  }

  /** Only the first answer to a puzzle counts. @param {boolean} right */
  function score(right) {
    const { now, best } = streak();
    const longer = right ? now + 1 : 0;
    saveStreak({ now: longer, best: Math.max(best, longer) });
    showStreak();
  }

  function showStreak() {
    const { now, best } = streak();
    counter.textContent = best
      ? tr("Streak: {now} · Best streak: {best}", { now, best })
      : tr("Solve a puzzle on the first try to start a streak.");
  }

  which.addEventListener("change", load);
  rating.addEventListener("change", load);
  board.addEventListener("preview", (event) => players.preview(event.detail));
  board.addEventListener("claim", (event) => solve(event.detail));
  section.append(
    h("div", { class: "heading" }, h("h1", { text: tr("Puzzles") }),
      link("/daily", tr("Puzzle of the day"), { class: "small" }), links),
    h("div", { class: "table" },
      h("div", { class: "stage" },
        task, players.element, board, h("div", { class: "row centred" }, next, reveal, explore), answer, line),
      h("div", { class: "side" },
        h("div", { class: "card stack" }, field(tr("Game"), which), ratingField), origin, counter)),
  );
  showStreak();
  await load();
}

/** @type {(game: Api.GameInfo) => [string, string]} */
const named = ({ name, title }) => [name, title];
