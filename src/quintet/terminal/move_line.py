"""The line below the board: moves can be typed in it, and messages are shown beside."""

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Label

from quintet.language import tr


class MoveLine(Horizontal):
    """A prompt, an input and a message."""

    def compose(self) -> ComposeResult:
        """The three in a row."""
        yield Label(tr("Move"), id="prompt")
        yield Input(compact=True, id="typed", placeholder="/", max_length=80, select_on_focus=False, restrict="[^/]*")
        yield Label(id="ending", markup=False)
        yield Label(id="message", markup=False)

    def finish(self, result: str, winner: int | None) -> None:
        """Show the result where moves were typed; while there is none, moves can be typed."""
        self.set_class(winner == 1, "one")
        self.set_class(winner == 2, "two")
        self.query_one("#ending", Label).update(result)
        self.set_class(bool(result), "over")

    def say(self, text: str) -> None:
        """Show a message."""
        self.query_one("#message", Label).update(text)

    def type(self, text: str = "") -> None:
        """Go to the input, with something typed already."""
        typed = self.query_one("#typed", Input)
        typed.focus()
        typed.insert_text_at_cursor(text)
