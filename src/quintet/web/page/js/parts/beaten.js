// Which levels were beaten, in a sentence.

import { tr } from "../language.js";

/**
 * Empty if there are none.
 * @param {number[]} levels in order
 * @param {number} most how many levels there are
 */
export function beatenText(levels, most) {
  const last = levels[levels.length - 1];
  if (!levels.length) return "";
  if (levels.length === most) return tr("You have beaten all {count} levels.", { count: most });
  if (levels.length === 1) return tr("You have beaten level {level}.", { level: last });
  if (last === levels.length) return tr("You have beaten levels 1 to {last}.", { last });
  const named = new Intl.ListFormat(document.documentElement.lang).format(levels.map(String));
  return tr("You have beaten levels {levels}.", { levels: named });
}

/** The levels beaten in any game, in order. @param {Record<string, number[]>} beaten by game */
export const beatenAnywhere = (beaten) => [...new Set(Object.values(beaten).flat())].sort((a, b) => a - b);
