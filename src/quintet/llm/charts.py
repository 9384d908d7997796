"""Plots of scores: players down the side, one panel for each game or difficulty, a dot with its interval in each."""

from collections.abc import Mapping, Sequence
from html import escape

from quintet.drawing.palette import PALETTE
from quintet.llm.scores import Estimate

NAME, PANEL, GAP, ROW = 190, 150, 22, 26
TOP, BOTTOM = 58, 34
_CSS = (
    PALETTE
    + """\
  .plot .paper { fill: var(--paper); } .plot .band { fill: var(--cell); } .plot .grid { stroke: var(--line); }
  .plot .reach { stroke: var(--one); stroke-width: 5; stroke-linecap: round; opacity: .3; }
  .plot .value { fill: var(--one); } .plot .stroke { stroke: var(--two); stroke-width: 2.5; }
  .plot text { fill: var(--ink); font: 500 13px ui-sans-serif, system-ui, sans-serif; text-anchor: middle;
               dominant-baseline: central; } .plot .title { font-size: 15px; text-anchor: start; font-weight: 650; }
  .plot .name { text-anchor: end; } .plot .tick { font-size: 11px; opacity: .75; }
"""
)

Cell = tuple[Estimate, float | None]
"""A score, and what it is to be compared with, drawn as a stroke."""


def panels(title: str, players: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[str, str], Cell]) -> str:
    """Shares in per cent as SVG that stands alone, in light and dark."""
    width = NAME + len(columns) * (PANEL + GAP) + GAP
    height = TOP + len(players) * ROW + BOTTOM
    title, foot = escape(title), TOP + len(players) * ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'class="plot" role="img" aria-label="{title}">',
        f"<title>{title}</title><style>{_CSS}</style>",
        f'<rect class="paper" width="{width}" height="{height}" rx="10"/>',
        f'<text class="title" x="{GAP}" y="20">{title}</text>',
    ]
    for i in range(0, len(players), 2):
        parts.append(
            f'<rect class="band" x="{GAP / 2}" y="{TOP + i * ROW}" width="{width - GAP}" height="{ROW}" rx="5"/>'
        )
    for i, player in enumerate(players):
        parts.append(f'<text class="name" x="{NAME - 4}" y="{TOP + (i + 0.5) * ROW}">{escape(shorten(player))}</text>')
    for j, column in enumerate(columns):
        left = NAME + GAP / 2 + j * (PANEL + GAP)
        parts.append(f'<text x="{left + PANEL / 2}" y="{TOP - 14}">{escape(column)}</text>')
        for share in (0, 0.5, 1):
            x = left + share * PANEL
            parts += [
                f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP}" y2="{foot}"/>',
                f'<text class="tick" x="{x}" y="{foot + 14}">{100 * share:g}</text>',
            ]
        for i, player in enumerate(players):
            if (player, column) in cells:
                parts += draw_cell(left, TOP + (i + 0.5) * ROW, player, column, *cells[player, column])
    return "\n".join([*parts, "</svg>", ""])


def draw_cell(left: float, y: float, player: str, column: str, score: Estimate, mark: float | None) -> list[str]:
    """A dot with its interval, what it says when pointed at, and the stroke to compare it with."""
    low, value, high = (f"{left + share * PANEL:.1f}" for share in (score.low, score.value, score.high))
    words = f"{player}, {column}: {score.value:.1%} ({score.low:.1%} to {score.high:.1%})"
    parts = [f'<g><title>{escape(words)}</title><line class="reach" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>']
    if mark is not None:
        x = f"{left + mark * PANEL:.1f}"
        parts.append(f'<line class="stroke" x1="{x}" x2="{x}" y1="{y - 8}" y2="{y + 8}"/>')
    return [*parts, f'<circle class="value" cx="{value}" cy="{y}" r="5"/></g>']


def shorten(name: str) -> str:
    """A name that fits beside the panels."""
    return name if len(name) <= 26 else name[:25] + "…"
