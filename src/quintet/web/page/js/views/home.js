// The way in: the five games, each with a board on which perfect play goes on, and the puzzle of the day.

import { Failure, analysis, ask, games, position } from "../api.js";
import { button, h, link } from "../dom.js";
import { rated } from "../parts/ratings.js";

const ABOUT =
  "Play a friend by link or an engine of any strength. Then see what every move was worth: " +
  "not an opinion, the exact value.";
const PACE = 900;
const BEGUN = 0.4;

export async function show(section) {
  const all = await games();
  const boards = new Map();
  const cards = all.map((game) => {
    const board = h("quintet-board", { mini: true });
    board.name = `A board of ${game.title}`;
    boards.set(game.name, board);
    return h("article", { class: "game card", "data-testid": `game-${game.name}` },
      h("div", { class: "picture" }, board),
      h("div", { class: "game-text" },
        h("h2", { text: game.title }),
        h("p", { text: game.summary }),
        h("div", { class: "row" },
          link(`/new?game=${game.name}`, "Play", { class: "button primary", "aria-label": `Play ${game.title}` }),
          link(`/rules/${game.name}`, "Rules", { class: "button quiet", "aria-label": `Rules of ${game.title}` }),
          link(`/explore/${game.name}`, "Explore", { class: "button quiet", "aria-label": `Explore ${game.title}` }))));
  });
  const daily = h("article", { class: "game card daily", "data-testid": "daily" });
  const pause = button("Pause the boards", null, { class: "quiet small pause", "aria-pressed": "false", hidden: true });
  section.append(
    h("div", { class: "hero" },
      h("h1", { text: "Five small games, played perfectly" }),
      h("p", { class: "lead", text: ABOUT })),
    h("div", { class: "games" }, cards, daily),
    pause,
  );
  await Promise.all(all.map(async (game) => (boards.get(game.name).view = (await position({ game: game.name })).view)));
  showDaily(daily);
  return perform(all.map((game) => game.name), boards, pause);
}

async function showDaily(card) {
  try {
    const puzzle = await ask("/api/puzzles/daily");
    const board = h("quintet-board", { mini: true });
    board.name = "The board of the puzzle";
    card.append(
      h("div", { class: "picture" }, board),
      h("div", { class: "game-text" },
        h("h2", { text: "Puzzle of the day" }),
        h("p", { text: `${puzzle.day} (UTC): ${puzzle.view.title}, ${rated(puzzle)}. ${puzzle.goal_text}` }),
        h("div", { class: "row" }, link("/puzzles", "Solve it", { class: "button primary" }))));
    board.view = puzzle.view;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    card.remove();
  }
}

/** Let best play go on, one move at a time, on one board after the other; returns how to end it. */
function perform(names, boards, pause) {
  const lines = new Map();
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let over = false;
  let paused = false;
  let timer = null;
  let turn = 0;

  async function begin(name) {
    const { line } = await analysis({ game: name });
    lines.set(name, { moves: line, at: Math.ceil(line.length * BEGUN) - 1 });
    await advance(name);
  }

  async function advance(name) {
    const line = lines.get(name);
    line.at = (line.at + 1) % (line.moves.length + 1);
    const { view } = await position({ game: name, moves: line.moves.slice(0, line.at).join("; ") });
    if (!over) boards.get(name).view = view;
  }

  async function next() {
    if (over) return;
    try {
      if (!document.hidden && !paused) await advance(names[turn++ % names.length]);
      if (!over) timer = setTimeout(next, PACE);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      pause.hidden = true;
    }
  }

  // Decoration: without values the boards stay as they are.
  Promise.all(names.map(begin)).then(() => {
    if (still || over) return;
    pause.hidden = false;
    timer = setTimeout(next, 2 * PACE);
  }, (error) => {
    if (!(error instanceof Failure)) throw error;
  });
  pause.addEventListener("click", () => {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
  });
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
