// The ladder: how strong the engines are, as measured.

import { ask } from "../api.js";
import { dataTable, h } from "../dom.js";

const HEADINGS = ["Player", "Opponent", "Games", "Score", "95% interval", "Rating"];
const ABOUT = "How strong the engines are. Each level was measured against the one below it, in all five games.";

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(1)}%`;

/** @param {Api.Rung} rung */
function rowOf({ player, against, games, score, low, high, rating, error }) {
  const interval = `${percent(low)} – ${percent(high)}`;
  const strength = `${Math.round(rating)} ± ${Math.round(error)}`;
  const cells = [against, games, percent(score), interval, strength];
  return h("tr", null, h("th", { scope: "row", text: player }), cells.map((text) => h("td", { text })));
}

/** @param {HTMLElement} section */
export async function show(section) {
  /** @type {Api.Ladder} */
  const { command, rows } = await ask("/api/ladder");
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "Ladder" })),
    h("p", { class: "lead", text: ABOUT }),
    dataTable("Ladder", HEADINGS, rows.map(rowOf)),
    h("p", { class: "small" }, "Measured with ", h("code", { text: command })),
  );
}
