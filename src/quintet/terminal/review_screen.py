"""The screen to review a finished game on."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Label, Static

from quintet.language import tr
from quintet.match import Match
from quintet.notation import screen_label
from quintet.study.remarks import describe_grade, summary, turned
from quintet.study.reviews import Review, review
from quintet.terminal.background import in_background
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.keys_footer import KeysFooter
from quintet.terminal.value_bars import ValueGraph
from quintet.view import make_view

SECONDS = 20.0
"""Time limit of a review; then what is known so far is shown."""


class ReviewScreen(Screen[None]):
    """The board at any move, the grade of that move, and a graph of the values."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Earlier", key_display="←"),
        Binding("right", "step(1)", "Later", key_display="→"),
        Binding("home", "step(-1000)", "First position", show=False),
        Binding("end", "step(1000)", "Last position", show=False),
        Binding("m", "mistake", "Next mistake"),
        Binding("question_mark", "app.help", "Help", key_display="?"),
        Binding("escape", "app.pop_screen", "Back", key_display="esc"),
    ]

    def __init__(self, match: Match) -> None:
        """Review a match, starting at its end."""
        super().__init__()
        self.match = match
        self.at = match.ply
        self.review: Review | None = None

    def compose(self) -> ComposeResult:
        """The board, the grades, the graph."""
        with Horizontal(id="body"):
            yield BoardWidget(make_view(self.match), active=False, id="board")
            with Vertical(id="side"):
                yield Label(id="title")
                with VerticalScroll(can_focus=False):
                    yield Static(id="verdict", markup=False)
                    yield Static(id="totals", markup=False)
        yield ValueGraph(id="graph")
        yield KeysFooter()

    def on_mount(self) -> None:
        """Grade the moves in the background."""
        self.show()
        self.query_one("#totals", Static).update(tr("Grading the moves…"))
        in_background(self, lambda: review(self.match, seconds=SECONDS), self.use)

    def use(self, found: Review) -> None:
        """Show the grades."""
        self.review = found
        lines = [turned(found), *(summary(found, player) for player in (1, 2))]
        self.query_one("#totals", Static).update("\n\n".join(lines))
        self.query_one(ValueGraph).values = found.values
        self.refresh_bindings()
        self.show()

    def show(self) -> None:
        """Show the game after the chosen number of moves."""
        match = self.match
        if self.at < match.ply:
            match = Match(match.positions[0], match.moves[: self.at], match.names)
        view = make_view(match)
        self.query_one(BoardWidget).view = view
        self.query_one(ValueGraph).at = self.at
        move = tr("move {number} of {moves}", number=self.at, moves=self.match.ply)
        self.query_one("#title", Label).update(f"[b]{view.title}[/b] {view.size} · {move}")
        text = view.status if self.at or view.result else tr("Start of the game.")
        if self.review and self.at:
            text += "\n\n" + describe_grade(self.review.grades[self.at - 1], screen_label)
        self.query_one("#verdict", Static).update(text)

    def action_step(self, moves: int) -> None:
        """Go to an earlier or a later move."""
        self.at = min(max(self.at + moves, 0), self.match.ply)
        self.show()

    def action_mistake(self) -> None:
        """Go to the next mistake, after the last one to the first."""
        if self.review:
            mistakes = [grade.ply for grade in self.review.grades if grade.fault]
            if mistakes:
                self.at = next((ply for ply in mistakes if ply > self.at), mistakes[0])
                self.show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer to go to the next mistake only if there is one."""
        return action != "mistake" or (self.review is not None and any(grade.fault for grade in self.review.grades))
