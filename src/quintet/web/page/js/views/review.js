// The review: a finished game with the exact value of every position, and another try at every mistake.

import { analysis, ask, optionsOf, position } from "../api.js";
import { button, dataTable, h, link } from "../dom.js";
import { attempt } from "../notices.js";
import { Toggle } from "../parts/forms.js";
import { LatestRequest } from "../parts/latest-request.js";
import { Overlay } from "../parts/overlay.js";
import { Players } from "../parts/players.js";
import { Steps, placeText } from "../parts/steps.js";
import { ValueGraph } from "../parts/graph.js";

const HEADINGS = ["Player", "Accuracy", "Best", "Good", "Inaccuracies", "Mistakes", "Blunders"];

/** @param {number | null} share */
const percent = (share) => (share === null ? "–" : `${Math.round(share * 100)}%`);

/**
 * @param {HTMLElement} section
 * @param {string} id
 */
export async function show(section, id) {
  const path = `/api/matches/${encodeURIComponent(id)}`;
  /** @type {[Api.Table, Api.ReviewReport]} */
  const [table, review] = await Promise.all([ask(path), ask(`${path}/review`)]);
  const game = table.state.view;
  const end = game.history.length;
  const names = [table.players["1"].name, table.players["2"].name];
  const notes = review.moves.map(({ grade, fault }) => (fault ? grade : ""));
  let at = end;
  /** The move for which a better one is to be found. @type {Api.GradeReport | null} */
  let retrying = null;
  const request = new LatestRequest();

  const board = h("quintet-board", { "data-testid": "board" });
  const players = new Players();
  const steps = new Steps((ply) => step(ply));
  const graph = new ValueGraph(review, (ply) => step(ply));
  const status = h("p", { class: "status", role: "status", "data-testid": "status" });
  const remark = h("p", { class: "explanation", role: "status", "data-testid": "remark" });
  const again = button("Try again", () => retry(), { class: "primary", "data-testid": "try-again" });
  const giveUp = button("Show the best moves", () => reveal("The best moves are marked."));
  const overlay = new Overlay(board, () => undefined);
  const values = new Toggle("Show move values", false, (on) => showValues(on), { "data-testid": "values" });

  /** @param {boolean} on */
  function showValues(on) {
    overlay.on = values.box.checked = on;
    overlay.show(optionsOf(game, at));
  }

  /** @param {number} ply */
  const step = (ply) => attempt(() => {
    retrying = null;
    at = ply;
    return draw();
  });

  async function draw() {
    const view = await request.wait(at === end ? game : position(optionsOf(game, at)).then((found) => found.view));
    if (!view) return;
    const isRetry = Boolean(retrying);
    board.playable = isRetry;
    board.view = view;
    players.update(view, names.map((name, i) => ({ name, note: accuracyText(review.accuracy[i]) })));
    steps.update(game.history, isRetry ? at + 1 : at, notes);
    graph.mark(at);
    again.hidden = isRetry || !notes[at - 1];
    giveUp.hidden = !isRetry;
    values.element.hidden = isRetry;
    remark.textContent = isRetry ? "" : review.moves[at - 1]?.remark ?? "";
    status.textContent = headline();
    overlay.show(isRetry ? null : optionsOf(game, at));
  }

  function headline() {
    if (retrying) return `${"XO"[retrying.player - 1]} played ${retrying.move} here. Find a better move.`;
    if (at === end && table.state.result) return game.event;
    return placeText(at, end);
  }

  const retry = () => attempt(() => {
    retrying = review.moves[at - 1];
    at -= 1;
    return draw();
  });

  /** Show the values where a better move was to be found. @param {string} text */
  async function reveal(text) {
    retrying = null;
    await attempt(draw);
    remark.textContent = text;
    showValues(true);
  }

  /** Judge another try by the exact values of the position. @param {string} label */
  const judge = (label) => attempt(async () => {
    const mistake = retrying;
    const value = (await analysis(optionsOf(game, at))).values[label];
    if (!mistake || mistake !== retrying || !value) return;
    if (value.best) await reveal(`Right: ${label} ${value.words}. No move is better.`);
    else if (label === mistake.move) remark.textContent = `${label} was played in the game. It ${value.words}.`;
    else remark.textContent = `${label} ${value.words}. There is a better move.`;
  });

  /** @param {Api.PlayerReport} row */
  function rowOf(row) {
    const cells = [percent(row.accuracy), row.best, row.good, row.inaccuracy, row.mistake, row.blunder];
    const name = `${names[row.player - 1]} (${"XO"[row.player - 1]})`;
    return h("tr", null, h("th", { scope: "row", text: name }), cells.map((text) => h("td", { text })));
  }

  board.addEventListener("claim", (event) => judge(event.detail));
  section.append(
    h("div", { class: "heading" },
      h("h1", { text: `Review of ${game.title}` }),
      link(`/match/${id}`, "Back to the game", { class: "small" })),
    h("div", { class: "table" },
      h("div", { class: "stage" }, players.element, board, h("div", { class: "under" }, status)),
      h("div", { class: "side" }, graph.element,
        h("section", { class: "card coach", "aria-label": "This move" },
          remark, h("div", { class: "row" }, again, giveUp), values.element),
        steps.element)),
    h("section", { class: "below stack", "data-testid": "accuracy" },
      h("h2", { text: "Accuracy" }),
      h("p", { text: review.turned_text }),
      dataTable("Accuracy", HEADINGS, review.accuracy.map(rowOf))),
  );
  const stopListening = steps.listen();
  await draw();
  return stopListening;
}

/** @param {Api.PlayerReport} report */
const accuracyText = ({ judged, best }) => (judged ? `${best} of ${judged} best` : "no moves graded");
