"""A graph of the value after each move, as SVG that needs no other file, in light and dark."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from quintet.drawing.palette import PALETTE

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 44, 40
MOST_LABELS = 20
_CSS = (
    PALETTE
    + """\
  .paper { fill: var(--paper); } .one { fill: var(--one-cell); } .two { fill: var(--two-cell); }
  .grid { stroke: var(--line); } .level { stroke: var(--ink); }
  .value { fill: none; stroke: var(--ink); stroke-width: 2.5; stroke-linejoin: round; }
  .mark { stroke: var(--paper); stroke-width: 2; } .mark.one { fill: var(--one); } .mark.two { fill: var(--two); }
  text { fill: var(--ink); font: 500 13px ui-sans-serif, system-ui, sans-serif; text-anchor: middle;
         dominant-baseline: central; } .title { font-size: 15px; text-anchor: start; } .tick { text-anchor: end; }
"""
)


class Mark(NamedTuple):
    """A dot on the graph."""

    ply: int
    player: int
    text: str
    """What it says when pointed at."""


def graph(
    title: str, heights: Sequence[float | None], ticks: Sequence[tuple[float, str]], marks: Sequence[Mark]
) -> str:
    """A line through the heights, from -1 to 1, one for each ply; `None` leaves a gap. Ticks name heights."""
    across = (WIDTH - LEFT - RIGHT) / max(1, len(heights) - 1)
    middle = (TOP + HEIGHT - BOTTOM) / 2
    half = middle - TOP

    def x(ply: int) -> str:
        return f"{LEFT + ply * across:.1f}"

    def y(height: float) -> str:
        return f"{middle - height * half * 0.92:.1f}"

    title = escape(title)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-label="{title}">',
        f"<title>{title}</title><style>{_CSS}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="10"/>',
        f'<text class="title" x="{LEFT}" y="{TOP / 2}">{title}</text>',
        f'<rect class="one" x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{half}"/>',
        f'<rect class="two" x="{LEFT}" y="{middle}" width="{WIDTH - LEFT - RIGHT}" height="{half}"/>',
        f'<line class="level" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{middle}" y2="{middle}"/>',
    ]
    for height, text in ticks:
        parts += [
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(height)}" y2="{y(height)}"/>',
            f'<text class="tick" x="{LEFT - 8}" y="{y(height)}">{escape(text)}</text>',
        ]
    every = -(-len(heights) // MOST_LABELS)
    parts += [
        f'<text x="{x(ply)}" y="{HEIGHT - BOTTOM / 2}">{ply}</text>'
        for ply, height in enumerate(heights)
        if ply % every == 0
    ]
    parts += [
        '<polyline class="value" points="' + " ".join(f"{x(ply)},{y(height)}" for ply, height in run) + '"/>'
        for run in unbroken(heights)
    ]
    for ply, player, text in marks:
        at = f'cx="{x(ply)}" cy="{y(heights[ply] or 0)}"'
        name = "one" if player == 1 else "two"
        parts.append(f'<circle class="mark {name}" {at} r="7"><title>{escape(text)}</title></circle>')
    return "\n".join([*parts, "</svg>", ""])


def unbroken(heights: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """The runs of known heights, each with its ply."""
    runs: list[list[tuple[int, float]]] = [[]]
    for ply, height in enumerate(heights):
        if height is not None:
            runs[-1].append((ply, height))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]
