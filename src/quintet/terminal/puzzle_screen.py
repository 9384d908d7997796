"""The screen puzzles are solved on."""

import random
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Label, Static

from quintet.match import Match
from quintet.rules import Game
from quintet.study.puzzles import HARDEST, NoPuzzle, Puzzle, judge, make_puzzle, solution
from quintet.terminal.background import in_background
from quintet.terminal.board_widget import BoardView
from quintet.view import make_view, show


class PuzzleScreen(Screen[None]):
    """A position, a question, and the verdict on each answer."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "another", "Another"),
        Binding("s", "solution", "Solution"),
        Binding("escape", "app.pop_screen", "Back", key_display="esc"),
    ]

    class Found(Message):
        """A puzzle has come, or a reason why not."""

        def __init__(self, ticket: object, puzzle: Puzzle | NoPuzzle) -> None:
            """Remember for which search."""
            super().__init__()
            self.ticket, self.puzzle = ticket, puzzle

    class Judged(Message):
        """A verdict has come."""

        def __init__(self, puzzle: Puzzle, move: int, right: bool, text: str) -> None:
            """Remember on what."""
            super().__init__()
            self.puzzle, self.move, self.right, self.text = puzzle, move, right, text

    def __init__(self, game: Game, seed: int | None = None) -> None:
        """Puzzles of one game; the first one is that of the seed."""
        super().__init__()
        self.game = game
        self.rng = random.Random(seed)
        self.puzzle: Puzzle | None = None
        self.ticket: object = None
        """The latest search for a puzzle."""

    def compose(self) -> ComposeResult:
        """The board, the question, the verdict."""
        with Horizontal(id="body"):
            yield BoardView(id="board")
            with Vertical(id="side"):
                yield Label(f"[b]{self.game.title}[/b] · puzzle", id="title")
                yield Static(id="goal", markup=False)
                yield Static(id="origin", markup=False)
                with VerticalScroll(can_focus=False):
                    yield Static(id="verdict", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Look for the first one."""
        self.query_one(BoardView).focus()
        self.action_another()

    def action_another(self) -> None:
        """Look for a puzzle in the background."""
        seed = self.rng.randrange(1_000_000)
        self.puzzle = None
        self.ticket = ticket = object()
        self.write(goal="Looking for a puzzle…")

        def work() -> Message:
            try:
                return self.Found(ticket, make_puzzle(self.game, seed))
            except NoPuzzle as reason:
                return self.Found(ticket, reason)

        in_background(self, work)

    def write(self, goal: str = "", origin: str = "", verdict: str = "") -> None:
        """Say what is asked and what is thought of the answer."""
        for id, text in (("#goal", goal), ("#origin", origin), ("#verdict", verdict)):
            self.query_one(id, Static).update(text)

    @on(Found)
    def found(self, event: Found) -> None:
        """Show the puzzle, unless another one has been asked for since."""
        if event.ticket is not self.ticket:
            return
        if isinstance(event.puzzle, NoPuzzle):
            self.write(goal=str(event.puzzle))
            return
        self.puzzle = event.puzzle
        self.query_one(BoardView).view = show(event.puzzle.position)
        self.ask(event.puzzle)

    def ask(self, puzzle: Puzzle, verdict: str = "") -> None:
        """Say what is asked, and the verdict."""
        stars = "★" * puzzle.rating + "☆" * (HARDEST - puzzle.rating)
        self.write(puzzle.goal, f"{stars}\n{puzzle.origin}", verdict)

    @on(BoardView.Chosen)
    def answer(self, event: BoardView.Chosen) -> None:
        """Judge an answer."""
        move, puzzle = 1 << event.number, self.puzzle
        if puzzle is None:
            return
        if move not in puzzle.moves:
            self.ask(puzzle, puzzle.position.refusal(move))
            return
        self.judge(puzzle, move)

    def judge(self, puzzle: Puzzle, move: int) -> None:
        """Judge a move in the background."""
        in_background(self, lambda: self.Judged(puzzle, move, *judge(puzzle, move)))

    @on(Judged)
    def judged(self, event: Judged) -> None:
        """Show the verdict; a right answer is played."""
        if event.puzzle is self.puzzle:
            self.ask(event.puzzle, event.text)
            moves = [event.move] if event.right else []
            self.query_one(BoardView).view = make_view(Match(event.puzzle.position, moves))

    def action_solution(self) -> None:
        """Show the answer."""
        puzzle = self.puzzle
        if puzzle is not None:
            in_background(self, lambda: self.Judged(puzzle, puzzle.answers[0], True, solution(puzzle)))
