// The tokens of scripts without their comments: a JSON list of scripts on standard input, a list of lists on standard output.

import { readFileSync } from "node:fs";
import ts from "typescript";

/** The text of every token below a node. */
function tokens(node, file) {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return [];
    const children = node.getChildren(file);
    return children.length ? children.flatMap((child) => tokens(child, file)) : [node.getText(file)];
}

const scripts = JSON.parse(readFileSync(0, "utf8"));
const files = scripts.map((text) => ts.createSourceFile("script.js", text, ts.ScriptTarget.Latest));
process.stdout.write(JSON.stringify(files.map((file) => tokens(file, file))));
