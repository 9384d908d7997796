// The service without a server: requests are answered by our own Python in a worker, or from files that were computed
// when the site was built. The same addresses and the same answers as over HTTP.

import { Failure } from "../failure.js";
import { tr } from "../language.js";
import { fileAt, pathOf, site } from "../site.js";
import { call, isReady, startPython } from "./python.js";
import { load, pendingMatches, save, savePendingMatches } from "./store.js";

export { LocalTable } from "./table.js";

/** What a request may say. @typedef {{ body?: unknown, token?: string }} Options */

const MATCH = /^\/api\/matches\/([^/?]+)/;
const LONG = /^\/api\/(analysis(?!.*quick=true)|decided|puzzles|replay|matches\/[^/]+\/(?:review|progress|replay))/;
const GAME = /(?:[?&]game=|\/lessons\/|\/games\/)([\w-]+)/;
/** What only a server has, which is known without asking Python. */
const SERVERS_OWN = /^\/(api\/)?(tournaments|baselines|operator)\b/;
const OPTIONS = ["size", "target", "values", "shuffle", "position", "moves", "clock"];
const ID_LENGTH = 16;
/** Milliseconds that a browser has to begin to save a file. */
const WAIT = 10_000;

/** @type {Map<string, Promise<any>>} */
const files = new Map();
/**
 * Matches whose creation waits for Python: what to show meanwhile.
 * @type {Map<string, { table: Api.Table, done: Promise<unknown> }>}
 */
const begun = new Map();
/** Ends the long work of the view that is shown. */
let leaving = new AbortController();

addEventListener("viewleft", () => {
  leaving.abort();
  leaving = new AbortController();
});
document.addEventListener("click", download);
startPython();

/** Save an answer as a file, where a link leads to one. @param {MouseEvent} event */
async function download(event) {
  const place = event.target instanceof Element ? event.target.closest("a") : null;
  const { path, search } = place?.href ? pathOf(place) : { path: "", search: "" };
  if (!place || !path.startsWith("/api/")) return;
  event.preventDefault();
  const found = await askPython(path + search, {});
  const url = URL.createObjectURL(found instanceof Blob ? found : new Blob([found], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href: url, download: place.download }).click();
  setTimeout(() => URL.revokeObjectURL(url), WAIT);
}

/** Answers that were computed when the site was built. @param {string} name */
function file(name) {
  const known = files.get(name);
  if (known) return known;
  const path = `${site?.version}/answers/${document.documentElement.lang}/${name}.json`;
  const loading = fetch(fileAt(path)).then((response) => response.json());
  files.set(name, loading);
  loading.catch(() => files.delete(name));
  return loading;
}

/** The answer to a question that the builder has asked already. @param {string} path */
async function prepared(path) {
  try {
    const { answers, games } = await file("start");
    if (path in answers) return answers[path];
    const game = GAME.exec(path)?.[1] ?? "";
    return games.includes(game) ? (await file(game))[path] : undefined;
  } catch {
    return undefined; // Then Python is asked.
  }
}

/** The matches that an address names. @param {string} path */
function idsIn(path) {
  const [, id] = MATCH.exec(path) ?? [];
  if (id) return [decodeURIComponent(id)];
  const ids = path.startsWith("/api/matches?") && new URL(path, location.href).searchParams.get("ids");
  return ids ? ids.split(",").filter(Boolean) : [];
}

/** The id of a match that is created with a key, always the same. @param {string} key */
const idOf = (key) => key.toLowerCase().replace(/[^0-9a-z]/g, "").slice(0, ID_LENGTH);

/**
 * What the service answers to a request.
 * @param {string} path
 * @param {Options} options
 * @returns {Promise<any>}
 */
export async function ask(path, options) {
  if (SERVERS_OWN.test(path)) throw new Failure(tr("This needs a server."), 501);
  const found = options.body === undefined ? await prepared(path) : undefined;
  if (found !== undefined) return found;
  if (path === "/api/matches" && options.body) return create(options);
  await again;
  const early = begun.get(MATCH.exec(path)?.[1] ?? "");
  if (early && !isReady() && path.endsWith(early.table.id)) return early.table;
  await Promise.allSettled(idsIn(path).map((id) => begun.get(id)?.done));
  return askPython(path, options);
}

/**
 * @param {string} path
 * @param {Options} options
 * @param {string} [id] of the match that is created
 */
async function askPython(path, { body, token }, id = "") {
  for (;;) {
    const saved = await load(id ? [id] : idsIn(path));
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
    const request = JSON.stringify({ path, body: text, token: token ?? "", saved, id });
    const answer = await call("respond", [request], { isLong: LONG.test(path), signal: signalOf(path) });
    const { status, body: found, type, changes = [] } = JSON.parse(answer);
    if (status >= 400) throw new Failure(found.error, status);
    if (type) return new Blob([Uint8Array.from(atob(found), (byte) => byte.charCodeAt(0))], { type });
    if (await save(changes)) return found;
  }
}

/** Only studies end with the view that asked for them. @param {string} path */
const signalOf = (path) => (LONG.test(path) ? leaving.signal : undefined);

/** Create a match. While Python is loading, a usual one is there at once. @param {Options} options */
async function create(options) {
  /** @type {any} */
  const body = options.body;
  const id = idOf(body.key ?? "");
  const done = askPython("/api/matches", options, id);
  const { tables, answers } = await file("start").catch(() => ({}));
  const isUsual = body.first !== 2 && OPTIONS.every((name) => body[name] === undefined);
  if (isReady() || !id || !isUsual || !tables?.[body.game]) return done;
  const table = structuredClone(tables[body.game]);
  for (const [seat, who] of Object.entries(body.seats)) {
    const engine = answers["/api/engines"].find((/** @type {Api.EngineInfo} */ one) => one.who === who);
    const name = engine?.name ?? (body.take.includes(Number(seat)) && body.name);
    const { level, picture } = engine ?? {};
    table.players[seat] = { name: name || table.players[seat].name, who, joined: true, level, picture };
  }
  table.state.thinking = body.seats[1] !== "human";
  begun.set(id, { table: { ...table, id, seat: body.take }, done });
  savePendingMatches({ ...pendingMatches(), [id]: body });
  done.then(() => begun.delete(id), () => undefined).then(() => {
    const { [id]: _, ...others } = pendingMatches();
    savePendingMatches(others);
  });
  const tokens = Object.fromEntries(body.take.map((/** @type {number} */ seat) => [seat, body.key]));
  return { id, tokens, url: `/match/${id}` };
}

/** Is done when a match is there, or says why it is not. @param {string} id */
export const whenCreated = (id) => begun.get(id)?.done;

/** Is done when the matches are begun again that were not saved before the page was left. */
const again = Promise.all(Object.values(pendingMatches()).map((body) => create({ body }).catch(() => undefined)));
