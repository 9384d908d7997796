// The live connection to a match: it comes back by itself, and catches up from the table it is told first.

const FIRST_WAIT = 400;
const LONGEST_WAIT = 15_000;
const PING_EVERY = 20_000;
const SILENCE = 35_000;

export class Live {
  #socket = null;
  #wait = FIRST_WAIT;
  #timer = null;
  #pulse = null;
  #heard = 0;
  #closed = false;
  #unsent = null;
  #early = [];

  /** `tokens` gives the seats' secrets; `hear` takes every message, `tellLink` whether there is a connection. */
  constructor(id, tokens, hear, tellLink) {
    this.id = id;
    this.tokens = tokens;
    this.hear = hear;
    this.tellLink = tellLink;
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#open();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #open() {
    clearInterval(this.#pulse);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${encodeURIComponent(this.id)}/live`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard = Date.now();
      socket.send(JSON.stringify({ type: "hello", tokens: this.tokens() }));
      this.#pulse = setInterval(() => this.#beat(), PING_EVERY);
    };
    socket.onmessage = (event) => {
      this.#heard = Date.now();
      const message = JSON.parse(event.data);
      if (message.type === "table") {
        this.#wait = FIRST_WAIT;
        this.tellLink(true);
      }
      if (message.type !== "pong") this.hear(message);
      if (message.type === "table") {
        this.#resend(message.state);
        this.#early.splice(0).forEach((early) => this.send(early));
      }
    };
    socket.onclose = () => this.#lost(socket);
  }

  #lost(socket) {
    if (socket !== this.#socket || this.#closed) return;
    clearInterval(this.#pulse);
    this.tellLink(false);
    // Half of the wait is chance, so that a whole room does not come back at once.
    this.#timer = setTimeout(() => this.#open(), this.#wait * (0.5 + Math.random() / 2));
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  #beat() {
    if (Date.now() - this.#heard > SILENCE) this.#socket.close();
    else if (this.isOpen) this.#socket.send('{"type":"ping"}');
  }

  #hurry = () => {
    if (this.#closed || this.isOpen || document.hidden || this.#socket.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.#timer);
    this.#wait = FIRST_WAIT;
    this.#open();
  };

  /** Say something to the table. A move waits for the connection, what else is said only for the very first one. */
  send(message) {
    const isFirst = !this.#heard;
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
    if (message.type === "move") this.#unsent = message;
    else if (isFirst) this.#early.push(message);
    return this.isOpen || isFirst;
  }

  /** After a break: a move that still answers the position is sent again; the service never plays it twice. */
  #resend(state) {
    const move = this.#unsent;
    this.#unsent = null;
    if (move && move.ply === state.ply && move.undone === state.undone) this.send(move);
  }

  /** The move arrived. */
  settle() {
    this.#unsent = null;
  }

  /** Say hello again, with the seats held now. */
  renew() {
    clearTimeout(this.#timer);
    const old = this.#socket;
    this.#open();
    old.close();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#pulse);
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#socket.close();
  }
}
