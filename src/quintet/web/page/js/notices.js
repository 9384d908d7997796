// The two lines above the page: what went wrong, and whether the browser is offline.

import { Failure } from "./api.js";
import { elementById } from "./dom.js";
import { tr } from "./language.js";

const notice = elementById("notice", HTMLElement);
const offline = elementById("offline", HTMLElement);

/** Show in one line what went wrong; an empty message hides the line. */
export function notify(message = "") {
  notice.textContent = message;
  notice.hidden = !message;
}

/**
 * Run something that may fail, and show the message if it does.
 * @template Result
 * @param {() => Result | Promise<Result>} action
 * @returns {Promise<Result | undefined>}
 */
export async function attempt(action) {
  try {
    notify();
    return await action();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    notify(error.message);
    return undefined;
  }
}

/** Show whether the browser is offline, now and whenever that changes. */
export function watchNetwork() {
  const update = () => {
    offline.hidden = navigator.onLine;
    offline.textContent = navigator.onLine
      ? ""
      : tr("You are offline. This page reconnects when your network is back.");
  };
  addEventListener("online", update);
  addEventListener("offline", update);
  update();
}
