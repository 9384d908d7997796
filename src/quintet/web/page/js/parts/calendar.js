// A month of puzzles: which were solved, failed, or not tried, each a link to its day.

import { button, h, link } from "../dom.js";
import { tr } from "../language.js";
import { dateText, isInTime, resultText } from "./daily.js";

/** @import { PuzzleResult } from "../storage.js" */

/** A Monday: the names of the days of a week begin with it. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

/** @param {Intl.DateTimeFormatOptions} options */
const format = (options) => new Intl.DateTimeFormat(document.documentElement.lang, { ...options, timeZone: "UTC" });

export class Calendar {
  /** @type {Map<string, PuzzleResult>} */
  #results = new Map();
  #today = "";
  #first = "";
  #shown = "";
  #month = "";
  #title = h("h2", { "aria-live": "polite" });
  #days = h("ol", { class: "days" });
  #before = button("‹", () => this.#turn(-1), { class: "icon", "aria-label": tr("Previous month") });
  #after = button("›", () => this.#turn(1), { class: "icon", "aria-label": tr("Next month") });

  constructor() {
    const weekday = format({ weekday: "short" });
    const names = [0, 1, 2, 3, 4, 5, 6].map((i) => h("span", { text: weekday.format(MONDAY + i * DAY) }));
    this.element = h("section", { class: "calendar card", "aria-label": tr("Calendar"), "data-testid": "calendar" },
      h("div", { class: "month" }, this.#before, this.#title, this.#after),
      h("div", { class: "days names", "aria-hidden": "true" }, names),
      this.#days,
      h("p", { class: "small key" },
        h("span", { class: "unbroken" }, h("span", { class: "day solved" }), tr("Solved")),
        h("span", { class: "unbroken" }, h("span", { class: "day late" }), tr("Solved later")),
        h("span", { class: "unbroken" }, h("span", { class: "day failed" }), tr("Not solved"))));
  }

  /**
   * @param {PuzzleResult[]} results
   * @param {string} today
   * @param {string} first the day of the first puzzle
   * @param {string} [shown] the day that is shown beside it
   */
  update(results, today, first, shown = "") {
    this.#results = new Map(results.flatMap((result) => (result.day ? [[result.day, result]] : [])));
    this.#today = today;
    this.#first = first;
    if (!this.#month || shown !== this.#shown) this.#month = (shown || today).slice(0, 7);
    this.#shown = shown;
    this.#draw();
  }

  /** @param {number} months */
  #turn(months) {
    const [year, month] = this.#month.split("-").map(Number);
    this.#month = new Date(Date.UTC(year, month - 1 + months)).toISOString().slice(0, 7);
    this.#draw();
  }

  #draw() {
    const [year, month] = this.#month.split("-").map(Number);
    const start = Date.UTC(year, month - 1);
    const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
    const offset = (new Date(start).getUTCDay() + 6) % 7;
    this.#title.textContent = format({ month: "long", year: "numeric" }).format(start);
    this.#before.disabled = this.#month <= this.#first.slice(0, 7);
    this.#after.disabled = this.#month >= this.#today.slice(0, 7);
    this.#days.replaceChildren(...Array.from({ length: count }, (_, i) => {
      const day = `${this.#month}-${String(i + 1).padStart(2, "0")}`;
      return h("li", { class: i === 0 ? `from-${offset}` : null }, this.#day(day, i + 1));
    }));
  }

  /**
   * @param {string} day
   * @param {number} number its place in the month
   */
  #day(day, number) {
    if (day > this.#today || day < this.#first) return h("span", { class: "day closed", text: number });
    const result = this.#results.get(day);
    const state = !result ? "" : isInTime(result) ? "solved" : result.solved ? "late" : "failed";
    const values = { date: dateText(day), result: result ? resultText(result) : tr("Not tried") };
    return link(day === this.#today ? "/daily" : `/daily/${day}`, String(number), {
      class: `day ${state}`,
      "aria-label": tr("{date}: {result}", values),
      "aria-current": day === this.#shown ? "date" : null,
      "data-day": day,
    });
  }
}
