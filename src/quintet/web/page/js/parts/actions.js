// What can be done at a table besides moving: take back, resign, play again, look closer.

import { optionsOf, query } from "../api.js";
import { button, h, link } from "../dom.js";
import { sure } from "./question.js";

const OFFERS = { undo: "to take back the last move", rematch: "to play again" };

export class Actions {
  #key = "";

  /** `say` sends a message to the table. */
  constructor(say) {
    this.say = say;
    this.element = h("div", { class: "actions", "data-testid": "actions" });
  }

  /** Show what fits the state of the table. */
  update({ state, seats, table }) {
    const key = JSON.stringify([state.offer, state.over, state.ply, seats, table.rematch, table.players]);
    if (key === this.#key) return;
    this.#key = key;
    const { game, ...options } = optionsOf(state.view);
    const explore = link(`/explore/${game}${query(options)}`, "Explore", { class: "button" });
    const parts = [];
    if (state.offer && seats.length) parts.push(this.#offer(state.offer, seats, table));
    if (state.over) {
      parts.push(h("div", { class: "row" },
        link(`/review/${table.id}`, "Review", { class: "button primary" }),
        seats.length && !table.rematch && state.offer?.kind !== "rematch" && button("Rematch", () => this.say({ type: "rematch", answer: "offer" })),
        table.rematch && link(`/match/${table.rematch}`, "To the rematch", { class: "button" }),
        explore));
    } else if (seats.length) {
      parts.push(h("div", { class: "row" },
        button("Undo", () => this.say({ type: "undo", answer: "offer" }), { disabled: !state.ply || Boolean(state.offer) }),
        button("Resign", () => this.#resign())));
    }
    this.element.replaceChildren(...parts);
  }

  #offer({ kind, by }, seats, table) {
    const answer = (word) => () => this.say({ type: kind, answer: word });
    if (seats.includes(by)) {
      return h("div", { class: "card offer", role: "status" }, h("p", { text: `You have asked ${OFFERS[kind]}.` }));
    }
    return h("div", { class: "card offer", role: "status", "data-testid": "offer" },
      h("p", { text: `${table.players[by].name} would like ${OFFERS[kind]}.` }),
      h("div", { class: "row" }, button("Accept", answer("accept"), { class: "primary" }), button("Decline", answer("decline"))));
  }

  async #resign() {
    if (await sure("Give this game up?", "Resign", "Play on")) this.say({ type: "resign" });
  }
}
