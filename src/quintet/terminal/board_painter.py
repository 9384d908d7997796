"""A board painted on a canvas: labels, cells, marks, values, the cursor and the glow of the last claim."""

from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace
from textual.color import Color

from quintet.terminal.board_layout import Layout, cell_name
from quintet.terminal.canvas import MARK, Canvas
from quintet.terminal.pixel_shapes import DIGIT_HEIGHT, cross, number, ring
from quintet.terminal.themes import Palette
from quintet.view import Cell, View

RIPPLE = 0.5
"""How much later, in parts of the animation, the neighbours of the claimed cell light up."""


class Preview(NamedTuple):
    """What a claim would do, as sets of cells."""

    captured: int
    """The cells that it takes beside its own."""
    closed: int
    """The cells that the opponent could not claim any more."""


@dataclass(frozen=True, slots=True)
class BoardPainter:
    """Everything that decides what a board looks like. A hole, which has no label, is not painted."""

    view: View
    layout: Layout
    colours: Palette
    cursor: int | None
    """The cell under the cursor; `None` if no cursor is shown."""
    glow: float
    """How much of the animation of the last claim is still to come."""
    preview: Preview | None = None
    lit: frozenset[int] = frozenset()
    """The cells that stand out, as in a lesson."""
    forbidding: frozenset[int] = frozenset()
    """The claimed cells that forbid what was tried."""

    def paint(self) -> Canvas:
        """The whole board."""
        canvas = Canvas(self.layout.columns, self.layout.lines, self.colours.paper)
        if self.layout.labelled:
            self.paint_labels(canvas)
        cells = [(i, cell) for i, cell in enumerate(self.view.cells) if cell.label]
        for i, cell in cells:
            self.paint_tile(canvas, i, cell)
        if self.layout.folded:
            self.paint_joints(canvas)
        if self.cursor is not None:
            self.paint_frame(canvas, self.cursor, self.cursor_colour(self.cursor))
        for i in sorted(self.forbidding):
            self.paint_frame(canvas, i, self.colours.ink)
        for i, cell in cells:
            self.paint_content(canvas, i, cell)
        return canvas

    def paint_labels(self, canvas: Canvas) -> None:
        """The labels of rows and columns; those of the cursor stand out."""
        layout, ink, faint = self.layout, self.colours.ink, self.colours.faint
        row, col = (None, None) if self.cursor is None else layout.spot(self.cursor)
        columns = self.view.column_labels
        for i, text in enumerate(columns):
            if layout.width == 2 and i % 2 and len(columns[-1]) > 1:
                continue
            x = layout.left + i * layout.width + 1 + max(0, layout.width - 1 - len(text)) // 2
            canvas.write(x, 0, text, ink if i == col else faint, i == col)
        for i, text in enumerate(self.view.row_labels):
            y = layout.top + i * layout.height + layout.height // 2
            canvas.write(layout.left - 1 - len(text), y, text, ink if i == row else faint, i == row)

    def paint_tile(self, canvas: Canvas, i: int, cell: Cell) -> None:
        """The background of a cell."""
        x, line = self.layout.place(i)
        gap = int(self.layout.height > 1)
        colour = self.background(i, cell)
        canvas.fill(x + 1, 2 * line + gap, self.layout.width - 1, 2 * self.layout.height - gap, colour)

    def paint_joints(self, canvas: Canvas) -> None:
        """What joins the cells of a line: a bar in the gap between neighbours, also where the line turns."""
        layout, colour = self.layout, self.colours.faint.blend(self.colours.paper, 0.4)
        for i in range(len(self.view.cells) - 1):
            if not (self.view.cells[i].label and self.view.cells[i + 1].label):
                continue
            (x, line), (next_x, next_line) = layout.place(i), layout.place(i + 1)
            if line == next_line:
                canvas.fill(max(x, next_x), 2 * line + layout.height, 1, 1, colour, MARK)
            else:
                top = 2 * (line + layout.height)
                canvas.fill(x + layout.width // 2, top, 1, 2 * next_line - top + int(layout.height > 1), colour, MARK)

    def background(self, i: int, cell: Cell) -> Color:
        """The background colour of a cell: by its owner, by the value of claiming it, or by whether that is legal."""
        colours = self.colours
        quiet = colours.paper.blend(colours.cell, 0.45)
        if cell.owner:
            tile = colours.tile(cell.owner)
            if not cell.fresh:
                return tile
            light = self.light(i)
            bright = tile.blend(colours.mark(cell.owner), 0.25)
            return quiet if light < 0 else bright.blend(colours.mark(cell.owner), 0.75 * light)
        if self.preview and not cell.value:
            if self.preview.captured >> i & 1:
                return colours.cell.blend(colours.mark(self.view.player or 1), 0.35)
            if self.preview.closed >> i & 1:
                return quiet
        if i in self.lit:
            return colours.cell.blend(colours.one, 0.35)
        if not cell.legal:
            return quiet
        if cell.part is not None and not cell.value:
            return self.colours.part(cell.part)
        hue = {"win": colours.good, "loss": colours.bad}.get(cell.outcome or "", colours.faint)
        if cell.value and cell.value != "?":
            other, best = (0.32, 0.15) if cell.outcome == "loss" else (0.22, 0.62)
            return colours.cell.blend(hue, best if cell.best else other)
        return colours.cell

    def light(self, i: int) -> float:
        """How brightly a fresh cell glows: from 1 to 0, and below 0 while the ripple has not reached it."""
        view = self.view
        if not self.glow or view.last is None:
            return 0.0
        steps = sum(abs(a - b) for a, b in zip(divmod(i, view.cols), divmod(view.last, view.cols), strict=True))
        since = (1 - self.glow) * (1 + RIPPLE) - RIPPLE * min(steps, 1)
        return -1.0 if since < 0 else max(0.0, 1 - since)

    def cursor_colour(self, cursor: int) -> Color:
        """The colour of the player who may claim the cell under the cursor."""
        player = self.view.player
        return self.colours.mark(player) if player and self.view.cells[cursor].legal else self.colours.faint

    def paint_frame(self, canvas: Canvas, cell: int, colour: Color) -> None:
        """A frame in the gap around a cell."""
        layout = self.layout
        x, line = layout.place(cell)
        if layout.height == 1:
            canvas.write(x, line, "[", colour, bold=True)
            canvas.write(x + layout.width, line, "]", colour, bold=True)
            return
        y, width, height = 2 * line, layout.width, 2 * layout.height
        canvas.fill(x, y, width + 1, 1, colour, MARK)
        canvas.fill(x, y + height, width + 1, 1, colour, MARK)
        canvas.fill(x, y, 1, height + 1, colour, MARK)
        canvas.fill(x + width, y, 1, height + 1, colour, MARK)

    def paint_content(self, canvas: Canvas, i: int, cell: Cell) -> None:
        """What is in a cell: a mark, points, a value, its own label, or a dot where claiming it is legal."""
        if cell.fresh and self.light(i) < 0:
            return
        layout, ink = self.layout, self.colours.ink
        x, line = layout.place(i)
        width, height = layout.width - 1, 2 * layout.height - 1
        label = "" if layout.labelled else cell_name(self.view, i)
        ground = self.background(i, cell)
        if self.preview and i == self.cursor and self.preview.captured and not cell.value:
            cell = replace(cell, value=f"+{self.preview.captured.bit_count() + 1}")
        faint = ground.blend(ink, 0.5)
        strong = ink if cell.legal else ground.blend(ink, 0.35)
        if layout.height <= 2:
            text, colour = self.short_text(cell, label, strong, faint)
            left = x + 1 + max(0, width - len(text)) // 2 if len(text) <= width else x + 1 - (len(text) > width)
            bold = bool(cell.owner or cell.value)
            canvas.write(left, line + layout.height - 1, text[: layout.width], colour, bold=bold)
            return
        worth = "" if cell.worth is None else str(cell.worth)
        caption = worth if worth and cell.owner else label or (cell.value if worth else "")
        if caption:
            height -= 2
            colour = self.mark_colour(cell) if cell.owner else strong if caption == cell.value else faint
            left = x + 1 + (width - len(caption)) // 2
            canvas.write(left, line + layout.height - 1, caption, colour, bold=caption != label)
        self.paint_middle(canvas, (x + 1, 2 * line + 1, width, height), cell, worth, strong, faint)

    def paint_middle(
        self, canvas: Canvas, box: tuple[int, int, int, int], cell: Cell, worth: str, strong: Color, faint: Color
    ) -> None:
        """A mark, points, a value or a dot in the middle of a box of pixels."""
        x, y, width, height = box
        side = min(width, height)
        if cell.owner:
            side = max(3, side - 2 if side < 11 else side - 4)
            side -= 1 - side % 2
            shape = (cross if cell.owner == 1 else ring)(side)
            canvas.stamp(x + (width - side) // 2, y + (height - side) // 2, shape, self.mark_colour(cell))
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

    def mark_colour(self, cell: Cell) -> Color:
        """The colour of a mark, darker while the background behind it glows."""
        return self.colours.mark(cell.owner).blend(self.colours.paper, 0.9 * self.glow if cell.fresh else 0.0)

    def short_text(self, cell: Cell, label: str, strong: Color, faint: Color) -> tuple[str, Color]:
        """The text of a small cell, and its colour."""
        if cell.owner:
            mark, worth = " XO"[cell.owner], "" if cell.worth is None else str(cell.worth)
            return mark + worth if len(worth) < self.layout.width - 1 else mark, self.mark_colour(cell)
        if cell.value:
            return cell.value, strong
        if cell.worth is not None:
            return str(cell.worth), strong
        if label:
            return label, strong if cell.legal else faint.blend(self.colours.paper, 0.3)
        return ("·" if cell.legal else ""), faint
