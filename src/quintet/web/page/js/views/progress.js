// One's own progress: accuracy over time, mistakes by kind, puzzles, beaten levels; and all of it as a file.

import { ask, engines } from "../api.js";
import { button, dataTable, h, link } from "../dom.js";
import { locale, percent, tr, trCount } from "../language.js";
import { attempt, notify } from "../notices.js";
import { beatenAnywhere, beatenText } from "../parts/beaten.js";
import { face } from "../parts/face.js";
import { accuracyPlot, barTable } from "../parts/plot.js";
import { reviewGames } from "../parts/reviewing.js";
import { importProgress, writeProgress } from "../progress-file.js";
import { beatenLevels, playedGames, puzzleResults } from "../storage.js";

const FILE = "quintet-progress.json";
/** After how many reviewed games the figures are drawn again. */
const OFTEN = 5;

/** @param {HTMLElement} section */
export async function show(section) {
  let isLeft = false;
  const levels = (await engines()).filter(({ level }) => level);
  const place = h("div", null);
  const state = h("p", { class: "review-state", role: "status", "data-testid": "reviewing" });
  const draw = async () => {
    const report = await askReport();
    if (!isLeft) place.replaceChildren(...parts(report, levels));
  };
  const review = async () => {
    const missed = await reviewGames((done, all) => {
      showState(state, done, all);
      if (done % OFTEN === 0) draw().catch(() => undefined); // Drawn again at the end.
    }, () => isLeft);
    if (isLeft) return;
    state.textContent = missed ? trCount("{count} game could not be reviewed. Try again later.",
      "{count} games could not be reviewed. Try again later.", missed) : "";
    await draw();
  };
  section.append(
    h("div", { class: "heading" }, h("h1", { text: tr("Progress") })),
    h("p", { class: "lead", text: tr("How well you play, from the games and puzzles of this browser.") }),
    state, place, fileCard(() => attempt(async () => {
      await draw();
      await review();
    })),
  );
  await draw();
  attempt(review);
  return () => {
    isLeft = true;
  };
}

/** What the service counts from what this browser saves. @returns {Promise<Api.ProgressReport>} */
function askReport() {
  /** @type {Map<string, Api.PuzzleCount>} */
  const puzzles = new Map();
  for (const { game, rating, solved } of puzzleResults()) {
    const { tried, solved: before } = puzzles.get(`${game} ${rating}`) ?? { tried: 0, solved: 0 };
    puzzles.set(`${game} ${rating}`, { game, rating, tried: tried + 1, solved: before + Number(solved) });
  }
  return ask("/api/progress", { body: { games: Object.values(playedGames()), puzzles: [...puzzles.values()] } });
}

/**
 * @param {HTMLElement} state
 * @param {number} done
 * @param {number} all
 */
function showState(state, done, all) {
  if (done === all) return state.replaceChildren();
  const text = tr("Reviewing your games: {done} of {all}", { done: done + 1, all });
  state.replaceChildren(h("progress", { max: all, value: done, "aria-label": text }), text);
}

/**
 * @param {Api.ProgressReport} report
 * @param {Api.EngineInfo[]} levels
 */
function parts(report, levels) {
  const { played, won, accuracy, tried, solved } = report;
  return [
    h("dl", { class: "tally" },
      figure(tr("Games"), String(played)), figure(tr("Won"), String(won)),
      figure(tr("Accuracy"), accuracy === null ? "–" : percent(accuracy)),
      figure(tr("Puzzles solved"), tried ? tr("{solved} of {tried}", { solved, tried }) : "–")),
    h("div", { class: "progress-parts" },
      part(tr("Accuracy over time"), report.points.length ? [
        accuracyPlot(report.points),
        h("p", { class: "small",
          text: tr("The share of your moves that were best. A dot is a game, the line the average of five.") }),
        asTable(report.points),
      ] : [empty(tr("Play a game and your accuracy appears here."), "/new", tr("Play"))], "wide"),
      ...(report.judged ? [
        part(tr("Mistakes by size"), [faults(tr("Mistakes by size"), report.sizes)]),
        part(tr("Mistakes by phase of the game"), [faults(tr("Mistakes by phase of the game"), report.phases)]),
        part(tr("What the mistakes were"), [faults(tr("What the mistakes were"), report.kinds)]),
        part(tr("By game"), [gameTable(report.games)]),
      ] : []),
      part(tr("Puzzles by game"), report.puzzles.length ? [solvedTable(tr("Puzzles by game"), report.puzzles)]
        : [empty(tr("Solve a puzzle and your results appear here."), "/puzzles", tr("Solve one"))]),
      ...(report.ratings.length ? [part(tr("Puzzles by difficulty"),
        [solvedTable(tr("Puzzles by difficulty"), report.ratings)])] : []),
      beatenPart(levels)),
  ];
}

/** @type {(name: string, value: string) => HTMLElement} */
const figure = (name, value) => h("div", null, h("dt", { text: name }), h("dd", { text: value }));

/** @type {(title: string, content: HTMLElement[] | (Element | HTMLElement)[], style?: string) => HTMLElement} */
const part = (title, content, style = "") =>
  h("section", { class: `card ${style}` }, h("h2", { text: title }), content);

/** @type {(text: string, href: string, action: string) => HTMLElement} */
const empty = (text, href, action) => h("p", { class: "row" }, text, link(href, action, { class: "button" }));

/** @type {(name: string, rows: Api.Count[]) => HTMLElement} */
function faults(name, rows) {
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return barTable(name, rows.map(({ title, count }) => [title, count / most, String(count)]), "loss");
}

/** @type {(name: string, rows: Api.SolvedRow[]) => HTMLElement} */
const solvedTable = (name, rows) => barTable(name, rows.map(({ title, tried, solved }) =>
  [title, solved / Math.max(1, tried), tr("{solved} of {tried}", { solved, tried })]), "win");

/** @param {Api.GameRow[]} rows */
const gameTable = (rows) => barTable(tr("Accuracy by game"), rows.map(({ title, played, accuracy }) => [
  trCount("{title}, {count} game", "{title}, {count} games", played, { title }),
  accuracy ?? 0, accuracy === null ? "–" : percent(accuracy)]));

/** The dots of the figure as a table, the latest first. @param {Api.Point[]} points */
function asTable(points) {
  const rows = points.toReversed().map(({ when, title, accuracy, recent }) => h("tr", null,
    h("th", { scope: "row", text: new Date(when).toLocaleDateString(locale) }),
    h("td", { text: title }), h("td", { text: percent(accuracy) }), h("td", { text: percent(recent) })));
  const headings = [tr("Date"), tr("Game"), tr("Accuracy"), tr("Average")];
  return h("details", null, h("summary", { text: tr("As a table") }),
    dataTable(tr("Accuracy over time"), headings, rows));
}

/** @param {Api.EngineInfo[]} levels */
function beatenPart(levels) {
  const beaten = beatenAnywhere(beatenLevels());
  const faces = levels.map((engine) =>
    h("li", { class: beaten.includes(engine.level ?? 0) ? "beaten" : "" }, face(engine)));
  return part(tr("Opponents"), [
    h("ul", { class: "beaten-faces", "aria-hidden": "true" }, faces),
    h("p", { text: beatenText(beaten, levels.length) || tr("Each opponent you beat gets a tick.") }),
    h("p", null, link("/ladder", tr("See the ladder"), { class: "button" })),
  ], "wide");
}

/** Export and import. @param {() => void} onimport */
function fileCard(onimport) {
  const download = () => {
    const address = URL.createObjectURL(new Blob([writeProgress()], { type: "application/json" }));
    h("a", { href: address, download: FILE }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const file = h("input", { type: "file", accept: ".json,application/json", hidden: true,
    "aria-label": tr("File with progress"), "data-testid": "progress-file" });
  file.addEventListener("change", async () => {
    const content = await file.files?.[0]?.text();
    file.value = "";
    if (content === undefined) return;
    try {
      importProgress(content);
    } catch (error) {
      return notify(error instanceof Error ? error.message : String(error));
    }
    onimport();
  });
  return h("section", { class: "card below" }, h("h2", { text: tr("Move to another device") }),
    h("p", { text: tr("A file with your games, beaten levels, puzzle results and settings.") }),
    h("p", { class: "small", text: tr("Keep it to yourself: whoever has it can continue your games.") }),
    h("div", { class: "row" }, button(tr("Export"), download, { "data-testid": "export" }),
      button(tr("Import"), () => file.click(), { "data-testid": "import-progress" }), file));
}
