// The seats of a table, over the board while one is free: for the host a link to send, for a visitor a way to join.

import { Failure, askWithKey, newKey, query } from "../api.js";
import { button, h, link, withCode } from "../dom.js";
import { tr } from "../language.js";
import { attempt } from "../notices.js";
import { pathOf } from "../site.js";
import { pendingJoin, playerName, saveMatch, savePendingJoin, savePlayerName } from "../storage.js";
import { copyButton } from "./copy-button.js";
import { field } from "./forms.js";
import { freeSeats } from "./players.js";
import { hasShareSheet, openSheet } from "./share.js";

/** The answers to a request to join that make it pointless to send it again. */
const REFUSED = [404, 409, 422];

/** The field for a player's name, filled with the last one. */
export const nameInput = () =>
  h("input",
    { name: "name", maxlength: 40, value: playerName(), autocomplete: "nickname", placeholder: tr("Anonymous") });

/**
 * The link to a lesson.
 * @param {string} game
 * @param {string} [from] where the lesson leads back to
 */
export const learnLink = (game, from) => link(`/learn/${game}${query({ from })}`, tr("Learn in 30 seconds"));

export class SeatPanel {
  #key = "";

  /**
   * @param {string} id the match
   * @param {Api.Invitation | null} invited the link that others can open, where the service has said it
   * @param {(seat: number) => void} onjoin
   */
  constructor(id, invited, onjoin) {
    this.invited = invited;
    this.id = id;
    this.path = `/api/matches/${encodeURIComponent(id)}`;
    this.onjoin = onjoin;
    this.element = h("div", { class: "cover", hidden: true });
    const unanswered = this.#unanswered();
    if (unanswered) this.#join(unanswered.name, unanswered.seat);
  }

  /**
   * @param {Api.Table} table
   * @param {number[]} seats those of this browser
   */
  update(table, seats) {
    const { players, state } = table;
    const free = freeSeats(table);
    const key = [seats.length, ...free].join();
    if (key === this.#key) return;
    this.#key = key;
    const place = this.element.parentElement;
    const ends = !free.length && !this.element.hidden;
    if (place && ends) place.style.minBlockSize = `${place.offsetHeight}px`; // Nothing moves when it goes away.
    this.element.hidden = !free.length;
    const host = free.length === 1 ? players[free[0] === 1 ? "2" : "1"].name : "";
    const { game, title } = state.view;
    this.element.replaceChildren(
      ...(!free.length ? [] : [seats.length ? this.#invitation(title) : this.#joinPanel(free, host, game)]));
  }

  /**
   * The link, buttons to share or copy it and its QR code; and what to do where others cannot open it.
   * @param {string} game its title
   */
  #invitation(game) {
    // Without an answer the address of this page is the best guess.
    const { url, note, command } = this.invited ?? { url: `${location.origin}/match/${this.id}` };
    const input = h("input", { readonly: true, value: url, "data-testid": "invite-link" });
    input.addEventListener("focus", () => input.select());
    const name = playerName();
    const text = name ? tr("{name} invites you to {game}", { name, game }) : tr("You are invited to {game}", { game });
    const share = button(tr("Share"), () => openSheet({ title: text, text, url: input.value }), { class: "primary" });
    const qr = { class: "qr", src: `${this.path}/qr`, alt: tr("QR code of the link"), width: 148, height: 148 };
    return h("section", { class: "card invite", "aria-label": tr("Invitation"), "data-testid": "invite" },
      h("div", { class: "invite-text" },
        h("h2", { text: tr("Invite a friend") }),
        note && h("p", { class: "small warning" }, withCode(note, command, "unbroken")),
        h("p", { class: "small", text: tr("The first person to join with this link plays you. Others can watch.") }),
        field(tr("Link"), input),
        h("div", { class: "row" },
          hasShareSheet() && share,
          copyButton(tr("Copy link"), () => input.value, { class: hasShareSheet() ? "" : "primary" }))),
      !note && h("img", qr));
  }

  /**
   * @param {number[]} free
   * @param {string} host the name of who is waiting; empty if nobody is
   * @param {string} game
   */
  #joinPanel(free, host, game) {
    const name = nameInput();
    const join = /** @param {number} seat */ (seat) => () => {
      savePlayerName(name.value.trim());
      this.#join(name.value.trim(), seat);
    };
    return h("section", { class: "card join", "aria-label": tr("Join"), "data-testid": "join" },
      h("h2", { text: host ? tr("{name} is waiting for you", { name: host }) : tr("Join this game") }),
      h("p", { class: "small" }, tr("New to this game?"), " ", learnLink(game, pathOf(location).path)),
      field(tr("Your name"), name),
      h("div", { class: "row" },
        free.map((seat) => button(tr("Join as {mark}", { mark: "XO"[seat - 1] }), join(seat), { class: "primary" })),
        button(tr("Watch"), () => (this.element.hidden = true))));
  }

  /** The request to join this match that was not answered, if there is one. */
  #unanswered() {
    return [pendingJoin()].find((pending) => pending?.id === this.id);
  }

  /** @type {(name: string, seat: number) => unknown} */
  #join = (name, seat) => attempt(async () => {
    const { id } = this;
    const before = this.#unanswered();
    const key = before?.seat === seat ? before.key : newKey();
    savePendingJoin({ id, name, seat, key }); // Before it is sent: leaving the page now must not lose the seat.
    try {
      /** @type {Api.TakenSeat} */
      const joined = await askWithKey(`${this.path}/join`, { name: name || undefined, seat, key });
      saveMatch(id, { [joined.seat]: joined.token });
      this.onjoin(joined.seat);
      savePendingJoin(null);
    } catch (error) {
      if (error instanceof Failure && REFUSED.includes(error.status)) savePendingJoin(null);
      throw error;
    }
  });
}
