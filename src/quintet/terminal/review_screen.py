"""The screen a finished game is looked at again on."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.markup import escape
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Label, Static

from quintet.match import Match
from quintet.study.reviews import Review, remark, review, summary, turned
from quintet.terminal.background import in_background
from quintet.terminal.board import BoardView
from quintet.terminal.value_graph import ValueGraph
from quintet.view import make_view

SECONDS = 20.0
"""How long a review may take before what is known so far is shown."""


class ReviewScreen(Screen[None]):
    """The board at any move, the grade of that move, and the value over the game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Earlier", key_display="←"),
        Binding("right", "step(1)", "Later", key_display="→"),
        Binding("home", "step(-1000)", "Start", show=False),
        Binding("end", "step(1000)", "End", show=False),
        Binding("m", "turn", "Next mistake"),
        Binding("escape", "app.pop_screen", "Back", key_display="esc"),
    ]

    class Reviewed(Message):
        """The grades have come."""

        def __init__(self, found: Review) -> None:
            """Carry them."""
            super().__init__()
            self.found = found

    def __init__(self, match: Match) -> None:
        """Look at a match, from its end."""
        super().__init__()
        self.match = match
        self.at = match.ply
        self.review: Review | None = None

    def compose(self) -> ComposeResult:
        """The board, what is said about it, the graph."""
        with Horizontal(id="body"):
            yield BoardView(make_view(self.match), active=False, id="board")
            with Vertical(id="side"):
                yield Label(id="title")
                with VerticalScroll(can_focus=False):
                    yield Static(id="verdict", markup=False)
                    yield Static(id="totals", markup=False)
        yield ValueGraph(id="graph")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Grade in the background."""
        self.show()
        self.query_one("#totals", Static).update("Working out what every move was worth…")
        in_background(self, lambda: self.Reviewed(review(self.match, seconds=SECONDS)))

    @on(Reviewed)
    def reviewed(self, event: Reviewed) -> None:
        """Show the grades."""
        self.review = event.found
        lines = [turned(self.review), *(summary(self.review, player) for player in (1, 2))]
        self.query_one("#totals", Static).update("\n\n".join(lines))
        self.query_one(ValueGraph).values = self.review.values
        self.show()

    def show(self) -> None:
        """Show the game at the move looked at."""
        match = self.match
        if self.at < match.ply:
            match = Match(match.positions[0], match.moves[: self.at], match.names)
        view = make_view(match)
        self.query_one(BoardView).view = view
        self.query_one(ValueGraph).at = self.at
        self.query_one("#title", Label).update(f"[b]{view.title}[/b] {view.size} · move {self.at} of {self.match.ply}")
        text = escape(view.status) if self.at or view.result else "The start."
        if self.review and self.at:
            grade = self.review.grades[self.at - 1]
            fault = grade.better is not None
            text += "\n\n" + (remark(grade) if fault else f"Move {self.at}: {grade.kind}.")
        self.query_one("#verdict", Static).update(text)

    def action_step(self, moves: int) -> None:
        """Look at another move."""
        self.at = min(max(self.at + moves, 0), self.match.ply)
        self.show()

    def action_turn(self) -> None:
        """Go to the next move that gave something away, from the start again after the last."""
        if self.review:
            wrong = [grade.ply for grade in self.review.grades if grade.better is not None]
            if wrong:
                self.at = next((ply for ply in wrong if ply > self.at), wrong[0])
                self.show()
