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
    const key = JSON.stringify([state.offer, state.over, state.ply, state.undone, seats, table.rematch, table.players]);
    if (key === this.#key) return;
    this.#key = key;
    const offer = seats.length && state.offer ? this.#offer(state, seats, table) : null;
    const choices = state.over ? this.#after(state, seats, table) : seats.length ? this.#during(state) : [];
    this.element.replaceChildren(...[offer, h("div", { class: "row" }, choices)].filter(Boolean));
  }

  #during(state) {
    const { ply, undone } = state;
    const undo = () => this.say({ type: "undo", answer: "offer", ply, undone });
    const resign = async () => {
      if (await sure("Give this game up?", "Resign", "Play on")) this.say({ type: "resign" });
    };
    return [button("Undo", undo, { disabled: !state.ply || Boolean(state.offer) }), button("Resign", resign)];
  }

  #after(state, seats, table) {
    const { game, ...options } = optionsOf(state.view);
    const again = () => this.say({ type: "rematch", answer: "offer" });
    const mayOffer = seats.length > 0 && !table.rematch && state.offer?.kind !== "rematch";
    return [
      link(`/review/${table.id}`, "Review", { class: "button primary" }),
      mayOffer && button("Rematch", again),
      table.rematch && link(`/match/${table.rematch}`, "To the rematch", { class: "button" }),
      link(`/explore/${game}${query(options)}`, "Explore", { class: "button" }),
      link(`/api/matches/${table.id}/record`, "Record", { class: "button", download: `quintet-${table.id}.txt` }),
    ];
  }

  #offer({ offer: { kind, by }, ply, undone }, seats, table) {
    const about = kind === "undo" ? { ply, undone } : {};
    const answer = (word) => () => this.say({ type: kind, answer: word, ...about });
    const isMine = seats.includes(by);
    const words = isMine ? `You have asked ${OFFERS[kind]}.` : `${table.players[by].name} would like ${OFFERS[kind]}.`;
    const answers = [button("Accept", answer("accept"), { class: "primary" }), button("Decline", answer("decline"))];
    return h("div", { class: "card offer", role: "status", "data-testid": "offer" },
      h("p", { text: words }), !isMine && h("div", { class: "row" }, answers));
  }
}
