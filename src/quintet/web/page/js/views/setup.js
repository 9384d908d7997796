// Setting up a match: the game, its board, who plays, the clock.

import { ask, engines, games, position } from "../api.js";
import { attempt, go } from "../app.js";
import { choice, field, h } from "../dom.js";
import { enginePicker } from "../parts/engines.js";
import { keepMatch, keepName, playerName } from "../memory.js";

const CLOCKS = [["", "No clock"], ["60+0", "1 minute"], ["180+2", "3 minutes + 2 s a move"], ["300+3", "5 minutes + 3 s"], ["600+5", "10 minutes + 5 s"]];
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
  const form = { game: params.get("game") ?? all[0].name, way: params.get("way") ?? "engine", side: "1", first: params.get("first") ?? "1" };
  if (!all.some((game) => game.name === form.game)) form.game = all[0].name;
  const moves = params.get("moves");

  const options = h("div", { class: "fields" });
  const preview = h("quintet-board", { mini: true });
  const summary = h("p", { class: "small" });
  const inputs = {};
  const name = h("input", { maxlength: 40, value: playerName(), autocomplete: "nickname", placeholder: "Anonymous" });
  const clock = h("select", null, CLOCKS.map(([value, text]) => h("option", { value, text })));
  const rival = enginePicker("Engine", players);
  const second = enginePicker("The other engine", players);
  const side = choice("You play", "side", SIDES, form.side, (value) => (form.side = value));
  const first = choice("Who begins", "first", SIDES, form.first, (value) => (form.first = value));

  const given = () => ({
    size: inputs.size?.value.trim() || undefined,
    target: inputs.target?.value ? Number(inputs.target.value) : undefined,
    values: inputs.values?.value.trim() || undefined,
    shuffle: inputs.shuffle?.value ? Number(inputs.shuffle.value) : undefined,
  });

  const draw = () => attempt(async () => {
    const { view } = await position({ game: form.game, ...given(), first: form.first === "2" ? 2 : undefined, moves });
    preview.view = view;
  });

  function choose(gameName) {
    form.game = gameName;
    const game = all.find((other) => other.name === gameName);
    summary.textContent = game.summary;
    preview.name = `The board of ${game.title}`;
    const kinds = {
      size: () => field("Board", h("input", { value: params.get("size") ?? "", placeholder: game.size, maxlength: 9 }), "Rows x columns up to 20x20, such as 6x6; a single number is a line."),
      target: () => field("Target", h("input", { type: "number", min: 1, max: 99999, value: params.get("target") ?? "", placeholder: game.target })),
      values: () => field("Values of the cells", h("input", { value: params.get("values") ?? "", placeholder: "the usual ones" }), "Numbers row by row with commas; empty for the usual ones."),
      shuffle: () => field("Shuffle", h("input", { type: "number", min: 0, max: 999999, placeholder: "no" }), "A number deals the usual values in another order."),
    };
    options.replaceChildren();
    for (const key of Object.keys(inputs)) delete inputs[key];
    for (const option of game.options.filter((key) => key in kinds)) {
      const element = kinds[option]();
      inputs[option] = element.querySelector("input");
      inputs[option].name = option;
      inputs[option].disabled = Boolean(moves);
      inputs[option].addEventListener("change", draw);
      options.append(element);
    }
    draw();
  }

  function pick(way) {
    form.way = way;
    rival.hidden = !["engine", "watch"].includes(way);
    second.hidden = way !== "watch";
    side.hidden = ["here", "watch"].includes(way);
    nameField.hidden = way === "watch";
  }

  async function begin(event) {
    event.preventDefault();
    const mine = lot(form.side);
    const seats = { 1: "human", 2: "human" };
    let take = [mine];
    if (form.way === "here") take = [1, 2];
    if (form.way === "engine") seats[3 - mine] = rival.who;
    if (form.way === "watch") [seats[1], seats[2], take] = [rival.who, second.who, []];
    const [seconds, increment] = clock.value.split("+").map(Number);
    keepName(name.value.trim());
    const body = {
      game: form.game, ...given(), first: lot(form.first), moves: moves ?? undefined, seats, take,
      name: name.value.trim() || undefined,
      clock: clock.value ? { seconds, increment } : undefined,
    };
    await attempt(async () => {
      const match = await ask("/api/matches", { body });
      keepMatch(match.id, match.tokens);
      await go(match.url);
    });
  }

  const nameField = field("Your name", name);
  section.append(
    h("div", { class: "heading" }, h("h1", { text: "New game" })),
    h("form", { class: "setup", onsubmit: begin, "data-testid": "setup" },
      h("div", { class: "stack" },
        choice("Game", "game", all.map((game) => [game.name, game.title]), form.game, choose, "segments"),
        choice("Against", "way", WAYS, form.way, pick, "cards"),
        rival, second,
        h("div", { class: "pair" }, side, first),
        h("div", { class: "pair" }, nameField, field("Clock", clock)),
        h("details", { open: Boolean(moves || params.get("size")) }, h("summary", { text: "Board" }), options),
        moves && h("p", { class: "small", text: `The game goes on after ${moves}.` }),
        h("div", null, h("button", { type: "submit", class: "primary big", text: "Start", "data-testid": "start" }))),
      h("aside", { class: "card preview" }, preview, summary)),
  );
  choose(form.game);
  pick(form.way);
}
