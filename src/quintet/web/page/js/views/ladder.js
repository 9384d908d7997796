// The ladder: how strong the engines are, as measured.

import { ask } from "../api.js";
import { h, scroller } from "../dom.js";

const percent = (share) => `${(share * 100).toFixed(1)} %`;

export async function show(section) {
  const { command, rows } = await ask("/api/ladder");
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "Ladder" })),
    h("p", { class: "lead", text: "How strong the engines are: each against the one below it, measured over all five games." }),
    scroller("Ladder", h("table", { "data-testid": "ladder" },
      h("thead", null, h("tr", null, ["Player", "Against", "Games", "Score", "95 % interval", "Rating"].map((text) => h("th", { scope: "col", text })))),
      h("tbody", null, rows.map((row) => h("tr", null,
        h("th", { scope: "row", text: row.player }),
        [row.against, row.games, percent(row.score), `${percent(row.low)} – ${percent(row.high)}`, `${row.rating} ± ${row.error}`].map((text) => h("td", { text: String(text) }))))))),
    h("p", { class: "small" }, "Measured with ", h("code", { text: command })),
  );
}
