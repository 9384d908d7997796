// Puts the page's own element in the place of each picture of a board, and lets a tap lead to the playable page.

import "./js/board.js";

for (const figure of document.querySelectorAll(".live-board")) {
  const { view, effects, values, lit, explore } = JSON.parse(figure.dataset.feed);
  const board = document.createElement("quintet-board");
  board.name = figure.querySelector("img").alt;
  if (figure.classList.contains("mini")) board.setAttribute("mini", "");
  board.playable = Boolean(explore);
  board.view = view;
  if (values) board.values = values;
  if (lit) board.lit = lit;
  figure.querySelector("img").replaceWith(board);
  if (!explore) continue;
  board.effects = effects;
  board.addEventListener("claim", (event) => {
    location.href = `${explore}&moves=${encodeURIComponent(event.detail)}`;
  });
  const link = document.createElement("a");
  link.href = explore;
  link.textContent = "Play from here";
  figure.querySelector("figcaption").append(" · ", link);
}
