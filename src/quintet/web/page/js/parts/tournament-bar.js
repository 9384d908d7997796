// The line over a table that belongs to a tournament: the way back, and the way to the next game.

import { h, link } from "../dom.js";
import { tr, trCount } from "../language.js";
import { TournamentFeed, nameOf, openGames, ownEntry, ownGame } from "./tournament-feed.js";

/**
 * Fill the line; gives what is to be done when the table is left.
 * @param {HTMLElement} place
 * @param {string} id the tournament
 * @param {string} match the match at this table
 */
export function showBar(place, id, match) {
  const next = h("span", { class: "cup-next", role: "status", "data-testid": "cup-next" });
  const back = link(`/tournament/${id}`, tr("Standings"), { class: "button cup-back" });
  place.replaceChildren(back, next);
  let key = "";
  const feed = new TournamentFeed(id, (cup) => {
    const items = nextItems(cup, match);
    const text = items.map((item) => (typeof item === "string" ? item : item.href)).join();
    if (text !== key) next.replaceChildren(...items);
    key = text;
  });
  feed.look();
  return () => feed.stop();
}

/**
 * What comes next for this browser's player.
 * @param {Api.TournamentInfo} cup
 * @param {string} match
 */
function nextItems(cup, match) {
  const round = cup.played.length;
  const game = ownGame(cup);
  const isHere = cup.played.at(-1)?.pairings.some((pairing) => pairing.match === match && !pairing.result);
  if (cup.stage === "over") return [tr("The tournament is over.")];
  if (isHere || !ownEntry(cup)) return [tr("Round {round} of {rounds}", { round, rounds: cup.rounds })];
  if (game?.match && !game.result && game.match !== match) {
    const text = tr("Play {name} in round {round}", { name: nameOf(cup, game.opponent), round });
    return [link(`/match/${game.match}`, text, { class: "button primary" })];
  }
  if (cup.starts_in !== null) return [tr("Round {round} starts soon.", { round: round + 1 })];
  return [trCount("Waiting for {count} game.", "Waiting for {count} games.", openGames(cup).length)];
}
