// The matches of this browser, as the service knows them.

import { ask } from "../api.js";

const MAX_IDS = 50;

/** What is known of matches, in the order of their ids. @param {string[]} ids */
export async function summaries(ids) {
  /** @type {Api.MatchSummary[]} */
  const found = [];
  for (let i = 0; i < ids.length; i += MAX_IDS) {
    const some = ids.slice(i, i + MAX_IDS).map(encodeURIComponent);
    found.push(...(await ask(`/api/matches?ids=${some.join(",")}`)));
  }
  return found.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}
