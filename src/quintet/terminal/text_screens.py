"""Pages to read and questions to answer."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Footer, Label, Markdown, Static

from quintet.rules import Game

KEYS = """\
# Keys

| Key | What it does |
|---|---|
| arrows, mouse | move to a cell |
| enter, space, click | claim it |
| `/` or a digit | type a move as the rule book writes it |
| `v` | what every move is worth under perfect play |
| `h` | a hint |
| `e` | an explanation of the position |
| `u` | take back |
| `x` | resign |
| `g` | review the finished game |
| `n` | a new game |
| `r` | the rules |
| `t` | light or dark |
| tab | the next part of the screen |
| esc | back |
| ctrl+q | quit, from anywhere; `q` on the first screen |

Values: `W5` wins in 5 moves, `L4` loses in 4, `+3` ends 3 cells ahead, `?` is not known yet. Green wins, red loses, and
the strongest colour marks the best moves.

`QUINTET_MOTION=0` in the environment stops all movement, `NO_COLOR=1` all colour.
"""


class Page(Screen[None]):
    """A text that fills the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,r,question_mark", "app.pop_screen", "Back", key_display="esc"),
    ]

    def __init__(self, text: str) -> None:
        """Take the text, Markdown."""
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """The text, the keys."""
        with VerticalScroll(id="page"):
            yield Markdown(self.text, open_links=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Arrows scroll at once."""
        self.query_one("#page").focus()


class HelpPage(Page):
    """The keys."""

    def __init__(self) -> None:
        """There is one such page."""
        super().__init__(KEYS)


class RulesPage(Page):
    """The rules of a game."""

    def __init__(self, game: Game) -> None:
        """The rule book's page."""
        super().__init__(f"# {game.title}\n\n{game.manual}")


class Sure(ModalScreen[bool]):
    """A question with two answers."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
        Binding("left,right", "app.focus_next", "Other", show=False),
    ]

    def __init__(self, question: str) -> None:
        """Take the question."""
        super().__init__()
        self.question = question

    def compose(self) -> ComposeResult:
        """The question, the answers."""
        with Vertical(id="question"):
            yield Label(self.question)
            with Horizontal():
                yield Button("Yes (y)", id="yes", compact=True)
                yield Button("No (n)", id="no", compact=True)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(event.button.id == "yes")

    def action_answer(self, sure: bool) -> None:
        """Answer by key."""
        self.dismiss(sure)


class TooSmall(ModalScreen[None]):
    """What a terminal that is too small shows until it is larger."""

    def __init__(self, wanted: tuple[int, int]) -> None:
        """Remember how large it should be."""
        super().__init__()
        self.wanted = wanted

    def compose(self) -> ComposeResult:
        """The message."""
        yield Static(id="small")

    def on_mount(self) -> None:
        """Write it."""
        self.on_resize()

    def on_resize(self) -> None:
        """Say how large the terminal is and should be."""
        wide, high = self.wanted
        size = self.app.size
        self.query_one("#small", Static).update(
            f"Please make the terminal larger.\nQuintet needs {wide} × {high}; this is {size.width} × {size.height}."
        )
