"""A board as SVG that needs no other file, in light and dark."""

from collections.abc import Mapping

from quintet.board import Board, cell_label, column_label, index, is_numbered, row_label, split, worth_of
from quintet.drawing.palette import DARK_PARTS, LIGHT_PARTS, PALETTE

CELL = 56
MARGIN = 34
BOARD_CSS = (
    PALETTE
    + """\
  .paper { fill: var(--paper); } .cell { fill: var(--cell); stroke: var(--line); }
  .one .cell { fill: var(--one-cell); } .two .cell { fill: var(--two-cell); }
  .mark { fill: none; stroke-width: 6; stroke-linecap: round; }
  .one .mark { stroke: var(--one); } .two .mark { stroke: var(--two); }
  .last .cell { stroke: var(--ink); stroke-width: 2.5; } .dot { fill: var(--ink); opacity: .35; }
  text { fill: var(--ink); font: 500 15px ui-sans-serif, system-ui, sans-serif; text-anchor: middle;
         dominant-baseline: central; } .value { font-size: 20px; } .name { font-size: 11px; }
"""
)


def part_css(colours: tuple[str, ...]) -> str:
    """The colours of parts, as CSS."""
    return " ".join(f".part-{i} .cell {{ fill: {colour}; }}" for i, colour in enumerate(colours))


PARTS_CSS = f"""\
  {part_css(LIGHT_PARTS)}
  @media (prefers-color-scheme: dark) {{
    {part_css(DARK_PARTS)} }}
"""


def paint(
    title: str,
    board: Board,
    corner: str,
    first: int,
    second: int,
    legal: int,
    last: int,
    styled: bool = True,
    parts: Mapping[int, str] | None = None,
) -> str:
    """Two players' cells as SVG: marks, labels, values, what the last move gained, and dots on the legal cells.

    A page that holds many boards carries `BOARD_CSS` once, and its boards are not `styled`. Parts of the board are sets
    of cells: each has a colour, and its cells show its text, if it has any, instead of dots.
    """
    parts = parts or {}
    worth = worth_of(board)
    numbered = is_numbered(corner)
    side = 0 if numbered else MARGIN
    width, height = board.cols * CELL + 2 * MARGIN, board.rows * CELL + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{title}">',
        f"<title>{title}</title>" + (f"<style>{BOARD_CSS}{PARTS_CSS if parts else ''}</style>" if styled else ""),
        f'<rect class="paper" width="{width}" height="{height}" rx="10"/>',
    ]
    if side:
        lines += [
            f'<text x="{MARGIN + (col + 0.5) * CELL}" y="{MARGIN / 2 + 2}">{column_label(corner, col)}</text>'
            for col in range(board.cols)
        ]
        lines += [
            f'<text x="{MARGIN / 2}" y="{MARGIN + (row + 0.5) * CELL}">{row_label(corner, row)}</text>'
            for row in range(board.rows)
        ]
    for cell in split(board.full):
        row, col = divmod(index(cell), board.cols)
        owner = "one" if cell & first else "two" if cell & second else "free"
        fresh = " last" if cell & last else ""
        part, text = next(
            ((f" part-{i % len(LIGHT_PARTS)}", parts[some]) for i, some in enumerate(parts) if some & cell), ("", "")
        )
        lines.append(
            f'<g class="{owner}{fresh}{part}" transform="translate({MARGIN + col * CELL} {MARGIN + row * CELL})">'
            f'<rect class="cell" x="2" y="2" width="{CELL - 4}" height="{CELL - 4}" rx="7"/>'
        )
        half = CELL // 2
        if owner == "one":
            lines.append('<path class="mark" d="M18 18 38 38M38 18 18 38"/>')
        elif owner == "two":
            lines.append(f'<circle class="mark" cx="{half}" cy="{half}" r="12"/>')
        elif worth:
            lines.append(f'<text class="value" x="{half}" y="{half}">{worth[cell]}</text>')
        if numbered:  # Below the cell, or in its corner where there is another cell below.
            spot = f'x="{half}" y="{CELL + 12}"' if board.rows == 1 else 'class="name" x="15" y="13"'
            lines.append(f"<text {spot}>{cell_label(board, corner, cell)}</text>")
        if text:
            lines.append(f'<text x="{half}" y="{half}">{text}</text>')
        elif cell & legal:
            place = CELL - 12 if worth else half
            lines.append(f'<circle class="dot" cx="{place}" cy="{place}" r="4"/>')
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])
