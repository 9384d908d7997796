// Python in workers: the page asks and never waits in its own thread. Work that takes long has one worker at most, so
// that a second one is there for what is quick. To stop work is to end its worker; what lasts is in the page.

import { Failure } from "../failure.js";
import { tr } from "../language.js";
import { fileAt, installSite, site } from "../site.js";
import { showLoading } from "./loading.js";

/**
 * Something to be called in Python, with texts.
 * @typedef {object} Job
 * @property {string} name
 * @property {unknown[]} values
 * @property {boolean} isLong whether it may take seconds
 * @property {(text: string) => void} resolve
 * @property {(failure: Failure) => void} reject
 */
/** @typedef {{ worker: Worker, isReady: boolean, job: Job | null }} Place */

const MOST = 2;
/** Milliseconds that quick work waits for a busy worker before a second one is started. */
const PATIENCE = 250;
/** Milliseconds for which work that nobody wants may still run: to start another worker takes longer. */
const LEFT = 400;
const FAILED = tr("Python could not be loaded. Are you online?");
const ENDED = tr("The work was stopped. Try again.");

/** @type {Place[]} */
let places = [];
/** @type {Job[]} */
const waiting = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let patience;

/** Whether Python can answer at once. */
export const isReady = () => places.some((place) => place.isReady);

/** Start a worker. */
export function startPython() {
  const worker = new Worker(fileAt(`${site?.version}/python-worker.js`), { type: "module" });
  /** @type {Place} */
  const place = { worker, isReady: false, job: null };
  places.push(place);
  worker.onmessage = ({ data }) => {
    if (data.isReady) ready(place);
    else if (data.failure) return end(place, `${FAILED} (${data.failure})`);
    else finish(place, data);
    return assign();
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end(place, place.isReady ? ENDED : FAILED);
  };
  const archive = fileAt(`${site?.version}/quintet.zip`);
  worker.postMessage({ pyodide: fileAt(site?.pyodide ?? ""), archive, language: document.documentElement.lang });
}

/** @param {Place} place */
function ready(place) {
  place.isReady = true;
  installSite(); // Not sooner: the first visitor waits for Python.
}

/**
 * @param {Place} place
 * @param {{ text?: string, error?: string }} answer
 */
function finish(place, { text, error }) {
  const job = place.job;
  place.job = null;
  if (text !== undefined) job?.resolve(text);
  else job?.reject(new Failure(error ?? ENDED, 500));
}

/**
 * A worker is gone, and what it did; without any, what waits would wait for ever.
 * @param {Place} place
 * @param {string} why
 */
function end(place, why) {
  place.worker.terminate();
  places = places.filter((other) => other !== place);
  place.job?.reject(new Failure(why, 0));
  if (!place.isReady && !places.length) for (const job of waiting.splice(0)) job.reject(new Failure(why, 0));
  assign();
}

/** Give the work that waits to workers that are free. */
function assign() {
  for (const place of places.filter((one) => one.isReady && !one.job)) {
    const isLongAllowed = !places.some(({ job }) => job?.isLong);
    const next = waiting.findIndex((job) => isLongAllowed || !job.isLong);
    if (next < 0) break;
    [place.job] = waiting.splice(next, 1);
    place.worker.postMessage({ name: place.job.name, values: place.job.values });
  }
  clearTimeout(patience);
  const isStuck = waiting.some((job) => !job.isLong) && places.every((place) => place.isReady);
  if (isStuck && places.length < MOST) patience = setTimeout(startPython, PATIENCE);
  showLoading(waiting.length > 0 && !isReady());
}

/**
 * What a function of the service returns. It is stopped when the signal says so, and fails without a message.
 * @param {string} name
 * @param {unknown[]} values
 * @param {{ isLong?: boolean, signal?: AbortSignal }} [options]
 * @returns {Promise<string>}
 */
export function call(name, values, { isLong = false, signal } = {}) {
  return new Promise((resolve, reject) => {
    if (!places.length) startPython();
    /** @type {Job} */
    const job = { name, values, isLong, resolve, reject };
    waiting.push(job);
    signal?.addEventListener("abort", () => stop(job), { once: true });
    assign();
  });
}

/** @param {Job} job */
function stop(job) {
  const at = waiting.indexOf(job);
  const place = places.find((one) => one.job === job);
  if (at >= 0) waiting.splice(at, 1);
  job.reject(new Failure("", 0));
  if (place) setTimeout(() => place.job === job && replace(place), LEFT);
}

/** End a worker, and start another if it was the only one. @param {Place} place */
function replace(place) {
  end(place, "");
  if (!places.length) startPython();
}
