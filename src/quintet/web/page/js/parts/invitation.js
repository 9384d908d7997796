// The way to a free seat: for the host a link to send, for a visitor a name and a button.

import { button, h } from "../dom.js";
import { playerName, savePlayerName } from "../storage.js";
import { copyButton } from "./copy-button.js";
import { field } from "./forms.js";

/** The panel with the link, a button to copy it and its QR code. @param {string} id */
export function invitation(id) {
  const address = `${location.origin}/match/${id}`;
  const input = h("input", { readonly: true, value: address, "data-testid": "invite-link" });
  input.addEventListener("focus", () => input.select());
  const code = `/api/matches/${encodeURIComponent(id)}/qr`;
  return h("section", { class: "card invite", "aria-label": "Invitation", "data-testid": "invite" },
    h("div", { class: "invite-text" },
      h("h2", { text: "Invite a friend" }),
      h("p", { class: "small", text: "The first person to join with this link plays you. Others can watch." }),
      field("Link", input),
      copyButton("Copy link", () => address, { class: "primary" })),
    h("img", { class: "qr", src: code, alt: "QR code of the link", width: 148, height: 148 }));
}

/** The field for a player's name, filled with the last one. */
export const nameInput = () =>
  h("input", { name: "name", maxlength: 40, value: playerName(), autocomplete: "nickname", placeholder: "Anonymous" });

/**
 * The panel to take a free seat.
 * @param {number[]} seats the free ones
 * @param {string} host the name of who is waiting; empty if nobody is
 * @param {(name: string, seat: number) => unknown} onjoin
 */
export function joinPanel(seats, host, onjoin) {
  const name = nameInput();
  const join = /** @param {number} seat */ (seat) => () => {
    savePlayerName(name.value.trim());
    onjoin(name.value.trim(), seat);
  };
  const buttons = seats.map((seat) => button(`Join as ${"XO"[seat - 1]}`, join(seat), { class: "primary" }));
  return h("section", { class: "card join", "aria-label": "Join", "data-testid": "join" },
    h("h2", { text: host ? `${host} is waiting for you` : "Join this game" }),
    h("p", { class: "small", text: "Join the game, or stay and watch." }),
    field("Your name", name),
    h("div", { class: "row" }, buttons));
}
