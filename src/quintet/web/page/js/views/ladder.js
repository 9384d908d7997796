// The ladder: ten opponents as steps, those ticked that were beaten; and how strong they are, as measured.

import { ask, engines, games } from "../api.js";
import { button, dataTable, h, link, withCode } from "../dom.js";
import { decimal, joined, percent, tr } from "../language.js";
import { attempt } from "../notices.js";
import { beatenText } from "../parts/beaten.js";
import { face } from "../parts/face.js";
import { gameTabs } from "../parts/game-tabs.js";
import { playAgain } from "../parts/start-game.js";
import { beatenLevels, opponent, saveOpponent } from "../storage.js";

/**
 * @param {Api.Ladder["rows"]} rows
 * @param {(who: string) => string} titleOf
 */
function table(rows, titleOf) {
  const ratings = rows.map(({ rating }) => rating);
  const lowest = Math.min(...ratings) - 150;
  const most = Math.max(...ratings) - lowest;
  const first = h("tr", null,
    h("th", { scope: "row", text: titleOf(rows[0].against) }),
    h("td", { text: "–" }), h("td", { text: tr("the lowest") }));
  return dataTable(tr("Measured strength"), [tr("Player"), tr("Match score"), tr("Rating")],
    [first, ...rows.map((rung) => rowOf(rung, (rung.rating - lowest) / most, titleOf))]);
}

/**
 * @param {Api.Rung} rung
 * @param {number} share how long the bar of its rating is
 * @param {(who: string) => string} titleOf
 */
function rowOf({ player, against, games: count, score, low, high, rating, error }, share, titleOf) {
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.setProperty("--share", String(share));
  return h("tr", null,
    h("th", { scope: "row" }, titleOf(player),
      h("small", { class: "against", text: tr("against {name}", { name: titleOf(against) }) }),
      h("small", { text: tr("{count} games", { count }) })),
    h("td", null, percent(score, 1), h("small", { text: ` ${decimal(100 * low, 1)} – ${percent(high, 1)}` })),
    h("td", null, String(Math.round(rating)), h("small", { text: ` ± ${Math.round(error)}` }), bar));
}

/**
 * The address /ladder shows the opponents, /ladder/strength the measurements.
 * @param {HTMLElement} section
 * @param {string} part
 * @param {URLSearchParams} params
 */
export async function show(section, part, params) {
  if (part) return showStrength(section);
  const [all, players] = await Promise.all([games(), engines()]);
  const game = all.find(({ name }) => name === params.get("game")) ?? all[0];
  const levels = players.filter((engine) => engine.level);
  const beaten = beatenLevels();
  const here = beaten[game.name] ?? [];
  const highest = Math.max(0, ...here);
  const next = levels.find(({ level }) => (level ?? 0) > highest) ??
    levels.find(({ level }) => !here.includes(level ?? 0)) ?? levels[levels.length - 1];
  section.append(
    h("div", { class: "heading" }, h("h1", { text: tr("Ladder") })),
    h("p", { class: "lead", text: tr("Ten opponents, each stronger than the one before.") }),
    await gameTabs(game.name, (name) => `/ladder?game=${name}`),
    h("div", { class: "climb" },
      h("section", { class: "card next", "data-testid": "next", "aria-label": tr("Next opponent") },
        face(next, "huge"), h("h2", { text: next.title }), h("p", { class: "small", text: next.about }),
        playButton(game, next, tr("Play {name}", { name: next.name }), { class: "primary big" }),
        h("p", { class: "small", "data-testid": "beaten",
          text: beatenText(here, levels.length) || tr("Each opponent you beat gets a tick.") }),
        h("p", { class: "small links" }, link("/ladder/strength", tr("Measured strength")),
          link("/progress", tr("Your progress")))),
      h("ol", { class: "stairs", reversed: true, "aria-label": tr("Opponents") },
        levels.toReversed().map((engine) => step(engine, game, here, next, beatenIn(engine, all, beaten))))),
  );
}

/**
 * The games in which a level was beaten.
 * @param {Api.EngineInfo} engine
 * @param {Api.GameInfo[]} all
 * @param {Record<string, number[]>} beaten
 */
const beatenIn = ({ level }, all, beaten) =>
  all.filter(({ name }) => beaten[name]?.includes(level ?? 0)).map(({ title }) => title);

/**
 * @param {Api.GameInfo} game
 * @param {Api.EngineInfo} engine
 * @param {string} text
 * @param {Record<string, unknown>} properties
 */
function playButton(game, { who }, text, properties) {
  const play = () => attempt(() => {
    saveOpponent({ kind: "engine", who, side: opponent().side });
    return playAgain({ game: game.name });
  });
  return button(text, play, properties);
}

/**
 * @param {Api.EngineInfo} engine
 * @param {Api.GameInfo} game
 * @param {number[]} here the levels that were beaten in this game
 * @param {Api.EngineInfo} next
 * @param {string[]} titles the games in which this one was beaten
 */
function step(engine, game, here, next, titles) {
  const isBeaten = here.includes(engine.level ?? 0);
  const isNext = engine === next && !isBeaten;
  const note = !isBeaten && titles.length ? tr("Beaten in {games}", { games: joined(titles) }) : engine.about;
  const item = h("li", { class: `step-card${isBeaten ? " beaten" : ""}${isNext ? " is-next" : ""}` },
    h("span", { class: "step-face" }, face(engine),
      isBeaten && h("span", { class: "tick", role: "img", "aria-label": tr("Beaten"), text: "✓" })),
    h("span", { class: "step-text" }, h("b", { text: engine.title }), h("small", { text: note })),
    playButton(game, engine, tr("Play"), { class: "quiet", "aria-label": tr("Play {name}", { name: engine.title }) }));
  item.style.setProperty("--step", String(engine.level));
  return item;
}

/** @param {HTMLElement} section */
async function showStrength(section) {
  const [ladder, players] = await Promise.all([ask("/api/ladder"), engines()]);
  /** @type {Api.Ladder} */
  const { command, rows } = ladder;
  const titleOf = /** @param {string} who */ (who) => players.find((one) => one.who === who)?.title ?? who;
  section.append(
    h("div", { class: "heading" }, h("h1", { text: tr("Measured strength") })),
    h("p", { class: "lead", text: tr("Each level was measured against the one below it, in all five games.") }),
    h("div", { class: "ladder" }, table(rows, titleOf)),
    h("p", { class: "small",
      text: tr("Under each score its 95% interval, and beside each rating its error.") }),
    h("p", { class: "small" }, withCode(tr("Measured with {command}", { command }), command)),
    h("p", null, link("/ladder", tr("Back to the ladder"), { class: "button" })),
  );
}
