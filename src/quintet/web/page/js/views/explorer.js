// The explorer: any line of a game, with what every move is worth. Each position has its own address.

import { games, optionsOf, position, query } from "../api.js";
import { attempt, go, here, readdress } from "../app.js";
import { button, h, link } from "../dom.js";
import { copyButton } from "../parts/copying.js";
import { field, toggle } from "../parts/forms.js";
import { Latest } from "../parts/latest.js";
import { Players } from "../parts/players.js";
import { Steps } from "../parts/steps.js";
import { gameTabs } from "../parts/tabs.js";
import { moveField } from "../parts/typing.js";
import { Overlay } from "../parts/values.js";

const OPTIONS = ["size", "target", "values", "shuffle", "first", "position"];

export async function show(section, game, params) {
  if (!game) return void go(`/explore/${(await games())[0].name}`, { replace: true });
  const options = { game };
  for (const key of OPTIONS) options[key] = params.get(key) ?? undefined;
  let { view } = await position({ ...options, moves: params.get("moves") ?? undefined });
  const latest = new Latest();
  let line = view.history; // The whole line, of which the position may be an earlier point.

  const board = h("quintet-board", { "data-testid": "board" });
  board.playable = true;
  const players = new Players();
  const steps = new Steps((ply) => follow(line.slice(0, ply).map(([, move]) => move)), "Line");
  const status = h("p", { class: "status", role: "status", "data-testid": "status" });
  const explanation = h("p", { class: "explanation", role: "status", "data-testid": "explanation" });
  const best = h("div", { class: "best-line" });
  const passing = button("Pass", () => play("pass"), { class: "primary", "data-testid": "pass" });
  const typing = moveField((text) => play(text));
  const onward = link("/new", "Play from here", { class: "button primary" });

  const overlay = new Overlay(board, (found, words) => {
    explanation.textContent = found ? found.explanation : words ?? "";
    best.replaceChildren(...(found?.line.length ? continuation(found.line) : []));
  });
  overlay.on = true;
  const values = toggle("Show what each move is worth", true, (on) => {
    overlay.on = on;
    overlay.show(optionsOf(view));
  }, { "data-testid": "values" });

  const played = () => view.history.map(([, move]) => move);
  const play = (move) => follow([...played(), move]);

  function continuation(moves) {
    return [h("h2", { text: "Best play from here" }), h("ol", { class: "chips" }, moves.map((move, i) =>
      h("li", null, button(move, () => follow([...played(), ...moves.slice(0, i + 1)]), { class: "chip" }))))];
  }

  /** Go to the position after these moves. A point of the line keeps what comes after it. */
  const follow = (moves) => attempt(async () => {
    const found = await latest.of(position({ ...options, moves: moves.join("; ") || undefined }));
    if (!found) return;
    view = found.view;
    const now = played();
    if (!now.every((move, i) => line[i]?.[1] === move)) line = view.history;
    if (address() !== here()) readdress(address());
    draw();
  });

  function address() {
    const { game: name, ...rest } = { ...options, moves: played().join("; ") || undefined };
    return `/explore/${name}${query(rest)}`;
  }

  function draw() {
    board.view = view;
    players.update(view, [{ name: "Player 1" }, { name: "Player 2" }], null);
    steps.update(line, view.history.length);
    status.textContent = view.status;
    passing.hidden = view.player === null || view.cells.some((cell) => cell.legal);
    onward.hidden = view.player === null;
    onward.href = `/new${query({ ...options, moves: played().join("; ") })}`;
    typing.enable(view.player !== null);
    overlay.show(optionsOf(view));
  }

  const size = h("input", { value: view.size, maxlength: 9, name: "size" });
  const resize = h("form", {
    class: "typing",
    onsubmit: (event) => {
      event.preventDefault();
      go(`/explore/${game}${query({ size: size.value.trim() })}`);
    },
  }, field("Board", size), h("button", { type: "submit", text: "Set up" }));

  board.addEventListener("claim", (event) => play(event.detail));
  section.append(
    h("div", { class: "heading" }, h("h1", { text: `Explore ${view.title}` })),
    await gameTabs(game, (name) => `/explore/${name}`),
    h("div", { class: "table" },
      h("div", { class: "stage" }, players.element, board, h("div", { class: "under" }, status, passing), typing),
      h("div", { class: "side" },
        h("section", { class: "card coach", "aria-label": "Values" }, values, explanation, best),
        h("div", { class: "row" }, onward, copyButton("Copy the link", () => location.href)),
        steps.element, resize)),
  );
  const deaf = steps.listen();
  draw();
  return () => {
    latest.leave();
    deaf();
  };
}
