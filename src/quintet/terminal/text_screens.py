"""Screens to read: the keys, and the rules of a game. `GameScreen` is the base of the screens that open them."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Markdown

from quintet.rules import Game
from quintet.terminal.dialogs import ConfirmDialog

KEYS = """\
# Keys

| Key | What it does |
|---|---|
| arrows, mouse | choose a cell |
| enter, space, click | claim the cell |
| `/` or a digit | type a move, such as `C3`; on a line, a number |
| `v` | show or hide the value of each move |
| `h` | show a hint |
| `e` | explain the position |
| `o` | show or hide the parts of the open cells that do not affect each other |
| `u` | undo |
| `x` | resign |
| `n` | start a new game |
| `y`, `g` | on the first screen: your saved games; your progress |
| `l` | before and during a game: learn it with a few taps |
| `p`, `s` | while two engines play: pause or continue; one move |
| `+`, `-` | while two engines play: faster; slower |
| `d` | on the first screen: the puzzle of the day |
| `a`, `l`, `g` | after the game: rematch; next level; review |
| `r` | show the rules |
| `t` | switch between light and dark |
| tab | go to the next part of the screen |
| esc | go back |
| ctrl+q | quit, from anywhere; `q` on the first screen |

Values assume best play by both players. `W5` wins in 5 moves and `L4` loses in 4, both players' moves counted; `+3`
ends 3 cells ahead; `~` marks an estimate, and `?` is not known yet. Green wins and red loses; the strongest green or
the palest red marks the best moves.

Set `QUINTET_MOTION=0` in the environment to turn off animations, `QUINTET_PACE` to the seconds that an engine takes for
a move at least (0.45; `0` for no pause), and `NO_COLOR=1` to turn off colours.
"""


class TextScreen(Screen[None]):
    """A text that fills the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,r,question_mark", "app.pop_screen", "Back", key_display="esc"),
    ]

    def __init__(self, text: str) -> None:
        """Show a text, in Markdown."""
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """The text and the keys."""
        with VerticalScroll(id="page"):
            yield Markdown(self.text, open_links=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one("#page").focus()


class HelpScreen(TextScreen):
    """The keys."""

    def __init__(self) -> None:
        """Show the keys."""
        super().__init__(KEYS)


class RulesScreen(TextScreen):
    """The rules of a game."""

    def __init__(self, game: Game) -> None:
        """Show the rules of a game."""
        super().__init__(f"# {game.title}\n\n{game.manual}")


class GameScreen(Screen[None]):
    """A screen about one game: it has a key for the rules."""

    def current_game(self) -> Game:
        """The game that the screen is about."""
        raise NotImplementedError

    def action_rules(self) -> None:
        """Show the rules."""
        self.app.push_screen(RulesScreen(self.current_game()))

    def action_lesson(self) -> None:
        """Open the lesson, if the game has one."""
        from quintet.terminal.lesson_screen import LessonScreen

        if self.current_game().lesson:
            self.app.push_screen(LessonScreen(self.current_game()))

    def confirm(self, question: str, then: Callable[[], object]) -> None:
        """Do something if the answer to a question is yes."""

        def answer(sure: bool | None) -> None:
            if sure:
                then()

        self.app.push_screen(ConfirmDialog(question), answer)
