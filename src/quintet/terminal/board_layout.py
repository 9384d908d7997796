"""How large the cells of a board are drawn: as large as there is room for."""

from typing import NamedTuple

from quintet.view import View

PITCHES = ((18, 9), (16, 8), (14, 7), (12, 6), (10, 5), (8, 4), (6, 3), (4, 2), (3, 1), (2, 1))
"""Columns and lines from one cell to the next: square to the eye, with a gap of one column and half a line."""
WIDEST_IN_ROWS = 6
"""Columns from one cell to the next of a line that is folded."""


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
    folded: bool = False
    """Whether it is a line that goes to and fro, so that neighbours stay neighbours, with a line between the rows."""

    @property
    def step(self) -> int:
        """Lines from one row to the next."""
        return self.height + self.folded

    @property
    def columns(self) -> int:
        """The columns it takes, with the frame of a cell on the right edge."""
        return self.left + self.across * self.width + 1

    @property
    def lines(self) -> int:
        """The lines it takes, with the frame of a cell on the lower edge."""
        return self.top + self.down * self.step - self.folded + (self.height > 1)

    def place(self, number: int) -> tuple[int, int]:
        """The column and line of a cell's top left."""
        row, col = self.spot(number)
        return self.left + col * self.width, self.top + row * self.step

    def spot(self, number: int) -> tuple[int, int]:
        """The row and the column of the screen that a cell is in."""
        row, col = divmod(number, self.across)
        return row, self.across - 1 - col if self.folded and row % 2 else col

    def number(self, row: int, col: int) -> int:
        """The cell in a row and a column of the screen; it may lie beyond the last cell of the last row."""
        return row * self.across + (self.across - 1 - col if self.folded and row % 2 else col)

    def find(self, column: int, line: int) -> int | None:
        """The cell at a column and line; it may lie beyond the last cell of the last row."""
        col, row = (column - self.left) // self.width, (line - self.top) // self.step
        return self.number(row, col) if 0 <= col < self.across and 0 <= row < self.down else None


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
    """A line of cells in one row if that is readable, else folded."""
    longest = len(str(view.cols))
    whole = [Layout(w, h + 2, view.cols, 1, 0, 0, False) for w, h in PITCHES if w > longest]
    for layout in whole:
        if fits(layout, columns, lines):
            return layout
    narrow = [pitch for pitch in (*PITCHES[:-2], (4, 1), (3, 1)) if longest < pitch[0] <= WIDEST_IN_ROWS]
    folded = []
    for width, height in narrow:
        down = -(-view.cols // max(1, (columns - 1) // width))
        across = -(-view.cols // down)
        folded.append(Layout(width, height, across, down, 0, 0, False, True))
    return next((layout for layout in folded if fits(layout, columns, lines)), folded[-1])


def fits(layout: Layout, columns: int, lines: int) -> bool:
    """Whether there is room for a layout."""
    return layout.columns <= columns and layout.lines <= lines
