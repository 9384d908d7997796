"""Small screens on top of others: a question, and the request for a larger terminal."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Label, Static

from quintet.language import tr


class ConfirmDialog(ModalScreen[bool]):
    """A question to answer with yes or no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
        Binding("left,right", "app.focus_next", "Other", show=False),
    ]

    def __init__(self, question: str) -> None:
        """Ask a question."""
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        """The question and two buttons."""
        with Vertical(id="question"):
            yield Label(self.question)
            with Horizontal():
                yield Button(tr("Yes (y)"), id="yes", compact=True)
                yield Button(tr("No (n)"), id="no", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer with a button."""
        self.dismiss(event.button.id == "yes")

    def action_answer(self, sure: bool) -> None:
        """Answer with a key."""
        self.dismiss(sure)


class TooSmallDialog(ModalScreen[None]):
    """Shown while the terminal is too small."""

    def __init__(self, needed: tuple[int, int]) -> None:
        """Say how many columns and lines are needed."""
        super().__init__()
        self.needed = needed

    def compose(self) -> ComposeResult:
        """The message."""
        yield Static(id="small")

    def on_mount(self) -> None:
        """Write the message."""
        self.on_resize()

    def on_resize(self) -> None:
        """Say how large the terminal is and should be."""
        wide, high = self.needed
        size = self.app.size
        self.query_one("#small", Static).update(
            tr("Please make the terminal larger.")
            + "\n"
            + tr(
                "Quintet needs {wide} × {high}; this is {width} × {height}.",
                wide=wide,
                high=high,
                width=size.width,
                height=size.height,
            )
        )
