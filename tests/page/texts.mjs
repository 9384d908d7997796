// The texts of scripts: those that go through `tr` and `trCount`, and what looks like a text and does not. Scripts by
// their names come as JSON on standard input; on standard output there are the texts `inside`, what is `outside`, and
// calls that are `wrong`.

import { readFileSync } from "node:fs";
import ts from "typescript";

/** How many texts these take. */
const CALLS = new Map([["tr", 1], ["trCount", 2]]);
/** Whatever is given to these is shown or read aloud. */
const SHOWN = new Set(["text", "title", "placeholder", "alt", "label", "hint", "note", "aria-label", "aria-valuetext",
  "textContent"]);
/** Whatever is given to these is not: attributes for the browser, and functions that take selectors and names. */
const HIDDEN = new Set(["class", "className", "d", "transform", "accept", "autocomplete", "href", "src", "sandbox"]);
const TECHNICAL = new Set(["querySelector", "querySelectorAll", "closest", "matches", "matchMedia", "animate", "Error",
  "getAttribute", "hasAttribute", "removeAttribute", "setProperty", "addEventListener", "elementById", "test"]);
/** Which arguments of these are children or words. */
const PLACES = new Map([["h", [2, 3, 4, 5, 6]], ["s", [2, 3, 4, 5, 6]], ["button", [0]], ["link", [1]],
  ["drawerLink", [1]], ["append", [0, 1, 2, 3]], ["replaceChildren", [0, 1, 2, 3]], ["notify", [0]], ["field", [0, 2]],
  ["choice", [0]]]);
/** What a literal may be part of and still be what is given. */
const PASSING = new Set([ts.SyntaxKind.ConditionalExpression, ts.SyntaxKind.ParenthesizedExpression,
  ts.SyntaxKind.ArrayLiteralExpression]);
const JOINS = new Set(["||", "&&", "??", "+"]);
const LETTERS = /\p{L}{2}/u;
const SENTENCE = /\p{L}['’]?\p{L}*[,:;.]?\s+[\p{L}{(]|^\p{Lu}\p{Ll}+|…|[\p{L}}][.!?]$/u;

/** A literal as a text, with `{}` where a value is put in; null for anything else. */
function textOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map((span) => `{}${span.literal.text}`).join("");
}

function nameOf(node) {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  return ts.isIdentifier(node) ? node.text : "";
}

/** What a literal is given to: `shown`, `hidden`, or nothing that is known. */
function placeOf(node) {
  let [inner, outer] = [node, node.parent];
  while (PASSING.has(outer.kind) || (ts.isBinaryExpression(outer) && JOINS.has(outer.operatorToken.getText()))) {
    if (ts.isConditionalExpression(outer) && outer.condition === inner) return "hidden";
    [inner, outer] = [outer, outer.parent];
  }
  if (ts.isImportDeclaration(outer) || ts.isElementAccessExpression(outer) || ts.isCaseClause(outer)) return "hidden";
  if (ts.isPropertyAssignment(outer)) {
    if (outer.name === inner) return "hidden";
    const name = outer.name.text ?? "";
    return SHOWN.has(name) ? "shown" : HIDDEN.has(name) || name.startsWith("data-") ? "hidden" : "";
  }
  if (ts.isBinaryExpression(outer)) {
    const sign = outer.operatorToken.getText();
    if (sign === "=") return SHOWN.has(nameOf(outer.left)) ? "shown" : HIDDEN.has(nameOf(outer.left)) ? "hidden" : "";
    return /^(?:[!=]==|in|instanceof)$/.test(sign) ? "hidden" : "";
  }
  if (ts.isCallExpression(outer) || ts.isNewExpression(outer)) {
    if (outer.expression.kind === ts.SyntaxKind.ImportKeyword) return "hidden";
    const name = nameOf(outer.expression);
    const index = outer.arguments?.indexOf(inner) ?? -1;
    if (name === "setAttribute") return index && SHOWN.has(outer.arguments[0].text) ? "shown" : "hidden";
    if (CALLS.has(name) || TECHNICAL.has(name)) return "hidden";
    return PLACES.get(name)?.includes(index) ? "shown" : "";
  }
  return "";
}

/** What is wrong with a call of `tr` or `trCount`; empty if nothing is. */
function faultOf(call, count) {
  const texts = call.arguments.slice(0, count);
  if (texts.length < count || !texts.every(ts.isStringLiteral)) return "the text is not a plain literal";
  const values = call.arguments[count === 1 ? 1 : 3];
  if (values && !ts.isObjectLiteralExpression(values)) return "";
  const given = new Set(values?.properties.map((one) => one.name?.getText()) ?? []);
  if (count === 2) given.add("count");
  const wanted = new Set(texts.flatMap(({ text }) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)));
  const isOdd = (name) => !(wanted.has(name) && given.has(name)) && (count === 1 || name !== "count");
  const odd = [...wanted, ...given].filter(isOdd);
  return odd.length ? `names do not fit: ${odd.join(", ")}` : "";
}

const found = { inside: [], outside: [], wrong: [] };
for (const [name, script] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  const file = ts.createSourceFile(name, script, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    const text = textOf(node);
    if (text !== null && !text.startsWith("/") && LETTERS.test(text.replaceAll("{}", ""))) {
      const place = placeOf(node);
      if (place === "shown" || (!place && SENTENCE.test(text))) found.outside.push([name, text]);
    }
    const count = ts.isCallExpression(node) && CALLS.get(nameOf(node.expression));
    if (count && name !== "js/language.js") {
      const fault = faultOf(node, count);
      if (fault) found.wrong.push([name, node.getText(), fault]);
      else found.inside.push(node.arguments.slice(0, count).map((one) => one.text));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}
process.stdout.write(JSON.stringify(found));
