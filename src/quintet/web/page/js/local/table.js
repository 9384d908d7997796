// A table without a server, which the page talks to as to a WebSocket. It also does what a server does by itself: it
// asks the engine whose turn it is for its move, and ends the game of a player without time left.

import { Failure } from "../failure.js";
import { call } from "./python.js";
import { load, save } from "./store.js";

/** What a table tells. @typedef {{ type: "table", state: Api.State } | ({ type: "state" } & Api.State)} Message */
/** @import { Stored } from "./store.js" */

/** Tells other tabs which match has changed. */
const channel = new BroadcastChannel("quintet");

export class LocalTable {
  /** @type {0 | 1 | 2 | 3} */
  readyState = WebSocket.CONNECTING;
  /** @type {() => void} */
  onopen = () => undefined;
  /** @type {(event: { data: string }) => void} */
  onmessage = () => undefined;
  /** @type {(event: { code: number }) => void} */
  onclose = () => undefined;
  /** @type {string[]} */
  #tokens = [];
  /** What was sent is answered in order. @type {Promise<unknown>} */
  #last;
  /** Ends the engine's work when the match is another one. */
  #thinking = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #flag;

  /**
   * @param {string} id
   * @param {Promise<unknown> | undefined} created is done when the match is there
   */
  constructor(id, created) {
    this.id = id;
    channel.addEventListener("message", this.#changedElsewhere);
    this.#last = Promise.resolve(created).then(() => {
      if (this.readyState !== WebSocket.CONNECTING) return;
      this.readyState = WebSocket.OPEN;
      this.onopen();
    }, (error) => this.#refuse(error));
  }

  /** @param {string} text */
  send(text) {
    const message = JSON.parse(text);
    if (message.type === "hello") this.#tokens = message.tokens;
    if (message.type === "ping") return void this.onmessage({ data: '{"type":"pong"}' });
    if (message.type !== "hello") this.#thinking.abort();
    const asked = this.#last.then(() => this.#ask("hear", [this.#tokens, text]));
    this.#last = asked.catch((error) => this.#refuse(error, message.id));
  }

  /**
   * @param {string} name
   * @param {unknown[]} values
   * @param {AbortSignal} [signal]
   */
  async #ask(name, values, signal) {
    for (;;) {
      const saved = (await load([this.id]))[this.id];
      /** @type {{ messages: Message[], changes: Stored[] }} */
      const { messages, changes } = JSON.parse(await call(name, [this.id, saved, ...values], { signal }));
      if (!(await save(changes))) continue;
      if (changes.length) channel.postMessage(this.id);
      if (this.readyState === WebSocket.OPEN) messages.forEach((message) => this.#tell(message));
      return;
    }
  }

  /** @param {Message} message */
  #tell(message) {
    this.onmessage({ data: JSON.stringify(message) });
    const state = message.type === "table" ? message.state : message.type === "state" ? message : null;
    if (state) this.#continue(state);
  }

  /** Let the engine move whose turn it is, or look at the clock when it has run out. @param {Api.State} state */
  #continue({ thinking, clock }) {
    clearTimeout(this.#flag);
    this.#thinking.abort();
    if (thinking) this.#play();
    else if (clock?.running) this.#flag = setTimeout(() => this.#play(), clock[clock.running === 1 ? "1" : "2"] + 50);
  }

  #play() {
    const thinking = (this.#thinking = new AbortController());
    this.#ask("play_engine", [], thinking.signal).catch((error) => !thinking.signal.aborted && this.#refuse(error));
  }

  /**
   * @param {unknown} error
   * @param {unknown} [id]
   */
  #refuse(error, id) {
    if (!(error instanceof Failure)) throw error;
    this.onmessage({ data: JSON.stringify({ type: "error", error: error.message, id }) });
  }

  #changedElsewhere = /** @param {MessageEvent} event */ ({ data }) => {
    if (data === this.id && this.readyState === WebSocket.OPEN) {
      this.send(JSON.stringify({ type: "hello", tokens: this.#tokens }));
    }
  };

  close() {
    this.readyState = WebSocket.CLOSED;
    this.#thinking.abort();
    clearTimeout(this.#flag);
    channel.removeEventListener("message", this.#changedElsewhere);
  }
}
