// The service, asked over HTTP. Every failure is an Error with one clear line.

/** What the service answers to a request; `body` is sent as JSON, text as it is. */
export async function ask(path, { method, body, token } = {}) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = typeof body === "string" ? "text/plain" : "application/json";
  let response;
  try {
    response = await fetch(path, {
      method: method ?? (body === undefined ? "GET" : "POST"),
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

/** The answer to a question whose answer never changes, asked once. */
export function recall(path) {
  if (!kept.has(path)) {
    if (kept.size >= MOST_KEPT) kept.clear();
    const answer = ask(path);
    kept.set(path, answer);
    answer.catch(() => kept.delete(path));
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
  const first = view.history.length ? view.history[0][0] : view.player ?? 1;
  return {
    game: view.game,
    size: view.size,
    target: view.target ?? undefined,
    values: worth,
    first: first === 2 ? 2 : undefined,
    moves: view.history.slice(0, plies).map(([, move]) => move).join("; ") || undefined,
  };
}
