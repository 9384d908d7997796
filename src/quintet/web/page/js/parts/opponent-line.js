// Whom a tap on Play is against, with the picture, and the way to choose another.

import { engines } from "../api.js";
import { h, link } from "../dom.js";
import { tr } from "../language.js";
import { opponent } from "../storage.js";
import { face } from "./face.js";

/** The line, whose room is there before it is filled; empty where the last opponent was a person. */
export function opponentLine() {
  const { kind, who } = opponent();
  const line = h("p", { class: "opponent-line", "data-testid": "opponent", hidden: kind !== "engine" });
  engines().then((all) => {
    const engine = all.find((one) => one.who === who);
    if (engine) {
      line.append(face(engine), h("span", { text: tr("You play {name}", { name: engine.title }) }),
        link("/ladder", tr("Choose another")));
    }
  }, () => undefined); // Without an answer nothing is said.
  return line;
}
