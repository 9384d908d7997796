// The games side by side, as links to the same view of each; and the views of one game.

import { games } from "../api.js";
import { h, link } from "../dom.js";
import { tr } from "../language.js";

/**
 * @param {string} current the name of the game that is shown
 * @param {(name: string) => string} address makes the link of a game
 */
export async function gameTabs(current, address) {
  const all = await games();
  return h("nav", { class: "tabs", "aria-label": tr("Choose a game") },
    all.map((game) => link(address(game.name), game.title, { "aria-current": game.name === current ? "page" : null })));
}

/** @type {[string, string, (name: string) => string][]} */
const VIEWS = [
  ["learn", tr("Learn"), (name) => `/learn/${name}`],
  ["rules", tr("Rules"), (name) => `/rules/${name}`],
  ["puzzles", tr("Puzzles"), (name) => `/puzzles?game=${name}`],
  ["explore", tr("Explore"), (name) => `/explore/${name}`],
];

/**
 * Links to the other views of a game.
 * @param {string} name
 * @param {string} [here] the view that is shown
 */
export const gameLinks = (name, here) =>
  h("nav", { class: "game-links", "aria-label": tr("More about this game") },
    VIEWS.filter(([view]) => view !== here).map(([, text, address]) => link(address(name), text)));
