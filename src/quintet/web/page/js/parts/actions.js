// What can be done at a table besides moving: undo, resign, rematch, and where to go after the game.

import { optionsOf, query } from "../api.js";
import { button, h, link } from "../dom.js";
import { confirmed } from "./confirm.js";
import { freeSeats } from "./players.js";

/** @import { Request } from "../live.js" */
/** @typedef {{ seats: number[], table: Api.Table, finish: (() => void) | null }} Situation */

const OFFERS = {
  undo: { mine: "You asked to undo the last move.", theirs: "asks to undo the last move." },
  rematch: { mine: "You offered a rematch.", theirs: "offers a rematch." },
};

const watching = () => h("p", { class: "small", text: "You are watching.", "data-testid": "watching" });

/**
 * What became of an offer of this browser's player; empty if there is nothing to tell.
 * @param {Api.Table} before
 * @param {Api.Table} after
 * @param {number[]} seats
 */
export function answerText({ state, players }, { state: now }, seats) {
  const { offer } = state;
  if (!offer || now.offer || seats.length !== 1 || seats[0] !== offer.by) return "";
  const { name } = players[offer.by === 1 ? "2" : "1"];
  if (now.undone > state.undone) return `${name} accepted the undo.`;
  return now.ply === state.ply && now.over === state.over ? `${name} declined the ${offer.kind}.` : "";
}

export class Actions {
  #key = "";

  /** @param {(message: Request) => void} send */
  constructor(send) {
    this.send = send;
    this.choices = h("div", { class: "row" });
    this.offer = h("div", { class: "toast card offer", role: "status", "data-testid": "offer", hidden: true });
    this.links = h("p", { class: "small links" });
    this.element = h("div", { class: "actions", "data-testid": "actions" }, this.choices, this.links, this.offer);
  }

  /** Show what fits the state of the table. @param {Situation} situation */
  update({ seats, table, finish }) {
    const { state, rematch, players } = table;
    const key = JSON.stringify([state.offer, state.over, state.ply, state.undone, seats, rematch, players, !finish]);
    if (key === this.#key) return;
    this.#key = key;
    const idle = () => (freeSeats(table).length ? [] : [watching()]);
    const without = table.tournament ? 1 : 0; // Nothing is undone in a tournament.
    const during = () => (seats.length ? this.#during(state, seats, finish).slice(without) : idle());
    const review = () => link(`/review/${table.id}`, "Review", { class: "button primary" });
    this.choices.replaceChildren(...(state.over ? [review(), ...this.rematch(table, seats)] : during()));
    this.links.replaceChildren(...(state.over ? this.#after(table) : []));
    this.offer.hidden = !seats.length || !state.offer;
    if (state.offer) this.offer.replaceChildren(...this.#answers(state.offer, seats, table));
  }

  /**
   * @param {Api.State} state
   * @param {number[]} seats
   * @param {(() => void) | null} finish plays the rest of a game that is decided
   */
  #during({ view, offer }, seats, finish) {
    const hasMoved = view.history.some(([player, move]) => seats.includes(player) && move !== "pass");
    const undo = () => this.send({ type: "undo", answer: "offer" });
    const resign = async () => {
      if (await confirmed("Resign this game?", "Resign", "Keep playing")) this.send({ type: "resign" });
    };
    return [
      button("Undo", undo, { disabled: !hasMoved || Boolean(offer) }),
      button("Resign", resign),
      ...(finish ? [button("Finish for me", finish, { title: "The result is the same whatever is played." })] : []),
    ];
  }

  /** A button that offers a rematch, or a link to it; nothing for those who watch. */
  rematch = /** @type {(table: Api.Table, seats: number[]) => HTMLElement[]} */ ((table, seats) => {
    const { rematch, state, tournament } = table;
    if (tournament) return [];
    if (rematch) return [link(`/match/${rematch}`, "Go to the rematch", { class: "button" })];
    const offer = () => this.send({ type: "rematch", answer: "offer" });
    return seats.length && state.offer?.kind !== "rematch" ? [button("Rematch", offer)] : [];
  });

  /** @param {Api.Table} table */
  #after({ id, state }) {
    const { game, ...options } = optionsOf(state.view);
    return [
      link(`/explore/${game}${query(options)}`, "Explore"),
      link(`/api/matches/${id}/record`, "Download", { download: `quintet-${id}.txt` }),
    ];
  }

  /**
   * @param {Api.Offer} offer
   * @param {number[]} seats
   * @param {Api.Table} table
   */
  #answers({ kind, by }, seats, { players }) {
    const answer = /** @param {"accept" | "decline"} word */ (word) => () => this.send({ type: kind, answer: word });
    if (seats.includes(by)) return [h("p", { text: OFFERS[kind].mine })];
    const text = `${players[by === 1 ? "1" : "2"].name} ${OFFERS[kind].theirs}`;
    const answers = [button("Accept", answer("accept"), { class: "primary" }), button("Decline", answer("decline"))];
    return [h("p", { text }), h("div", { class: "row" }, answers)];
  }
}
