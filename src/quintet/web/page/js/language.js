// The language of the page: the English texts of the code, translated if another language was chosen.
//
// A module that imports this one runs when the translations are there. Another choice loads the page again.

import { fileAt, site } from "./site.js";
import { saveEarly } from "./storage.js";

/** @typedef {Record<string, string | number>} Values */
/** Translations by their English texts; one for each form of the plural where something is counted. */
/** @typedef {Record<string, string | string[]>} Catalogue */

const ENGLISH = "en";
/** How the forms of the plural are ordered in a catalogue. */
const FORMS = ["zero", "one", "two", "few", "many", "other"];
const root = document.documentElement;
const catalogue = root.lang === ENGLISH ? {} : await load(root.lang);
root.dataset.translated = "";

/** The language of the page, as `theme.js` found it. */
export const language = root.lang;
/** The same for dates and numbers, with the visitor's region if it is one of that language. */
export const locale = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;

/** What is written between two sentences. */
export const GAP = language === "ja" ? "" : " ";
const comma = language === "ja" ? "、" : ", ";

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const plurals = new Intl.PluralRules(language);
const forms = FORMS.filter((form) => plurals.resolvedOptions().pluralCategories.some((one) => one === form));

/**
 * @param {string} code
 * @returns {Promise<Catalogue>}
 */
async function load(code) {
  try {
    const answer = await fetch(site ? fileAt(`${site.version}/answers/${code}/texts.json`) : `/api/languages/${code}`);
    if (answer.ok) return await answer.json();
  } catch {
    // Then the page is in English.
  }
  root.lang = ENGLISH;
  return {};
}

/**
 * @param {string} text
 * @param {Values} values
 */
const fillIn = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));

/**
 * A text in the chosen language, with values for the names in braces.
 * @param {string} text
 * @param {Values} [values]
 */
export const tr = (text, values = {}) => fillIn([catalogue[text] ?? text].flat()[0], values);

/**
 * The text for one thing or for many; {count} is how many.
 * @param {string} one
 * @param {string} many
 * @param {number} count
 * @param {Values} [values]
 */
export function trCount(one, many, count, values = {}) {
  const found = [catalogue[one] ?? [one, many]].flat();
  const form = Math.min(forms.indexOf(plurals.select(count)), found.length - 1);
  return fillIn(found[form], { count: whole.format(count), ...values });
}

/** Sentences one after the other. @param {string[]} texts */
export const sentences = (...texts) => texts.filter(Boolean).join(GAP);

/** Things one after the other, such as the moves of a line. @param {string[]} things */
export const joined = (things) => things.join(comma);

/** Things in a sentence, the last one after an "and". @param {string[]} things */
export const listed = (things) => new Intl.ListFormat(language, { type: "conjunction" }).format(things);

/** A number with a fixed number of decimals. @type {(value: number, digits?: number) => string} */
export const decimal = (value, digits = 0) =>
  value.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A share of 1 as a percentage. @type {(share: number, digits?: number) => string} */
export const percent = (share, digits = 0) =>
  share.toLocaleString(locale, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });

/**
 * Put the texts of index.html into the chosen language, and let a list choose another.
 * @param {HTMLSelectElement} list
 */
export function connectLanguageList(list) {
  for (const element of document.querySelectorAll("[data-tr]")) {
    const text = element.textContent;
    if (text) element.textContent = tr(text);
  }
  for (const element of document.querySelectorAll("[data-tr-label]")) {
    for (const name of ["aria-label", "title"]) {
      const label = element.getAttribute(name);
      if (label) element.setAttribute(name, tr(label));
    }
  }
  for (const code of (root.dataset.languages ?? "").split(" ")) {
    const option = new Option(ownName(code), code, false, code === language);
    option.lang = code;
    list.add(option);
  }
  list.addEventListener("change", () => {
    const address = new URL(location.href);
    address.hash = ""; // With it, the page would not be loaded again.
    if (saveEarly("language", list.value)) address.searchParams.delete("language");
    else address.searchParams.set("language", list.value);
    location.replace(address);
  });
}

/** What a language is called by those who speak it. @param {string} code */
function ownName(code) {
  const name = new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code;
  return name[0].toLocaleUpperCase(code) + name.slice(1);
}
