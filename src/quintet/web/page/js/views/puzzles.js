// Puzzles: of the day, or of any game and difficulty. Only the right move keeps the outcome; find it.

import { ask, games, query } from "../api.js";
import { button, h, link } from "../dom.js";
import { attempt } from "../notices.js";
import { field, select } from "../parts/forms.js";
import { gameLinks } from "../parts/game-tabs.js";
import { LatestRequest } from "../parts/latest-request.js";
import { showEffects } from "../parts/overlay.js";
import { Players } from "../parts/players.js";
import { Pointing, withNames } from "../parts/pointing.js";
import { urlOf } from "../site.js";
import { saveStreak, streak } from "../storage.js";

const EASY = "2";
const NEXT = "Next puzzle";
const SEEDS = 1_000_000;
const PLAYERS = [{ name: "Player 1" }, { name: "Player 2" }];

/**
 * @param {HTMLElement} section
 * @param {string} _
 * @param {URLSearchParams} params
 */
export async function show(section, _, params) {
  const all = await games();
  const request = new LatestRequest();
  /** @type {Api.PuzzleAnswer | null} */
  let puzzle = null;
  let tries = 0;
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
  const which = select("which", [["", "Puzzle of the day"], ...all.map(named)]);
  which.value = all.some((game) => game.name === params.get("game")) ? params.get("game") ?? "" : "";
  const rating = select("rating", [["", "Any"]]);
  /** The difficulty for somebody who has solved none, until another is chosen. */
  let easy = streak().best ? "" : EASY;
  const ratingField = field("Difficulty", rating);
  const reveal = button("Show the solution", () => showSolution(), { "data-testid": "solution" });
  const next = button(NEXT, () => loadNext(), { class: "primary", "data-testid": "next" });
  const explore = link("", "Explore this position", { class: "button" });
  const links = h("div");

  async function load() {
    const game = which.value;
    const seed = Math.floor(Math.random() * SEEDS);
    const wanted = { seed, rating: easy || rating.value };
    const path = game ? `${game}${query(wanted)}` : `daily${query({ day: params.get("day") })}`;
    ratingField.hidden = !game;
    board.playable = false;
    say("", []);
    reveal.hidden = explore.hidden = true;
    task.textContent = "Finding a puzzle …";
    const found = await attempt(() => request.wait(ask(`/api/puzzles/${path}`)));
    if (found === undefined) task.textContent = "No puzzle to show.";
    if (found) start(found);
  }

  /** @param {string} text what the way to another puzzle is called */
  function offer(text) {
    next.textContent = text;
    next.classList.toggle("primary", text === NEXT);
  }

  /** After the puzzle of the day come others of its game. */
  function loadNext() {
    which.value ||= puzzle?.view.game ?? "";
    return load();
  }

  /** @param {Api.PuzzleAnswer} found */
  function start(found) {
    puzzle = found;
    tries = 0;
    const { view, day, hardest } = found;
    task.textContent = found.goal_text;
    const source = h("span", { class: "unbroken", text: day ? `puzzle of ${day} (UTC)` : found.origin });
    origin.replaceChildren(`${view.title} ${view.size} · difficulty ${found.rating} of ${hardest} · `, source);
    for (let i = rating.options.length; i <= hardest; i++) {
      rating.append(h("option", { value: i, text: `${i} of ${hardest}` }));
    }
    if (easy && which.value) rating.value = easy;
    offer("Skip");
    explore.href = urlOf(`/explore/${view.game}${query({ position: found.position })}`);
    links.replaceChildren(gameLinks(view.game, "Puzzles"));
    board.name = `Puzzle: ${view.title}`;
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
    players.update(view, PLAYERS);
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
    line.replaceChildren(...(view ? pointing.line(view, "How it continues", moves) : []));
    pointing.keep([]);
  }

  function showSolution() {
    if (!puzzle || !verdict) return;
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
    if (tries === 1) score(right, asked.day);
    reveal.hidden = right;
    explore.hidden = !right;
    // A solved puzzle is over: nothing is left to claim.
    if (right) offer(NEXT);
    if (right) draw({ ...found.view, cells: found.view.cells.map((cell) => ({ ...cell, legal: false })) }, false);
    say(found.text, right ? found.line.slice(1) : found.line, right ? "right" : "wrong");
    if (!right) pointing.keep(found.line.slice(0, 2)); // The move and what refutes it.
  });

  /**
   * Only the first answer to a puzzle counts, and the puzzle of a day only once.
   * @param {boolean} right
   * @param {string | null} today the day whose puzzle it is
   */
  function score(right, today) {
    const { now, best, day } = streak();
    if (today && day === today) return;
    const longer = right ? now + 1 : 0;
    saveStreak({ now: longer, best: Math.max(best, longer), day: today ?? day });
    showStreak();
  }

  function showStreak() {
    const { now, best } = streak();
    counter.textContent = best
      ? `Streak: ${now} · Best streak: ${best}`
      : "Solve a puzzle on the first try to start a streak.";
  }

  which.addEventListener("change", load);
  rating.addEventListener("change", () => {
    easy = "";
    load();
  });
  board.addEventListener("preview", (event) => players.preview(event.detail));
  board.addEventListener("claim", (event) => solve(event.detail));
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "Puzzles" }), links),
    h("div", { class: "table" },
      h("div", { class: "stage" },
        task, players.element, board, h("div", { class: "row centred" }, next, reveal, explore), answer, line),
      h("div", { class: "side" },
        h("div", { class: "card stack" }, field("Puzzle", which), ratingField), origin, counter)),
  );
  showStreak();
  await load();
}

/** @type {(game: Api.GameInfo) => [string, string]} */
const named = ({ name, title }) => [name, title];
