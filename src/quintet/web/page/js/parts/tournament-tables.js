// The standings of a tournament, its crosstable, and its rounds.

import { button, dataTable, h, link } from "../dom.js";
import { sentences, tr } from "../language.js";
import { confirmed } from "./confirm.js";
import { nameOf } from "./tournament-feed.js";

/** @typedef {(what: string, body: object) => unknown} Organise */

/** @type {Record<string, [string, string]>} */
const POINTS = { "1-0": ["1", "0"], "0-1": ["0", "1"], "1/2": ["½", "½"], "0-0": ["0", "0"] };

/** A heading that is short because the column is. @type {(short: string, long: string) => HTMLElement} */
const heading = (short, long) => h("abbr", { title: long, text: short });

/**
 * @param {Api.TournamentInfo} cup
 * @param {number | undefined} own the entry of this browser
 */
export function standings(cup, own) {
  const rows = cup.places.map((place) => {
    const entry = cup.entries.find(({ number }) => number === place.entry);
    const name = h("th", { scope: "row", class: "people", text: entry?.name ?? "" });
    if (entry?.left) name.append(" ", h("small", { text: tr("left") }));
    return h("tr", { class: place.entry === own && "own", "data-testid": `place-${place.entry}` },
      h("td", { text: String(place.rank) }), name,
      [place.points, place.buchholz, place.sonneborn_berger].map((value, i) =>
        h("td", { class: i ? "minor" : "points", text: String(value) })));
  });
  const table = dataTable(tr("Standings"), ["", tr("Name"), "", "", ""], rows);
  const heads = table.querySelectorAll("thead th");
  heads[0].append(heading("#", tr("Place")));
  heads[2].append(heading(tr("Points"), tr("A win is 1 point, a draw half a point.")));
  heads[3].append(heading("BH", tr("Buchholz: the points of all opponents together")));
  heads[4].append(heading("SB", tr("Sonneborn-Berger: the points of beaten opponents, and half of those who drew")));
  table.classList.add("cup-standings");
  table.setAttribute("data-testid", "standings");
  return table;
}

/** How ties are decided. */
export const tieText = () => h("p", { class: "small" },
  sentences(tr("Ties are decided by Buchholz (BH): the points of all opponents together."),
    tr("Then by Sonneborn-Berger (SB): the points of beaten opponents, and half of those who drew.")));

/** Who has played whom, and how it ended. @param {Api.TournamentInfo} cup */
export function crosstable(cup) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const { one, two, result } of cup.played.flatMap((round) => round.pairings)) {
    if (two === null || !result) continue;
    found.set(`${one} ${two}`, POINTS[result][0]);
    found.set(`${two} ${one}`, POINTS[result][1]);
  }
  const numbers = cup.places.map(({ entry }) => entry);
  const rows = numbers.map((number, i) =>
    h("tr", null,
      h("td", { text: String(i + 1) }), h("th", { scope: "row", class: "people", text: nameOf(cup, number) }),
      numbers.map((other) =>
        h("td", { class: other === number && "own-cell", text: found.get(`${number} ${other}`) ?? "" }))));
  const table = dataTable(tr("Crosstable"), ["#", tr("Name"), ...numbers.map((_, i) => String(i + 1))], rows);
  table.classList.add("cup-cross");
  return table;
}

/**
 * A round with its games; for the organiser with a way to end those that are still played.
 * @param {Api.TournamentInfo} cup
 * @param {number} index
 * @param {Organise | null} organise
 */
export function roundCard(cup, index, organise) {
  const items = cup.played[index].pairings.map((game) => gameItem(cup, game, organise));
  return h("section", { class: "card cup-round", "data-testid": `round-${index + 1}` },
    h("h3", { text: tr("Round {round}", { round: index + 1 }) }), h("ul", null, items));
}

/**
 * @param {Api.TournamentInfo} cup
 * @param {Api.PairingInfo} game
 * @param {Organise | null} organise
 */
function gameItem(cup, game, organise) {
  const { one, two, match, result, forfeit } = game;
  const names = [one, two].map((number) => nameOf(cup, number));
  if (two === null)
    return h("li", null, h("span", { class: "cup-bye", text: tr("{name} has a bye", { name: names[0] }) }));
  const [first, second] = result ? POINTS[result] : ["", ""];
  const label = result
    ? tr("Review the game of {one} and {two}", { one: names[0], two: names[1] })
    : tr("Watch {one} and {two}", { one: names[0], two: names[1] });
  const score = result ? `${first} – ${second}` : tr("Watch");
  const middle = match
    ? link(`/${result ? "review" : "match"}/${match}`, score, { class: "button", "aria-label": `${score}: ${label}` })
    : h("b", { text: score });
  const pair = h("span", { class: "cup-pair" },
    h("span", { class: first === "1" && "won", text: names[0] }), middle,
    h("span", { class: second === "1" && "won", text: names[1] }));
  const note = forfeit ? h("small", { text: tr("forfeit") }) : null;
  return h("li", null, pair, note, organise && match && !result && ruling(game, names, organise));
}

/** @type {(game: Api.PairingInfo, names: string[], organise: Organise) => HTMLElement} */
function ruling({ one, two, match }, names, organise) {
  const loses = [one, two].map((entry, i) => button(tr("{name} loses", { name: names[i] }), async () => {
    const question = tr("End this game? {name} loses.", { name: names[i] });
    if (await confirmed(question, tr("End this game"), tr("Cancel"))) organise("rule", { match, entry });
  }));
  const label = tr("End this game: {one} and {two}", { one: names[0], two: names[1] });
  return h("details", { class: "cup-ruling" },
    h("summary", { text: tr("End this game"), "aria-label": label }),
    h("div", { class: "row" }, loses));
}
