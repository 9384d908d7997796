// Lets the site work without a network. A version is installed whole, each file checked against its hash, and used from
// the next load on. All its files but the page lie in a folder named after the version, so versions never mix.

/** The version, and the hash of each of its files; the builder writes them here. */
const VERSION = "{version}";
/** @type {Record<string, string>} */
const FILES = /** @type {any} */ ("{files}");

const worker = /** @type {any} */ (self);
const scope = worker.registration.scope;
const prefix = `quintet ${scope} `;
const PAGE = "index.html";
/** Versions that are kept: this one, and the one that a page in another tab may still use. */
const KEPT = 2;

/**
 * Whether a file is that of this version.
 * @param {Response} response
 * @param {string} path
 */
async function isRight(response, path) {
  const data = await response.clone().arrayBuffer();
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") === FILES[path];
}

/**
 * Put a file into the cache: from another version that has the same, or from the network.
 * @param {Cache} cache
 * @param {string} path
 */
async function add(cache, path) {
  const url = new URL(path, scope).href;
  const known = await caches.match(url);
  if (known && (await isRight(known, path))) return cache.put(url, known);
  const response = await fetch(url, { cache: "no-cache" });
  if (!response.ok || !(await isRight(response, path))) throw new Error(`${path} is missing or of another version`);
  return cache.put(url, response);
}

async function install() {
  const name = `${prefix}${VERSION}`;
  try {
    const cache = await caches.open(name);
    await Promise.all(Object.keys(FILES).map((path) => add(cache, path)));
  } catch (error) {
    await caches.delete(name); // A part of a version is of no use.
    throw error;
  }
  await worker.skipWaiting();
}

/** Use this version from now on; pages of the last one find their files still there. */
async function activate() {
  const ours = (await caches.keys()).filter((name) => name.startsWith(prefix));
  await Promise.all(ours.slice(0, -KEPT).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(`${prefix}${VERSION}`);
  if (request.mode === "navigate") return (await cache.match(new URL(PAGE, scope).href)) ?? fetch(request);
  return (await cache.match(request)) ?? (await caches.match(request)) ?? fetch(request);
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  const isPage = request.mode === "navigate" && new URL(request.url).pathname === new URL(scope).pathname;
  if (request.method === "GET" && request.url.startsWith(scope) && (isPage || request.mode !== "navigate")) {
    event.respondWith(answer(request));
  }
});
