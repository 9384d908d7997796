"""The screen to solve puzzles on."""

import random
from typing import TYPE_CHECKING, ClassVar, cast

from msgspec.structs import replace
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Label, Static

from quintet.board import index
from quintet.effects import forbidding
from quintet.language import tr, tr_count
from quintet.match import Match
from quintet.notation import screen_label
from quintet.rules import Game
from quintet.study.daily import PuzzleResult
from quintet.study.puzzles import EASY, HARDEST, NoPuzzle, Puzzle, judge, make_puzzle, solution
from quintet.terminal.background import in_background
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.keys_footer import KeysFooter
from quintet.terminal.puzzle_log import PuzzleLog, utc_now
from quintet.view import View, make_view, position_view

if TYPE_CHECKING:
    from quintet.terminal.app import QuintetApp


class PuzzleScreen(Screen[None]):
    """A position, a question, and the verdict on each answer."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "another", "Next puzzle"),
        Binding("s", "solution", "Solution"),
        Binding("question_mark", "app.help", "Help", key_display="?"),
        Binding("escape", "app.pop_screen", "Back", key_display="esc"),
    ]

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Show puzzles of one game, always the same ones for a seed."""
        super().__init__()
        self.game = game
        self.rng = random.Random(seed)
        self.puzzle: Puzzle | None = None
        self.result: PuzzleResult
        self.solved = self.has_solved = False
        self.ticket: object = None
        """Identifies the latest search for a puzzle."""
        self.puzzle_log = PuzzleLog(lambda: self.quintet.store, self.notify)

    @property
    def quintet(self) -> "QuintetApp":
        """The app, which has the store."""
        return cast("QuintetApp", self.app)

    @property
    def title_text(self) -> str:
        """What stands above the question."""
        return tr("[b]{game}[/b] · puzzle", game=tr(self.game.title))

    def compose(self) -> ComposeResult:
        """The board, the question, the verdict."""
        with Horizontal(id="body"):
            yield BoardWidget(id="board")
            with Vertical(id="side"):
                yield Label(self.title_text, id="title")
                yield Static(id="goal", markup=False)
                yield Static(id="scores")
                yield Static(id="origin", markup=False)
                with VerticalScroll(can_focus=False):
                    yield Static(id="verdict", markup=False)
        yield KeysFooter()

    def on_mount(self) -> None:
        """Find the first puzzle."""
        self.query_one(BoardWidget).focus()
        self.action_another()

    def action_another(self) -> None:
        """Find a puzzle in the background."""
        seed = self.rng.randrange(1_000_000)
        rating = None if self.has_solved else EASY
        self.puzzle, self.solved = None, False
        self.ticket = ticket = object()
        self.write(goal=tr("Finding a puzzle…"))
        self.query_one("#scores", Static).update("")
        self.query_one(BoardWidget).open = False
        self.refresh_bindings()

        def work() -> Puzzle | NoPuzzle:
            try:
                return self.find(seed, rating)
            except NoPuzzle as reason:
                return reason

        in_background(self, work, lambda found: self.pose(ticket, found))

    def find(self, seed: int, rating: int | None) -> Puzzle:
        """The puzzle of a seed."""
        return make_puzzle(self.game, seed, rating)

    def write(self, goal: str = "", origin: str = "", verdict: str = "") -> None:
        """Show the question and the verdict on the answer."""
        for id, text in (("#goal", goal), ("#origin", origin), ("#verdict", verdict)):
            self.query_one(id, Static).update(text)

    def pose(self, ticket: object, found: Puzzle | NoPuzzle) -> None:
        """Show a puzzle, unless another one has been asked for since."""
        if ticket is not self.ticket:
            return
        if isinstance(found, NoPuzzle):
            self.write(goal=str(found))
            return
        self.puzzle, self.result = found, self.puzzle_log.result_of(found)
        self.show(position_view(found.position))
        self.ask(found)

    def show(self, view: View) -> None:
        """Show a board and its scores; once the puzzle is solved, nothing on it can be claimed."""
        board = self.query_one(BoardWidget)
        board.open = not self.solved
        if self.solved:
            view = replace(view, player=None, cells=tuple(replace(cell, legal=False) for cell in view.cells))
        board.view = view
        one, two = (self.score_text(score, view.target) for score in view.scores)
        scores = f"[b $one]X {one}[/]   [b $two]O {two}[/]" if one else ""
        self.query_one("#scores", Static).update(scores)
        self.query_one("#scores").display = bool(scores)
        self.refresh_bindings()

    def score_text(self, score: int, target: int | None) -> str:
        """How many points or cells a player has; empty where they are not counted."""
        if target:
            return tr("{score} of {target}", score=score, target=target)
        return tr_count("{count} cell", "{count} cells", score) if self.game.territory else ""

    def ask(self, puzzle: Puzzle, verdict: str = "") -> None:
        """Show what is asked, and the verdict."""
        stars = "★" * puzzle.rating + "☆" * (HARDEST - puzzle.rating)
        about = tr("Difficulty {stars}\nPuzzle {origin}", stars=stars, origin=puzzle.origin)
        self.write(puzzle.goal, about, verdict)

    @on(BoardWidget.Chosen)
    def answer(self, event: BoardWidget.Chosen) -> None:
        """Judge the cell that was chosen, in the background."""
        move, puzzle = 1 << event.number, self.puzzle
        if puzzle is None or self.solved:
            return
        if move not in puzzle.moves:
            self.ask(puzzle, puzzle.position.refusal(move))
            self.query_one(BoardWidget).show_forbidding(forbidding(puzzle.position, move))
            return
        in_background(
            self,
            lambda: judge(puzzle, move, name=screen_label),
            lambda judged: self.give_verdict(puzzle, move, *judged),
        )

    def give_verdict(self, puzzle: Puzzle, move: int, right: bool, text: str) -> None:
        """Count a try and show the verdict; a right answer is played."""
        if puzzle is not self.puzzle or self.solved:
            return
        self.result = self.result.after(right, utc_now())
        self.puzzle_log.save(self.result)
        if right:
            self.show_answer(puzzle, move, text)
        else:
            self.ask(puzzle, text)
            self.show(position_view(puzzle.position))

    def show_answer(self, puzzle: Puzzle, move: int, text: str) -> None:
        """Play the answer: the puzzle is over."""
        self.solved = self.has_solved = True
        self.query_one(BoardWidget).cursor = index(move)
        self.ask(puzzle, text)
        self.show(make_view(Match(puzzle.position, [move])))

    def action_solution(self) -> None:
        """Give up, and show the solution."""
        puzzle = self.puzzle
        if puzzle is not None and not self.solved:
            in_background(self, lambda: solution(puzzle, name=screen_label), lambda text: self.give_up(puzzle, text))

    def give_up(self, puzzle: Puzzle, text: str) -> None:
        """Show the solution."""
        if puzzle is self.puzzle and not self.solved:
            self.result = self.result.given_up(utc_now())
            self.puzzle_log.save(self.result)
            self.show_answer(puzzle, puzzle.answers[0], text)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the solution only while it is not shown."""
        return action != "solution" or (self.puzzle is not None and not self.solved)
