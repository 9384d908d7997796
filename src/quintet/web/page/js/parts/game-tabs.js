// The games side by side, as links to the same view of each.

import { games } from "../api.js";
import { h, link } from "../dom.js";

/**
 * @param {string} current the name of the game that is shown
 * @param {(name: string) => string} address makes the link of a game
 */
export async function gameTabs(current, address) {
  const all = await games();
  return h("nav", { class: "tabs", "aria-label": "Games" },
    all.map((game) => link(address(game.name), game.title, { "aria-current": game.name === current ? "page" : null })));
}
