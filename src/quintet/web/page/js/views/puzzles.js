// Puzzles: of the day, or of any game and rating. One move keeps the outcome; find it.

import { ask, games, query } from "../api.js";
import { attempt } from "../app.js";
import { button, h } from "../dom.js";
import { keepStreak, streak } from "../memory.js";
import { field } from "../parts/forms.js";
import { Latest } from "../parts/latest.js";
import { RATINGS, rated } from "../parts/ratings.js";

const SEEDS = 1_000_000;

const select = (name, options) => h("select", { name }, options.map(([value, text]) => h("option", { value, text })));

export async function show(section, _, params) {
  const all = await games();
  const latest = new Latest();
  let puzzle = null;
  let tries = 0;

  const board = h("quintet-board", { "data-testid": "board" });
  const task = h("p", { class: "turn-line", "data-testid": "task" });
  const answer = h("p", { class: "answer", role: "status", "data-testid": "answer" });
  const origin = h("p", { class: "small" });
  const counter = h("p", { class: "small", "data-testid": "streak" });
  const which = select("which", [["", "Puzzle of the day"], ...all.map((game) => [game.name, game.title])]);
  which.value = all.some((game) => game.name === params.get("game")) ? params.get("game") : "";
  const rating = select("rating", [["", "Any"], ...RATINGS]);
  const ratingField = field("Difficulty", rating);
  const solution = button("Show the solution", null, { "data-testid": "solution" });
  const next = button("Next puzzle", () => load(), { class: "primary", "data-testid": "next" });

  async function load() {
    const game = which.value;
    const seed = Math.floor(Math.random() * SEEDS);
    const path = game ? `${game}${query({ seed, rating: rating.value })}` : `daily${query({ day: params.get("day") })}`;
    ratingField.hidden = next.hidden = !game;
    board.playable = false;
    answer.textContent = "";
    solution.hidden = true;
    task.textContent = "Looking for a puzzle …";
    const found = await attempt(() => latest.of(ask(`/api/puzzles/${path}`)));
    if (found === undefined) task.textContent = "There is no puzzle to show.";
    if (!found) return;
    puzzle = found;
    tries = 0;
    const { view } = puzzle;
    task.textContent = puzzle.goal_text;
    origin.textContent = `${view.title} ${view.size} · ${rated(puzzle)} · puzzle ${puzzle.origin}`;
    board.name = `Puzzle of ${view.title}`;
    board.view = view;
    board.playable = true;
  }

  const solve = (move) => attempt(async () => {
    const asked = puzzle;
    const judged = await ask("/api/puzzles/judge", { body: { position: asked.position, move } });
    if (asked !== puzzle) return;
    answer.textContent = judged.text;
    answer.className = `answer ${judged.right ? "right" : "wrong"}`;
    solution.hidden = judged.right;
    solution.onclick = () => (answer.textContent = judged.solution);
    tries += 1;
    if (tries === 1) score(judged.right);
    if (judged.right) {
      board.playable = false;
      board.view = { ...asked.view, cells: asked.view.cells.map((cell) => mark(cell, move, asked.to_move)) };
    }
  });

  /** A cell after the answer: the one that was found carries its player's mark. */
  const mark = (cell, move, owner) => (cell.label === move ? { ...cell, owner, fresh: true } : cell);

  /** Only the first answer to a puzzle counts, and the puzzle of the day only once. */
  function score(right) {
    const { now, best, day } = streak();
    if (puzzle.day && puzzle.day === day) return;
    const longer = right ? now + 1 : 0;
    keepStreak({ now: longer, best: Math.max(best, longer), day: puzzle.day ?? day });
    count();
  }

  function count() {
    const { now, best } = streak();
    counter.textContent = best
      ? `Right in a row: ${now}. Your best: ${best}.`
      : "Every puzzle solved at the first try counts towards your streak.";
  }

  which.addEventListener("change", load);
  rating.addEventListener("change", load);
  board.addEventListener("claim", (event) => solve(event.detail));
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "Puzzles" })),
    h("div", { class: "table" },
      h("div", { class: "stage" }, task, board, answer, h("div", { class: "row centred" }, solution)),
      h("div", { class: "side" },
        h("div", { class: "card stack" }, field("Which", which), ratingField, next), origin, counter)),
  );
  count();
  await load();
}
