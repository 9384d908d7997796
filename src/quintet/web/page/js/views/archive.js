// The archive: the puzzles of all days so far in a calendar, and how many were solved.

import { h, link } from "../dom.js";
import { tr } from "../language.js";
import { Calendar } from "../parts/calendar.js";
import { ServiceClock, addDays, dailyPuzzle, dailyStreak } from "../parts/daily.js";
import { puzzleResults } from "../storage.js";

/** @param {HTMLElement} section */
export async function show(section) {
  const { day, number, now } = await dailyPuzzle();
  const clock = new ServiceClock(now);
  const calendar = new Calendar();
  const figures = h("dl", { class: "totals", "data-testid": "totals" });
  const update = () => {
    const results = puzzleResults().filter((result) => result.day);
    const solved = results.filter((result) => result.solved).length;
    const streak = dailyStreak(results, clock.today());
    calendar.update(results, clock.today(), addDays(String(day), 1 - Number(number)), clock.today());
    const rows = /** @type {[string, number][]} */ ([
      [tr("Puzzles solved"), solved],
      [tr("Puzzles not solved"), results.length - solved],
      [tr("Streak"), streak.now],
      [tr("Best streak"), streak.best],
    ]);
    figures.replaceChildren(...rows.map(([name, count]) =>
      h("div", null, h("dt", { text: name }), h("dd", { text: count }))));
  };
  const stop = new AbortController();
  addEventListener("storage", update, { signal: stop.signal });
  update();
  section.classList.add("archive");
  section.append(
    h("h1", { text: tr("Daily puzzles") }),
    h("p", { class: "lead", text: tr("A puzzle counts for the streak if it is solved on its own day.") }),
    figures,
    calendar.element,
    h("p", { class: "row" }, link("/daily", tr("Today’s puzzle"), { class: "button primary" })));
  return () => stop.abort();
}
