"""The board on the screen, drawn from a view and played with keys and mouse. It does not know the rules."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click, MouseMove
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from quintet.board import index, split
from quintet.terminal.board_layout import Layout, fit
from quintet.terminal.board_painter import BoardPainter, Preview
from quintet.terminal.themes import PALETTES
from quintet.view import View

SECONDS = 0.6
"""How long a claim glows."""


def cell_numbers(view: View) -> list[int]:
    """The numbers of the cells, without those of holes."""
    return [i for i, cell in enumerate(view.cells) if cell.label]


def middle_cell(view: View) -> int:
    """The number of the cell nearest to the middle."""
    row, col = view.rows // 2, view.cols // 2
    return min(cell_numbers(view), key=lambda i: abs(i // view.cols - row) + abs(i % view.cols - col))


class BoardWidget(ScrollView, inherit_bindings=False):
    """A board with a cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1, 0)", "Up", show=False),
        Binding("down", "step(1, 0)", "Down", show=False),
        Binding("left", "step(0, -1)", "Left", show=False),
        Binding("right", "step(0, 1)", "Right", show=False),
        Binding("home", "step(-400, -400)", "First cell", show=False),
        Binding("end", "step(400, 400)", "Last cell", show=False),
        Binding("enter,space", "claim", "Claim", key_display="⏎"),
    ]

    view: reactive[View | None] = reactive(None)
    cursor: reactive[int] = reactive(0)
    open: reactive[bool] = reactive(True, layout=False, repaint=False, bindings=True)
    """Whether a cell can be claimed now; if not, the key for it is not offered."""
    preview: reactive[Preview | None] = reactive(None)
    """What claiming the cell under the cursor would do."""
    glow: reactive[float] = reactive(0.0)
    """How much of the animation of the last claim is still to come."""
    lit: reactive[frozenset[int]] = reactive(frozenset())
    """The cells that stand out, as in a lesson."""
    forbidding: reactive[frozenset[int]] = reactive(frozenset())
    """The claimed cells that forbid what was tried last."""

    class Chosen(Message):
        """A player chose a cell."""

        def __init__(self, number: int) -> None:
            """Say which."""
            super().__init__()
            self.number = number

    class Pointed(Message):
        """The cursor is on another cell."""

    def __init__(self, view: View | None = None, active: bool = True, id: str | None = None) -> None:
        """Show a board, to play on if it is active."""
        super().__init__(id=id)
        self.active = self.can_focus = active
        self.board_layout: Layout | None = None
        self._painted: tuple[BoardPainter | None, list[Strip]] = (None, [])
        if view is not None:
            self.cursor = middle_cell(view)
        self.set_reactive(BoardWidget.view, view)

    # Drawing.

    def watch_view(self, old: View | None, new: View | None) -> None:
        """Draw the new view, and let a new claim glow."""
        self.fit_board()
        if new is None or old is None:
            return
        if [cell.owner for cell in new.cells] != [cell.owner for cell in old.cells]:
            self.forbidding = frozenset()
        if len(new.cells) <= self.cursor or not new.cells[self.cursor].label:
            self.cursor = cell_numbers(new)[0]
        if self.active and len(new.history) > len(old.history) and any(cell.fresh for cell in new.cells):
            self.glow = 1.0
            self.animate("glow", 0.0, duration=SECONDS, easing="linear")
        elif len(new.history) < len(old.history):
            self.glow = 0.0

    def on_resize(self) -> None:
        """Fit the board again."""
        self.fit_board()

    def fit_board(self) -> None:
        """Fit the board into the room there is."""
        if self.view is None or not self.size:
            return
        width, height = self.outer_size
        layout = fit(self.view, width, height)
        if layout.lines > height:  # It will scroll, and the scroll bar takes a column.
            layout = fit(self.view, width - 1, height)
        self.board_layout = layout
        self.virtual_size = Size(layout.columns, layout.lines)
        self.refresh()

    @property
    def margin_left(self) -> int:
        """Columns left of the board that centre it."""
        return max(0, (self.size.width - self.virtual_size.width) // 2)

    @property
    def margin_top(self) -> int:
        """Lines above the board that centre it."""
        return max(0, (self.size.height - self.virtual_size.height) // 2)

    def render_line(self, y: int) -> Strip:
        """A line of the board."""
        blank = Strip.blank(self.size.width, self.rich_style)
        if self.view is None or self.board_layout is None:
            return blank
        cursor = self.cursor if self.active and self.has_focus else None
        preview = None if cursor is None else self.preview
        colours = PALETTES[self.app.theme]
        shown = (preview, self.lit, self.forbidding)
        painter = BoardPainter(self.view, self.board_layout, colours, cursor, self.glow, *shown)
        if self._painted[0] != painter:
            self._painted = (painter, painter.paint().strips())
        left, top = self.scroll_offset
        strips, line = self._painted[1], y + top - self.margin_top
        if not 0 <= line < len(strips):
            return blank
        strip = strips[line].crop(left, left + self.size.width)
        return Strip.join([Strip.blank(self.margin_left, self.rich_style), strip]).extend_cell_length(
            self.size.width, self.rich_style
        )

    # Keys and mouse.

    def action_step(self, down: int, right: int) -> None:
        """Move the cursor."""
        if self.view is None or self.board_layout is None:
            return
        last = len(self.view.cells) - 1
        if abs(down) > last:
            self.cursor = cell_numbers(self.view)[0 if down < 0 else -1]
            return
        row, col = self.board_layout.spot(self.cursor)
        while True:  # Over holes.
            row, col = row + down, col + right
            if not (0 <= row < self.board_layout.down and 0 <= col < self.board_layout.across):
                return
            number = min(self.board_layout.number(row, col), last)
            if self.view.cells[number].label:
                self.cursor = number
                return

    def watch_cursor(self) -> None:
        """Keep the cursor in sight. What was tried elsewhere is forgotten."""
        self.forbidding = frozenset()
        self.post_message(self.Pointed())
        if self.board_layout is not None:
            x, y = self.board_layout.place(self.cursor)
            self.scroll_to_region(
                Region(x, y, self.board_layout.width + 1, self.board_layout.height + 1), animate=False
            )
            self.refresh()

    def show_forbidding(self, cells: int) -> None:
        """Mark the cells that forbid a claim until the cursor moves or a cell is claimed."""
        self.forbidding = frozenset(map(index, split(cells)))

    def action_claim(self) -> None:
        """Claim the cell under the cursor."""
        if self.active:
            self.post_message(self.Chosen(self.cursor))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to claim a cell only while that is possible."""
        return self.open if action == "claim" else True

    def cell_at(self, x: int, y: int) -> int | None:
        """The cell under the mouse."""
        if self.view is None or self.board_layout is None:
            return None
        left, top = self.scroll_offset
        found = self.board_layout.find(x + left - self.margin_left, y + top - self.margin_top)
        return found if found in cell_numbers(self.view) else None

    def on_mouse_move(self, event: MouseMove) -> None:
        """Move the cursor with the mouse."""
        found = self.cell_at(event.x, event.y)
        if self.active and self.has_focus and found is not None:
            self.cursor = found

    def on_click(self, event: Click) -> None:
        """Claim the cell that was clicked."""
        found = self.cell_at(event.x, event.y)
        if self.active and found is not None:
            self.cursor = found
            self.post_message(self.Chosen(found))
