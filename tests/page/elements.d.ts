// The page's own element and its event, told to the type checker.

import type { QuintetBoard } from "../../src/quintet/web/page/js/board.js";

declare global {
  interface HTMLElementTagNameMap {
    "quintet-board": QuintetBoard;
  }
  interface HTMLElementEventMap {
    claim: CustomEvent<string>;
    preview: CustomEvent<{ label: string; scores: Record<1 | 2, [number, number]> } | null>;
  }
}
