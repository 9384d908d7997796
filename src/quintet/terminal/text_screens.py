"""Screens to read: the keys, and the rules of a game. `GameScreen` is the base of the screens that open them."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Markdown

from quintet.language import later, tr, tr_markdown
from quintet.rules import Game
from quintet.terminal.dialogs import ConfirmDialog
from quintet.terminal.keys_footer import KeysFooter

KEYS = (
    (later("arrows, mouse"), later("choose a cell")),
    (later("enter, space, click"), later("claim the cell")),
    (later("`/` or a digit"), later("type a move, such as `C3`; on a line, a number")),
    ("`v`", later("show or hide the value of each move")),
    ("`h`", later("show a hint")),
    ("`e`", later("explain the position")),
    ("`o`", later("show or hide the parts of the open cells that do not affect each other")),
    ("`u`", later("undo")),
    ("`x`", later("resign")),
    ("`n`", later("start a new game")),
    ("`y`, `g`", later("on the first screen: your saved games; your progress")),
    ("`l`", later("before and during a game: learn it with a few taps")),
    ("`p`, `s`", later("while two engines play: pause or continue; one move")),
    ("`+`, `-`", later("while two engines play: faster; slower")),
    ("`p`, `d`", later("on the first screen: a puzzle; the puzzle of the day")),
    ("`a`", later("on the first screen: choose another language")),
    ("`a`, `+`, `g`", later("after the game: rematch; next level; review")),
    ("`r`", later("show the rules")),
    ("`t`", later("switch between light and dark")),
    ("tab", later("go to the next part of the screen")),
    ("esc", later("go back")),
    ("ctrl+q", later("quit, from anywhere; `q` on the first screen")),
)
"""The keys, and what each does."""
VALUES = later(
    "Values assume best play by both players. `W5` wins in 5 moves and `L4` loses in 4, both players' moves counted; "
    "`+3` ends 3 cells ahead; `~` marks an estimate, and `?` is not known yet. Green wins and red loses; the strongest "
    "green or the palest red marks the best moves."
)
SETTINGS = later(
    "Set `QUINTET_MOTION=0` in the environment to turn off animations, `QUINTET_PACE` to the seconds that an engine "
    "takes for a move at least (0.45; `0` for no pause), and `NO_COLOR=1` to turn off colours."
)


def help_text() -> str:
    """The keys, in Markdown."""
    rows = [(tr("Key"), tr("What it does")), ("---", "---"), *((tr(key), tr(what)) for key, what in KEYS)]
    table = "\n".join(f"| {key} | {what} |" for key, what in rows)
    return "\n\n".join(["# " + tr("Keys"), table, tr(VALUES), tr(SETTINGS)])


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
        yield KeysFooter()

    def on_mount(self) -> None:
        """Let the arrow keys scroll."""
        self.query_one("#page").focus()


class HelpScreen(TextScreen):
    """The keys."""

    def __init__(self) -> None:
        """Show the keys."""
        super().__init__(help_text())


class RulesScreen(TextScreen):
    """The rules of a game."""

    def __init__(self, game: Game) -> None:
        """Show the rules of a game."""
        super().__init__(f"# {tr(game.title)}\n\n{tr_markdown(game.manual)}")


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
