// The service, asked over HTTP. Every failure is an Error with one clear line.

/** What the service answers to a request; `body` is sent as JSON, text as it is. */
export async function ask(path, { body } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = typeof body === "string" ? "text/plain" : "application/json";
  let response;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers,
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
  } catch {
    throw new Failure("The server cannot be reached. Are you online?", 0);
  }
  const type = response.headers.get("Content-Type") ?? "";
  const answer = type.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw new Failure(answer.error ?? `The server answered ${response.status}.`, response.status);
  return answer;
}

/** A request that was refused or never arrived. */
export class Failure extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const kept = new Map();
const MOST_KEPT = 1000;

/** The answer to a question whose answer never changes, asked once; an analysis that was cut short is asked anew. */
function recall(path) {
  if (!kept.has(path)) {
    if (kept.size >= MOST_KEPT) kept.clear();
    const answer = ask(path);
    kept.set(path, answer);
    const forget = () => kept.delete(path);
    answer.then((found) => found.complete === false && forget(), forget);
  }
  return kept.get(path);
}

/** A query string of what is given. */
export function query(options) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const text = new URLSearchParams(given).toString();
  return text ? `?${text}` : "";
}

export const games = () => recall("/api/games");
export const engines = () => recall("/api/engines");
export const rules = (game) => recall(`/api/games/${encodeURIComponent(game)}/rules`);
export const position = (options) => recall(`/api/position${query(options)}`);
export const analysis = (options) => recall(`/api/analysis${query(options)}`);

/** The options that lead to a view, or to one some moves earlier. */
export function optionsOf(view, plies = view.history.length) {
  const worth = view.cells.some((cell) => cell.worth) ? view.cells.map((cell) => cell.worth).join(",") : undefined;
  const empty = { size: view.size, target: view.target ?? undefined, values: worth };
  return {
    game: view.game,
    ...(view.start ? { position: view.start } : empty),
    moves: view.history.slice(0, plies).map(([, move]) => move).join("; ") || undefined,
  };
}
