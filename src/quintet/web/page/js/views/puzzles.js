// Puzzles: of the day, or of any game and difficulty. Only the right move keeps the outcome; find it.

import { ask, games, query } from "../api.js";
import { button, h } from "../dom.js";
import { attempt } from "../notices.js";
import { field, select } from "../parts/forms.js";
import { LatestRequest } from "../parts/latest-request.js";
import { saveStreak, streak } from "../storage.js";

const SEEDS = 1_000_000;

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
  let solution = "";

  const board = h("quintet-board", { "data-testid": "board" });
  const task = h("p", { class: "turn-line", "data-testid": "task" });
  const answer = h("p", { class: "answer", role: "status", "data-testid": "answer" });
  const origin = h("p", { class: "small", "data-testid": "origin" });
  const counter = h("p", { class: "small", "data-testid": "streak" });
  const which = select("which", [["", "Puzzle of the day"], ...all.map(named)]);
  which.value = all.some((game) => game.name === params.get("game")) ? params.get("game") ?? "" : "";
  const rating = select("rating", [["", "Any"]]);
  const ratingField = field("Difficulty", rating);
  const reveal = button("Show the solution", () => (answer.textContent = solution), { "data-testid": "solution" });
  const next = button("Next puzzle", () => load(), { class: "primary", "data-testid": "next" });

  async function load() {
    const game = which.value;
    const seed = Math.floor(Math.random() * SEEDS);
    const path = game ? `${game}${query({ seed, rating: rating.value })}` : `daily${query({ day: params.get("day") })}`;
    ratingField.hidden = next.hidden = !game;
    board.playable = false;
    answer.textContent = "";
    reveal.hidden = true;
    task.textContent = "Finding a puzzle …";
    const found = await attempt(() => request.wait(ask(`/api/puzzles/${path}`)));
    if (found === undefined) task.textContent = "No puzzle to show.";
    if (found) start(found);
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
    board.name = `Puzzle: ${view.title}`;
    board.view = view;
    board.playable = true;
  }

  /** @param {string} move */
  const solve = (move) => attempt(async () => {
    const asked = puzzle;
    if (!asked) return;
    /** @type {Api.Verdict} */
    const verdict = await ask("/api/puzzles/judge", { body: { position: asked.position, move } });
    if (asked !== puzzle) return;
    answer.textContent = verdict.text;
    answer.className = `answer ${verdict.right ? "right" : "wrong"}`;
    solution = verdict.solution ?? "";
    reveal.hidden = verdict.right;
    tries += 1;
    if (tries === 1) score(verdict.right, asked.day);
    if (!verdict.right) return;
    board.playable = false;
    board.view = verdict.view;
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
  rating.addEventListener("change", load);
  board.addEventListener("claim", (event) => solve(event.detail));
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "Puzzles" })),
    h("div", { class: "table" },
      h("div", { class: "stage" }, task, board, answer, h("div", { class: "row centred" }, reveal)),
      h("div", { class: "side" },
        h("div", { class: "card stack" }, field("Puzzle", which), ratingField, next), origin, counter)),
  );
  showStreak();
  await load();
}

/** @type {(game: Api.GameInfo) => [string, string]} */
const named = ({ name, title }) => [name, title];
