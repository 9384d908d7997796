// Setting up a match: the game, its board, who plays, the clock.

import { ask, engines, games, position } from "../api.js";
import { attempt, go } from "../app.js";
import { h } from "../dom.js";
import { keepMatch, keepName } from "../memory.js";
import { BoardOptions } from "../parts/boards.js";
import { enginePicker } from "../parts/engines.js";
import { choice, field } from "../parts/forms.js";
import { nameInput } from "../parts/invitation.js";
import { Latest } from "../parts/latest.js";

const CLOCKS = [
  ["", "No clock"],
  ["60+0", "1 minute"],
  ["180+2", "3 minutes + 2 seconds a move"],
  ["300+3", "5 minutes + 3 seconds a move"],
  ["600+5", "10 minutes + 5 seconds a move"],
  ["1800+10", "30 minutes + 10 seconds a move"],
];
const SIDES = [["1", "X"], ["2", "O"], ["lot", "By lot"]];
const WAYS = [
  ["friend", "A friend, by link", "Send the link or let it be scanned"],
  ["here", "Both of us here", "Two players, one screen"],
  ["engine", "An engine", "From a beginner to perfect play"],
  ["watch", "Two engines", "Sit back and watch"],
];

const lot = (value) => (value === "lot" ? 1 + Math.floor(Math.random() * 2) : Number(value));

export async function show(section, _, params) {
  const [all, players] = await Promise.all([games(), engines()]);
  const moves = params.get("moves") ?? undefined;
  const from = params.get("position") ?? undefined; // Where the game begins, if not on an empty board.
  const find = (name) => all.find((game) => game.name === name);
  const game = find(params.get("game")) ?? all[0];
  const form = { game, way: "engine", side: "1", first: params.get("first") ?? "1" };

  const latest = new Latest();
  const preview = h("quintet-board", { mini: true });
  const summary = h("p", { class: "small" });
  const board = new BoardOptions(params, Boolean(moves), () => draw());
  board.element.hidden = Boolean(from);
  const name = nameInput();
  const nameField = field("Your name", name);
  const clock = h("select", { name: "clock" }, CLOCKS.map(([value, text]) => h("option", { value, text })));
  const rival = enginePicker("Engine", players);
  const second = enginePicker("The other engine", players);
  const side = choice("You play", "side", SIDES, form.side, (value) => (form.side = value));
  const first = choice("Who begins", "first", SIDES, form.first, (value) => {
    form.first = value;
    draw();
  });
  first.hidden = Boolean(from);

  /** The position to begin with; `begins` is who moves first on an empty board. */
  const beginning = (begins) => ({
    game: form.game.name,
    ...(from ? { position: from } : { ...board.given, first: begins }),
    moves,
  });

  const draw = () => attempt(async () => {
    const found = await latest.of(position(beginning(form.first === "2" ? 2 : undefined)));
    if (!found) return;
    preview.name = `The board of ${form.game.title}`;
    preview.view = found.view;
  });

  function choose(gameName) {
    form.game = find(gameName);
    summary.textContent = form.game.summary;
    board.choose(form.game);
    draw();
  }

  function pick(way) {
    form.way = way;
    rival.hidden = way !== "engine" && way !== "watch";
    second.hidden = way !== "watch";
    side.hidden = way === "here" || way === "watch";
    nameField.hidden = way === "here" || way === "watch"; // Two people cannot share a name.
  }

  /** Who sits where, and which seats are this browser's. */
  function seating() {
    const mine = lot(form.side);
    const other = 3 - mine;
    return {
      friend: { seats: { 1: "human", 2: "human" }, take: [mine] },
      here: { seats: { 1: "human", 2: "human" }, take: [1, 2] },
      engine: { seats: { [mine]: "human", [other]: rival.who }, take: [mine] },
      watch: { seats: { 1: rival.who, 2: second.who }, take: [] },
    }[form.way];
  }

  const begin = () => attempt(async () => {
    const [seconds, increment] = clock.value.split("+").map(Number);
    const body = {
      ...beginning(lot(form.first)),
      ...seating(),
      name: nameField.hidden ? undefined : name.value.trim() || undefined,
      clock: clock.value ? { seconds, increment } : undefined,
    };
    keepName(name.value.trim());
    const match = await ask("/api/matches", { body });
    keepMatch(match.id, match.tokens);
    await go(match.url);
  });

  const onsubmit = (event) => {
    event.preventDefault();
    begin();
  };
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "New game" })),
    h("form", { class: "setup", onsubmit, "data-testid": "setup" },
      h("div", { class: "stack" },
        choice("Game", "game", all.map(({ name: value, title }) => [value, title]), game.name, choose),
        choice("Against", "way", WAYS, form.way, pick, "cards"),
        rival, second,
        h("div", { class: "pair" }, side, first),
        h("div", { class: "pair" }, nameField, field("Clock", clock)),
        board.element,
        from && h("p", { class: "small", text: "The game begins with the position that is shown." }),
        moves && h("p", { class: "small", text: `The game goes on after ${moves}.` }),
        h("div", null, h("button", { type: "submit", class: "primary big", text: "Start", "data-testid": "start" }))),
      h("aside", { class: "card preview", "aria-label": "Preview" }, preview, summary)),
  );
  choose(game.name);
  pick(form.way);
}
