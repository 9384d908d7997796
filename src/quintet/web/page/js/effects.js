// What claims do, as the service found out, and what a board shows of it before a claim is made.

/**
 * The numbers of the cells in a set, which the service writes in base 16.
 * @param {string} [text]
 * @returns {Set<number>}
 */
export function cellSet(text = "") {
  const bits = [...text].reverse().flatMap((digit) => [1, 2, 4, 8].map((bit) => parseInt(digit, 16) & bit));
  return new Set(bits.flatMap((bit, i) => (bit ? [i] : [])));
}

/**
 * What a board shows of a claim: the player, the cells taken, the gain, what closes for whom, and the scores.
 * @param {Api.Effects} effects
 * @param {string} label
 * @param {number} index
 */
export function previewOf({ player, scores, claims }, label, index) {
  const claim = claims[label];
  if (!claim || !player) return null;
  const taken = cellSet(claim.captured).add(index);
  const closed = [claim.closed_mover, claim.closed_opponent].map(cellSet);
  const [one, two] = player === 1 ? closed : closed.reverse();
  const gain = claim.scores[player - 1] - scores[player - 1];
  return {
    player,
    index,
    taken,
    gain: gain > 1 ? `+${gain}` : "",
    /** For whom a cell closes: one, two or both; empty for nobody. @param {number} i */
    closing: (i) => (one.has(i) ? (two.has(i) ? "both" : "one") : two.has(i) ? "two" : ""),
    scores: { 1: [scores[0], claim.scores[0]], 2: [scores[1], claim.scores[1]] },
  };
}
