"""The screen of the puzzle of the day: three tries, and a streak."""

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from textual.binding import Binding, BindingType

from quintet.language import tr
from quintet.match import Match
from quintet.notation import screen_label
from quintet.solve.oracle import oracle_of
from quintet.study.analysis import best_line
from quintet.study.daily import share_text
from quintet.study.puzzles import Puzzle, day_number, game_of_the_day, puzzle_of_the_day, solution
from quintet.terminal.background import in_background
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.puzzle_log import how_it_went
from quintet.terminal.puzzle_screen import PuzzleScreen
from quintet.view import View, make_view, position_view

LONGEST = 7
"""The most moves of a refutation that are played."""
SLOWER = 2
"""How many times longer than an engine's move each of them is shown."""


class DailyScreen(PuzzleScreen):
    """A day's puzzle. A wrong answer is refuted on the board and taken back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "another", "Next puzzle", show=False),
        Binding("c", "copy", "Copy the result"),
    ]

    def __init__(self, day: date) -> None:
        """Show the puzzle of a day."""
        super().__init__(game_of_the_day(day))
        self.day = day
        self.refuting = False

    @property
    def title_text(self) -> str:
        """The puzzle's number and its game."""
        return f"[b]Quintet #{day_number(self.day)}[/b] · {tr(self.game.title)}"

    def find(self, seed: int, rating: int | None) -> Puzzle:
        """The puzzle of the day."""
        return puzzle_of_the_day(self.day)

    def pose(self, ticket: object, found: object) -> None:
        """Show the puzzle, or how it went if it is over."""
        assert isinstance(found, Puzzle)
        super().pose(ticket, found)
        if self.result.solved is not None:
            self.reveal(found)

    def show(self, view: View) -> None:
        """Show a board; while a refutation is played nothing can be claimed."""
        super().show(view)
        self.query_one(BoardWidget).open = not (self.solved or self.refuting)

    def ask(self, puzzle: Puzzle, verdict: str = "") -> None:
        """Show what is asked, the verdict, and how many tries are left or how it went."""
        report = how_it_went(self.result) if self.result.solved is None else self.puzzle_log.report(self.result)
        shared = f"\n\n{share_text(self.result)}" if self.solved else ""
        super().ask(puzzle, f"{verdict}\n\n{report}{shared}".strip())

    def give_verdict(self, puzzle: Puzzle, move: int, right: bool, text: str) -> None:
        """Count a try, and show why a wrong one is wrong."""
        if self.refuting or self.solved:
            return
        super().give_verdict(puzzle, move, right, text)
        if not right:
            after = puzzle.position.play(move)
            self.refuting = True
            self.refute(puzzle, [move, *oracle_of(after).ask(best_line, after)][:LONGEST], 1)

    def refute(self, puzzle: Puzzle, moves: Sequence[int], count: int) -> None:
        """Play the next move of a refutation; after the last one take it all back."""
        if count <= len(moves):
            self.show(make_view(Match(puzzle.position, list(moves[:count]))))
            self.set_timer(SLOWER * self.quintet.pace or 0.001, lambda: self.refute(puzzle, moves, count + 1))
            return
        self.refuting = False
        if self.result.solved is None:
            self.show(position_view(puzzle.position))
        else:
            self.reveal(puzzle)

    def reveal(self, puzzle: Puzzle) -> None:
        """Show the solution of a puzzle that is over."""
        in_background(
            self,
            lambda: solution(puzzle, name=screen_label),
            lambda text: self.show_answer(puzzle, puzzle.answers[0], text),
        )

    def action_copy(self) -> None:
        """Copy the result, without the answer."""
        self.app.copy_to_clipboard(share_text(self.result))
        self.notify(tr("Copied."))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the result when it is there, the solution until then, and no other puzzle."""
        if action == "another":
            return False
        return self.solved if action == "copy" else super().check_action(action, parameters) and not self.refuting
