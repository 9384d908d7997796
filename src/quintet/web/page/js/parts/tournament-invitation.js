// The link to a tournament, to be sent to others.

import { h, withCode } from "../dom.js";
import { tr } from "../language.js";
import { copyButton } from "./copy-button.js";
import { field } from "./forms.js";
import { pathOf } from "./tournament-feed.js";

/** @import { Child } from "../dom.js" */

/** @type {(cup: Api.TournamentInfo, id: string, invited: Api.Invitation | null) => Child[]} */
export function inviteOthers(cup, id, invited) {
  if (!cup.joinable) return [];
  const { url, note, command } = invited ?? { url: `${location.origin}/tournament/${id}` };
  const input = h("input", { readonly: true, value: url, "data-testid": "invite-link" });
  input.addEventListener("focus", () => input.select());
  const qr = { class: "qr", src: `${pathOf(id)}/qr`, alt: tr("QR code of the link"), width: 148, height: 148 };
  return [
    h("summary", { text: tr("Invite others") }),
    h("div", { class: "invite" },
      h("div", { class: "invite-text" },
        note && h("p", { class: "small warning" }, withCode(note, command, "unbroken")),
        field(tr("Link"), input), copyButton(tr("Copy link"), () => input.value, { class: "primary" })),
      !note && h("img", qr)),
  ];
}
