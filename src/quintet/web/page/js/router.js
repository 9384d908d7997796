// Which address shows which view. The shell registers the views, so that the views can import this module.

import { Failure } from "./api.js";
import { elementById, h, link } from "./dom.js";
import { tr } from "./language.js";
import { notify } from "./notices.js";
import { pathOf, urlOf } from "./site.js";

/**
 * A view fills its section and may return what is to be done when it is left.
 * @typedef {object} View
 * @property {(section: HTMLElement, argument: string, params: URLSearchParams) => Promise<Leave | void>} show
 */
/** @typedef {() => void} Leave */
/** A pattern of addresses, and what loads the view. @typedef {[RegExp, () => Promise<View>]} Route */

const main = elementById("main", HTMLElement);
/** @type {Route[]} */
let routes = [];
/** @type {Leave | void} */
let leave;
let latest = 0; // The number of the latest navigation: an earlier one that is still loading shows nothing.
let shown = ""; // The address of what is shown.
/** How far each entry of the browser's history was scrolled down when it was left. @type {Map<number, number>} */
const tops = new Map();
let entry = 0; // The number of the entry that is shown.
let entries = 0;
/** Closes what lies over the page, as Back does. @type {Leave | null} */
let cover = null;
/** Is done when the entry of what was closed is gone. @type {Promise<unknown> | undefined} */
let uncovered;

/** The address without its part after #, which only leads to a place on what is shown. */
export function here() {
  const { path, search } = pathOf(location);
  return path + search;
}

/**
 * Go to another address of this page.
 * @param {string} path
 */
export async function go(path, { replace = false } = {}) {
  await uncovered;
  if (replace || cover) history.replaceState(entry, "", urlOf(path)); // What lies over the page is left with it.
  else addEntry(path);
  await show();
  scrollTo(0, 0);
  if (document.activeElement === document.body) main.focus({ preventScroll: true });
}

/** @param {string} path */
function addEntry(path) {
  tops.set(entry, scrollY);
  entry = ++entries;
  history.pushState(entry, "", urlOf(path));
}

/**
 * Let Back close what lies over the page; returns what is to be called when it was closed another way.
 * @param {Leave} close
 */
export function coverPage(close) {
  addEntry(location.href);
  cover = close;
  return () => {
    if (cover !== close) return;
    cover = null;
    uncovered = new Promise((done) => addEventListener("popstate", done, { once: true }));
    history.back();
  };
}

async function goBack() {
  tops.set(entry, scrollY);
  entry = Number(history.state);
  const close = cover;
  cover = null;
  close?.();
  if (here() === shown) return;
  await show();
  scrollTo(0, tops.get(entry) ?? 0);
}

/**
 * Give what is shown another address, without drawing it again.
 * @param {string} path
 */
export function setAddress(path) {
  addEntry(path);
  shown = here();
}

/**
 * Show the view of the current address, and from now on of every address that a link leads to.
 * @param {Route[]} all
 */
export function startRouter(all) {
  routes = all;
  document.addEventListener("click", followLink);
  history.scrollRestoration = "manual"; // The browser would scroll before there is anything to scroll.
  entry = entries = Number(history.state);
  addEventListener("popstate", goBack);
  return show();
}

/** @param {MouseEvent} event */
function followLink(event) {
  const place = event.target instanceof Element ? event.target.closest("a") : null;
  if (!place?.href || place.hash || place.origin !== location.origin || event.defaultPrevented) return;
  const { path, search } = pathOf(place);
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!isPlain || !routes.some(([pattern]) => pattern.test(path))) return;
  event.preventDefault();
  go(path + search).then(() => main.focus({ preventScroll: true }));
}

async function show() {
  const mine = ++latest;
  shown = here();
  cover = null;
  leave?.();
  leave = undefined;
  dispatchEvent(new Event("viewleft"));
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  notify();
  markCurrent();
  if (!routes.some(([pattern]) => pattern.test(pathOf(location).path))) return showMissing();
  try {
    const section = h("section", { class: "view" });
    const left = await fillView(section, here());
    if (mine !== latest) return left?.();
    leave = left;
    main.replaceChildren(section);
    setTitle(section.querySelector("h1")?.textContent ?? "Quintet");
  } catch (error) {
    if (mine === latest) showError(error);
    if (!(error instanceof Failure)) throw error;
  }
}

/**
 * Fill a section with the view of an address; gives what is to be done when it is left.
 * @param {HTMLElement} section
 * @param {string} path
 */
export async function fillView(section, path) {
  const { pathname, searchParams } = new URL(path, location.origin);
  for (const [pattern, load] of routes) {
    const found = pattern.exec(pathname);
    if (found) return (await load()).show(section, decodeURIComponent(found[1] ?? ""), searchParams);
  }
  return undefined;
}

/** Mark the place in the main navigation. */
function markCurrent() {
  for (const place of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".top nav a"))) {
    const [now, { path }] = [pathOf(location).path, pathOf(place)];
    const isHere = now === path || now.startsWith(`${path}/`);
    if (isHere) place.setAttribute("aria-current", "page");
    else place.removeAttribute("aria-current");
  }
}

/** @param {string} title */
const setTitle = (title) => (document.title = `${title} · Quintet`);

function showMissing() {
  const title = tr("Page not found");
  setTitle(title);
  main.replaceChildren(
    h("section", { class: "narrow", "data-testid": "missing" },
      h("h1", { text: title }),
      h("p", { class: "lead", text: tr("There is nothing at this address. The link may be incomplete.") }),
      h("p", null, link("/", tr("See the games"), { class: "button primary" }))),
  );
}

/** @param {unknown} error */
function showError(error) {
  const failure = error instanceof Failure ? error : null;
  if (failure?.status === 404) return showMissing();
  const isMissing = failure?.status === 501; // What only a server has.
  const isWrong = isMissing || failure?.status === 422; // And will be the next time.
  const button = { class: "button primary" };
  const title = failure && isMissing ? failure.message : tr("Something went wrong");
  setTitle(title);
  main.replaceChildren(
    h("section", { class: "narrow" },
      h("h1", { text: title }),
      h("p", null, isWrong ? link("/", tr("See the games"), button) : link(here(), tr("Try again"), button))),
  );
  if (!isMissing) notify(failure ? failure.message : tr("This page could not be displayed."));
}
