// Setting up a game: which one, its board, who plays, the clock.

import { engines, games, position } from "../api.js";
import { h, link } from "../dom.js";
import { tr } from "../language.js";
import { moveName } from "../names.js";
import { attempt } from "../notices.js";
import { BoardOptions } from "../parts/board-options.js";
import { EnginePicker } from "../parts/engine-picker.js";
import { choice, field, select } from "../parts/forms.js";
import { nameInput } from "../parts/invitation.js";
import { LatestRequest } from "../parts/latest-request.js";
import { seating, sideNumber, startGame } from "../parts/start-game.js";
import { opponent as lastOpponent, saveOpponent, savePlayerName } from "../storage.js";

/** @type {[string, string][]} */
const CLOCKS = [
  ["", "No clock"],
  ["60+0", "1 minute"],
  ["180+2", "3 minutes + 2 seconds per move"],
  ["300+3", "5 minutes + 3 seconds per move"],
  ["600+5", "10 minutes + 5 seconds per move"],
  ["1800+10", "30 minutes + 10 seconds per move"],
];
/** @type {[string, string][]} */
const SIDES = [["1", "X"], ["2", "O"], ["random", "Random"]];
/** @type {[string, string, string][]} */
const OPPONENTS = [
  ["friend", "A friend, by link", "Send a link or show its QR code"],
  ["here", "Two players here", "Take turns on this screen"],
  ["engine", "An engine", "From beginner to perfect play"],
  ["watch", "Two engines", "Watch them play each other"],
];

/**
 * @param {HTMLElement} section
 * @param {string} _
 * @param {URLSearchParams} params
 */
export async function show(section, _, params) {
  const [all, players] = await Promise.all([games(), engines()]);
  const moves = params.get("moves") ?? undefined;
  const from = params.get("position") ?? undefined; // Where the game starts, if not on an empty board.
  const find = /** @param {string | null} name */ (name) => all.find((game) => game.name === name) ?? all[0];
  const opening = lastOpponent();
  const form = { game: find(params.get("game")), ...opening, first: params.get("first") ?? "1" };

  const request = new LatestRequest();
  const preview = h("quintet-board", { mini: true });
  const summary = h("p", { class: "small" });
  const played = h("p", { class: "small" });
  const board = new BoardOptions(params, Boolean(moves), () => draw());
  board.element.hidden = Boolean(from);
  const name = nameInput();
  const nameField = field("Your name", name);
  const clock = select("clock", CLOCKS);
  const engine = new EnginePicker("Engine", players, opening.who);
  const second = new EnginePicker("Second engine", players);
  const side = choice("You play", "side", SIDES, form.side, (value) => (form.side = value));
  const first = choice("Who goes first", "first", SIDES, form.first, (value) => {
    form.first = value;
    draw();
  });
  first.hidden = Boolean(from);

  /** The position to start with. @param {number} [mover] who moves first on an empty board */
  const startOptions = (mover) => ({
    game: form.game.name,
    ...(from ? { position: from } : { ...board.chosen, first: mover }),
    moves,
  });

  const draw = () => attempt(async () => {
    const found = await request.wait(position(startOptions(form.first === "2" ? 2 : undefined)));
    if (!found) return;
    preview.name = `${form.game.title} board`;
    const { view } = found;
    preview.view = view;
    played.textContent = `The game continues after ${view.history.map(([, move]) => moveName(view, move)).join(", ")}.`;
  });

  /** @param {string} gameName */
  function chooseGame(gameName) {
    form.game = find(gameName);
    summary.textContent = form.game.summary;
    board.choose(form.game);
    draw();
  }

  /** @param {string} opponent */
  function chooseOpponent(opponent) {
    form.kind = opponent;
    engine.element.hidden = opponent !== "engine" && opponent !== "watch";
    second.element.hidden = opponent !== "watch";
    side.hidden = opponent === "here" || opponent === "watch";
    nameField.hidden = opponent === "here" || opponent === "watch"; // Two people cannot share a name.
  }

  const start = () => attempt(async () => {
    const [seconds, increment] = clock.value.split("+").map(Number);
    const opponent = { kind: form.kind, who: engine.who, side: form.side };
    const isWatching = form.kind === "watch";
    if (!isWatching) saveOpponent(opponent);
    savePlayerName(name.value.trim());
    await startGame({
      ...startOptions(sideNumber(form.first)),
      ...(isWatching ? { seats: { 1: engine.who, 2: second.who }, take: [] } : seating(opponent)),
      name: nameField.hidden ? undefined : name.value.trim() || undefined,
      clock: clock.value ? { seconds, increment } : undefined,
    });
  });

  const onsubmit = /** @param {Event} event */ (event) => {
    event.preventDefault();
    start();
  };
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "New game" }),
      h("p", { class: "small links" }, link("/tournament/new", tr("Play with a group")))),
    h("form", { class: "setup", onsubmit, "data-testid": "setup" },
      h("div", { class: "stack" },
        choice("Game", "game", all.map(({ name: value, title }) => [value, title]), form.game.name, chooseGame),
        choice("Opponent", "opponent", OPPONENTS, form.kind, chooseOpponent, "cards"),
        engine.element, second.element,
        h("div", { class: "pair" }, side, first),
        h("div", { class: "pair" }, nameField, field("Clock", clock)),
        board.element,
        from && h("p", { class: "small", text: "The game starts from the position shown." }),
        moves && played,
        h("div", { class: "start" },
          h("button", { type: "submit", class: "primary big", text: "Start", "data-testid": "start" }))),
      h("aside", { class: "card preview", "aria-label": "Preview" }, preview, summary)),
  );
  chooseGame(form.game.name);
  chooseOpponent(form.kind);
}
