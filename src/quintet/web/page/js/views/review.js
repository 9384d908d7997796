// The review: a finished game with the exact value of every position, and another try at every mistake.

import { analysis, ask, optionsOf, position, query } from "../api.js";
import { button, dataTable, h, link } from "../dom.js";
import { percent, sentences, tr } from "../language.js";
import { sentenceName } from "../names.js";
import { attempt } from "../notices.js";
import { gameLinks } from "../parts/game-tabs.js";
import { Insight } from "../parts/insight.js";
import { LatestRequest } from "../parts/latest-request.js";
import { showEffects } from "../parts/overlay.js";
import { Players, withPlayers } from "../parts/players.js";
import { Pointing, withNames } from "../parts/pointing.js";
import { shareMenu } from "../parts/share.js";
import { Steps, placeText } from "../parts/steps.js";
import { ValueGraph } from "../parts/graph.js";
import { urlOf } from "../site.js";

/** @import { Note } from "../parts/steps.js" */

/**
 * What the table of accuracy says of each player.
 * @type {[string, (row: Api.PlayerReport) => string | number][]}
 */
const ROWS = [
  [tr("Accuracy"), ({ accuracy }) => (accuracy === null ? "–" : percent(accuracy))],
  [tr("Best"), ({ best }) => best],
  [tr("Good"), ({ good }) => good],
  [tr("Inaccuracies"), ({ inaccuracy }) => inaccuracy],
  [tr("Mistakes"), ({ mistake }) => mistake],
  [tr("Blunders"), ({ blunder }) => blunder],
];

/** The grades of moves that are worth a note. @type {Record<string, string>} */
const FAULTS = { inaccuracy: tr("inaccuracy"), mistake: tr("mistake"), blunder: tr("blunder") };

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
  /** @type {(Note | null)[]} */
  const notes = review.moves.map(({ grade, fault }) => (fault ? [grade, FAULTS[grade] ?? grade] : null));
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
  const explore = link("", tr("Explore from here"), { class: "button" });
  const again = button(tr("Try again"), () => retry(), { class: "primary", "data-testid": "try-again" });
  const giveUp = button(tr("Show the best moves"), () => reveal(tr("The best moves are marked.")));

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
    explore.href = urlOf(`/explore/${name}${query(rest)}`);
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
    const outlined = better && tr("{move} is outlined on the board.", { move: sentenceName(game, better) });
    remark.replaceChildren(...withNames(game, sentences(text, outlined)));
    line.replaceChildren(...pointing.line(game, tr("How it continues"), moves));
    pointing.keep([], better ? [better] : []);
  }

  function headline() {
    if (retrying) {
      const played = { mark: "XO"[retrying.player - 1], move: sentenceName(game, retrying.move) };
      return tr("{mark} played {move} here. Find a better move.", played);
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
    const tried = { move: sentenceName(game, label), words: value.words };
    if (value.best) await reveal(tr("Right: {move} {words}. No move is better.", tried));
    else if (label === mistake.move) say(tr("{move} was played in the game. It {words}.", tried));
    else say(tr("{move} {words}. There is a better move.", tried));
  });

  const share = shareMenu(() => ({
    title: game.title,
    url: location.href,
    png: `${path}/picture.png`,
    gif: end ? `${path}/replay.gif` : undefined,
    embed: `/embed${query({ match: id })}`,
  }));

  const headings = [tr("Grade"), ...names.map((name, i) => `${name} (${"XO"[i]})`)];
  const accuracy = dataTable(tr("Accuracy"), headings, ROWS.map(([name, cell]) =>
    h("tr", null, h("th", { scope: "row", text: name }), review.accuracy.map((row) => h("td", { text: cell(row) })))));

  board.addEventListener("claim", (event) => judge(event.detail));
  section.append(
    h("div", { class: "heading" },
      h("h1", { text: tr("Review of {game}", { game: game.title }) }),
      link(`/match/${id}`, tr("Back to the game"), { class: "small" }),
      gameLinks(game.game)),
    h("div", { class: "table" },
      h("div", { class: "stage" }, players.element, board, h("div", { class: "under" }, status, steps.stepper)),
      h("div", { class: "side" },
        h("section", { class: "card coach", "aria-label": tr("This move") },
          insight.element, remark, line, h("div", { class: "row" }, again, giveUp, explore)),
        graph.element,
        share,
        steps.element)),
    h("section", { class: "below stack accuracy", "data-testid": "accuracy" },
      h("h2", { text: tr("Accuracy") }),
      h("p", { text: withPlayers(review.turned_text, names) }),
      accuracy),
  );
  const stopListening = steps.listen();
  await draw();
  return stopListening;
}

/** @param {Api.PlayerReport} report */
const accuracyText = ({ judged, best }) =>
  judged ? tr("{best} of {total} best", { best, total: judged }) : tr("no moves graded");
