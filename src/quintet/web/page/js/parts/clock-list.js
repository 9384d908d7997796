// Choosing a clock: a few usual ones, or none.

import { tr } from "../language.js";
import { select } from "./forms.js";

/** @type {[string, string][]} */
const CLOCKS = [
  ["", tr("No clock")],
  ["60+0", tr("1 minute")],
  ["180+2", tr("3 minutes + 2 seconds per move")],
  ["300+3", tr("5 minutes + 3 seconds per move")],
  ["600+5", tr("10 minutes + 5 seconds per move")],
  ["1800+10", tr("30 minutes + 10 seconds per move")],
];

export class ClockList {
  /** @param {string} [chosen] the one to begin with */
  constructor(chosen = "") {
    this.element = select("clock", CLOCKS);
    this.element.value = chosen;
  }

  /** The chosen clock as the service reads it. */
  get clock() {
    const [seconds, increment] = this.element.value.split("+").map(Number);
    return this.element.value ? { seconds, increment } : undefined;
  }
}
