// Which address shows which view. The shell registers the views, so that the views can import this module.

import { Failure } from "./api.js";
import { elementById, h, link } from "./dom.js";
import { notify } from "./notices.js";

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

/** The address without its part after #, which only leads to a place on what is shown. */
export const here = () => location.pathname + location.search;

/**
 * Go to another address of this page.
 * @param {string} path
 */
export function go(path, { replace = false } = {}) {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  return show();
}

/**
 * Give what is shown another address, without drawing it again.
 * @param {string} path
 */
export function setAddress(path) {
  history.pushState(null, "", path);
  shown = here();
}

/**
 * Show the view of the current address, and from now on of every address that a link leads to.
 * @param {Route[]} all
 */
export function startRouter(all) {
  routes = all;
  document.addEventListener("click", followLink);
  addEventListener("popstate", () => here() === shown || show());
  return show();
}

/** @param {MouseEvent} event */
function followLink(event) {
  const place = event.target instanceof Element ? event.target.closest("a") : null;
  if (!place?.href || place.hash || place.origin !== location.origin || event.defaultPrevented) return;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!isPlain || !routes.some(([pattern]) => pattern.test(place.pathname))) return;
  event.preventDefault();
  go(place.pathname + place.search).then(() => {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  });
}

async function show() {
  const mine = ++latest;
  shown = here();
  leave?.();
  leave = undefined;
  notify();
  markCurrent();
  const found = routes.find(([pattern]) => pattern.test(location.pathname));
  if (!found) return showMissing();
  const [pattern, load] = found;
  try {
    const view = await load();
    const argument = decodeURIComponent(pattern.exec(location.pathname)?.[1] ?? "");
    const section = h("section", { class: "view" });
    const left = await view.show(section, argument, new URLSearchParams(location.search));
    if (mine !== latest) return left?.();
    leave = left;
    main.replaceChildren(section);
    setTitle(section.querySelector("h1")?.textContent ?? "Quintet");
  } catch (error) {
    if (mine === latest) showError(error);
    if (!(error instanceof Failure)) throw error;
  }
}

/** Mark the place in the main navigation. */
function markCurrent() {
  for (const place of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".top nav a"))) {
    const isHere = location.pathname === place.pathname || location.pathname.startsWith(`${place.pathname}/`);
    if (isHere) place.setAttribute("aria-current", "page");
    else place.removeAttribute("aria-current");
  }
}

/** @param {string} title */
const setTitle = (title) => (document.title = `${title} · Quintet`);

function showMissing() {
  setTitle("Page not found");
  main.replaceChildren(
    h("section", { class: "narrow", "data-testid": "missing" },
      h("h1", { text: "Page not found" }),
      h("p", { class: "lead", text: "There is nothing at this address. The link may be incomplete." }),
      h("p", null, link("/", "See the games", { class: "button primary" }))),
  );
}

/** @param {unknown} error */
function showError(error) {
  const failure = error instanceof Failure ? error : null;
  if (failure?.status === 404) return showMissing();
  const isWrong = failure?.status === 422; // And will be the next time.
  const button = { class: "button primary" };
  setTitle("Something went wrong");
  main.replaceChildren(
    h("section", { class: "narrow" },
      h("h1", { text: "Something went wrong" }),
      h("p", null, isWrong ? link("/", "See the games", button) : link(here(), "Try again", button))),
  );
  notify(failure ? failure.message : "This page could not be displayed.");
}
