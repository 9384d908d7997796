"""The board on the screen: drawn from a view, played with keys and mouse. It knows no rule."""

from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.color import Color
from textual.events import Click, MouseMove
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from quintet.terminal.board_layout import Layout, fit
from quintet.terminal.canvas import MARK, Canvas
from quintet.terminal.pixel_shapes import DIGIT_HEIGHT, cross, number, ring
from quintet.terminal.themes import PALETTES, Palette
from quintet.view import Cell, View

RIPPLE = 0.5
"""How much later, in parts of the animation, a cell lights up that is one step away from the one claimed."""
SECONDS = 0.6
"""How long a claim glows."""


class BoardView(ScrollView, inherit_bindings=False):
    """A board with a cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1, 0)", "Up", show=False),
        Binding("down,j", "step(1, 0)", "Down", show=False),
        Binding("left", "step(0, -1)", "Left", show=False),
        Binding("right,l", "step(0, 1)", "Right", show=False),
        Binding("home", "step(-400, -400)", "First cell", show=False),
        Binding("end", "step(400, 400)", "Last cell", show=False),
        Binding("enter,space", "claim", "Claim", key_display="⏎"),
    ]

    view: reactive[View | None] = reactive(None)
    cursor: reactive[int] = reactive(0)
    glow: reactive[float] = reactive(0.0)
    """How much of the last claim's animation is still to come."""

    class Chosen(Message):
        """A player points at a cell and means it."""

        def __init__(self, number: int) -> None:
            """Remember which."""
            super().__init__()
            self.number = number

    def __init__(self, view: View | None = None, active: bool = True, id: str | None = None) -> None:
        """A board to play on, or one to look at."""
        super().__init__(id=id)
        self.active = self.can_focus = active
        self.plan: Layout | None = None
        self._sheet: tuple[tuple[Any, ...], list[Strip]] = ((), [])
        if view is not None:
            self.cursor = view.rows // 2 * view.cols + view.cols // 2
        self.set_reactive(BoardView.view, view)

    # What it shows.

    def watch_view(self, old: View | None, new: View | None) -> None:
        """Draw what is new, and let a new claim glow."""
        self.fit_room()
        if new is None or old is None:
            return
        if len(new.cells) <= self.cursor:
            self.cursor = 0
        if self.active and len(new.history) > len(old.history) and any(cell.fresh for cell in new.cells):
            self.glow = 1.0
            self.animate("glow", 0.0, duration=SECONDS, easing="linear")
        elif len(new.history) < len(old.history):
            self.glow = 0.0

    def on_resize(self) -> None:
        """Find the size that fits anew."""
        self.fit_room()

    def fit_room(self) -> None:
        """Fit the board into the room there is."""
        if self.view is None or not self.size:
            return
        width, height = self.outer_size
        plan = fit(self.view, width, height)
        if plan.lines > height:  # It will scroll, and the bar takes a column.
            plan = fit(self.view, width - 1, height)
        self.plan = plan
        self.virtual_size = Size(plan.columns, plan.lines)
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
        colours = PALETTES[self.app.theme]
        blank = Strip.blank(self.size.width, self.rich_style)
        if self.view is None or self.plan is None:
            return blank
        key = (self.view, self.plan, self.cursor, self.glow, self.app.theme, self.has_focus)
        if self._sheet[0] != key:
            self._sheet = (key, self.draw(self.view, self.plan, colours).strips())
        left, top = self.scroll_offset
        line = y + top - self.margin_top
        if not 0 <= line < len(self._sheet[1]):
            return blank
        strip = self._sheet[1][line].crop(left, left + self.size.width)
        return Strip.join([Strip.blank(self.margin_left, self.rich_style), strip]).extend_cell_length(
            self.size.width, self.rich_style
        )

    def draw(self, view: View, plan: Layout, colours: Palette) -> Canvas:
        """The board as a canvas."""
        canvas = Canvas(plan.columns, plan.lines, colours.paper)
        if plan.labelled:
            self.draw_labels(canvas, view, plan, colours)
        for i, cell in enumerate(view.cells):
            self.draw_tile(canvas, plan, colours, i, cell)
        if self.active and self.has_focus:
            self.draw_frame(canvas, view, plan, colours)
        for i, cell in enumerate(view.cells):
            self.draw_inside(canvas, plan, colours, i, cell)
        return canvas

    def draw_labels(self, canvas: Canvas, view: View, plan: Layout, colours: Palette) -> None:
        """The names of rows and columns; those at the cursor stand out."""
        row, col = divmod(self.cursor, plan.across)
        lit = self.active and self.has_focus
        for i, text in enumerate(view.column_labels):
            if plan.width == 2 and i % 2 and len(view.column_labels[-1]) > 1:
                continue
            here = lit and i == col
            x = plan.left + i * plan.width + 1 + max(0, plan.width - 1 - len(text)) // 2
            canvas.write(x, 0, text, colours.ink if here else colours.faint, here)
        for i, text in enumerate(view.row_labels):
            here = lit and i == row
            y = plan.top + i * plan.height + plan.height // 2
            canvas.write(plan.left - 1 - len(text), y, text, colours.ink if here else colours.faint, here)

    def draw_tile(self, canvas: Canvas, plan: Layout, colours: Palette, i: int, cell: Cell) -> None:
        """A cell's ground."""
        x, line = plan.place(i)
        gap = int(plan.height > 1)
        colour = self.ground(colours, i, cell)
        canvas.fill(x + 1, 2 * line + gap, plan.width - 1, 2 * plan.height - gap, colour)

    def ground(self, colours: Palette, i: int, cell: Cell) -> Color:
        """The colour of a cell's ground: whose it is, what claiming it is worth, whether one may."""
        quiet = colours.paper.blend(colours.cell, 0.45)
        if cell.owner:
            tile = colours.tile(cell.owner)
            if not cell.fresh:
                return tile
            light = self.light(i)
            bright = tile.blend(colours.mark(cell.owner), 0.25)
            return quiet if light < 0 else bright.blend(colours.mark(cell.owner), 0.75 * light)
        if not cell.legal:
            return quiet
        hue = {"win": colours.good, "loss": colours.bad}.get(cell.outcome or "", colours.faint)
        if cell.value and cell.value != "?":
            return colours.cell.blend(hue, 0.22 if not cell.best else 0.4 if cell.outcome == "loss" else 0.62)
        return colours.cell

    def light(self, i: int) -> float:
        """How brightly a fresh cell glows: from 1 to 0, and below 0 while the ripple has not reached it."""
        view = self.view
        if not self.glow or view is None or view.last is None:
            return 0.0
        steps = sum(abs(a - b) for a, b in zip(divmod(i, view.cols), divmod(view.last, view.cols), strict=True))
        since = (1 - self.glow) * (1 + RIPPLE) - RIPPLE * min(steps, 1)
        return -1.0 if since < 0 else max(0.0, 1 - since)

    def draw_frame(self, canvas: Canvas, view: View, plan: Layout, colours: Palette) -> None:
        """The cursor: a frame in the gap around a cell."""
        x, line = plan.place(self.cursor)
        legal = view.cells[self.cursor].legal
        colour = colours.mark(view.player) if legal and view.player else colours.faint
        if plan.height == 1:
            canvas.write(x, line, "[", colour, bold=True)
            canvas.write(x + plan.width, line, "]", colour, bold=True)
            return
        y, width, height = 2 * line, plan.width, 2 * plan.height
        canvas.fill(x, y, width + 1, 1, colour, MARK)
        canvas.fill(x, y + height, width + 1, 1, colour, MARK)
        canvas.fill(x, y, 1, height + 1, colour, MARK)
        canvas.fill(x + width, y, 1, height + 1, colour, MARK)

    def draw_inside(self, canvas: Canvas, plan: Layout, colours: Palette, i: int, cell: Cell) -> None:
        """What a cell holds: a mark, points, a value, its own label, or a dot where one may claim."""
        if cell.fresh and self.light(i) < 0:
            return
        x, line = plan.place(i)
        width, height = plan.width - 1, 2 * plan.height - 1
        label = "" if plan.labelled else cell.label.split()[-1]
        ground = self.ground(colours, i, cell)
        faint = ground.blend(colours.ink, 0.5)
        strong = colours.ink if cell.legal else ground.blend(colours.ink, 0.35)
        if plan.height <= 2:
            text, colour = self.word(cell, label, colours, strong, faint)
            left = x + 1 + max(0, width - len(text)) // 2 if len(text) <= width else x + 1 - (len(text) > width)
            canvas.write(left, line + plan.height - 1, text[: plan.width], colour, bold=bool(cell.owner or cell.value))
            return
        worth = "" if cell.worth is None or cell.owner else str(cell.worth)
        caption = label or (cell.value if worth else "")
        if caption:
            height -= 2
            colour = strong if caption == cell.value else faint
            left = x + 1 + (width - len(caption)) // 2
            canvas.write(left, line + plan.height - 1, caption, colour, bold=caption == cell.value)
        self.draw_middle(canvas, (x + 1, 2 * line + 1, width, height), cell, worth, colours, strong, faint)

    def draw_middle(
        self,
        canvas: Canvas,
        box: tuple[int, int, int, int],
        cell: Cell,
        worth: str,
        colours: Palette,
        strong: Color,
        faint: Color,
    ) -> None:
        """A mark, points, a value or a dot in the middle of a box of pixels."""
        x, y, width, height = box
        side = min(width, height)
        if cell.owner:
            side = max(3, side - 2 if side < 11 else side - 4)
            side -= 1 - side % 2
            shape = (cross if cell.owner == 1 else ring)(side)
            light = self.light_of(cell)
            colour = colours.mark(cell.owner).blend(colours.paper, 0.9 * light)
            canvas.stamp(x + (width - side) // 2, y + (height - side) // 2, shape, colour)
            return
        text = cell.value if cell.value and not worth else worth
        digits = number(int(worth)) if worth else ("",)
        if worth and len(digits[0]) <= width - 2 and height >= DIGIT_HEIGHT + 2:
            canvas.stamp(x + (width - len(digits[0])) // 2, y + (height - DIGIT_HEIGHT) // 2, digits, strong)
        elif text:
            canvas.write(x + (width - len(text)) // 2, (y + height // 2) // 2, text, strong, bold=True)
        elif cell.legal:
            size = 1 if width < 13 else 3
            canvas.stamp(x + (width - size) // 2, y + (height - size) // 2, ("#" * size,) * size, faint)

    def light_of(self, cell: Cell) -> float:
        """How much a mark must darken to be seen on its glowing ground."""
        return self.glow if cell.fresh else 0.0

    def word(self, cell: Cell, label: str, colours: Palette, strong: Color, faint: Color) -> tuple[str, Color]:
        """What a small cell says, and in which colour."""
        if cell.owner:
            mark = colours.mark(cell.owner).blend(colours.paper, 0.9 * self.light_of(cell))
            return " XO"[cell.owner], mark
        if cell.value:
            return cell.value, strong
        if cell.worth is not None:
            return str(cell.worth), strong
        if label:
            return label, strong if cell.legal else faint.blend(colours.paper, 0.3)
        return ("·" if cell.legal else ""), faint

    # What players do.

    def action_step(self, down: int, right: int) -> None:
        """Move the cursor."""
        if self.view is None or self.plan is None:
            return
        row, col = divmod(self.cursor, self.plan.across)
        row = min(max(row + down, 0), self.plan.down - 1)
        if self.plan.down > 1 and self.view.rows == 1 and right:
            self.cursor = min(max(self.cursor + right, 0), len(self.view.cells) - 1)
            return
        col = min(max(col + right, 0), self.plan.across - 1)
        self.cursor = min(row * self.plan.across + col, len(self.view.cells) - 1)

    def watch_cursor(self) -> None:
        """Keep the cursor in sight."""
        if self.plan is not None:
            x, y = self.plan.place(self.cursor)
            self.scroll_to_region(Region(x, y, self.plan.width + 1, self.plan.height + 1), animate=False)
            self.refresh()

    def action_claim(self) -> None:
        """Claim the cell under the cursor."""
        if self.active:
            self.post_message(self.Chosen(self.cursor))

    def cell_at(self, x: int, y: int) -> int | None:
        """Which cell is under the mouse."""
        if self.view is None or self.plan is None:
            return None
        left, top = self.scroll_offset
        found = self.plan.find(x + left - self.margin_left, y + top - self.margin_top)
        return found if found is not None and found < len(self.view.cells) else None

    def on_mouse_move(self, event: MouseMove) -> None:
        """The cursor follows the mouse."""
        found = self.cell_at(event.x, event.y)
        if self.active and self.has_focus and found is not None:
            self.cursor = found

    def on_click(self, event: Click) -> None:
        """Claim the cell that was clicked."""
        found = self.cell_at(event.x, event.y)
        if self.active and found is not None:
            self.cursor = found
            self.post_message(self.Chosen(found))
