// The service: asked over HTTP, or without a server in this browser. Every failure is an Error with one clear line.
//
// The types of its answers (`Api.View` and so on) are generated from the service's own description by the tests.

import { Failure } from "./failure.js";
import { tr } from "./language.js";
import { site } from "./site.js";

export { Failure };

/** What answers where there is no server, once it is loaded. @type {typeof import("./local/service.js") | null} */
let local = null;
const loading = site && import("./local/service.js").then((found) => (local = found));

/** Where friends play by link: "here", at the address of a server, or nowhere. */
export const friendsAt = site ? site.server : "here";

/** An address of the page that needs a server; empty where there is none. @param {string} path */
export const onServer = (path) => (friendsAt === "here" ? path : friendsAt && friendsAt + path);

/**
 * What the service answers to a request. A body that is text is sent as it is, anything else as JSON.
 * @param {string} path
 * @param {{ body?: unknown, token?: string }} [options]
 * @returns {Promise<any>}
 */
export async function ask(path, { body, token } = {}) {
  if (loading) return (await loading).ask(path, { body, token });
  /** @type {Record<string, string>} */
  const headers = { "Accept-Language": document.documentElement.lang };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = typeof body === "string" ? "text/plain" : "application/json";
  let response, answer;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
    const type = response.headers.get("Content-Type") ?? "";
    const isPicture = type.startsWith("image/");
    answer = await (type.includes("json") ? response.json() : isPicture ? response.blob() : response.text());
  } catch {
    throw new Failure(tr("Can’t reach the server. Are you online?"), 0);
  }
  const { ok, status } = response;
  if (!ok) throw new Failure(answer.error ?? tr("The server answered {status}.", { status }), status);
  return answer;
}

/**
 * A connection to the table of a match. Without a server the table is in this browser.
 * @param {string} id
 */
export function connect(id) {
  if (local) return new local.LocalTable(id, local.whenCreated(id));
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const { lang } = document.documentElement;
  return new WebSocket(`${scheme}://${location.host}/api/matches/${encodeURIComponent(id)}/live?language=${lang}`);
}

/** No answer, or none of the service: a server that restarts, or a proxy that cannot reach one. */
const UNAVAILABLE = [0, 502, 503, 504];
const TRIES = 4;
const PAUSE = 500;

/**
 * The same for a request with a key, which takes effect once however often it is sent: without answer it is sent again.
 * @param {string} path
 * @param {{ key: string, [field: string]: unknown }} body
 */
export async function askWithKey(path, body) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(path, { body });
    } catch (error) {
      if (attempt === TRIES || !(error instanceof Failure) || !UNAVAILABLE.includes(error.status)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** A new key for a request. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

/** @type {Map<string, Promise<any>>} */
const cache = new Map();
const MAX_CACHED = 1000;

/**
 * The answer to a question whose answer never changes, asked once. An analysis that was cut short is asked again.
 * @param {string} path
 */
function askOnce(path) {
  const known = cache.get(path);
  if (known) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const answer = ask(path);
  cache.set(path, answer);
  const forget = () => cache.delete(path);
  answer.then((found) => found.complete === false && forget(), forget);
  return answer;
}

/**
 * A query string of the options that are set.
 * @param {object} options
 */
export function query(options) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(given).toString();
  return text ? `?${text}` : "";
}

/**
 * What leads to a position: the options of `/api/position` and `/api/analysis`.
 * @typedef {object} Options
 * @property {string} game
 * @property {string} [size]
 * @property {number | string} [target]
 * @property {string} [values]
 * @property {number | string} [shuffle]
 * @property {number | string} [first]
 * @property {string} [position]
 * @property {string} [moves]
 * @property {boolean} [quick] of an analysis: whether to answer at once with what is known
 */

/** @returns {Promise<Api.GameInfo[]>} */
export const games = () => askOnce("/api/games");

/** @returns {Promise<Api.EngineInfo[]>} */
export const engines = () => askOnce("/api/engines");

/** @type {(game: string) => Promise<Api.RulesPage>} */
export const rules = (game) => askOnce(`/api/games/${encodeURIComponent(game)}/rules`);

/** @type {(game: string) => Promise<Api.LessonInfo>} */
export const lesson = (game) => askOnce(`/api/lessons/${encodeURIComponent(game)}`);

/** @type {(options: Options) => Promise<Api.PositionInfo>} */
export const position = (options) => askOnce(`/api/position${query(options)}`);

/** @type {(options: Options) => Promise<Api.Decided>} */
export const decided = (options) => ask(`/api/decided${query(options)}`);

/** @type {(options: Options) => Promise<Api.Effects>} */
export const effects = (options) => askOnce(`/api/effects${query(options)}`);

/** @type {(options: Options) => Promise<Api.ExplainedAnalysis>} */
export const analysis = (options) => askOnce(`/api/analysis${query(options)}`);

/**
 * The options that lead to a view, or to one some moves earlier.
 * @param {Api.View} view
 * @param {number} [plies]
 * @returns {Options}
 */
export function optionsOf(view, plies = view.history.length) {
  const worth = view.cells.flatMap((cell) => cell.worth ?? []).join(",") || undefined; // A hole is worth nothing.
  const empty = { size: view.size, target: view.target ?? undefined, values: worth };
  return {
    game: view.game,
    ...(view.start ? { position: view.start } : empty),
    moves: view.history.slice(0, plies).map(([, move]) => move).join("; ") || undefined,
  };
}
