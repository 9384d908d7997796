"""The screen that sets a game up: who plays, who begins, on which board."""

import random
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from quintet.engines import HUMAN, make_engine
from quintet.engines.kinds import title_of
from quintet.match import Match
from quintet.options import InvalidOptions, start
from quintet.rules import Game, Position
from quintet.terminal.app_session import PLAYERS, AppSession, is_available
from quintet.terminal.board import BoardView
from quintet.terminal.pages import HelpPage, RulesPage
from quintet.terminal.play import PlayScreen
from quintet.view import show

if TYPE_CHECKING:
    from quintet.terminal.app import QuintetApp

OPPONENTS = ("level:3", "random", HUMAN)
"""Who is proposed as Player 2: the first there is."""
BEGINNERS = ("Player 1", "Player 2", "Chance decides")


class Choices(OptionList):
    """One of several; enter takes it and starts."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Start", key_display="⏎")]


class SetupScreen(Screen[None]):
    """A form beside a picture of the board it describes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "begin", "Start", show=False),
        Binding("r", "rules", "Rules"),
        Binding("t", "app.theme", "Light/dark"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("escape", "app.pop_screen", "Back", key_display="esc"),
    ]

    def __init__(self, game: Game) -> None:
        """A form for one game."""
        super().__init__()
        self.game = game

    def compose(self) -> ComposeResult:
        """Players, options, the board."""
        empty = start(self.game)
        available = {who: is_available(who) for who in PLAYERS}
        with Horizontal(id="body"):
            with Vertical(id="players"):
                with Horizontal(id="seats"):
                    for player in (1, 2):
                        with Vertical(classes=f"seat {'one' if player == 1 else 'two'}"):
                            yield Label(f"{'XO'[player - 1]}  Player {player}", classes="heading")
                            yield Choices(
                                *(Option(title_of(who), id=who, disabled=not available[who]) for who in PLAYERS),
                                id=f"p{player}",
                                compact=True,
                            )
                yield Label("Who begins", classes="heading")
                yield Choices(*BEGINNERS, id="first", compact=True)
            with Vertical(id="options"):
                yield Label(f"[b]{self.game.title}[/b]", id="title")
                yield from self.field("size", "Size", empty.board.size)
                if self.game.target:
                    yield from self.field("target", "Target", str(self.game.target))
                    yield from self.field("values", "Values", "1,2,3,…")
                    yield from self.field("shuffle", "Shuffle", "a number, deals anew")
                yield Static(id="error", markup=False)
                yield BoardView(show(empty), active=False, id="preview")
                yield Button("Start", id="start", compact=True, variant="primary")
        yield Footer(compact=True, show_command_palette=False)

    def field(self, id: str, title: str, hint: str) -> ComposeResult:
        """One option in a line."""
        with Horizontal(classes="field"):
            yield Label(title, classes="name")
            yield Input(id=id, placeholder=hint, compact=True, max_length=4000)

    def on_mount(self) -> None:
        """Propose a person against an opponent."""
        proposed = next(who for who in OPPONENTS if is_available(who))
        for id, who in (("p1", HUMAN), ("p2", proposed)):
            self.query_one(f"#{id}", OptionList).highlighted = PLAYERS.index(who)
        self.query_one("#first", OptionList).highlighted = 0
        self.query_one("#p2").focus()

    def text(self, id: str) -> str | None:
        """What was typed for an option; `None` for nothing."""
        found = self.query(f"#{id}").results(Input)
        return next((field.value.strip() or None for field in found), None)

    def position(self, first: int = 1) -> Position:
        """The board the form describes."""
        size, target, values, shuffle = map(self.text, ("size", "target", "values", "shuffle"))
        return start(self.game, size, target, values, shuffle, first)

    @on(Input.Changed)
    def look(self) -> None:
        """Show the board the form describes, or what is wrong with it."""
        error = self.query_one("#error", Static)
        try:
            self.query_one("#preview", BoardView).view = show(self.position())
            error.update("")
        except InvalidOptions as problem:
            error.update(str(problem))

    @on(OptionList.OptionSelected)
    @on(Input.Submitted)
    @on(Button.Pressed)
    def action_begin(self) -> None:
        """Start the game, if the form can be read."""
        app = cast("QuintetApp", self.app)
        names = (self.choice("p1"), self.choice("p2"))
        first = self.query_one("#first", OptionList).highlighted or 0
        opener = (1, 2, random.Random(app.seed).choice((1, 2)))[first]
        try:
            match = Match(self.position(opener), names=names)
        except InvalidOptions as problem:
            self.query_one("#error", Static).update(str(problem))
            self.query_one(f"#{problem.option}").focus()
            return
        engines = [make_engine(who, app.seed) for who in names]
        self.app.push_screen(PlayScreen(AppSession(match, engines, app.store, fault=app.store_fault)))

    def choice(self, id: str) -> str:
        """The player under the cursor of a list."""
        return PLAYERS[self.query_one(f"#{id}", OptionList).highlighted or 0]

    def action_rules(self) -> None:
        """Show the rules."""
        self.app.push_screen(RulesPage(self.game))

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(HelpPage())
