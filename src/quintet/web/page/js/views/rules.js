// The rules of a game, from its manual, with boards from a game of best play.

import { Failure, analysis, games, position, rules } from "../api.js";
import { h, link } from "../dom.js";
import { GAP, sentences, tr, trCount } from "../language.js";
import { learnLink } from "../parts/invitation.js";
import { gameTabs } from "../parts/game-tabs.js";
import { go } from "../router.js";

/**
 * @param {HTMLElement} section
 * @param {string} game
 */
export async function show(section, game) {
  if (!game) return void go(`/rules/${(await games())[0].name}`, { replace: true });
  const manual = await rules(game);
  const diagrams = h("div", { class: "diagrams" });
  // The manual is the service's own text, rendered there to safe markup.
  const text = new DOMParser().parseFromString(manual.html, "text/html").body.childNodes;
  section.append(
    h("div", { class: "heading" }, h("h1", { text: manual.title }), learnLink(game)),
    await gameTabs(game, (name) => `/rules/${name}`),
    h("div", { class: "reading" },
      h("div", { class: "prose" }, ...text,
        h("div", { class: "row" },
          link(`/new?game=${game}`, tr("Play"), { class: "button primary" }),
          link(`/explore/${game}`, tr("Explore"), { class: "button" }),
          link(`/puzzles?game=${game}`, tr("Puzzles"), { class: "button" }))),
      diagrams),
  );
  illustrate(diagrams, game);
}

/**
 * Show the start, the middle and the end of a game of best play.
 * @param {HTMLElement} place
 * @param {string} game
 */
async function illustrate(place, game) {
  try {
    const { line } = await analysis({ game });
    const plies = [...new Set([0, 1, Math.ceil(line.length / 2), line.length])];
    const lines = plies.map((ply) => line.slice(0, ply).join("; ") || undefined);
    const shown = await Promise.all(lines.map((moves) => position({ game, moves })));
    const legend = h("p", { class: "small", text: tr("A game with best play on both sides.") });
    place.append(...shown.map(({ view }, i) => diagram(view, plies[i])), legend);
    if (place.querySelector(".dot")) legend.append(GAP, tr("Dots mark the legal moves."));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    place.remove(); // The text stands by itself.
  }
}

/**
 * @param {Api.View} view
 * @param {number} ply
 */
function diagram(view, ply) {
  const title = ply ? trCount("After one move.", "After {count} moves.", ply) : tr("Start.");
  const board = h("quintet-board", { mini: true });
  board.name = sentences(title, view.status);
  board.view = view;
  return h("figure", { class: view.rows === 1 && "line" }, board,
    h("figcaption", null, h("b", { text: title }), GAP, view.status));
}
