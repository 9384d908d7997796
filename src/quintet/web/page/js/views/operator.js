// How the server is doing, for its operator: a form for the token, then a report that refreshes itself.

import { Failure, ask } from "../api.js";
import { button, dataTable, h } from "../dom.js";
import { locale, sentences, tr, trCount } from "../language.js";
import { notify } from "../notices.js";
import { field } from "../parts/forms.js";
import { operatorToken, saveOperatorToken } from "../storage.js";

const PAUSE = 2000; // Milliseconds between two reports.
const TABLE_HEADINGS = [tr("Table"), tr("Game"), tr("Moves"), tr("Players"), tr("Watching"), tr("Clock")];
const COUNTER_HEADINGS = [tr("Counter"), tr("Kind"), tr("Last minute"), tr("Total")];
/** What is counted. @type {Record<string, string>} */
const COUNTED = {
  refused: tr("Refused"),
  limited: tr("Limited"),
  stale: tr("Stale"),
  slow: tr("Slow answers"),
  faults: tr("Faults"),
};
/** Who sits at a table; an engine has its own name. @type {Record<string, string>} */
const WHO = { person: tr("person"), free: tr("free") };
const ABOUT = tr("The token is the one the server was started with. This tab remembers it until it is closed.");
const LONGEST_P99 = 60; // Seconds; beyond it nothing is measured.

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const megabytes = new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte", maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });

/** A label, and what is shown of a report. @typedef {[string, (report: Api.OperatorReport) => string]} Figure */

/** @type {[string, Figure[]][]} */
const CARDS = [
  [tr("Server"), [
    [tr("Live tables"), (report) => whole.format(report.open_tables)],
    [tr("Sockets"), (report) => whole.format(report.sockets)],
    [tr("Memory"), ({ memory }) => (memory === null ? tr("unknown") : megabytes.format(memory / 1e6))],
    [tr("Running for"), (report) => duration(report.uptime)],
  ]],
  [tr("Workers"), [
    [tr("Busy"), ({ workers }) => tr("{count} of {total}", { count: workers.busy, total: workers.total })],
    [tr("Engine moves waited for"), ({ workers }) => whole.format(workers.waiting.engine)],
    [tr("Studies waited for"), ({ workers }) => whole.format(workers.waiting.study)],
    [tr("Faults"), ({ workers }) => whole.format(workers.faults)],
  ]],
  [tr("Store"), [
    [tr("Database"), ({ store }) => (store.kind === "sqlite" ? "SQLite" : "PostgreSQL")],
    [tr("Writes per second"), ({ store }) => short.format(store.writes_per_second)],
    [tr("p99 of writes"), ({ store }) => p99(store.p99)],
    [tr("Oldest write"), ({ store }) => (store.oldest ? duration(store.oldest) : tr("none"))],
  ]],
];

/** @param {HTMLElement} section */
export async function show(section) {
  const token = operatorToken();
  const first = token ? await ask("/api/operator", { token }).catch(unlessRefused) : await ask("/operator");
  /** @type {() => void} */
  let stop = () => {};
  const signIn = (/** @type {string} */ message = "") => {
    saveOperatorToken("");
    section.replaceChildren(tokenForm(enter));
    notify(message);
  };
  const enter = (/** @type {string} */ given, /** @type {Api.OperatorReport} */ report) => {
    saveOperatorToken(given);
    notify();
    stop = watch(section, given, report, signIn);
  };
  if (token && first) enter(token, first);
  else signIn();
  return () => stop();
}

/** A token that is not valid any more is asked for again; anything else went wrong. @param {unknown} error */
function unlessRefused(error) {
  if (error instanceof Failure && error.status === 401) return null;
  throw error;
}

/**
 * The form that asks for the token.
 * @param {(token: string, report: Api.OperatorReport) => void} enter
 */
function tokenForm(enter) {
  const input = h("input", { type: "password", autocomplete: "off", required: true, "data-testid": "token" });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const token = input.value.trim();
    try {
      enter(token, await ask("/api/operator", { token }));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      notify(error.message);
      input.select();
    }
  };
  return h("div", { class: "narrow stack" },
    h("h1", { text: tr("Operator") }),
    h("form", { class: "card stack", onsubmit: submit },
      field(tr("Operator token"), input, ABOUT),
      h("div", { class: "row" }, h("button", { class: "primary", text: tr("Show the server") }))));
}

/**
 * Show a report, and refresh it until stopped.
 * @param {HTMLElement} section
 * @param {string} token
 * @param {Api.OperatorReport} first
 * @param {(message?: string) => void} signIn
 */
function watch(section, token, first, signIn) {
  const state = h("p", { class: "readiness", role: "status", "data-testid": "readiness" });
  const about = h("p", { class: "small" });
  const cards = CARDS.map(([title, figures]) => card(title, figures));
  const counters = dataTable(tr("Counters"), COUNTER_HEADINGS, []);
  const tables = dataTable(tr("Live tables"), TABLE_HEADINGS, []);
  const more = h("p", { class: "small" });
  let watching = true;

  /** @param {Api.OperatorReport} report */
  function draw(report) {
    const { problem } = report.store;
    setState(problem ? tr("Not ready: {problem}", { problem }) : tr("Ready"), problem ? "down" : "up");
    about.textContent = describeProcess(report);
    for (const { update } of cards) update(report);
    counters.querySelector("tbody")?.replaceChildren(...report.counters.map(counterRow));
    tables.querySelector("tbody")?.replaceChildren(...report.tables.map(tableRow));
    tables.hidden = !report.tables.length;
    const hidden = report.open_tables - report.tables.length;
    more.textContent = hidden ? trCount("{count} more is not listed.", "{count} more are not listed.", hidden) : "";
    if (!report.open_tables) more.textContent = tr("No table is open.");
  }

  /** Says it only when it changes: a screen reader reads it aloud. @type {(text: string, kind: string) => void} */
  function setState(text, kind) {
    if (state.textContent !== text) state.textContent = text;
    state.dataset.state = kind;
  }

  async function refresh() {
    if (!watching) return;
    try {
      const report = document.hidden ? null : await ask("/api/operator", { token });
      if (watching && report) draw(report);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (!watching) return;
      if (error.status === 401) return leave(tr("Enter the operator’s token again."));
      const { message } = error;
      setState(sentences(tr("No report."), message, tr("The figures below are not current.")), "down");
    }
    setTimeout(refresh, PAUSE);
  }

  const stop = () => (watching = false);
  const leave = (/** @type {string | undefined} */ message) => {
    stop();
    signIn(message);
  };
  section.replaceChildren(
    h("div", { class: "heading" }, h("h1", { text: tr("Operator") }), state,
      button(tr("Forget the token"), () => leave(undefined), { class: "quiet small last" })),
    about,
    h("div", { class: "figures" }, cards.map(({ element }) => element)),
    h("h2", { class: "below", text: tr("Counters") }), counters,
    h("h2", { class: "below", text: tr("Live tables") }), tables, more,
  );
  draw(first);
  setTimeout(refresh, PAUSE);
  return stop;
}

/**
 * A card of figures, which can be updated in place.
 * @param {string} title
 * @param {Figure[]} figures
 */
function card(title, figures) {
  const values = figures.map(() => h("dd"));
  const rows = figures.map(([label], i) => h("div", null, h("dt", { text: label }), values[i]));
  const element = h("section", { class: "card" }, h("h2", { text: title }), h("dl", null, rows));
  /** @param {Api.OperatorReport} report */
  const update = (report) => figures.forEach(([, read], i) => (values[i].textContent = read(report)));
  return { element, update };
}

/** @param {Api.OperatorReport} report */
function describeProcess({ version, process, processes }) {
  const about = { version, process, processes };
  if (processes === 1) return tr("Quintet {version} · process {process}", about);
  return tr(
    "Quintet {version} · process {process}, one of {processes}: each report is of the process that answered",
    about,
  );
}

/** @param {Api.CounterReport} counter */
function counterRow({ name, kind, total, last_minute }) {
  const cells = [kind || "–", whole.format(last_minute), whole.format(total)];
  return h("tr", { "data-testid": `counter-${name}` },
    h("th", { scope: "row", text: COUNTED[name] ?? name }), cells.map((text) => h("td", { text })));
}

/** @param {Api.TableReport} table */
function tableRow({ id, game, moves, players, watchers, clock }) {
  const cells = [game, moves, players.map((who) => WHO[who] ?? who).join(" – "), watchers, clock ? tr("running") : "–"];
  return h("tr", null,
    h("th", { scope: "row" }, h("code", { text: `${id}…` })), cells.map((text) => h("td", { text })));
}

/** @param {number | null} seconds */
function p99(seconds) {
  if (seconds === null) return tr("no writes");
  return seconds < LONGEST_P99
    ? tr("up to {time}", { time: duration(seconds) })
    : tr("over {time}", { time: duration(LONGEST_P99) });
}

/** A time in its two largest units. @param {number} seconds */
function duration(seconds) {
  if (seconds < 1) return tr("{count} ms", { count: short.format(seconds * 1000) });
  if (seconds < 60) return tr("{count} s", { count: whole.format(seconds) });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return tr("{minutes} min", { minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return tr("{hours} h {minutes} min", { hours, minutes: minutes % 60 });
  return tr("{days} d {hours} h", { days: Math.floor(hours / 24), hours: hours % 24 });
}
