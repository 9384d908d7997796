// Setting up a tournament: its game and board, who plays whom, the clock.

import { askWithKey, games, newKey } from "../api.js";
import { h } from "../dom.js";
import { tr, trCount } from "../language.js";
import { attempt } from "../notices.js";
import { BoardOptions } from "../parts/board-options.js";
import { ClockList } from "../parts/clock-list.js";
import { choice, field, select } from "../parts/forms.js";
import { go } from "../router.js";
import { saveTournament } from "../storage.js";

const ROUNDS = [2, 3, 4, 5, 6, 7, 8, 9];

/** @returns {[number, string][]} */
const pauses = () => [
  [15, tr("15 seconds")],
  [60, tr("1 minute")],
  [300, tr("5 minutes")],
  [0, tr("No pause")],
];

/**
 * @param {HTMLElement} section
 * @param {string} _
 * @param {URLSearchParams} params
 */
export async function show(section, _, params) {
  const all = await games();
  const form = { game: all.find(({ name }) => name === params.get("game")) ?? all[0], format: "all" };
  const summary = h("p", { class: "small" });
  const board = new BoardOptions(params, false, () => undefined);
  const name = h("input", { name: "name", maxlength: 60, autocomplete: "off", placeholder: tr("Friday club") });
  const clocks = new ClockList("180+2");
  const pause = select("pause", pauses());
  /** @type {[number, string][]} */
  const counts = ROUNDS.map((count) => [count, trCount("{count} round", "{count} rounds", count)]);
  const rounds = select("rounds", counts);
  rounds.value = "4";
  const roundsField = field(tr("Rounds"), rounds, tr("Four are enough for up to 16 players."));
  const key = newKey(); // The same for every attempt, so that there is one tournament only.

  /** @param {string} chosen */
  function chooseGame(chosen) {
    form.game = all.find((game) => game.name === chosen) ?? all[0];
    summary.textContent = form.game.summary;
    board.choose(form.game);
  }

  /** @param {string} format */
  function chooseFormat(format) {
    form.format = format;
    roundsField.hidden = format !== "swiss";
  }

  const onsubmit = /** @param {Event} event */ (event) => {
    event.preventDefault();
    attempt(async () => {
      /** @type {Api.CreatedTournament} */
      const { id, token, url } = await askWithKey("/api/tournaments", {
        ...board.chosen,
        game: form.game.name,
        name: name.value.trim(),
        format: form.format,
        rounds: Number(rounds.value),
        pause: Number(pause.value),
        clock: clocks.clock,
        key,
      });
      saveTournament(id, { organiser: token });
      await go(url, { replace: true });
    });
  };
  /** @type {[string, string, string][]} */
  const formats = [
    ["all", tr("Everybody plays everybody"), tr("Best for up to 8 players")],
    ["swiss", tr("Swiss rounds"), tr("Everybody plays every round, against players with equal scores")],
  ];
  section.append(
    h("div", { class: "heading" }, h("h1", { text: tr("Play with a group") })),
    h("p", { class: "lead", text: tr("A tournament for a class, a club or a few friends: one link, no accounts.") }),
    h("form", { class: "narrow-form stack", onsubmit, "data-testid": "new-tournament" },
      field(tr("Name of the tournament"), name),
      choice(tr("Game"), "game", all.map(({ name: value, title }) => [value, title]), form.game.name, chooseGame),
      summary,
      choice(tr("Who plays whom"), "format", formats, form.format, chooseFormat, "cards"),
      h("div", { class: "pair" }, field(tr("Clock"), clocks.element, tr("Time for each player in each game")),
        field(tr("Pause between rounds"), pause), roundsField),
      board.element,
      h("div", { class: "start" },
        h("button", { type: "submit", class: "primary big", text: tr("Create"), "data-testid": "create" }))),
  );
  chooseGame(form.game.name);
  chooseFormat(form.format);
}
