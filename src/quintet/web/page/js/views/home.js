// The start page: the puzzle of the day, and the games, each with a board on which a game of best play is shown.

import { Failure, analysis, games, onServer, position } from "../api.js";
import { button, h, link } from "../dom.js";
import { tr } from "../language.js";
import { attempt } from "../notices.js";
import { DailyCard } from "../parts/daily-card.js";
import { drawerLink } from "../parts/drawer.js";
import { learnLink } from "../parts/invitation.js";
import { opponentLine } from "../parts/opponent-line.js";
import { playAgain } from "../parts/start-game.js";
import { site } from "../site.js";
import { finishedLessons, savedMatches } from "../storage.js";

const PACE = 900;
const START_AT = 0.4;

/** @import { QuintetBoard } from "../board.js" */
/**
 * A board with a line of best play on it.
 * @typedef {{ game: string, board: QuintetBoard, line: string[], at: number }} Demo
 */

/** @param {HTMLElement} section */
export async function show(section) {
  const all = await games();
  const demos = all.map((game) => makeDemo(game));
  const daily = new DailyCard();
  const group = onServer("/tournament/new");
  const pause = button(tr("Pause the boards"), () => undefined,
    { class: "quiet small pause", "aria-pressed": "false", hidden: true });
  section.append(
    h("div", { class: "hero" },
      h("h1", { text: tr("Five small games, played perfectly") }),
      h("p", {
        class: "lead",
        text: onServer("/")
          ? tr("Play a friend by link, or an engine of any strength. Then see the exact value of every move.")
          : tr("Play an engine of any strength, or a friend beside you. Then see the exact value of every move."),
      }),
      !savedMatches().length && !finishedLessons().length && h("p", { class: "welcome", "data-testid": "welcome" },
        link(`/learn/${all[0].name}`, tr("New here? Learn a game in 30 seconds"), { class: "button" }))),
    opponentLine(),
    h("div", { class: "games" }, daily.element, all.map((game, i) => card(game, demos[i].board))),
    group && h("p", { class: "group-link" }, link(group, tr("Play with a group"), { class: "button quiet" })),
    pause,
  );
  const puzzle = daily.load();
  await Promise.all([site ? null : puzzle, ...demos.map(drawDemo)]); // Without a server, Python may still be loading.
  const stop = animate(demos, pause);
  return () => {
    daily.stop();
    stop();
  };
}

/** @param {Api.GameInfo} game */
function makeDemo(game) {
  const board = h("quintet-board", { mini: true });
  board.name = tr("{game} board", { game: game.title });
  /** @type {Demo} */
  const made = { game: game.name, board, line: [], at: 0 };
  return made;
}

/**
 * @param {Api.GameInfo} game
 * @param {QuintetBoard} board
 */
function card({ name, title, summary }, board) {
  const play = () => attempt(() => playAgain({ game: name }));
  return h("article", { class: "game card", "data-testid": `game-${name}` },
    h("div", { class: "picture" }, board),
    h("div", { class: "game-text" },
      h("h2", { text: title }),
      h("p", { text: summary }),
      h("div", { class: "row" },
        button(tr("Play"), play, { class: "primary", "aria-label": tr("Play {game}", { game: title }) }),
        drawerLink(`/new?game=${name}`, tr("Options"),
          { class: "button quiet", "aria-label": tr("Options for {game}", { game: title }) })),
      h("p", { class: "small links" }, learnLink(name),
        link(`/rules/${name}`, tr("Rules"), { "aria-label": tr("Rules of {game}", { game: title }) }),
        link(`/explore/${name}`, tr("Explore"), { "aria-label": tr("Explore {game}", { game: title }) }))));
}

/** Draw a board where its line stands. @param {Demo} demo */
async function drawDemo({ game, board, line, at }) {
  board.view = (await position({ game, moves: line.slice(0, at).join("; ") })).view;
}

/** Play the next move of a line; after the last one begin again. @param {Demo} demo */
async function advance(demo) {
  demo.at = (demo.at + 1) % (demo.line.length + 1);
  await drawDemo(demo);
}

/**
 * Play best moves, one at a time, on one board after the other; returns how to stop.
 * @param {Demo[]} demos
 * @param {HTMLButtonElement} pause
 */
function animate(demos, pause) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let isOver = false;
  let isPaused = false;
  let turn = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  async function start() {
    await Promise.all(demos.map(async (demo) => {
      demo.line = (await analysis({ game: demo.game })).line;
      demo.at = Math.ceil(demo.line.length * START_AT);
      await drawDemo(demo);
    }));
    if (isStill || isOver) return;
    pause.hidden = false;
    timer = setTimeout(next, 2 * PACE);
  }

  async function next() {
    if (isOver) return;
    try {
      if (!document.hidden && !isPaused) await advance(demos[turn++ % demos.length]);
      if (!isOver) timer = setTimeout(next, PACE);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      pause.hidden = true;
    }
  }

  start().catch((error) => {
    if (!(error instanceof Failure)) throw error; // Decoration: without values the boards stay as they are.
  });
  pause.addEventListener("click", () => {
    isPaused = !isPaused;
    pause.setAttribute("aria-pressed", String(isPaused));
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
