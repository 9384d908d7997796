"""How large the cells of a board are drawn: as large as there is room for."""

from typing import NamedTuple

from quintet.view import View

PITCHES = ((18, 9), (16, 8), (14, 7), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1))
"""Columns and lines from one cell to the next: square to the eye, with a gap of one column and half a line."""
SHORTEST_IN_ONE_ROW = 4
"""A line of cells narrower than this is easier to read in several rows."""
WIDEST_IN_ROWS = 6


class Layout(NamedTuple):
    """Where the cells of a board are on the screen."""

    width: int
    """Columns from one cell to the next."""
    height: int
    """Lines from one cell to the next."""
    across: int
    """Cells in a row of the screen."""
    down: int
    left: int
    """Columns before the first cell."""
    top: int
    """Lines above the first cell."""
    labelled: bool
    """Whether rows and columns are labelled; if not, each cell shows its own label where it has room."""

    @property
    def columns(self) -> int:
        """The columns it takes, with the frame of a cell on the right edge."""
        return self.left + self.across * self.width + 1

    @property
    def lines(self) -> int:
        """The lines it takes, with the frame of a cell on the lower edge."""
        return self.top + self.down * self.height + (self.height > 1)

    def place(self, number: int) -> tuple[int, int]:
        """The column and line of a cell's top left."""
        row, col = divmod(number, self.across)
        return self.left + col * self.width, self.top + row * self.height

    def find(self, column: int, line: int) -> int | None:
        """The cell at a column and line; it may lie beyond the last cell of the last row."""
        col, row = (column - self.left) // self.width, (line - self.top) // self.height
        return row * self.across + col if 0 <= col < self.across and 0 <= row < self.down else None


def cell_name(view: View, number: int) -> str:
    """What the screen calls a cell: `C3`, or its number on a line."""
    row, col = divmod(number, view.cols)
    return view.row_labels[row] + view.column_labels[col] if view.row_labels else str(number + 1)


def fit(view: View, columns: int, lines: int) -> Layout:
    """The largest layout there is room for; the smallest if there is none."""
    if view.rows == 1:
        return fit_line(view, columns, lines)
    labelled = bool(view.column_labels)
    left = max(map(len, view.row_labels)) + 1 if labelled else 0
    found = [Layout(*pitch, view.cols, view.rows, left, int(labelled), labelled) for pitch in PITCHES]
    return next((layout for layout in found if fits(layout, columns, lines)), found[-1])


def fit_line(view: View, columns: int, lines: int) -> Layout:
    """A line of cells in one row if that is readable, else in several rows."""
    longest = len(str(view.cols))
    whole = [Layout(w, h + 2, view.cols, 1, 0, 0, False) for w, h in PITCHES if w >= SHORTEST_IN_ONE_ROW]
    for layout in whole:
        if fits(layout, columns, lines):
            return layout
    narrow = [pitch for pitch in (*PITCHES[:-2], (4, 1), (3, 1)) if longest < pitch[0] <= WIDEST_IN_ROWS]
    broken = []
    for width, height in narrow:
        across = max(1, min(view.cols, (columns - 1) // width))
        broken.append(Layout(width, height, across, -(-view.cols // across), 0, 0, False))
    return next((layout for layout in broken if fits(layout, columns, lines)), broken[-1])


def fits(layout: Layout, columns: int, lines: int) -> bool:
    """Whether there is room for a layout."""
    return layout.columns <= columns and layout.lines <= lines
