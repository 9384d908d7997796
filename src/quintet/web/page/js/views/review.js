// The review: a finished game with the exact value of every position, and another try at every mistake.

import { analysis, ask, optionsOf, position, query } from "../api.js";
import { button, dataTable, h, link } from "../dom.js";
import { sentenceName } from "../names.js";
import { attempt } from "../notices.js";
import { gameLinks } from "../parts/game-tabs.js";
import { Insight } from "../parts/insight.js";
import { LatestRequest } from "../parts/latest-request.js";
import { showEffects } from "../parts/overlay.js";
import { Players } from "../parts/players.js";
import { Pointing, withNames } from "../parts/pointing.js";
import { shareMenu } from "../parts/share.js";
import { Steps, placeText } from "../parts/steps.js";
import { ValueGraph } from "../parts/graph.js";

/**
 * What the table of accuracy says of each player.
 * @type {[string, (row: Api.PlayerReport) => string | number][]}
 */
const ROWS = [
  ["Accuracy", ({ accuracy }) => (accuracy === null ? "–" : `${Math.round(accuracy * 100)}%`)],
  ["Best", ({ best }) => best],
  ["Good", ({ good }) => good],
  ["Inaccuracies", ({ inaccuracy }) => inaccuracy],
  ["Mistakes", ({ mistake }) => mistake],
  ["Blunders", ({ blunder }) => blunder],
];

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
  const line = h("div", { class: "best-line" });
  const insight = new Insight(board, false, () => undefined);
  const pointing = new Pointing(board, remark, line, insight.element);
  const explore = link("", "Explore from here", { class: "button" });
  const again = button("Try again", () => retry(), { class: "primary", "data-testid": "try-again" });
  const giveUp = button("Show the best moves", () => reveal("The best moves are marked."));

  /** @param {number} ply */
  const step = (ply) => attempt(async () => {
    retrying = null;
    at = ply;
    await draw();
    board.scrollIntoView({ block: "nearest" }); // On a phone the list of moves is far below it.
  });

  async function draw() {
    const options = optionsOf(game, at);
    const view = await request.wait(at === end ? game : position(options).then((found) => found.view));
    if (!view) return;
    const isRetry = Boolean(retrying);
    board.playable = isRetry;
    board.view = view;
    players.update(view, names.map((name, i) => ({ name, note: accuracyText(review.accuracy[i]) })));
    steps.update(game, isRetry ? at + 1 : at, notes);
    graph.mark(at);
    again.hidden = isRetry || !notes[at - 1];
    giveUp.hidden = !isRetry;
    insight.element.hidden = isRetry;
    const graded = isRetry ? undefined : review.moves[at - 1];
    const { better = null, fault = false } = graded ?? {};
    say(graded?.remark ?? "", graded?.refutation, fault && better ? better : "");
    status.textContent = headline();
    const { game: name, ...rest } = options;
    explore.href = `/explore/${name}${query(rest)}`;
    insight.show(isRetry ? null : options);
    if (isRetry) showEffects(board, options);
  }

  /**
   * Show a text, how the game continues from the position that is shown, and a better move.
   * @param {string} text
   * @param {string[]} [moves]
   * @param {string} [better]
   */
  function say(text, moves = [], better = "") {
    const outlined = better && ` ${sentenceName(game, better)} is outlined on the board.`;
    remark.replaceChildren(...withNames(game, text + outlined));
    line.replaceChildren(...pointing.line(game, "How it continues", moves));
    pointing.keep([], better ? [better] : []);
  }

  function headline() {
    if (retrying) {
      return `${"XO"[retrying.player - 1]} played ${sentenceName(game, retrying.move)} here. Find a better move.`;
    }
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
    say(text);
    insight.turnOn();
  }

  /** Judge another try by the exact values of the position. @param {string} label */
  const judge = (label) => attempt(async () => {
    const mistake = retrying;
    const value = (await analysis(optionsOf(game, at))).values[label];
    if (!mistake || mistake !== retrying || !value) return;
    const name = sentenceName(game, label);
    if (value.best) await reveal(`Right: ${name} ${value.words}. No move is better.`);
    else if (label === mistake.move) say(`${name} was played in the game. It ${value.words}.`);
    else say(`${name} ${value.words}. There is a better move.`);
  });

  const share = shareMenu(() => ({
    title: game.title,
    url: location.href,
    png: `${path}/picture.png`,
    gif: end ? `${path}/replay.gif` : undefined,
    embed: `/embed${query({ match: id })}`,
  }));

  const headings = ["Grade", ...names.map((name, i) => `${name} (${"XO"[i]})`)];
  const accuracy = dataTable("Accuracy", headings, ROWS.map(([name, cell]) =>
    h("tr", null, h("th", { scope: "row", text: name }), review.accuracy.map((row) => h("td", { text: cell(row) })))));

  board.addEventListener("claim", (event) => judge(event.detail));
  section.append(
    h("div", { class: "heading" },
      h("h1", { text: `Review of ${game.title}` }),
      link(`/match/${id}`, "Back to the game", { class: "small" }),
      gameLinks(game.game)),
    h("div", { class: "table" },
      h("div", { class: "stage" }, players.element, board, h("div", { class: "under" }, status, steps.stepper)),
      h("div", { class: "side" },
        h("section", { class: "card coach", "aria-label": "This move" },
          insight.element, remark, line, h("div", { class: "row" }, again, giveUp, explore)),
        graph.element,
        share,
        steps.element)),
    h("section", { class: "below stack accuracy", "data-testid": "accuracy" },
      h("h2", { text: "Accuracy" }),
      h("p", { text: review.turned_text.replace(/Player ([12])/g, (_, seat) => names[seat - 1]) }),
      accuracy),
  );
  const stopListening = steps.listen();
  await draw();
  return stopListening;
}

/** @param {Api.PlayerReport} report */
const accuracyText = ({ judged, best }) => (judged ? `${best} of ${judged} best` : "no moves graded");
