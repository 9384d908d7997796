// The games of this browser, and importing and downloading game records.

import { ask } from "../api.js";
import { button, h, link } from "../dom.js";
import { attempt } from "../notices.js";
import { field } from "../parts/forms.js";
import { go } from "../router.js";
import { removeMatch, saveMatch, savedMatches } from "../storage.js";

const MAX_IDS = 50;
const ABOUT = "The games played in this browser. Only this browser can continue them.";

/** @param {HTMLElement} section */
export async function show(section) {
  const found = await summaries(savedMatches().map((match) => match.id));
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "History" })),
    h("p", { class: "lead", text: ABOUT }),
    found.length ? h("ul", { class: "past card", "aria-label": "Games" }, found.map(itemOf)) : none(),
    importForm(),
  );
}

const none = () => h("p", { class: "card" }, "No games yet. ", link("/new", "Play one"));

/** What is known of matches, in the order of their ids. @param {string[]} ids */
async function summaries(ids) {
  /** @type {Api.MatchSummary[]} */
  const found = [];
  for (let i = 0; i < ids.length; i += MAX_IDS) {
    const some = ids.slice(i, i + MAX_IDS).map(encodeURIComponent);
    found.push(...(await ask(`/api/matches?ids=${some.join(",")}`)));
  }
  return found.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

/** How a match stands, from the result as records write it. @param {Api.MatchSummary} match */
function standing({ names, result }) {
  /** @type {Record<string, string>} */
  const words = { "1-0": `${names[0]} won`, "0-1": `${names[1]} won`, "1/2": "Draw", "*": "In progress" };
  return words[result] ?? result;
}

/** A moment in the time zone and the language of the browser. @param {string} moment */
function localTime(moment) {
  const text = new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return h("time", { datetime: moment, title: "Last move (local time)", text });
}

/** @param {Api.MatchSummary} match */
function itemOf(match) {
  const { id, title, size, names, plies, result, updated } = match;
  const remove = () => {
    removeMatch(id);
    item.remove();
  };
  const isOpen = result === "*";
  const item = h("li", { "data-testid": `match-${id}` },
    h("div", { class: "past-game" },
      h("h2", null, link(`/match/${id}`, title), h("small", { text: ` ${size}` })),
      h("p", { class: "people", text: names.join(" – ") }),
      h("p", { class: "small" }, `${plies} move${plies === 1 ? "" : "s"}`,
        ...(result === "damaged" ? [] : [" · ", localTime(updated)]))),
    h("p", { class: `standing${isOpen ? " on" : ""}`, text: standing(match) }),
    h("div", { class: "row past-actions" },
      link(`/${isOpen ? "match" : "review"}/${id}`, isOpen ? "Continue" : "Review", { class: "button" }),
      link(`/api/matches/${id}/record`, "Download", { class: "button quiet", download: `quintet-${id}.txt` }),
      button("Remove", remove, { class: "quiet" })));
  return item;
}

/** The form that takes a game record, from a file or as text. */
function importForm() {
  const text = h("textarea", { rows: 6, spellcheck: "false", placeholder: '[Game "…"]' });
  const file = h("input", { type: "file", accept: ".txt,text/plain" });
  file.addEventListener("change", async () => (text.value = (await file.files?.[0]?.text()) ?? ""));
  const submit = () => attempt(async () => {
    const { id } = await ask("/api/records", { body: text.value });
    saveMatch(id);
    await go(`/match/${id}`);
  });
  return h("details", { class: "card below" }, h("summary", { text: "Import a game record" }),
    h("div", { class: "stack" },
      field("From a file", file),
      field("Or paste the text", text),
      h("div", { class: "row" }, button("Import", submit, { class: "primary", "data-testid": "import" }))));
}
