// What can be done at a table besides moving: undo, resign, rematch, and where to go after the game.

import { optionsOf, query } from "../api.js";
import { button, h, link } from "../dom.js";
import { confirmed } from "./confirm.js";

/** @import { Request } from "../live.js" */
/** @typedef {{ state: Api.State, seats: number[], table: Api.Table }} Situation */

const OFFERS = {
  undo: { mine: "You asked to undo the last move.", theirs: "asks to undo the last move." },
  rematch: { mine: "You offered a rematch.", theirs: "offers a rematch." },
};

export class Actions {
  #key = "";

  /** @param {(message: Request) => void} send */
  constructor(send) {
    this.send = send;
    this.element = h("div", { class: "actions", "data-testid": "actions" });
  }

  /** Show what fits the state of the table. @param {Situation} situation */
  update({ state, seats, table }) {
    const key = JSON.stringify([state.offer, state.over, state.ply, state.undone, seats, table.rematch, table.players]);
    if (key === this.#key) return;
    this.#key = key;
    const offer = seats.length && state.offer ? [this.#offer(state, state.offer, seats, table)] : [];
    const choices = state.over ? this.#after(state, seats, table) : seats.length ? this.#during(state) : [];
    this.element.replaceChildren(...offer, h("div", { class: "row" }, choices));
  }

  /** @param {Api.State} state */
  #during({ ply, undone, offer }) {
    const undo = () => this.send({ type: "undo", answer: "offer", ply, undone });
    const resign = async () => {
      if (await confirmed("Resign this game?", "Resign", "Keep playing")) this.send({ type: "resign" });
    };
    return [button("Undo", undo, { disabled: !ply || Boolean(offer) }), button("Resign", resign)];
  }

  /**
   * @param {Api.State} state
   * @param {number[]} seats
   * @param {Api.Table} table
   */
  #after(state, seats, table) {
    const { game, ...options } = optionsOf(state.view);
    const rematch = () => this.send({ type: "rematch", answer: "offer" });
    const mayOffer = seats.length > 0 && !table.rematch && state.offer?.kind !== "rematch";
    return [
      link(`/review/${table.id}`, "Review", { class: "button primary" }),
      mayOffer && button("Rematch", rematch),
      table.rematch && link(`/match/${table.rematch}`, "Go to the rematch", { class: "button" }),
      link(`/explore/${game}${query(options)}`, "Explore", { class: "button" }),
      link(`/api/matches/${table.id}/record`, "Download", { class: "button", download: `quintet-${table.id}.txt` }),
    ];
  }

  /**
   * @param {Api.State} state
   * @param {Api.Offer} offer
   * @param {number[]} seats
   * @param {Api.Table} table
   */
  #offer({ ply, undone }, { kind, by }, seats, table) {
    const answer = /** @param {"accept" | "decline"} word */ (word) => () =>
      this.send(kind === "undo" ? { type: kind, answer: word, ply, undone } : { type: kind, answer: word });
    const isMine = seats.includes(by);
    const text = isMine ? OFFERS[kind].mine : `${table.players[by === 1 ? "1" : "2"].name} ${OFFERS[kind].theirs}`;
    const answers = [button("Accept", answer("accept"), { class: "primary" }), button("Decline", answer("decline"))];
    return h("div", { class: "card offer", role: "status", "data-testid": "offer" },
      h("p", { text }), !isMine && h("div", { class: "row" }, answers));
  }
}
