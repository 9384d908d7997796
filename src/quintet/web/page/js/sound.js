// A short tone for a claim, made on the spot; silent unless switched on.

import { isSoundOn, keepSound } from "./memory.js";

let context;

/** A blip, higher for Player 1 than for Player 2. */
export function blip(player) {
  if (!isSoundOn()) return;
  context ??= new AudioContext();
  const at = context.currentTime;
  const tone = context.createOscillator();
  const loudness = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(player === 1 ? 523 : 392, at);
  loudness.gain.setValueAtTime(0.0001, at);
  loudness.gain.exponentialRampToValueAtTime(0.12, at + 0.012);
  loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.16);
  tone.connect(loudness).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.18);
}

/** Make a button the switch for sound. */
export function soundSwitch(button) {
  const show = () => button.setAttribute("aria-pressed", String(isSoundOn()));
  button.addEventListener("click", () => {
    keepSound(!isSoundOn());
    show();
    blip(1);
  });
  show();
}
