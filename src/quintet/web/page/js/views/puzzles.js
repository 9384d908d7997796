// Puzzles: of the day, or of any game and rating. One move keeps the outcome; find it.

import { ask, games, query } from "../api.js";
import { attempt } from "../app.js";
import { button, field, h } from "../dom.js";
import { keepStreak, streak } from "../memory.js";

const AIMS = { win: "find the only move that wins", draw: "find the only move that keeps the draw" };
const today = () => new Date().toISOString().slice(0, 10);

export async function show(section, _, params) {
  const all = await games();
  let puzzle = null;
  let solved = false;
  let tries = 0;

  const board = h("quintet-board", { "data-testid": "board" });
  const task = h("p", { class: "turn-line", "data-testid": "task" });
  const answer = h("p", { class: "answer", role: "status", "data-testid": "answer" });
  const origin = h("p", { class: "small" });
  const counter = h("p", { class: "small", "data-testid": "streak" });
  const kind = h("select", { name: "kind" }, h("option", { value: "", text: "Puzzle of the day" }), all.map((game) => h("option", { value: game.name, text: game.title })));
  kind.value = all.some((game) => game.name === params.get("game")) ? params.get("game") : "";
  const rating = h("select", { name: "rating" }, h("option", { value: "", text: "Any" }),
    Array.from({ length: 10 }, (_, i) => h("option", { value: i + 1, text: `${i + 1} of 10` })));
  const ratingField = field("Difficulty", rating);
  const next = button("Next puzzle", () => load(), { class: "primary", "data-testid": "next" });

  const load = () => attempt(async () => {
    ratingField.hidden = !kind.value;
    const asked = { rating: rating.value, seed: Math.floor(Math.random() * 1e6) };
    board.playable = false;
    answer.textContent = "";
    answer.className = "answer";
    task.textContent = "Looking for a puzzle …";
    puzzle = await ask(kind.value ? `/api/puzzles/${kind.value}${query(asked)}` : `/api/puzzles/daily${query({ day: today() })}`);
    solved = false;
    tries = 0;
    const { to_move: player, view } = puzzle;
    task.textContent = `Player ${player} (${"XO"[player - 1]}) to move: ${AIMS[puzzle.goal]}.`;
    origin.textContent = `${view.title} ${view.size} · rated ${puzzle.rating} of 10 · ${puzzle.origin}`;
    board.name = `Puzzle of ${view.title}`;
    board.view = view;
    board.playable = true;
    next.hidden = !kind.value;
    count();
  });

  const solve = (move) => attempt(async () => {
    if (!puzzle || solved) return;
    const asked = puzzle;
    const judged = await ask("/api/puzzles/judge", { body: { position: asked.position, move } });
    if (asked !== puzzle) return;
    answer.textContent = judged.text;
    answer.className = `answer ${judged.right ? "right" : "wrong"}`;
    tries += 1;
    if (judged.right) {
      solved = true;
      board.playable = false;
      const owner = asked.to_move;
      board.view = { ...asked.view, cells: asked.view.cells.map((cell) => (cell.label === move ? { ...cell, owner, fresh: true, legal: false } : { ...cell, legal: false })) };
    }
    score(judged.right);
  });

  /** Only the first answer to a puzzle counts, and the puzzle of the day once a day. */
  function score(right) {
    if (tries > 1) return;
    const { now, best, day } = streak();
    if (!kind.value && day === today()) return;
    const longer = right ? now + 1 : 0;
    keepStreak({ now: longer, best: Math.max(best, longer), day: kind.value ? day : today() });
    count();
  }

  function count() {
    const { now, best } = streak();
    counter.textContent = best ? `Right in a row: ${now}. Your best: ${best}.` : "Every puzzle solved at the first try counts towards your streak.";
  }

  kind.addEventListener("change", load);
  rating.addEventListener("change", load);
  board.addEventListener("claim", (event) => solve(event.detail));
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "Puzzles" })),
    h("div", { class: "table" },
      h("div", { class: "stage" }, task, board, answer),
      h("div", { class: "side" },
        h("div", { class: "card stack" }, field("Which", kind), ratingField, next),
        origin, counter)),
  );
  await load();
}
