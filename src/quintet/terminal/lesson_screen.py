"""The screen of a lesson: a board, what to do, and what it did."""

from typing import TYPE_CHECKING, ClassVar, cast

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.reactive import reactive
from textual.widgets import Label, Static

from quintet.board import index, split
from quintet.effects import forbidding
from quintet.engines import HUMAN, make_engine
from quintet.language import later, tr
from quintet.lesson import Scene, first_scene
from quintet.match import Match
from quintet.options import start
from quintet.rules import Game
from quintet.terminal.app_session import AppSession
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.keys_footer import KeysFooter
from quintet.terminal.text_screens import GameScreen
from quintet.view import View

if TYPE_CHECKING:
    from quintet.terminal.app import QuintetApp

PACE = 0.8
"""Seconds between the learner's move and the opponent's."""
OPPONENT = "level:1"
DONE = later("That's all you need to know. Press p to play a game.")
HOW = later("Tap: click a cell, or go there with the arrow keys and press Enter.")


class LessonScreen(GameScreen):
    """A few taps that teach a game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "play", "Play"),
        Binding("u,backspace", "back", "Undo", key_display="u"),
        Binding("r", "rules", "Rules"),
        Binding("t", "app.theme", "Light/dark"),
        Binding("escape", "app.pop_screen", "Back", key_display="esc"),
    ]

    places: reactive[tuple[tuple[Scene | None, str], ...]] = reactive((), bindings=True)
    """The scenes so far and what was said before each; the last one waits for a tap, `None` when the lesson is over."""

    def __init__(self, game: Game) -> None:
        """Teach a game that has a lesson."""
        super().__init__()
        self.game = game
        self.set_reactive(LessonScreen.places, ((first_scene(game), ""),))
        self.ticket: object = None
        """The board that waits to be shown; `None` if none does."""

    def current_game(self) -> Game:
        """The game that is taught."""
        return self.game

    @property
    def board(self) -> BoardWidget:
        """The board on the screen."""
        return self.query_one(BoardWidget)

    @property
    def scene(self) -> Scene | None:
        """The scene that waits for a tap."""
        return self.places[-1][0]

    def compose(self) -> ComposeResult:
        """The board, and the text beside it."""
        with Horizontal(id="body"):
            yield BoardWidget(first_scene(self.game).view, id="board")
            with Vertical(id="side"):
                title = tr("How to play {game}", game=tr(self.game.title))
                yield Label(f"[b]{title}[/b]", id="title")
                yield Label(id="dots")
                yield Static(id="said", markup=False)
                yield Static(id="todo", markup=False)
                yield Label(id="scores")
                yield Label(f"[$faint]{tr(HOW)}[/]", id="how")
        yield KeysFooter()

    def on_mount(self) -> None:
        """Show the first scene."""
        self.board.focus()
        self.show()

    def show(self) -> None:
        """Show the scene that waits for a tap, or the end."""
        self.ticket = None
        scene, said = self.places[-1]
        done = scene.number if scene else len(self.game.lesson)
        left = len(self.game.lesson) - done
        self.query_one("#dots", Label).update(f"[$one]{'● ' * done}[/][$faint]{'○ ' * left}[/]")
        self.query_one("#how").display = scene is not None
        if scene:
            self.show_board(scene.view, frozenset(map(index, split(scene.lit))))
        self.say(said, scene.text if scene else tr(DONE))

    def show_board(self, view: View, lit: frozenset[int] = frozenset()) -> None:
        """Show a board with the lit cells, which alone have a dot, and the scores, where they decide the game."""
        self.board.lit = lit
        cells = tuple(msgspec.structs.replace(cell, legal=i in lit) for i, cell in enumerate(view.cells))
        self.board.view = msgspec.structs.replace(view, cells=cells)
        target = f"/{view.target}" if view.target else ""
        counts = self.game.territory or self.game.target
        first, second = (f" {score}{target}" if counts else "" for score in view.scores)
        one, two = tr("You") + first, tr("Opponent") + second
        self.query_one("#scores", Label).update(f"[$one][b]X[/] {one}[/]   [$two][b]O[/] {two}[/]")

    def say(self, said: str, todo: str = "", wrong: bool = False) -> None:
        """Show what a tap did, and what to do next."""
        self.query_one("#said", Static).update(said)
        self.query_one("#said").set_class(wrong, "wrong")
        self.query_one("#todo", Static).update(todo)

    @on(BoardWidget.Chosen)
    def tap(self, event: BoardWidget.Chosen) -> None:
        """Answer a tap, unless the opponent is about to move."""
        scene, cell = self.scene, 1 << event.number
        if scene is None or self.ticket:
            return
        answer = scene.tap(cell)
        self.board.show_forbidding(forbidding(scene.position, cell))
        if answer.next is scene:
            self.say(answer.text, scene.text, wrong=True)
            return
        self.places += ((answer.next, answer.text),)
        self.say(answer.text)
        self.follow(answer.views)

    def follow(self, views: tuple[View, ...]) -> None:
        """Show boards one after the other, then the next scene."""
        if views:
            self.show_board(views[0])
        if len(views) < 2 or self.app.animation_level == "none":
            self.show()
            return
        self.ticket = ticket = object()
        self.set_timer(PACE, lambda: self.follow(views[1:]) if self.ticket is ticket else None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only the keys that do something now."""
        return {"play": self.scene is None, "back": len(self.places) > 1}.get(action, True)

    def action_back(self) -> None:
        """Return to the tap before."""
        self.places = self.places[:-1]
        self.show()

    def action_play(self) -> None:
        """Start a game against a beginner."""
        from quintet.terminal.play_screen import PlayScreen

        app = cast("QuintetApp", self.app)
        players = (HUMAN, OPPONENT)
        engines = [make_engine(who, app.seed) for who in players]
        match = Match(start(self.game), names=players)
        session = AppSession(match, engines, app.store, fault=app.store_fault, players=players)
        self.app.switch_screen(PlayScreen(session))
