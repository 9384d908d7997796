// The matches of this browser, and records in and out.

import { ask } from "../api.js";
import { attempt, go } from "../app.js";
import { button, h, link, scroller } from "../dom.js";
import { forgetMatch, keepMatch, matches } from "../memory.js";

const MOST_AT_ONCE = 50;

export async function show(section) {
  const known = matches();
  const found = [];
  for (let i = 0; i < known.length; i += MOST_AT_ONCE) {
    const ids = known.slice(i, i + MOST_AT_ONCE).map((match) => match.id);
    found.push(...(await ask(`/api/matches?ids=${ids.map(encodeURIComponent).join(",")}`)));
  }
  const order = new Map(known.map((match, i) => [match.id, i]));
  found.sort((a, b) => order.get(a.id) - order.get(b.id));

  const rows = found.map((match) => {
    const row = h("tr", null,
      h("td", null, link(`/match/${match.id}`, match.title), h("small", { text: ` ${match.size}` })),
      h("td", { text: Object.values(match.names).join(" – ") }),
      h("td", { text: String(match.plies) }),
      h("td", { text: outcome(match) }),
      h("td", { class: "row" },
        match.result && link(`/review/${match.id}`, "Review", { "aria-label": `Review ${match.title}` }),
        h("a", { href: `/api/matches/${match.id}/record`, download: `quintet-${match.id}.txt`, text: "Record" }),
        button("Forget", () => {
          forgetMatch(match.id);
          row.remove();
        }, { class: "quiet small", "aria-label": `Forget ${match.title}, ${Object.values(match.names).join(" against ")}` })));
    return row;
  });

  const file = h("input", { type: "file", id: "record-file", accept: ".txt,text/plain", onchange: () => attempt(async () => {
    if (!file.files[0]) return;
    const { id } = await ask("/api/records", { body: await file.files[0].text() });
    keepMatch(id);
    await go(`/match/${id}`);
  }) });
  const text = h("textarea", { id: "record-text", rows: 6, spellcheck: "false", placeholder: '[Game "…"]' });
  const paste = button("Import", () => attempt(async () => {
    const { id } = await ask("/api/records", { body: text.value });
    keepMatch(id);
    await go(`/match/${id}`);
  }), { class: "primary", "data-testid": "import" });

  section.append(
    h("div", { class: "heading" }, h("h1", { text: "History" })),
    h("p", { class: "lead", text: "The matches of this browser. They live on the server; the keys to your seats stay here." }),
    rows.length
      ? scroller("Matches", h("table", { "data-testid": "history" },
        h("thead", null, h("tr", null, ["Game", "Players", "Moves", "Result", "More"].map((word) => h("th", { scope: "col", text: word })))),
        h("tbody", null, rows)))
      : h("p", { class: "card" }, "No match yet. ", link("/new", "Play one")),
    h("details", { class: "card below" }, h("summary", { text: "Import a record" }),
      h("div", { class: "stack" },
        h("div", { class: "field" }, h("label", { for: "record-file", text: "From a file" }), file),
        h("div", { class: "field" }, h("label", { for: "record-text", text: "Or as text" }), text),
        h("div", { class: "row" }, paste))),
  );
}

/** How a match ended, in a few words. */
function outcome({ result, names }) {
  if (!result) return "going on";
  return result.winner ? `${names[result.winner] ?? names[result.winner - 1]} won` : "a draw";
}
