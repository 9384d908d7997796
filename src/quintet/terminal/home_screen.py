"""The first screen: the games, each with a picture of its board and its rules."""

import random
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Label, Markdown, OptionList, Static
from textual.widgets.option_list import Option

from quintet.games import GAMES
from quintet.match import Match
from quintet.options import start
from quintet.rules import Game
from quintet.terminal.board_widget import BoardView
from quintet.terminal.setup_screen import SetupScreen
from quintet.terminal.text_screens import HelpPage, RulesPage
from quintet.view import View, make_view

PART_PLAYED = 0.4
"""How full a board is in its picture."""


def sample(game: Game) -> View:
    """A game under way, always the same one."""
    match = Match(start(game))
    rng = random.Random(5)
    while not match.outcome:
        mine, theirs = match.position.claims
        if (mine | theirs).bit_count() >= PART_PLAYED * match.position.board.cells or len(match.position.moves) < 3:
            break
        match.play(rng.choice(match.position.moves))
    return make_view(match)


class GameList(OptionList):
    """The games."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Play", key_display="⏎")]


class ChooseScreen(Screen[None]):
    """A list of games on the left, the game under the cursor on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "rules", "Rules"),
        Binding("p", "puzzle", "Puzzle"),
        Binding("y", "history", "History"),
        Binding("t", "app.theme", "Light/dark"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("q", "app.quit", "Quit"),
    ]

    def compose(self) -> ComposeResult:
        """The list, the picture, the rules."""
        with Horizontal(id="body"):
            with Vertical(id="games"):
                yield Label("[b][$one]Q[/][$two]u[/][$one]i[/][$two]n[/][$one]t[/][$two]e[/][$one]t[/][/]", id="brand")
                yield Label("Five small games", id="motto")
                yield GameList(*(Option(f"\n  {game.title}\n", id=game.name) for game in GAMES.values()), id="list")
            with Vertical(id="game"):
                yield BoardView(sample(self.game), active=False, id="picture")
                yield Static(id="summary", markup=False)
                with VerticalScroll(id="rules", can_focus=True):
                    yield Markdown(id="manual", open_links=False)
        yield Footer(compact=True, show_command_palette=False)

    @property
    def game(self) -> Game:
        """The game under the cursor."""
        lists = self.query(OptionList)
        at = lists.first().highlighted if lists else None
        return list(GAMES.values())[at or 0]

    def on_mount(self) -> None:
        """Begin with the first game."""
        self.query_one(OptionList).highlighted = 0

    @on(OptionList.OptionHighlighted)
    def look(self) -> None:
        """Show the game under the cursor."""
        self.query_one("#picture", BoardView).view = sample(self.game)
        self.query_one("#summary", Static).update(self.game.summary)
        self.query_one("#manual", Markdown).update(self.game.manual)
        self.query_one("#rules").scroll_home(animate=False)

    @on(OptionList.OptionSelected)
    def action_choose(self) -> None:
        """Set the game up."""
        self.app.push_screen(SetupScreen(self.game))

    def action_rules(self) -> None:
        """Show the rules on a page of their own."""
        self.app.push_screen(RulesPage(self.game))

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(HelpPage())

    def action_puzzle(self) -> None:
        """A puzzle of this game."""
        from quintet.terminal.puzzle_screen import PuzzleScreen

        self.app.push_screen(PuzzleScreen(self.game))

    def action_history(self) -> None:
        """The games that were kept."""
        from quintet.terminal.history_screen import HistoryScreen

        self.app.push_screen(HistoryScreen())
