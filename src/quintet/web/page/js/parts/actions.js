// What can be done at a table besides moving: undo, resign, rematch, and where to go after the game.

import { optionsOf, query } from "../api.js";
import { button, h, link } from "../dom.js";
import { tr } from "../language.js";
import { confirmed } from "./confirm.js";
import { freeSeats } from "./players.js";
import { shareResult } from "./result.js";

/** @import { Request } from "../live.js" */
/** @typedef {{ seats: number[], table: Api.Table, finish: (() => void) | null }} Situation */

const OFFERS = {
  undo: {
    mine: () => tr("You asked to undo the last move."),
    theirs: /** @param {string} name */ (name) => tr("{name} asks to undo the last move.", { name }),
    declined: /** @param {string} name */ (name) => tr("{name} declined the undo.", { name }),
  },
  rematch: {
    mine: () => tr("You offered a rematch."),
    theirs: /** @param {string} name */ (name) => tr("{name} offers a rematch.", { name }),
    declined: /** @param {string} name */ (name) => tr("{name} declined the rematch.", { name }),
  },
};

const watching = () => h("p", { class: "small", text: tr("You are watching."), "data-testid": "watching" });

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
  if (now.undone > state.undone) return tr("{name} accepted the undo.", { name });
  return now.ply === state.ply && now.over === state.over ? OFFERS[offer.kind].declined(name) : "";
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
    const review = () => link(`/review/${table.id}`, tr("Review"), { class: "button primary" });
    const after = () => [review(), ...this.rematch(table, seats), shareResult(table)];
    this.choices.replaceChildren(...(state.over ? after() : during()));
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
      if (await confirmed(tr("Resign this game?"), tr("Resign"), tr("Keep playing"))) this.send({ type: "resign" });
    };
    return [
      button(tr("Undo"), undo, { disabled: !hasMoved || Boolean(offer) }),
      button(tr("Resign"), resign),
      ...(finish
        ? [button(tr("Finish for me"), finish, { title: tr("The result is the same whatever is played.") })]
        : []),
    ];
  }

  /** A button that offers a rematch, or a link to it; nothing for those who watch. */
  rematch = /** @type {(table: Api.Table, seats: number[]) => HTMLElement[]} */ ((table, seats) => {
    const { rematch, state, tournament } = table;
    if (tournament) return [];
    if (rematch) return [link(`/match/${rematch}`, tr("Go to the rematch"), { class: "button" })];
    const offer = () => this.send({ type: "rematch", answer: "offer" });
    return seats.length && state.offer?.kind !== "rematch" ? [button(tr("Rematch"), offer)] : [];
  });

  /** @param {Api.Table} table */
  #after({ id, state }) {
    const { game, ...options } = optionsOf(state.view);
    return [
      link(`/explore/${game}${query(options)}`, tr("Explore")),
      link(`/api/matches/${id}/record`, tr("Download"), { download: `quintet-${id}.txt` }),
    ];
  }

  /**
   * @param {Api.Offer} offer
   * @param {number[]} seats
   * @param {Api.Table} table
   */
  #answers({ kind, by }, seats, { players }) {
    const answer = /** @param {"accept" | "decline"} word */ (word) => () => this.send({ type: kind, answer: word });
    if (seats.includes(by)) return [h("p", { text: OFFERS[kind].mine() })];
    const text = OFFERS[kind].theirs(players[by === 1 ? "1" : "2"].name);
    const answers = [
      button(tr("Accept"), answer("accept"), { class: "primary" }),
      button(tr("Decline"), answer("decline")),
    ];
    return [h("p", { text }), h("div", { class: "row" }, answers)];
  }
}
