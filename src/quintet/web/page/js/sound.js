// A short tone for a move, made on the spot; silent unless switched on.

import { isSoundOn, saveSound } from "./storage.js";

/** @type {AudioContext | undefined} */
let context;

/** A short tone, higher for Player 1 than for Player 2. @param {number} player */
export const playTone = (player) => sound(player === 1 ? 523 : 392);

/** Three tones, up for a win and down otherwise. @param {boolean} isWin */
export function playEnd(isWin) {
  (isWin ? [523, 659, 784] : [523, 440, 349]).forEach((pitch, i) => sound(pitch, 0.25 + i * 0.14));
}

/**
 * @param {number} pitch
 * @param {number} [wait] seconds
 */
function sound(pitch, wait = 0) {
  if (!isSoundOn()) return;
  context ??= new AudioContext();
  const at = context.currentTime + wait;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, at);
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(0.12, at + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.16);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.18);
}

/** A tick under the finger, on devices that can. */
export const tick = () => void navigator.vibrate?.(10);

/** Make a button the switch for sound. @param {HTMLButtonElement} button */
export function connectSoundSwitch(button) {
  const update = () => button.setAttribute("aria-pressed", String(isSoundOn()));
  button.addEventListener("click", () => {
    saveSound(!isSoundOn());
    update();
    playTone(1);
  });
  update();
}
