// The live connection to a match. It reconnects by itself; the table that comes first brings everything up to date.

import { connect } from "./api.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
const PING_EVERY = 20_000;
const SILENCE = 35_000;
const RETRY_AFTER = 1000;
/** How a server closes a socket that is about to stop; another one is ready. */
const RESTART = 1012;

/**
 * What the service sends.
 * @typedef {{ type: "table" } & Api.Table} TableMessage
 * @typedef {{ type: "state", players?: Api.Players, ack?: unknown } & Api.State} StateMessage
 * @typedef {{ type: "error", error: string, id?: unknown, retry?: boolean }} ErrorMessage
 * @typedef {TableMessage | StateMessage | { type: "rematch", id: string } | ErrorMessage} Message
 */

/**
 * What the page sends.
 * @typedef {Api.Move | Api.Resign | Api.Undo | Api.Rematch} Request
 */

/**
 * @typedef {object} Listeners
 * @property {() => string[]} getTokens the tokens of the seats this browser holds
 * @property {(message: Message) => void} onMessage
 * @property {(isConnected: boolean) => void} onConnection
 */

export class LiveMatch {
  /** @type {ReturnType<typeof connect>} */
  #socket;
  #wait = FIRST_WAIT;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #pings;
  #lastMessage = 0;
  #isClosed = false;
  /** The last move, until the service has confirmed it. @type {Api.Move | null} */
  #unconfirmed = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #again;
  /** What was shown last: another server process must not show less. */
  #seen = { ply: 0, undone: 0 };
  /** What was sent before the first connection. @type {Request[]} */
  #early = [];

  /**
   * @param {string} id
   * @param {Listeners} listeners
   */
  constructor(id, listeners) {
    this.id = id;
    this.listeners = listeners;
    addEventListener("online", this.#reconnectNow);
    document.addEventListener("visibilitychange", this.#reconnectNow);
    this.#socket = this.#open();
  }

  get isOpen() {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  #open() {
    clearInterval(this.#pings);
    const socket = connect(this.id);
    this.#socket = socket;
    socket.onopen = () => {
      this.#lastMessage = Date.now();
      socket.send(JSON.stringify({ type: "hello", tokens: this.listeners.getTokens(), ...this.#seen }));
      this.#pings = setInterval(() => this.#ping(), PING_EVERY);
    };
    socket.onmessage = (/** @type {{ data: string }} */ event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (/** @type {{ code: number }} */ event) => this.#lost(socket, event.code === RESTART);
    return socket;
  }

  /** @param {Message | { type: "pong" }} message */
  #receive(message) {
    this.#lastMessage = Date.now();
    if (message.type === "pong") return;
    if (message.type === "table") {
      this.#wait = FIRST_WAIT;
      this.listeners.onConnection(true);
    }
    const state = message.type === "table" ? message.state : message.type === "state" ? message : null;
    if (state) this.#seen = { ply: state.ply, undone: state.undone };
    if (message.type === "state" && !this.#fits(message)) this.confirm(); // It was played, or something else was.
    this.listeners.onMessage(message);
    if (message.type === "table") {
      this.#resend(message.state);
      this.#early.splice(0).forEach((early) => this.send(early));
    }
  }

  /**
   * @param {ReturnType<typeof connect>} socket
   * @param {boolean} isRestart whether the server said so: that is not worth a message, and need not be waited for
   */
  #lost(socket, isRestart) {
    if (socket !== this.#socket || this.#isClosed) return;
    clearInterval(this.#pings);
    if (!isRestart) this.listeners.onConnection(false);
    // Half of the wait is random, or all of it, so that a whole room does not reconnect at once.
    const wait = isRestart ? FIRST_WAIT * Math.random() : this.#wait * (0.5 + Math.random() / 2);
    this.#retry = setTimeout(() => this.#open(), wait);
    if (!isRestart) this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #ping() {
    if (Date.now() - this.#lastMessage > SILENCE) this.#socket.close();
    else if (this.isOpen) this.#socket.send('{"type":"ping"}');
  }

  #reconnectNow = () => {
    if (this.#isClosed || document.hidden || this.isOpen || this.#socket.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.#retry);
    this.#wait = FIRST_WAIT;
    this.#open();
  };

  /**
   * Send a request; gives whether it is on its way. A move waits for the connection, anything else only for the first.
   * @param {Request} message
   */
  send(message) {
    const isFirst = !this.#lastMessage;
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
    if (message.type === "move") this.#unconfirmed = message;
    else if (isFirst) this.#early.push(message);
    return this.isOpen || isFirst;
  }

  /**
   * After a reconnection, send a move again that still fits the state. The service never plays it twice.
   * @param {Api.State} state
   */
  #resend(state) {
    const move = this.#unconfirmed;
    if (move && this.#fits(state)) this.send(move);
    else this.confirm();
  }

  /** Whether the move that is not confirmed can be played in a state. @param {Api.State} state */
  #fits(state) {
    return this.#unconfirmed?.ply === state.ply && this.#unconfirmed.undone === state.undone;
  }

  /** The move has arrived, or was refused for good. */
  confirm() {
    clearTimeout(this.#again);
    this.#unconfirmed = null;
  }

  /** The service could not store the move: send it again in a moment. */
  resendLater() {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => {
      if (this.#unconfirmed && this.isOpen) this.send(this.#unconfirmed);
    }, RETRY_AFTER);
  }

  /**
   * Whether an error is about the move that is not confirmed, and may be over soon.
   * @param {ErrorMessage} error
   */
  mayResend(error) {
    return Boolean(error.retry) && this.#unconfirmed !== null && this.#unconfirmed.id === error.id;
  }

  /** Connect again, with the tokens held now. */
  renew() {
    clearTimeout(this.#retry);
    const old = this.#socket;
    this.#open();
    old.close();
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#again);
    clearInterval(this.#pings);
    removeEventListener("online", this.#reconnectNow);
    document.removeEventListener("visibilitychange", this.#reconnectNow);
    this.#socket.close();
  }
}
