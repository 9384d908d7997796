"""The screen to set up a game: who plays, who goes first, which board."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from quintet.engines import HUMAN, make_engine
from quintet.engines.kinds import LEVELS, OFFERED, character_of, title_of
from quintet.language import later, tr
from quintet.match import Match
from quintet.options import InvalidOptions, start
from quintet.rules import Game, Position
from quintet.store.database import StoreFault
from quintet.store.finished import beaten_levels
from quintet.terminal.app_session import PLAYERS, AppSession, is_available
from quintet.terminal.background import in_background
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.keys_footer import KeysFooter
from quintet.terminal.play_screen import PlayScreen
from quintet.terminal.text_screens import GameScreen
from quintet.view import person_title, position_view

if TYPE_CHECKING:
    from quintet.store.matches import Store
    from quintet.terminal.app import QuintetApp

OPPONENTS = ("level:2", "random", HUMAN)
"""The default for Player 2: the first of these that is available."""
FIRST = (later("Player 1"), later("Player 2"), later("At random"))
"""The choices for who goes first."""


def player_line(who: str, beaten: bool = False) -> str:
    """A player in the list, with the glyph of a level, and a tick if it was beaten."""
    character = character_of(who)
    name = f"{character.glyph} {title_of(who)}" if character else title_of(who)
    return f"{name} ✓" if beaten else name


def beaten_in(store: "Store", game: Game) -> list[int]:
    """The levels that were beaten in a game; none if the store cannot be read."""
    try:
        return beaten_levels(store).get(game.name, [])
    except StoreFault:
        return []


class Choices(OptionList):
    """A list to choose from; enter starts the game."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Start", key_display="⏎")]


class SetupScreen(GameScreen):
    """A form, and a picture of the board it describes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "begin", "Start", show=False),
        Binding("l", "lesson", "Lesson"),
        Binding("r", "rules", "Rules"),
        Binding("t", "app.theme", "Light/dark"),
        Binding("question_mark", "app.help", "Help", key_display="?"),
        Binding("escape", "app.pop_screen", "Back", key_display="esc"),
    ]

    def __init__(self, game: Game) -> None:
        """Set up a game."""
        super().__init__()
        self.game = game

    def current_game(self) -> Game:
        """The game that is set up."""
        return self.game

    def compose(self) -> ComposeResult:
        """The players, the options, the board."""
        empty = start(self.game)
        available = {who: is_available(who) for who in PLAYERS}
        with Horizontal(id="body"):
            with Vertical(id="players"):
                with Horizontal(id="seats"):
                    for player in (1, 2):
                        with Vertical(classes=f"seat {'one' if player == 1 else 'two'}"):
                            title = f"{'XO'[player - 1]}  {person_title(None, player)}"
                            yield Label(title, classes="heading")
                            yield Choices(
                                *(Option(player_line(who), id=who, disabled=not available[who]) for who in PLAYERS),
                                id=f"p{player}",
                                compact=True,
                            )
                yield Label(tr("Who goes first"), classes="heading")
                yield Choices(*map(tr, FIRST), id="first", compact=True)
            with Vertical(id="options"):
                yield Label(f"[b]{tr(self.game.title)}[/b]", id="title")
                yield from self.field("size", tr("Size"), empty.board.size)
                if self.game.target:
                    yield from self.field("target", tr("Target"), str(self.game.target))
                    yield from self.field("values", tr("Cell values"), "1,2,3,…")
                    yield from self.field("shuffle", tr("Shuffle"), tr("a seed, such as 7"))
                yield Static(id="error", markup=False)
                yield BoardWidget(position_view(empty), active=False, id="preview")
                yield Static(id="about", markup=False)
                yield Button(tr("Start"), id="start", compact=True, variant="primary")
        yield KeysFooter()

    def field(self, id: str, title: str, hint: str) -> ComposeResult:
        """One option: its name and what is typed."""
        with Horizontal(classes="field"):
            yield Label(title, classes="name")
            yield Input(id=id, placeholder=hint, compact=True, max_length=4000)

    def on_mount(self) -> None:
        """Start with the usual choices: a person against an engine."""
        opponent = next(who for who in OPPONENTS if is_available(who))
        for id, who in (("p1", HUMAN), ("p2", opponent)):
            self.query_one(f"#{id}", OptionList).highlighted = PLAYERS.index(who)
        self.query_one("#first", OptionList).highlighted = 0
        self.query_one("#p2").focus()
        store = cast("QuintetApp", self.app).store
        if store:
            in_background(self, lambda: beaten_in(store, self.game), self.tick)

    def tick(self, beaten: Sequence[int]) -> None:
        """Mark the levels that were beaten."""
        for id in ("p1", "p2"):
            for level in beaten:
                who = LEVELS[level - 1]
                self.query_one(f"#{id}", OptionList).replace_option_prompt(who, player_line(who, beaten=True))

    @on(OptionList.OptionHighlighted)
    def describe(self, event: OptionList.OptionHighlighted) -> None:
        """Say what to expect of the player under the cursor."""
        if event.option_list.id in ("p1", "p2"):
            self.query_one("#about", Static).update(tr(OFFERED.get(event.option.id or "", "")))

    def text(self, id: str) -> str | None:
        """The text of an option; `None` if it is empty."""
        found = self.query(f"#{id}").results(Input)
        return next((field.value.strip() or None for field in found), None)

    def position(self, first: int = 1) -> Position:
        """The board the form describes."""
        size, target, values, shuffle = map(self.text, ("size", "target", "values", "shuffle"))
        return start(self.game, size, target, values, shuffle, first)

    @on(Input.Changed)
    def look(self) -> None:
        """Show the board that the form describes, or what is wrong with the form."""
        error = self.query_one("#error", Static)
        try:
            self.query_one("#preview", BoardWidget).view = position_view(self.position())
            error.update("")
        except InvalidOptions as problem:
            error.update(str(problem))

    @on(OptionList.OptionSelected)
    @on(Input.Submitted)
    @on(Button.Pressed)
    def action_begin(self) -> None:
        """Start the game, if the form is valid."""
        app = cast("QuintetApp", self.app)
        players = (self.choice("p1"), self.choice("p2"))
        first = self.query_one("#first", OptionList).highlighted or 0
        opener = (1, 2, random.Random(app.seed).choice((1, 2)))[first]
        try:
            match = Match(self.position(opener), names=players)
        except InvalidOptions as problem:
            self.query_one("#error", Static).update(str(problem))
            self.query_one(f"#{problem.option}").focus()
            return
        engines = [make_engine(who, app.seed) for who in players]
        session = AppSession(match, engines, app.store, fault=app.store_fault, players=players)
        self.app.push_screen(PlayScreen(session))

    def choice(self, id: str) -> str:
        """The player under the cursor of a list."""
        return PLAYERS[self.query_one(f"#{id}", OptionList).highlighted or 0]
