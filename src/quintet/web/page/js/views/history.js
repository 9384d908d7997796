// The matches of this browser, and records in and out.

import { ask } from "../api.js";
import { attempt, go } from "../app.js";
import { button, dataTable, h, link } from "../dom.js";
import { forgetMatch, keepMatch, matches } from "../memory.js";
import { field } from "../parts/forms.js";

const AT_ONCE = 50;
const HEADINGS = ["Game", "Players", "Moves", "Result", "When (local time)", "More"];
const ABOUT = "The matches of this browser. They live on the server; the keys to your seats stay here.";

export async function show(section) {
  const found = await summaries(matches().map((match) => match.id));
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "History" })),
    h("p", { class: "lead", text: ABOUT }),
    found.length ? dataTable("Matches", HEADINGS, found.map(rowOf)) : none(),
    importing(),
  );
}

const none = () => h("p", { class: "card" }, "No match yet. ", link("/new", "Play one"));

/** What is known of matches, in the order of their ids. */
async function summaries(ids) {
  const found = [];
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const some = ids.slice(i, i + AT_ONCE).map(encodeURIComponent);
    found.push(...(await ask(`/api/matches?ids=${some.join(",")}`)));
  }
  return found.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** How a match stands, from the result as records write it. */
function standing(names, result) {
  const words = { "1-0": `${names[0]} won`, "0-1": `${names[1]} won`, "1/2": "a draw", "*": "going on" };
  return words[result] ?? result;
}

/** A moment in the time zone and the language of the browser. */
function localTime(moment) {
  const text = new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return h("time", { datetime: moment, text });
}

function rowOf({ id, title, size, names, plies, result, updated }) {
  const forget = () => {
    forgetMatch(id);
    row.remove();
  };
  const record = { href: `/api/matches/${id}/record`, download: `quintet-${id}.txt`, text: "Record" };
  const row = h("tr", { "data-testid": `match-${id}` },
    h("td", null, link(`/match/${id}`, title), h("small", { text: ` ${size}` })),
    h("td", { class: "people", text: names.join(" – ") }),
    h("td", { text: plies }),
    h("td", { text: standing(names, result) }),
    h("td", null, result !== "damaged" && localTime(updated)),
    h("td", { class: "row" },
      result !== "*" && link(`/review/${id}`, "Review"),
      h("a", record),
      button("Forget", forget, { class: "quiet small" })));
  return row;
}

/** The way in for a record, from a file or as text. */
function importing() {
  const text = h("textarea", { rows: 6, spellcheck: "false", placeholder: '[Game "…"]' });
  const file = h("input", { type: "file", accept: ".txt,text/plain" });
  file.addEventListener("change", async () => (text.value = await file.files[0]?.text() ?? ""));
  const take = () => attempt(async () => {
    const { id } = await ask("/api/records", { body: text.value });
    keepMatch(id);
    await go(`/match/${id}`);
  });
  return h("details", { class: "card below" }, h("summary", { text: "Import a record" }),
    h("div", { class: "stack" },
      field("From a file", file),
      field("Or as text", text),
      h("div", { class: "row" }, button("Import", take, { class: "primary", "data-testid": "import" }))));
}
