// The table: a match as it goes on, for its players and for those who watch.

import { ask, optionsOf, position } from "../api.js";
import { attempt, go, tell } from "../app.js";
import { button, h, link } from "../dom.js";
import { Live } from "../live.js";
import { keepMatch, tokensOf } from "../memory.js";
import { Actions } from "../parts/actions.js";
import { toggle } from "../parts/forms.js";
import { invitation, joining } from "../parts/invitation.js";
import { Players } from "../parts/players.js";
import { Steps, placeText } from "../parts/steps.js";
import { moveField } from "../parts/typing.js";
import { Overlay } from "../parts/values.js";
import { blip } from "../sound.js";

export async function show(section, id) {
  const path = `/api/matches/${encodeURIComponent(id)}`;
  let table = await ask(path);
  let seats = Object.keys(tokensOf(id)).map(Number);
  let at = null; // The number of moves shown while stepping; null follows the game.

  const board = h("quintet-board", { "data-testid": "board" });
  const players = new Players();
  const steps = new Steps((ply) => step(ply));
  const actions = new Actions((message) => say(message));
  const turn = h("p", { class: "turn-line", "data-testid": "turn" });
  const status = h("p", { class: "status", "data-testid": "status" });
  const reconnecting = h("p", { class: "reconnecting", role: "status", "data-testid": "link" });
  const watching = h("p", { class: "small watching", text: "You are watching.", "data-testid": "watching" });
  const doors = h("div", { class: "doors" });
  const passing = button("Pass", () => claim("pass"), { class: "primary", hidden: true, "data-testid": "pass" });
  const typing = moveField((text) => claim(text));
  const explanation = h("p", { class: "explanation", role: "status", "data-testid": "explanation" });
  const overlay = new Overlay(board, (found, words = "") => (explanation.textContent = found?.explanation ?? words));
  const values = toggle("Show what each move is worth", false, (on) => {
    overlay.on = on;
    overlay.show(optionsOf(board.view));
  }, { "data-testid": "values" });
  const coach = h("section", { class: "card coach", "aria-label": "Values" }, values, explanation);

  /** Who holds a seat here holds it in the rematch too, also if it began while nobody looked. */
  const keepSeats = () => table.rematch && seats.length && keepMatch(table.rematch, tokensOf(id));
  const isMine = (player) => seats.includes(player);
  const isOpen = (player) => table.players[player].who === "human" && !table.players[player].joined;
  const isAlone = (player) => table.players[player].who !== "human" || isMine(player);
  /** Values are no secret when nobody else at the table is a person playing. */
  const mayCoach = () => table.state.over || [1, 2].every(isAlone);

  function say(message) {
    tell();
    if (!live.send(message) && message.type !== "move") tell("There is no connection; try again in a moment.");
  }

  function claim(move) {
    const { ply, undone } = table.state;
    say({ type: "move", ply, undone, move, id: `${undone}.${ply}` });
  }

  async function step(ply) {
    const all = table.state.view;
    const place = (at = ply === all.history.length ? null : ply);
    const shown = place === null ? all : await attempt(async () => (await position(optionsOf(all, place))).view);
    if (shown && place === at) draw(shown);
  }

  function draw(view = table.state.view) {
    const state = table.state;
    const { player } = state.view;
    const myTurn = at === null && !state.over && isMine(player) && ![1, 2].some(isOpen);
    board.playable = myTurn;
    board.view = view;
    typing.enable(myTurn);
    typing.hidden = !seats.length || state.over;
    passing.hidden = !myTurn || view.cells.some((cell) => cell.legal);
    players.update(view, [1, 2].map(personOf), state.clock);
    steps.update(state.view.history, at ?? state.view.history.length);
    turn.textContent = headline(state);
    status.textContent = at === null ? state.view.status : placeText(at, state.view.history.length);
    actions.update({ state, seats, table });
    coach.hidden = !mayCoach();
    if (coach.hidden && overlay.on) overlay.on = values.querySelector("input").checked = false;
    overlay.show(optionsOf(view));
    drawDoors();
    if (section.isConnected) document.title = `${turn.textContent} · ${view.title} · Quintet`;
  }

  const nameOf = (seat) => table.players[seat].name;

  function personOf(seat) {
    if (isOpen(seat)) return { name: "Waiting …" };
    const kind = table.players[seat].who === "human" ? (isMine(seat) && seats.length === 1 ? "you" : "") : "engine";
    return { name: nameOf(seat), about: kind };
  }

  function headline(state) {
    if (state.over) {
      const winner = state.result?.winner;
      if (!winner) return "A draw";
      return isMine(winner) && seats.length === 1 ? "You win" : `${nameOf(winner)} wins`;
    }
    if ([1, 2].some(isOpen)) return "Waiting for the other player";
    const { player } = state.view;
    if (state.thinking) return `${nameOf(player)} is thinking …`;
    return isMine(player) && seats.length === 1 ? "Your turn" : `${nameOf(player)}’s turn (${"XO"[player - 1]})`;
  }

  function drawDoors() {
    const open = [1, 2].filter((seat) => isOpen(seat) && !table.state.over);
    const kind = open.length ? (seats.length ? "invite" : "join") : seats.length ? "none" : "watch";
    const key = [kind, ...open].join();
    if (doors.dataset.key === key) return;
    doors.dataset.key = key;
    if (kind === "invite") doors.replaceChildren(invitation(id));
    else if (kind === "join") doors.replaceChildren(joining(open, (name, seat) => join(name, seat)));
    else doors.replaceChildren(...(kind === "watch" ? [watching] : []));
  }

  const join = (name, seat) => attempt(async () => {
    const seated = await ask(`${path}/join`, { body: { name: name || undefined, seat } });
    keepMatch(id, { [seated.seat]: seated.token });
    seats = [...seats, seated.seat];
    live.renew();
  });

  function hear(message) {
    if (message.type === "table") {
      table = message;
      seats = message.seat;
      keepSeats();
    } else if (message.type === "state") {
      const { type, players: people, ack, ...state } = message;
      if (ack !== undefined) live.settle();
      if (people) table = { ...table, players: people };
      const added = state.ply > table.state.ply;
      table = { ...table, state };
      if (added) blip(state.view.history.at(-1)[0]);
    } else if (message.type === "rematch") {
      table = { ...table, rematch: message.id };
      keepSeats();
      if (seats.length) return go(`/match/${message.id}`);
    } else if (message.type === "error") {
      live.settle();
      tell(message.error);
    }
    if (at !== null && at >= table.state.view.history.length) at = null;
    return at === null ? draw() : step(at);
  }

  const tellLink = (isUp) => (reconnecting.textContent = isUp ? "" : "The connection is lost. Reconnecting …");

  const { view } = table.state;
  const size = view.rows === 1 ? `a line of ${view.cols}` : view.size;
  const about = [size, view.target && `target ${view.target}`].filter(Boolean).join(" · ");
  section.append(
    h("div", { class: "heading" },
      h("h1", { text: view.title }),
      h("p", { class: "small", text: about }),
      link(`/rules/${view.game}`, "Rules", { class: "small" })),
    h("div", { class: "table" },
      h("div", { class: "stage" }, players.element, board,
        h("div", { class: "under" },
          h("div", null, h("div", { role: "status" }, turn, status), reconnecting), passing),
        typing),
      h("div", { class: "side" }, doors, actions.element, coach, steps.element)),
  );
  board.addEventListener("claim", (event) => claim(event.detail));
  const live = new Live(id, () => Object.values(tokensOf(id)), hear, tellLink);
  const deaf = steps.listen();
  keepSeats();
  draw();
  return () => {
    live.close();
    players.stop();
    deaf();
  };
}
