// The participants of human baselines in this browser.

import { read, write } from "./storage.js";

/**
 * A participant of a human baseline in this browser: what is played, and the key for the moves.
 * @typedef {{ place: string, code: string, key: string }} Participant
 */

const MAX_PARTICIPANTS = 200;

/** @returns {Participant[]} the latest first */
const participants = () => read("baselines", /** @type {Participant[]} */ ([]));

/**
 * The participant who plays something here, the latest one if no code is wanted.
 * @param {string} place
 * @param {string | null} code
 */
export const participantAt = (place, code) =>
  participants().find((one) => one.place === place && (!code || one.code === code));

/** @param {Participant} participant */
export function saveParticipant(participant) {
  write("baselines", [participant, ...participants()].slice(0, MAX_PARTICIPANTS));
}
