// The games of this browser, and importing and downloading game records.

import { ask } from "../api.js";
import { button, h, link } from "../dom.js";
import { locale, tr, trCount } from "../language.js";
import { attempt } from "../notices.js";
import { field } from "../parts/forms.js";
import { summaries } from "../parts/summaries.js";
import { go } from "../router.js";
import { removeMatch, saveMatch, savedMatches, tokensOf } from "../storage.js";

const ABOUT = tr("The games played in this browser. Only this browser can continue them.");

/** @param {HTMLElement} section */
export async function show(section) {
  const found = await summaries(savedMatches().map((match) => match.id));
  section.append(
    h("div", { class: "heading" }, h("h1", { text: tr("History") })),
    h("p", { class: "lead", text: ABOUT }),
    h("p", null, link("/progress", tr("See your progress"), { class: "button" })),
    found.length ? h("ul", { class: "past card", "aria-label": tr("Games") }, found.map(itemOf)) : none(),
    importForm(),
  );
}

const none = () => h("p", { class: "card" }, tr("No games yet."), " ", link("/new", tr("Play one")));

/** How a match stands, in the words of who played it. @param {Api.MatchSummary} match */
function standing({ id, names, result }) {
  const seats = Object.keys(tokensOf(id));
  const winner = { "1-0": "1", "0-1": "2" }[result];
  if (winner && seats.length === 1) return seats[0] === winner ? tr("You won") : tr("You lost");
  if (winner) return tr("{name} won", { name: names[winner === "1" ? 0 : 1] });
  /** @type {Record<string, string>} */
  const words = { "1/2": tr("Draw"), "*": tr("In progress") };
  return words[result] ?? result;
}

/** What a list calls a player. @type {(name: string, who: string) => string} */
const titleOf = (name, who) =>
  who.startsWith("level:") ? tr("{name} · level {level}", { name, level: who.slice(6) }) : name;

/** A moment in the time zone and the language of the browser. @param {string} moment */
function localTime(moment) {
  const text = new Date(moment).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
  return h("time", { datetime: moment, title: tr("Last move (local time)"), text });
}

/** @param {Api.MatchSummary} match */
function itemOf(match) {
  const { id, title, size, names, who, plies, result, updated } = match;
  const remove = () => {
    removeMatch(id);
    item.remove();
  };
  const isOpen = result === "*";
  const item = h("li", { "data-testid": `match-${id}` },
    h("div", { class: "past-game" },
      h("h2", null, link(`/match/${id}`, title), h("small", { text: ` ${size}` })),
      h("p", { class: "people", text: names.map((name, i) => titleOf(name, who[i])).join(" – ") }),
      h("p", { class: "small" }, trCount("{count} move", "{count} moves", plies),
        ...(result === "damaged" ? [] : [" · ", localTime(updated)]))),
    h("p", { class: `standing${isOpen ? " on" : ""}`, text: standing(match) }),
    h("div", { class: "row past-actions" },
      link(`/${isOpen ? "match" : "review"}/${id}`, isOpen ? tr("Continue") : tr("Review"), { class: "button" }),
      link(`/api/matches/${id}/record`, tr("Download"), { class: "button quiet", download: `quintet-${id}.txt` }),
      button(tr("Remove"), remove, { class: "quiet" })));
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
  return h("details", { class: "card below" }, h("summary", { text: tr("Import a game record") }),
    h("div", { class: "stack" },
      field(tr("From a file"), file),
      field(tr("Or paste the text"), text),
      h("div", { class: "row" }, button(tr("Import"), submit, { class: "primary", "data-testid": "import" }))));
}
