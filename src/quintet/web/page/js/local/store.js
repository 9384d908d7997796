// The matches that are played without a server, saved in this browser. What cannot be stored lasts until the page is
// left.

import { read, write } from "../storage.js";

/**
 * A match as it is saved; a newer one has a higher revision.
 * @typedef {{ id: string, revision: number, text: string }} Stored
 */

const NAME = "quintet";
const TABLE = "matches";

/** @type {Map<string, Stored>} */
const unsaved = new Map();

/**
 * @template Result
 * @param {IDBRequest<Result>} request
 * @returns {Promise<Result>}
 */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** The browser's database; null where it has none. @type {Promise<IDBDatabase | null>} */
const database = (async () => {
  try {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE, { keyPath: "id" });
    return await done(opening);
  } catch {
    return null; // Storage is switched off.
  }
})();

/**
 * Saved matches by their ids; those that are not there are left out.
 * @param {string[]} ids
 * @returns {Promise<Record<string, string>>}
 */
export async function load(ids) {
  const matches = (await database)?.transaction(TABLE).objectStore(TABLE);
  /** @type {(Stored | undefined)[]} */
  const found = await Promise.all(ids.map((id) => (matches ? done(matches.get(id)) : unsaved.get(id))));
  return Object.fromEntries(found.flatMap((match) => (match ? [[match.id, match.text]] : [])));
}

/**
 * Save matches, all or none: not if another tab has saved a newer one. Gives whether they are saved.
 * @param {Stored[]} changes
 */
export async function save(changes) {
  const open = await database;
  const writing = open?.transaction(TABLE, "readwrite");
  const matches = writing?.objectStore(TABLE);
  for (const change of changes) {
    /** @type {Stored | undefined} */
    const before = matches ? await done(matches.get(change.id)) : unsaved.get(change.id);
    if (before && !change.revision) continue; // It was begun, or imported, already.
    if (change.revision && before?.revision !== change.revision - 1) {
      writing?.abort();
      return false;
    }
    if (matches) matches.put(change);
    else unsaved.set(change.id, change);
  }
  if (!writing) return true;
  return new Promise((resolve, reject) => {
    writing.oncomplete = () => resolve(true);
    writing.onabort = writing.onerror = () => reject(writing.error);
  });
}

/** The requests for matches that are not saved yet, by their ids: sent again if the page is loaded meanwhile. */
export const pendingMatches = () => read("begun", /** @type {Record<string, unknown>} */ ({}));
/** @param {Record<string, unknown>} requests */
export const savePendingMatches = (requests) => write("begun", requests);
