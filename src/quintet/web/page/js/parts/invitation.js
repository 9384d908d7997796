// The way to a free seat: for its host a link to send, for its guest a name and a button.

import { button, h } from "../dom.js";
import { keepName, playerName } from "../memory.js";
import { copyButton } from "./copying.js";
import { field } from "./forms.js";

/** The panel with the link, a button to copy it and its QR code. */
export function invitation(id) {
  const address = `${location.origin}/match/${id}`;
  const input = h("input", { readonly: true, value: address, "data-testid": "invite-link" });
  input.addEventListener("focus", () => input.select());
  const code = `/api/matches/${encodeURIComponent(id)}/qr`;
  return h("section", { class: "card invite", "aria-label": "Invitation", "data-testid": "invite" },
    h("div", { class: "invite-text" },
      h("h2", { text: "Invite a friend" }),
      h("p", { class: "small", text: "Whoever opens this link first may take the other seat." }),
      field("Link", input),
      copyButton("Copy the link", () => address, { class: "primary" })),
    h("img", { class: "qr", src: code, alt: "QR code of the link", width: 148, height: 148 }));
}

/** The field for a player's name, as it was last. */
export const nameInput = () =>
  h("input", { name: "name", maxlength: 40, value: playerName(), autocomplete: "nickname", placeholder: "Anonymous" });

/** The panel to sit down at a free seat; `onjoin` is told the name and the seat. */
export function joining(seats, onjoin) {
  const name = nameInput();
  const sit = (seat) => () => {
    keepName(name.value.trim());
    onjoin(name.value.trim(), seat);
  };
  const chairs = seats.map((seat) => button(`Join as ${"XO"[seat - 1]}`, sit(seat), { class: "primary" }));
  return h("section", { class: "card join", "aria-label": "Join", "data-testid": "join" },
    h("h2", { text: "A seat is free" }),
    h("p", { class: "small", text: "Join the game, or stay and watch." }),
    field("Your name", name),
    h("div", { class: "row" }, chairs));
}
