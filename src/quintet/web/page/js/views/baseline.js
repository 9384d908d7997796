// A human baseline: a person plays the samples of a suite, one after another. No hints, no values, nothing taken back.

import { ask, askWithKey, newKey, query } from "../api.js";
import { button, h } from "../dom.js";
import { sentences, tr, trCount } from "../language.js";
import { attempt } from "../notices.js";
import { participantAt, saveParticipant } from "../participants.js";
import { field } from "../parts/forms.js";
import { showEffects } from "../parts/overlay.js";
import { Players } from "../parts/players.js";

/** @import { Participant } from "../participants.js" */

const CODE = "[A-Za-z0-9_\\-]{1,40}";
const CODE_LENGTH = 8;

/**
 * @param {HTMLElement} section
 * @param {string} place the suite, and perhaps a game: `quick/NAME`
 * @param {URLSearchParams} params
 */
export async function show(section, place, params) {
  const [suite, game = ""] = place.split("/");
  /** @type {Api.BaselineOffer} */
  const offer = await ask(`/api/baselines${query({ suite, game })}`);
  const known = participantAt(place, params.get("code"));

  /** @param {Participant} participant */
  async function start(participant) {
    const { code, key } = participant;
    const found = await askWithKey("/api/baselines", { suite, game, code, key });
    if (participant !== known) saveParticipant(participant);
    play(section, found, key);
  }

  section.classList.add("narrow");
  if (known) return start(known);
  introduce(section, offer, params.get("code") ?? "", (code) => start({ place, code, key: newKey() }));
}

/**
 * Say what is asked for and what is recorded, before anything is.
 * @param {HTMLElement} section
 * @param {Api.BaselineOffer} offer
 * @param {string} given the code in the link
 * @param {(code: string) => Promise<void>} start
 */
function introduce(section, { games, total }, given, start) {
  const code = h("input", { name: "code", pattern: CODE, maxlength: 40, autocomplete: "off", value: given });
  const onsubmit = /** @param {Event} event */ (event) => {
    event.preventDefault();
    attempt(() => start(code.value || newKey().replace(/[^a-z0-9]/gi, "").slice(0, CODE_LENGTH)));
  };
  const counts = [
    trCount("{count} game against the computer", "{count} games against the computer", games),
    trCount("{count} position in which you choose one move", "{count} positions in which you choose one move",
      total - games),
  ];
  section.append(
    h("h1", { text: tr("How well do people play?") }),
    h("p", {
      class: "lead",
      text: tr("Your moves will be compared with those of computer programs on the same boards."),
    }),
    h("ul", null, counts.map((text) => h("li", { text }))),
    h("p", {
      text: sentences(
        tr("Take as long as you like for each move."),
        tr("Please use no help."),
        tr("Moves cannot be taken back."),
        tr("You can stop at any time and continue later in this browser."),
      ),
    }),
    h("p", {
      "data-testid": "consent",
      text: sentences(
        tr("Recorded: your code, your moves and the time you take for each."),
        tr("Nothing else about you is recorded."),
        tr("If you start, you agree to that."),
      ),
    }),
    h("form", { class: "stack", onsubmit },
      field(tr("Participant code"), code, tr("If you were given one; letters and digits, not your name.")),
      h("div", null, h("button", { type: "submit", class: "primary big", text: tr("Start"), "data-testid": "start" }))),
  );
}

/**
 * @param {HTMLElement} section
 * @param {Api.BaselineInfo} found
 * @param {string} token
 */
function play(section, found, token) {
  /** What waits behind the end of a game. @type {Api.BaselineInfo} */
  let latest = found;
  let since = 0; // When the board was shown.

  const board = h("quintet-board", { "data-testid": "board" });
  const players = new Players();
  const title = h("h1");
  const progress = h("p", { class: "small", "data-testid": "progress" });
  const goal = h("p", { class: "goal" });
  const task = h("p", { class: "turn-line", role: "status", "data-testid": "task" });
  const rules = h("div", { class: "prose" });
  const next = button(tr("Next"), () => showSample(), { class: "primary", "data-testid": "next" });

  /**
   * @param {Api.SampleInfo} sample
   * @param {boolean} playable
   */
  function draw({ view, player, position, rules: html }, playable) {
    title.textContent = view.title;
    goal.textContent = view.goal;
    // The rules are the service's own text, rendered there to safe markup.
    rules.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    board.playable = playable;
    board.view = view;
    const people = [1, 2].map((seat) => ({ name: seat === player ? tr("You") : tr("Opponent") }));
    players.update(view, people);
    if (playable) showEffects(board, { game: view.game, position });
  }

  /** Show the sample to play now, or that there is none. */
  function showSample() {
    const { sample, total } = latest;
    if (!sample) return thank(section, total);
    const { number, single, view, player } = sample;
    progress.textContent = tr("{number} of {total}", { number: number + 1, total });
    const mark = tr("You play {mark}.", { mark: "XO"[player - 1] });
    task.textContent = single ? sentences(mark, tr("Choose the best move.")) : view.history.length
      ? view.status
      : sentences(mark, tr("Your turn."));
    next.hidden = true;
    draw(sample, true);
    since = performance.now();
  }

  /** Show the end of a game. @param {Api.SampleInfo} ended */
  function showEnd(ended) {
    const { view, player } = ended;
    task.textContent = !view.winner ? tr("Draw") : view.winner === player ? tr("You win") : tr("You lose");
    draw(ended, false);
    next.hidden = false;
    next.focus({ preventScroll: true });
  }

  /** @param {string} move */
  const claim = (move) => attempt(async () => {
    const { sample, id } = latest;
    if (!sample) return;
    const { number, turn } = sample;
    const milliseconds = Math.min(Math.round(performance.now() - since), 86_400_000);
    const said = task.textContent;
    board.playable = false;
    if (!sample.single) task.textContent = tr("{name} is thinking …", { name: tr("Opponent") });
    try {
      latest = await ask(`/api/baselines/${id}/turns`, { body: { number, turn, move, milliseconds }, token });
    } catch (error) {
      board.playable = true; // The same move can be sent again.
      task.textContent = said;
      throw error;
    }
    if (latest.ended && !latest.ended.single) showEnd(latest.ended);
    else showSample();
  });

  board.addEventListener("preview", (event) => players.preview(event.detail));
  board.addEventListener("claim", (event) => claim(event.detail));
  section.replaceChildren(
    h("div", { class: "heading" }, title, progress, goal),
    h("div", { class: "stage" },
      task, players.element, board, h("div", { class: "row centred" }, next),
      h("details", null, h("summary", { text: tr("Rules") }), rules)),
  );
  showSample();
}

/**
 * @param {HTMLElement} section
 * @param {number} total
 */
function thank(section, total) {
  section.replaceChildren(
    h("h1", { text: tr("Thank you!") }),
    h("p", {
      class: "lead",
      "data-testid": "thanks",
      text: tr("All {total} are played, and your moves are saved.", { total }),
    }),
  );
}
