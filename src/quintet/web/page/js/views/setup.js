// Setting up a game: which one, its board, who plays, the clock.

import { engines, friendsAt, games, onServer, position, query } from "../api.js";
import { h, link } from "../dom.js";
import { joined, tr } from "../language.js";
import { moveName } from "../names.js";
import { attempt } from "../notices.js";
import { BoardOptions } from "../parts/board-options.js";
import { ClockList } from "../parts/clock-list.js";
import { EnginePicker } from "../parts/engine-picker.js";
import { choice, field } from "../parts/forms.js";
import { nameInput } from "../parts/invitation.js";
import { LatestRequest } from "../parts/latest-request.js";
import { seating, sideNumber, startGame } from "../parts/start-game.js";
import { opponent as lastOpponent, saveOpponent, savePlayerName } from "../storage.js";

/** @type {[string, string][]} */
const SIDES = [["1", "X"], ["2", "O"], ["random", tr("At random")]];
/** @type {[string, string, string][]} */
const OPPONENTS = [
  ["friend", tr("A friend, by link"), tr("Send a link or show its QR code")],
  ["here", tr("Two players here"), tr("Take turns on this screen")],
  ["engine", tr("An engine"), tr("From beginner to perfect play")],
  ["watch", tr("Two engines"), tr("Watch them play each other")],
];

/** @type {(element: HTMLElement, isShown: boolean) => void} */
const showOnly = (element, isShown) => void element.classList.toggle("away", !isShown);

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
  const group = onServer("/tournament/new");
  const opponents = OPPONENTS.filter(([kind]) => friendsAt || kind !== "friend");
  if (!friendsAt && opening.kind === "friend") opening.kind = "engine";
  const form = { game: find(params.get("game")), ...opening, first: params.get("first") ?? "1" };

  const request = new LatestRequest();
  const preview = h("quintet-board", { mini: true });
  const summary = h("p", { class: "small" });
  const played = h("p", { class: "small" });
  const board = new BoardOptions(params, Boolean(moves), () => draw());
  board.element.hidden = Boolean(from);
  const name = nameInput();
  const nameField = field(tr("Your name"), name);
  const clocks = new ClockList();
  const engine = new EnginePicker(tr("Engine"), players, opening.who);
  const second = new EnginePicker(tr("Second engine"), players);
  const side = choice(tr("You play"), "side", SIDES, form.side, (value) => (form.side = value));
  const first = choice(tr("Who goes first"), "first", SIDES, form.first, (value) => {
    form.first = value;
    draw();
  });
  first.hidden = Boolean(from);
  const you = h("div", { class: "stack" }, side, nameField);
  const friend = h("p", { class: "card engine",
    text: tr("You get a link to send and a QR code to show. The game starts when your friend opens it.") });
  const here = h("p", { class: "card engine", text: tr("You both play on this screen and take turns.") });
  let hasName = true;

  /** The position to start with. @param {number} [mover] who moves first on an empty board */
  const startOptions = (mover) => ({
    game: form.game.name,
    ...(from ? { position: from } : { ...board.chosen, first: mover }),
    moves,
  });

  const draw = () => attempt(async () => {
    const found = await request.wait(position(startOptions(form.first === "2" ? 2 : undefined)));
    if (!found) return;
    preview.name = tr("{game} board", { game: form.game.title });
    const { view } = found;
    preview.view = view;
    const names = joined(view.history.map(([, move]) => moveName(view, move)));
    played.textContent = tr("The game continues after {moves}.", { moves: names });
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
    hasName = opponent === "engine" || opponent === "friend"; // Two people cannot share a name.
    // What is not chosen keeps its room, so that nothing below moves.
    showOnly(engine.element, opponent === "engine" || opponent === "watch");
    showOnly(friend, opponent === "friend");
    showOnly(here, opponent === "here");
    showOnly(you, hasName);
    showOnly(second.element, opponent === "watch");
  }

  const start = () => attempt(async () => {
    const opponent = { kind: form.kind, who: engine.who, side: form.side };
    const isWatching = form.kind === "watch";
    const isElsewhere = form.kind === "friend" && friendsAt !== "here";
    if (isElsewhere) return location.assign(onServer(`/new${query(startOptions())}`));
    if (!isWatching) saveOpponent(opponent);
    savePlayerName(name.value.trim());
    await startGame({
      ...startOptions(sideNumber(form.first)),
      ...(isWatching ? { seats: { 1: engine.who, 2: second.who }, take: [] } : seating(opponent)),
      name: !hasName ? undefined : name.value.trim() || undefined,
      clock: clocks.clock,
    });
  });

  const onsubmit = /** @param {Event} event */ (event) => {
    event.preventDefault();
    start();
  };
  section.append(
    h("div", { class: "heading" }, h("h1", { text: tr("New game") }),
      group && h("p", { class: "small links" }, link(group, tr("Play with a group")))),
    h("form", { class: "setup", onsubmit, "data-testid": "setup" },
      h("div", { class: "stack" },
        choice(tr("Game"), "game", all.map(({ name: value, title }) => [value, title]), form.game.name, chooseGame),
        choice(tr("Opponent"), "opponent", opponents, form.kind, chooseOpponent, "cards"),
        h("div", { class: "opponents" },
          h("div", { class: "stacked" }, engine.element, friend, here),
          h("div", { class: "stacked" }, you, second.element)),
        h("div", { class: "pair" }, first, field(tr("Clock"), clocks.element)),
        board.element,
        from && h("p", { class: "small", text: tr("The game starts from the position shown.") }),
        moves && played,
        h("div", { class: "start" },
          h("button", { type: "submit", class: "primary big", text: tr("Start"), "data-testid": "start" }))),
      h("aside", { class: "card preview", "aria-label": tr("Preview") }, preview, summary)),
  );
  chooseGame(form.game.name);
  chooseOpponent(form.kind);
}
