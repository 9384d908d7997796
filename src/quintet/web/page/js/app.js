// The shell: the views by their addresses, and the switches for language, theme and sound.

import "./board.js";
import { elementById } from "./dom.js";
import { connectLanguageList } from "./language.js";
import { watchNetwork } from "./notices.js";
import { startRouter } from "./router.js";
import { site } from "./site.js";
import { connectSoundSwitch } from "./sound.js";
import { connectThemeSwitch } from "./theme-switch.js";

if (!site) watchNetwork();
connectLanguageList(elementById("language", HTMLSelectElement));
connectSoundSwitch(elementById("sound", HTMLButtonElement));
connectThemeSwitch(elementById("theme", HTMLButtonElement));
startRouter([
  [/^\/$/, () => import("./views/home.js")],
  [/^\/new$/, () => import("./views/setup.js")],
  [/^\/match\/([^/]+)$/, () => import("./views/table.js")],
  [/^\/learn\/([^/]+)$/, () => import("./views/lesson.js")],
  [/^\/explore(?:\/([^/]+))?$/, () => import("./views/explorer.js")],
  [/^\/review\/([^/]+)$/, () => import("./views/review.js")],
  [/^\/puzzles$/, () => import("./views/puzzles.js")],
  [/^\/daily\/archive$/, () => import("./views/archive.js")],
  [/^\/daily(?:\/([^/]+))?$/, () => import("./views/daily.js")],
  [/^\/rules(?:\/([^/]+))?$/, () => import("./views/rules.js")],
  [/^\/history$/, () => import("./views/history.js")],
  [/^\/ladder(?:\/([^/]+))?$/, () => import("./views/ladder.js")],
  [/^\/progress$/, () => import("./views/progress.js")],
  [/^\/tournament\/new$/, () => import("./views/new-tournament.js")],
  [/^\/tournament\/([^/]+)$/, () => import("./views/tournament.js")],
  [/^\/baseline\/([^/]+(?:\/[^/]+)?)$/, () => import("./views/baseline.js")],
  [/^\/operator$/, () => import("./views/operator.js")],
]);
