// How hard a puzzle is: how many of the levels miss it more often than not. The highest level misses none.

const HARDEST = 9;

const outOf = (rating) => `${rating} of ${HARDEST}`;

/** A puzzle's rating in words. */
export const rated = ({ rating }) => `rated ${outOf(rating)}`;

/** All ratings that puzzles have, each with its words. */
export const RATINGS = Array.from({ length: HARDEST }, (_, i) => [i + 1, outOf(i + 1)]);
