"""A graph of the value after each move, as bars: those of Player 1 go up, those of Player 2 go down."""

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from quintet.solve.value import Value
from quintet.study.value_graph import heights
from quintet.terminal.canvas import MARK, Canvas
from quintet.terminal.themes import PALETTES

WIDEST = 6
"""Columns of the widest bar."""


class ValueGraph(Widget):
    """A bar for the start and for each move; the chosen one stands out."""

    values: reactive[tuple[Value, ...]] = reactive(())
    """For Player 1."""
    at: reactive[int] = reactive(0)

    def render_line(self, y: int) -> Strip:
        """A line of the graph."""
        strips = self.draw().strips()
        return strips[y] if y < len(strips) else Strip.blank(self.size.width)

    def draw(self) -> Canvas:
        """The graph as a canvas."""
        colours = PALETTES[self.app.theme]
        canvas = Canvas(self.size.width, self.size.height, colours.paper)
        if not self.values:
            return canvas
        width = max(1, min(WIDEST, self.size.width // len(self.values)))
        gap = int(width > 1)
        half = self.size.height - 1
        canvas.fill(0, half, width * len(self.values), 1, colours.cell)
        for i, height in enumerate(heights(self.values)):
            if i == self.at:
                canvas.fill(i * width, 0, width - gap, 2 * half + 1, colours.cell)
            if height is None:
                canvas.write(i * width, half // 2, "?", colours.faint)
            elif height:
                long = max(1, round(abs(height) * half))
                colour = colours.mark(1 if height > 0 else 2)
                colour = colour if i == self.at else colour.blend(colours.paper, 0.35)
                canvas.fill(i * width, half - long if height > 0 else half + 1, width - gap, long, colour, MARK)
        return canvas
