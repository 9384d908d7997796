// The table: a match as it is played, for its players and for those who watch.

import { ask, decided, effects, optionsOf, position } from "../api.js";
import { button, h, link } from "../dom.js";
import { tr } from "../language.js";
import { LiveMatch } from "../live.js";
import { attempt, notify } from "../notices.js";
import { Actions, answerText } from "../parts/actions.js";
import { drawerLink } from "../parts/drawer.js";
import { Insight } from "../parts/insight.js";
import { SeatPanel, learnLink } from "../parts/invitation.js";
import { MoveField } from "../parts/move-field.js";
import { Pace } from "../parts/pace.js";
import { Players, freeSeats, peopleAt, turnText, withPlayers } from "../parts/players.js";
import { Pointing, withNames } from "../parts/pointing.js";
import { ResultPanel, nextLevel, resultText, shareResult } from "../parts/result.js";
import { Steps, placeText } from "../parts/steps.js";
import { go } from "../router.js";
import { playEnd, playTone } from "../sound.js";
import { saveBeaten, saveMatch, tokensOf } from "../storage.js";

/** @import { Message, Request } from "../live.js" */

/** With more legal moves than these, it is not asked whether the game is decided. */
const FEW_MOVES = 12;
/** A position whose board, its second word, has claimed cells. */
const HAS_CLAIMS = /^\S+ \S*[XO]/;

/**
 * @param {HTMLElement} section
 * @param {string} id
 */
export async function show(section, id) {
  /** @type {Api.Table} */
  let table = await ask(`/api/matches/${encodeURIComponent(id)}`);
  let seats = Object.keys(tokensOf(id)).map(Number);
  const isHost = seats.length && freeSeats(table).length;
  /** @type {Api.Invitation | null} */
  const invited = isHost ? await ask(`/api/matches/${encodeURIComponent(id)}/invitation`).catch(() => null) : null;
  /** The number of moves shown while stepping; null follows the game. @type {number | null} */
  let at = null;
  /** What became of an offer, until something else happens. */
  let answer = "";
  /** Whether the game ends the same whatever is played, and whether the page plays the rest. */
  let isDecided = false;
  let isFinishing = false;
  /** The last claim, as it was made. */
  let claimed = "";

  const board = h("quintet-board", { "data-testid": "board" });
  const players = new Players();
  const steps = new Steps((ply) => pace.jump(ply));
  const actions = new Actions((message) => send(message));
  const turn = h("p", { class: "turn-line", "data-testid": "turn" });
  const status = h("p", { class: "status", "data-testid": "status" });
  const connection = h("p", { class: "reconnecting", role: "status", "data-testid": "link" });
  const pass = button(tr("Pass"), () => claim("pass"), { class: "primary", hidden: true, "data-testid": "pass" });
  const moveField = new MoveField((text) => claim(text));
  const explanation = h("p", { class: "explanation", role: "status", "data-testid": "explanation" });
  const insight = new Insight(board, false, (found, message = "") => {
    const names = [playerAt(1).name, playerAt(2).name];
    explanation.replaceChildren(...withNames(table.state.view, withPlayers(found?.explanation ?? message, names)));
  });
  const pointing = new Pointing(board, explanation, insight.element);
  const coach = h("section", { class: "card coach", "aria-label": tr("Values") }, insight.element, explanation);
  const result = new ResultPanel(board);

  /** Whoever holds a seat here holds it in the rematch too, also if it was started while they were away. */
  const saveRematch = () => table.rematch && seats.length && saveMatch(table.rematch, tokensOf(id));
  const playerAt = /** @param {number} seat */ (seat) => table.players[seat === 1 ? "1" : "2"];
  const isMine = /** @param {number | null} player */ (player) => player !== null && seats.includes(player);
  /** What happened last, in the words of who reads it. */
  const eventText = () => (seats.length === 1 ? table.state.view.events[seats[0] - 1] : table.state.view.event);
  /** Values are shown only when nobody else at the table is a person playing. */
  const mayShowValues = () =>
    table.state.over || (!(table.tournament && seats.length) &&
      [1, 2].every((player) => playerAt(player).who !== "human" || isMine(player)));

  /** @param {Request} message */
  function send(message) {
    notify();
    pace.flush();
    const { ply, undone } = table.state;
    const sent = message.type === "undo" ? { ...message, ply, undone } : message;
    if (!live.send(sent) && message.type !== "move") notify(tr("Not connected. Try again in a moment."));
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

  /** Play the rest of a game that is decided, one legal move after the other. */
  function finish() {
    isFinishing = pace.hurries = true;
    draw();
  }

  /** Ask whether the game is decided, where the answer is near. @param {Api.View} view */
  async function askDecided(view) {
    if (isDecided || view.cells.filter((cell) => cell.legal).length > FEW_MOVES) return;
    const found = await decided(optionsOf(view)).catch(() => null); // Then it is not offered.
    if (!found?.decided || table.state.view !== view) return;
    isDecided = true;
    draw();
  }

  /** What claims do, for the board to show before they are made. @param {Api.View} view */
  async function showEffects(view) {
    const found = await effects(optionsOf(view)).catch(() => null);
    if (board.view === view) board.effects = found;
  }

  function draw(view = table.state.view) {
    const state = table.state;
    const isMyTurn = at === null && !state.over && isMine(state.view.player) && !freeSeats(table).length;
    board.playable = isMyTurn && !isFinishing;
    board.view = view;
    if (isMyTurn) showEffects(view);
    moveField.enable(isMyTurn);
    moveField.element.hidden = !seats.length;
    pass.hidden = !isMyTurn || !view.must_pass;
    players.update(view, peopleAt(table, seats), state.clock);
    steps.update(state.view, at ?? state.view.history.length);
    turn.textContent = pace.isPaused && state.thinking ? tr("Paused") : turnText(table, seats);
    status.textContent = at === null ? answer || eventText() : placeText(at, state.view.history.length);
    board.waiting = seats.length && at === null && !state.over ? turn.textContent : "";
    actions.update({ seats, table, finish: isDecided && !isFinishing ? finish : null });
    pace.update(table);
    coach.hidden = !mayShowValues();
    if (coach.hidden) insight.turnOff();
    pointing.keep([]);
    insight.show(optionsOf(view));
    seatPanel.update(table, seats);
    if (section.isConnected) document.title = `${turn.textContent} · ${view.title} · Quintet`;
    if (isMyTurn && isFinishing) claim(view.cells.find((cell) => cell.legal)?.label ?? "pass");
    else if (isMyTurn && !table.tournament) askDecided(view); // Nobody is helped in a tournament.
  }

  /** The game has just ended. */
  function showResult() {
    const { winner, kind } = table.state.result ?? {};
    const isWin = Boolean(winner) && (isMine(winner ?? null) || !seats.length);
    const detail = kind === "most" || kind === "level" ? "" : eventText();
    const review = link(`/review/${id}`, tr("Review"), { class: "button" });
    const cup = table.tournament && `/tournament/${table.tournament}`;
    const back = cup && link(cup, tr("Standings"), { class: "button primary" });
    const next = back ? [back] : seats.length === 1 && isWin ? nextLevel(table, seats[0]) : [];
    const opponent = seats.length === 1 ? playerAt(3 - seats[0]) : undefined;
    const { game, start } = table.state.view;
    // A game that begins in the middle may have been won from the start.
    if (isWin && opponent?.level && !HAS_CLAIMS.test(start)) saveBeaten(game, opponent.level);
    const after = [...next, ...actions.rematch(table, seats), review, shareResult(table)];
    result.open(resultText(table, seats), detail, isWin, after, opponent);
    playEnd(isWin);
  }

  /** Show a message, when its time has come. @param {Message} message */
  function receive(message) {
    const before = table;
    if (message.type === "table") {
      table = message;
      seats = message.seat;
      saveRematch();
    } else if (message.type === "state") {
      if (message.ack !== undefined) {
        live.confirm();
        notify();
      }
      table = { ...table, players: message.players ?? table.players, state: message };
      if (message.ply > before.state.ply) playTone(message.view.history[message.ply - 1][0]);
    } else if (message.type === "rematch") {
      table = { ...table, rematch: message.id };
      saveRematch();
      if (seats.length) return void go(`/match/${message.id}`);
    } else {
      if (live.mayResend(message)) live.resendLater();
      else live.confirm();
      if (message.retry || !board.refuse(claimed, message.error)) notify(message.error);
    }
    if (table.state !== before.state) answer = answerText(before, table, seats);
    if (table.state.undone > before.state.undone) isDecided = isFinishing = pace.hurries = false;
    if (at !== null && at >= table.state.view.history.length) at = null;
    if (at === null) draw();
    else step(at);
    if (table.state.over && !before.state.over) showResult();
  }

  /** Whether a message brings a move that an engine has just made. @param {Message} message */
  function isEngineMove(message) {
    if (message.type !== "state" || message.ply <= table.state.ply) return false;
    return playerAt(message.view.history[message.ply - 1][0]).who !== "human";
  }

  const pace = new Pace(receive, isEngineMove, step);
  pace.pause.addEventListener("click", () => at === null && draw());
  const live = new LiveMatch(id, {
    getTokens: () => Object.values(tokensOf(id)),
    onMessage: (message) => pace.push(message),
    onConnection: (isConnected) => (connection.textContent = isConnected ? "" : tr("Connection lost. Reconnecting …")),
  });
  const seatPanel = new SeatPanel(id, invited, (seat) => {
    seats = [...seats, seat];
    live.renew();
  });
  const { view } = table.state;
  const size = view.rows === 1 ? tr("line of {count}", { count: view.cols }) : view.size;
  const lesson = learnLink(view.game, `/match/${id}`);
  const rules = drawerLink(`/rules/${view.game}`, tr("Rules"));
  const bar = h("div", { class: "cup-bar", "data-testid": "cup-bar", hidden: !table.tournament });
  const leaveBar = table.tournament
    ? (await import("../parts/tournament-bar.js")).showBar(bar, table.tournament, id) : () => undefined;
  section.append(
    bar,
    h("div", { class: "heading" },
      h("h1", { text: view.title }),
      h("p", { class: "small", text: size }),
      h("p", { class: "goal" }, `${view.goal} `, h("span", { class: "small links" }, rules, lesson))),
    h("div", { class: "table" },
      h("div", { class: "stage" }, players.element,
        h("div", { class: "place" }, board, seatPanel.element, result.element),
        h("div", { class: "under" },
          h("div", null, h("div", { role: "status" }, turn, status), connection), pass),
        moveField.element),
      h("div", { class: "side" }, actions.element, pace.element, steps.element, coach)),
  );
  board.addEventListener("claim", (event) => claim(event.detail));
  board.addEventListener("preview", (event) => players.preview(event.detail));
  const stopListening = steps.listen();
  saveRematch();
  draw();
  return () => {
    live.close();
    leaveBar();
    pace.stop();
    players.stop();
    stopListening();
  };
}
