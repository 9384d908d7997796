// Whom a tap on Play is against, with the picture, and the way to choose another.

import { engines } from "../api.js";
import { h, link } from "../dom.js";
import { tr } from "../language.js";
import { opponent, savedMatches } from "../storage.js";
import { face } from "./face.js";

/** The line, whose room is there before it is filled. Where the last opponent was a person, it says nothing of one. */
export function opponentLine() {
  const { kind, who } = opponent();
  const line = h("p", { class: "opponent-line", "data-testid": "opponent" });
  const progress = savedMatches().length > 0 && link("/progress", tr("Your progress"));
  const fill = /** @param {Api.EngineInfo} [engine] */ (engine) => line.append(
    ...(engine ? [face(engine), h("span", { text: tr("You play {name}", { name: engine.title }) }),
      link("/ladder", tr("Choose another"))] : []),
    ...(progress ? [progress] : []));
  engines().then((all) => fill(all.find((one) => kind === "engine" && one.who === who)), () => fill());
  return line;
}
