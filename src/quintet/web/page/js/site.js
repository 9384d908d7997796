// Where the page lives: on a server, or as static files without one, in any folder of any host.
//
// On a server an address of the page is its path. Static files have one page only, and the address is its option `at`,
// which a server's page understands too: links from elsewhere need not know which of the two they lead to.

/**
 * What the builder of a site without a server wrote into its page.
 * @typedef {{ version: string, pyodide: string, server: string }} Site
 */

const settings = document.querySelector('meta[name="quintet-site"]')?.getAttribute("content");

/** The site's settings; null on a server. @type {Site | null} */
export const site = settings ? JSON.parse(settings) : null;

const home = site ? new URL("./", location.href).pathname : "/";

/** A file of the site. @param {string} path */
export const fileAt = (path) => new URL(path, new URL(home, location.origin)).href;

/**
 * An address of the page, or of one of its files, as the browser writes it; other addresses stay as they are.
 * @param {string} path such as `/rules/x?y=z`
 */
export function urlOf(path) {
  if (!site || !path.startsWith("/") || path.startsWith("//")) return path;
  if (path.startsWith("/static/")) return fileAt(site.version + path);
  const [place, query] = path.split("?");
  const options = [place === "/" ? "" : `at=${encodeURI(place)}`, query].filter(Boolean).join("&");
  return options ? `${home}?${options}` : home;
}

/** An address of the page in full, to send to others. @param {string} path */
export const fullUrl = (path) => new URL(urlOf(path), location.origin).href;

/**
 * The path of the page, and its options, in what the browser shows or a link leads to.
 * @param {{ pathname: string, search: string }} url
 */
export function pathOf({ pathname, search }) {
  if (pathname !== home) return { path: site ? "" : pathname, search }; // Beside a site there are other pages.
  const options = new URLSearchParams(search);
  const path = options.get("at") ?? "/";
  options.delete("at");
  return { path, search: options.size ? `?${options}` : "" };
}

/**
 * Install what lets the site work without a network, where the browser can; the page does not wait for it.
 * Another version is used the next time the page is loaded.
 */
export function installSite() {
  const options = /** @type {const} */ ({ updateViaCache: "none" });
  if (site) navigator.serviceWorker?.register(fileAt("service-worker.js"), options).catch(() => undefined);
}
