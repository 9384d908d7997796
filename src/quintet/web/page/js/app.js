// The page: which address shows which view, and the line that says what went wrong.

import "./board.js";
import { Failure } from "./api.js";
import { h, link } from "./dom.js";
import { keepTheme } from "./memory.js";
import { soundSwitch } from "./sound.js";

const ROUTES = [
  [/^\/$/, () => import("./views/home.js")],
  [/^\/new$/, () => import("./views/setup.js")],
  [/^\/match\/([^/]+)$/, () => import("./views/table.js")],
  [/^\/explore(?:\/([^/]+))?$/, () => import("./views/explorer.js")],
  [/^\/review\/([^/]+)$/, () => import("./views/review.js")],
  [/^\/puzzles$/, () => import("./views/puzzles.js")],
  [/^\/rules(?:\/([^/]+))?$/, () => import("./views/rules.js")],
  [/^\/history$/, () => import("./views/history.js")],
  [/^\/ladder$/, () => import("./views/ladder.js")],
];

const main = document.getElementById("main");
const notice = document.getElementById("notice");
const offline = document.getElementById("offline");
let leave = null;
let turn = 0;
let shown = ""; // The address of what is shown.

/** Say in one line what went wrong; nothing takes the line away again. */
export function tell(message = "") {
  notice.textContent = message;
  notice.hidden = !message;
}

/** Run something that may fail, and say so if it does. */
export async function attempt(action) {
  try {
    tell();
    return await action();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    tell(error.message);
    return undefined;
  }
}

/** The address without its part after #, which only leads to a place on what is shown. */
export const here = () => location.pathname + location.search;

/** Go to another address of this page. */
export function go(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  return show();
}

/** Give what is shown another address, without drawing it anew. */
export function readdress(path) {
  history.pushState(null, "", path);
  shown = here();
}

function missing() {
  document.title = "Not found · Quintet";
  main.replaceChildren(
    h("section", { class: "narrow", "data-testid": "missing" },
      h("h1", { text: "There is nothing here" }),
      h("p", { class: "lead", text: "The address leads to no game. It may have been cut short on its way to you." }),
      h("p", null, link("/", "To the games", { class: "button primary" }))),
  );
}

async function show() {
  const mine = ++turn;
  shown = here();
  const [pattern, load] = ROUTES.find(([route]) => route.test(location.pathname)) ?? [];
  leave?.();
  leave = null;
  tell();
  for (const place of document.querySelectorAll(".top nav a")) {
    const isHere = location.pathname === place.pathname || location.pathname.startsWith(`${place.pathname}/`);
    isHere ? place.setAttribute("aria-current", "page") : place.removeAttribute("aria-current");
  }
  if (!pattern) return missing();
  try {
    const view = await load();
    const [, argument] = pattern.exec(location.pathname);
    const section = h("section", { class: "view" });
    const params = new URLSearchParams(location.search);
    const left = await view.show(section, argument && decodeURIComponent(argument), params);
    if (mine !== turn) return left?.();
    leave = left;
    main.replaceChildren(section);
    document.title = `${section.querySelector("h1")?.textContent ?? "Quintet"} · Quintet`;
  } catch (error) {
    if (mine !== turn) return;
    if (error instanceof Failure && error.status === 404) return missing();
    const isWrong = error instanceof Failure && error.status === 422; // And will be the next time.
    const way = isWrong ? ["/", "To the games"] : [here(), "Try again"];
    document.title = "That did not work · Quintet";
    main.replaceChildren(h("section", { class: "narrow" }, h("h1", { text: "That did not work" }),
      h("p", null, link(...way, { class: "button primary" }))));
    tell(error instanceof Failure ? error.message : "The page could not be drawn.");
    if (!(error instanceof Failure)) throw error;
  }
}

document.addEventListener("click", (event) => {
  const place = event.target.closest?.("a[href]");
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const isOurs = place?.origin === location.origin && ROUTES.some(([route]) => route.test(place.pathname));
  if (!isOurs || place.hash || !plain || event.defaultPrevented) return;
  event.preventDefault();
  go(place.pathname + place.search).then(() => {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  });
});
addEventListener("popstate", () => here() === shown || show());

const online = () => {
  offline.hidden = navigator.onLine;
  offline.textContent = navigator.onLine ? "" : "You are offline. The page goes on as soon as the network is back.";
};
addEventListener("online", online);
addEventListener("offline", online);
online();

soundSwitch(document.getElementById("sound"));
const themeButton = document.getElementById("theme");
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
const other = () => (isDark() ? "light" : "dark");
const nameTheme = () => themeButton.setAttribute("aria-label", `Change to the ${other()} theme`);
themeButton.addEventListener("click", () => {
  root.dataset.theme = other();
  keepTheme(root.dataset.theme);
  nameTheme();
});
nameTheme();

show();
