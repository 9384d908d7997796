// Sending a game to others: the share sheet of a phone, or a menu with the link, pictures and a board to embed.

import { ask } from "../api.js";
import { h, link } from "../dom.js";
import { tr } from "../language.js";
import { site } from "../site.js";
import { copyButton } from "./copy-button.js";

/**
 * What is shared; pictures and the board to embed by their addresses.
 * @typedef {{ title: string, url: string, png: string, gif?: string, embed?: string }} Shared
 */

const EMBED_WIDTH = 420;
const EMBED_HEIGHT = 560;

/** Whether this is a device with a share sheet that people know. */
export const hasShareSheet = () => "share" in navigator && matchMedia("(pointer: coarse)").matches;

/**
 * Open the share sheet, and return whether there was one.
 * @param {ShareData} data
 */
export async function openSheet(data) {
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError"; // It was closed without sharing.
  }
}

/**
 * A picture as a file, if this browser shares such files.
 * @param {string} path
 * @param {string} name
 * @param {string} type
 */
async function shareableFile(path, name, type) {
  if (!navigator.canShare?.({ files: [new File([], name, { type })] })) return [];
  const picture = await ask(path).catch(() => null);
  return picture ? [new File([picture], name, { type })] : [];
}

/** @param {Shared} shared */
async function shareWithFile({ title, url, png, gif }) {
  const files = gif
    ? await shareableFile(gif, "replay.gif", "image/gif")
    : await shareableFile(png, "board.png", "image/png");
  return openSheet({ title, text: title, url, ...(files.length ? { files } : {}) });
}

/**
 * The code for a page of another site.
 * @param {string} path
 * @param {string} title
 */
function embedCode(path, title) {
  const quoted = /** @param {string} text */ (text) => `"${text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`;
  const size = `width="${EMBED_WIDTH}" height="${EMBED_HEIGHT}"`;
  return `<iframe src=${quoted(location.origin + path)} title=${quoted(title)} ${size} loading="lazy"></iframe>`;
}

/**
 * The button that opens the sheet or the menu.
 * @param {() => Shared} getShared
 */
export function shareMenu(getShared) {
  const menu = h("div", { class: "share-menu" });
  const summary = h("summary", { class: "button", "data-testid": "share" }, tr("Share"));
  const element = h("details", { class: "share" }, summary, menu);
  summary.addEventListener("click", async (event) => {
    if (element.open || !hasShareSheet()) return;
    event.preventDefault();
    if (!(await shareWithFile(getShared()))) element.open = true;
  });
  element.addEventListener("toggle", () => element.open && menu.replaceChildren(...items(getShared())));
  return element;
}

/** @param {Shared} shared */
function items({ title, url, png, gif, embed }) {
  const code = embed && !site && embedCode(embed, title); // Other pages can only show the boards of a server.
  return [
    copyButton(tr("Copy link"), () => url),
    link(png, tr("Picture (PNG)"), { class: "button", download: "board.png" }),
    ...(gif ? [link(gif, tr("Replay (GIF)"), { class: "button", download: "replay.gif" })] : []),
    ...(code ? [embedPart(code)] : []),
  ];
}

/** @param {string} code */
function embedPart(code) {
  const text = h("textarea", { readonly: true, rows: 4, "aria-label": tr("Code for your page"), value: code });
  text.addEventListener("focus", () => text.select());
  return h("details", { class: "embed-code" },
    h("summary", { class: "button" }, tr("Embed")), text, copyButton(tr("Copy code"), () => code));
}
