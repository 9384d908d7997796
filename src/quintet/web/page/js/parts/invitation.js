// The way to a free seat: for its host a link to send, for its guest a name and a button.

import { button, field, h } from "../dom.js";
import { keepName, playerName } from "../memory.js";

/** The panel with the link, a button to copy it and its QR code. */
export function invitation(id) {
  const address = `${location.origin}/match/${id}`;
  const input = h("input", { readonly: true, value: address, onfocus: () => input.select(), "data-testid": "invite-link" });
  const said = h("span", { role: "status", class: "small" });
  const copy = button("Copy the link", async () => {
    try {
      await navigator.clipboard.writeText(address);
      said.textContent = "Copied.";
    } catch {
      input.select();
      said.textContent = "It is selected: copy it from there.";
    }
  }, { class: "primary" });
  return h("section", { class: "card invite", "aria-label": "Invitation", "data-testid": "invite" },
    h("div", { class: "invite-text" },
      h("h2", { text: "Invite a friend" }),
      h("p", { class: "small", text: "Whoever opens this link first may take the other seat." }),
      field("Link", input), h("div", { class: "row" }, copy, said)),
    h("img", { class: "qr", src: `/api/matches/${encodeURIComponent(id)}/qr`, alt: "QR code of the link", width: 148, height: 148 }));
}

/** The panel to sit down at a free seat; `onjoin` is told the name and the seat. */
export function joining(seats, onjoin) {
  const name = h("input", { maxlength: 40, value: playerName(), autocomplete: "nickname", placeholder: "Anonymous" });
  const sit = (seat) => () => {
    keepName(name.value.trim());
    onjoin(name.value.trim(), seat);
  };
  return h("section", { class: "card join", "aria-label": "Join", "data-testid": "join" },
    h("h2", { text: "A seat is free" }),
    h("p", { class: "small", text: "Join the game, or stay and watch." }),
    field("Your name", name),
    h("div", { class: "row" }, seats.map((seat) => button(`Join as ${"XO"[seat - 1]}`, sit(seat), { class: "primary" }))));
}
