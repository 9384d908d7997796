// The language of the page: the English texts of the code, translated where a language was chosen.

/** @typedef {Record<string, string | number>} Values */

/**
 * A text in the chosen language, with values for the names in braces.
 * @param {string} text
 * @param {Values} [values]
 */
export const tr = (text, values = {}) => text.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));

/**
 * The text for one thing or for many; {count} is how many.
 * @param {string} one
 * @param {string} many
 * @param {number} count
 * @param {Values} [values]
 */
export const trCount = (one, many, count, values = {}) => tr(count === 1 ? one : many, { count, ...values });
