// The table: a match as it is played, for its players and for those who watch.

import { Failure, ask, askWithKey, effects, newKey, optionsOf, position } from "../api.js";
import { button, h, link } from "../dom.js";
import { LiveMatch } from "../live.js";
import { attempt, notify } from "../notices.js";
import { Actions } from "../parts/actions.js";
import { Toggle } from "../parts/forms.js";
import { invitation, joinPanel } from "../parts/invitation.js";
import { MoveField } from "../parts/move-field.js";
import { Overlay } from "../parts/overlay.js";
import { Players } from "../parts/players.js";
import { Steps, placeText } from "../parts/steps.js";
import { go } from "../router.js";
import { playTone } from "../sound.js";
import { pendingJoin, saveMatch, savePendingJoin, tokensOf } from "../storage.js";

/** @import { Message, Request } from "../live.js" */

/** The answers to a request to join that make it pointless to send it again. */
const REFUSED = [404, 409, 422];

/**
 * @param {HTMLElement} section
 * @param {string} id
 */
export async function show(section, id) {
  const path = `/api/matches/${encodeURIComponent(id)}`;
  /** @type {Api.Table} */
  let table = await ask(path);
  let seats = Object.keys(tokensOf(id)).map(Number);
  /** The number of moves shown while stepping; null follows the game. @type {number | null} */
  let at = null;
  /** The last claim, as it was made. */
  let claimed = "";

  const board = h("quintet-board", { "data-testid": "board" });
  const players = new Players();
  const steps = new Steps((ply) => step(ply));
  const actions = new Actions((message) => send(message));
  const turn = h("p", { class: "turn-line", "data-testid": "turn" });
  const status = h("p", { class: "status", "data-testid": "status" });
  const connection = h("p", { class: "reconnecting", role: "status", "data-testid": "link" });
  const watching = h("p", { class: "small watching", text: "You are watching.", "data-testid": "watching" });
  const seatPanel = h("div", { class: "seats" });
  const pass = button("Pass", () => claim("pass"), { class: "primary", hidden: true, "data-testid": "pass" });
  const moveField = new MoveField((text) => claim(text));
  const explanation = h("p", { class: "explanation", role: "status", "data-testid": "explanation" });
  const overlay = new Overlay(board, (found, message = "") => {
    explanation.textContent = found?.explanation ?? message;
  });
  const values = new Toggle("Show move values", false, (on) => {
    overlay.on = on;
    overlay.show(board.view && optionsOf(board.view));
  }, { "data-testid": "values" });
  const coach = h("section", { class: "card coach", "aria-label": "Values" }, values.element, explanation);

  /** Whoever holds a seat here holds it in the rematch too, also if it was started while they were away. */
  const saveRematch = () => table.rematch && seats.length && saveMatch(table.rematch, tokensOf(id));
  const playerAt = /** @param {number} seat */ (seat) => table.players[seat === 1 ? "1" : "2"];
  const isMine = /** @param {number | null} player */ (player) => player !== null && seats.includes(player);
  const isFree = /** @param {number} player */ (player) => playerAt(player).who === "human" && !playerAt(player).joined;
  /** Values are shown only when nobody else at the table is a person playing. */
  const mayShowValues = () =>
    table.state.over || [1, 2].every((player) => playerAt(player).who !== "human" || isMine(player));

  /** @param {Request} message */
  function send(message) {
    notify();
    if (!live.send(message) && message.type !== "move") notify("Not connected. Try again in a moment.");
  }

  /** @param {string} move */
  function claim(move) {
    const { ply, undone } = table.state;
    claimed = move;
    send({ type: "move", ply, undone, move, id: `${undone}.${ply}` });
  }

  /** @param {number} ply */
  async function step(ply) {
    const all = table.state.view;
    const place = (at = ply === all.history.length ? null : ply);
    const shown = place === null ? all : await attempt(async () => (await position(optionsOf(all, place))).view);
    if (shown && place === at) draw(shown);
  }

  /** What claims do, for the board to show before they are made. @param {Api.View} view */
  async function showEffects(view) {
    const found = await effects(optionsOf(view)).catch(() => null);
    if (board.view === view) board.effects = found;
  }

  function draw(view = table.state.view) {
    const state = table.state;
    const isMyTurn = at === null && !state.over && isMine(state.view.player) && ![1, 2].some(isFree);
    board.playable = isMyTurn;
    board.view = view;
    if (isMyTurn) showEffects(view);
    moveField.enable(isMyTurn);
    moveField.element.hidden = !seats.length || state.over;
    pass.hidden = !isMyTurn || !view.must_pass;
    players.update(view, [1, 2].map(personAt), state.clock);
    steps.update(state.view, at ?? state.view.history.length);
    turn.textContent = headline(state);
    status.textContent = at === null ? state.view.event : placeText(at, state.view.history.length);
    actions.update({ state, seats, table });
    coach.hidden = !mayShowValues();
    if (coach.hidden) overlay.on = values.box.checked = false;
    overlay.show(optionsOf(view));
    drawSeats();
    if (section.isConnected) document.title = `${turn.textContent} · ${view.title} · Quintet`;
  }

  /** @param {number} seat */
  function personAt(seat) {
    const { name, who } = playerAt(seat);
    if (isFree(seat)) return { name: "Waiting …" };
    return { name, note: who === "human" ? (isMine(seat) && seats.length === 1 ? "you" : "") : "engine" };
  }

  /** @param {Api.State} state */
  function headline(state) {
    const { player } = state.view;
    const isYou = /** @param {number} seat */ (seat) => isMine(seat) && seats.length === 1;
    if (state.over) {
      const winner = state.result?.winner;
      if (!winner) return "Draw";
      return isYou(winner) ? "You win" : `${playerAt(winner).name} wins`;
    }
    if ([1, 2].some(isFree)) return "Waiting for the other player";
    if (player === null) return "";
    if (state.thinking) return `${playerAt(player).name} is thinking …`;
    return isYou(player) ? "Your turn" : `${playerAt(player).name}’s turn (${"XO"[player - 1]})`;
  }

  /** The panel about the seats: an invitation, a way to join, or that one is watching. */
  function drawSeats() {
    const free = [1, 2].filter((seat) => isFree(seat) && !table.state.over);
    const kind = free.length ? (seats.length ? "invite" : "join") : seats.length ? "none" : "watch";
    const key = [kind, ...free].join();
    if (seatPanel.dataset.key === key) return;
    seatPanel.dataset.key = key;
    if (kind === "invite") seatPanel.replaceChildren(invitation(id));
    else if (kind === "join") seatPanel.replaceChildren(joinPanel(free, hostName(free), join));
    else seatPanel.replaceChildren(...(kind === "watch" ? [watching] : []));
  }

  /** Who is waiting for a player; empty if nobody is. @param {number[]} free */
  const hostName = (free) => (free.length === 1 ? playerAt(3 - free[0]).name : "");

  /** The request to join this match that was not answered, if there is one. */
  const unansweredJoin = () => [pendingJoin()].find((pending) => pending?.id === id);

  /** @type {(name: string, seat: number) => unknown} */
  const join = (name, seat) => attempt(async () => {
    const before = unansweredJoin();
    const key = before?.seat === seat ? before.key : newKey();
    savePendingJoin({ id, name, seat, key }); // Before it is sent: leaving the page now must not lose the seat.
    try {
      /** @type {Api.TakenSeat} */
      const joined = await askWithKey(`${path}/join`, { name: name || undefined, seat, key });
      saveMatch(id, { [joined.seat]: joined.token });
      seats = [...seats, joined.seat];
      live.renew();
      savePendingJoin(null);
    } catch (error) {
      if (error instanceof Failure && REFUSED.includes(error.status)) savePendingJoin(null);
      throw error;
    }
  });

  /** @param {Message} message */
  function receive(message) {
    if (message.type === "table") {
      table = message;
      seats = message.seat;
      saveRematch();
    } else if (message.type === "state") {
      const isNewMove = message.ply > table.state.ply;
      if (message.ack !== undefined) {
        live.confirm();
        notify();
      }
      table = { ...table, players: message.players ?? table.players, state: message };
      if (isNewMove) playTone(message.view.history[message.ply - 1][0]);
    } else if (message.type === "rematch") {
      table = { ...table, rematch: message.id };
      saveRematch();
      if (seats.length) return void go(`/match/${message.id}`);
    } else {
      if (live.mayResend(message)) live.resendLater();
      else live.confirm();
      if (!board.refuse(claimed, message.error)) notify(message.error);
    }
    if (at !== null && at >= table.state.view.history.length) at = null;
    if (at === null) draw();
    else step(at);
  }

  const { view } = table.state;
  const size = view.rows === 1 ? `line of ${view.cols}` : view.size;
  const about = [size, view.target && `target ${view.target}`].filter(Boolean).join(" · ");
  section.append(
    h("div", { class: "heading" },
      h("h1", { text: view.title }),
      h("p", { class: "small", text: about }),
      link(`/rules/${view.game}`, "Rules", { class: "small" })),
    h("div", { class: "table" },
      h("div", { class: "stage" }, players.element, board,
        h("div", { class: "under" },
          h("div", null, h("div", { role: "status" }, turn, status), connection), pass),
        moveField.element),
      h("div", { class: "side" }, seatPanel, actions.element, coach, steps.element)),
  );
  board.addEventListener("claim", (event) => claim(event.detail));
  const live = new LiveMatch(id, {
    getTokens: () => Object.values(tokensOf(id)),
    onMessage: receive,
    onConnection: (isConnected) => (connection.textContent = isConnected ? "" : "Connection lost. Reconnecting …"),
  });
  const stopListening = steps.listen();
  saveRematch();
  draw();
  const unanswered = unansweredJoin();
  if (unanswered) join(unanswered.name, unanswered.seat);
  return () => {
    live.close();
    players.stop();
    stopListening();
  };
}
