// The ladder: how strong the engines are, as measured.

import { ask } from "../api.js";
import { dataTable, h } from "../dom.js";

const HEADINGS = ["Player", "Score", "Rating"];
const ABOUT = "How strong the engines are. Each level was measured against the one below it, in all five games.";
const LEGEND = "Under each score its 95% interval, and beside each rating its error.";

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(1)}%`;

/** @param {Api.Ladder["rows"]} rows */
function table(rows) {
  const ratings = rows.map(({ rating }) => rating);
  const lowest = Math.min(...ratings) - 150;
  const most = Math.max(...ratings) - lowest;
  const first = h("tr", null,
    h("th", { scope: "row", text: titleOf(rows[0].against) }), h("td", { text: "–" }), h("td", { text: "the lowest" }));
  return dataTable("Ladder", HEADINGS, [first, ...rows.map((rung) => rowOf(rung, (rung.rating - lowest) / most))]);
}

/** What screens call an engine: `Level 2` for `level:2`. @param {string} engine */
const titleOf = (engine) => (engine[0].toUpperCase() + engine.slice(1)).replace(":", " ");

/**
 * @param {Api.Rung} rung
 * @param {number} share how long the bar of its rating is
 */
function rowOf({ player, against, games, score, low, high, rating, error }, share) {
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(share));
  return h("tr", null,
    h("th", { scope: "row" }, titleOf(player),
      h("small", null, h("span", { text: ` against ${titleOf(against)}, ` }), `${games} games`)),
    h("td", null, percent(score), h("small", { text: ` ${(low * 100).toFixed(1)} – ${percent(high)}` })),
    h("td", null, String(Math.round(rating)), h("small", { text: ` ± ${Math.round(error)}` }), bar));
}

/** @param {HTMLElement} section */
export async function show(section) {
  /** @type {Api.Ladder} */
  const { command, rows } = await ask("/api/ladder");
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "Ladder" })),
    h("p", { class: "lead", text: ABOUT }),
    h("div", { class: "ladder" }, table(rows)),
    h("p", { class: "small", text: LEGEND }),
    h("p", { class: "small" }, "Measured with ", h("code", { text: command })),
  );
}
