// How a game ended, over the board: in the words of who played it, with what to do next.

import { optionsOf } from "../api.js";
import { button, closest, h } from "../dom.js";
import { tr } from "../language.js";
import { attempt } from "../notices.js";
import { coverPage } from "../router.js";
import { fullUrl } from "../site.js";
import { saveOpponent } from "../storage.js";
import { face } from "./face.js";
import { shareMenu } from "./share.js";
import { playAgain } from "./start-game.js";

/** @import { QuintetBoard } from "../board.js" */

const LAST_LEVEL = 10;

const PIECES = 18;

/**
 * The result in the player's words.
 * @param {Api.Table} table
 * @param {number[]} seats those of this browser
 */
export function resultText({ players, state }, seats) {
  const { winner, kind } = state.result ?? {};
  const [first, second] = state.view.scores;
  if (!winner) return tr("Draw, {score} each", { score: first });
  const isPlayer = seats.length === 1;
  const isLost = isPlayer && seats[0] !== winner;
  const other = players[winner === 1 ? "2" : "1"];
  const { name } = players[winner === 1 ? "1" : "2"];
  const [low, high] = [first, second].toSorted((a, b) => a - b);
  if (kind !== "most" && kind !== "reached") {
    if (isLost) return tr("You lose");
    if (!isPlayer) return tr("{name} wins", { name });
    return other.level ? tr("You beat {name}", { name: other.name }) : tr("You win");
  }
  if (isLost) return tr("You lose {low} to {high}", { low, high });
  if (!isPlayer) return tr("{name} wins {high} to {low}", { name, high, low });
  if (other.level) return tr("You beat {name} {high} to {low}", { name: other.name, high, low });
  return tr("You win {high} to {low}", { high, low });
}

/**
 * A button for the same game against the next level; none if no level was beaten, or the last one.
 * @param {Api.Table} table
 * @param {number} seat that of this browser
 */
export function nextLevel({ players, state }, seat) {
  const level = players[seat === 1 ? "2" : "1"].level ?? LAST_LEVEL;
  if (level >= LAST_LEVEL) return [];
  const play = () => attempt(() => {
    saveOpponent({ kind: "engine", who: `level:${level + 1}`, side: String(seat) });
    return playAgain(optionsOf(state.view, 0));
  });
  return [button(tr("Next level: {level}", { level: level + 1 }), play, { class: "primary" })];
}

/**
 * The menu to share a finished game.
 * @param {Api.Table} table
 */
export function shareResult(table) {
  const { id, state } = table;
  const path = `/api/matches/${encodeURIComponent(id)}`;
  return shareMenu(() => ({
    title: tr("{game}: {result}", { game: state.view.title, result: resultText(table, []) }),
    url: fullUrl(`/match/${id}`),
    png: `${path}/picture.png`,
    gif: state.ply ? `${path}/replay.gif` : undefined,
  }));
}

export class ResultPanel {
  /** @param {QuintetBoard} board has the focus when the panel is closed */
  constructor(board) {
    this.element = h("section", { class: "cover", role: "dialog", "data-testid": "result", hidden: true });
    this.board = board;
    this.element.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  /**
   * @param {string} title
   * @param {string} detail
   * @param {boolean} isWin whether it is worth a celebration
   * @param {HTMLElement[]} actions the first has the focus
   * @param {Api.PlayerInfo} [opponent] whose picture is shown, if there is one
   */
  open(title, detail, isWin, actions, opponent) {
    this.element.setAttribute("aria-label", title);
    const onclick = /** @param {Event} event */ (event) => !closest(event, "a, .share") && this.close();
    this.element.replaceChildren(
      h("div", { class: "card" },
        button("×", () => this.close(), { class: "icon close", "aria-label": tr("Show the board") }),
        opponent?.picture && face(opponent, "huge"),
        h("h2", { text: title }), h("p", { text: detail }),
        h("div", { class: "row centred", onclick }, actions)));
    if (isWin) this.element.append(celebration());
    this.element.hidden = false;
    this.uncover = coverPage(() => this.close());
    actions[0]?.focus({ preventScroll: true });
  }

  close() {
    this.uncover?.();
    this.element.hidden = true;
    /** @type {SVGElement | null} */
    const cell = this.board.querySelector("[tabindex='0']");
    cell?.focus({ preventScroll: true });
  }
}

/** Marks of both players that rain for a moment; not where less motion is wanted. */
function celebration() {
  const pieces = Array.from({ length: PIECES }, (_, i) => {
    const piece = h("i");
    piece.style.setProperty("--at", String(i / PIECES));
    piece.style.setProperty("--wait", `${((i * 7) % PIECES) * 45}ms`);
    return piece;
  });
  return h("div", { class: "celebration", "aria-hidden": "true" }, pieces);
}
