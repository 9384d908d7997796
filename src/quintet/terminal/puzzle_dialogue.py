"""A puzzle in the terminal, line by line."""

import sys
from typing import TextIO

from quintet.notation import InvalidMove, list_moves, read_move, sentence_label
from quintet.rules import IllegalMove
from quintet.solve.oracle import oracle_of
from quintet.study.analysis import best_line
from quintet.study.daily import share_text
from quintet.study.puzzles import Puzzle, judge, solution
from quintet.terminal.console import Console
from quintet.terminal.puzzle_log import PuzzleLog, how_it_went, utc_now

PROMPT = "Your move (or solution, quit): "
LEAVE = ("quit", "exit", "q")


class PuzzleDialogue(Console):
    """A dialogue about one puzzle. The puzzle of a day has three tries, and its result is saved."""

    def __init__(
        self,
        puzzle: Puzzle,
        source: TextIO = sys.stdin,
        sink: TextIO = sys.stdout,
        log: PuzzleLog | None = None,
    ) -> None:
        """Take the puzzle, the streams, and where results are saved."""
        super().__init__(source, sink)
        self.puzzle = puzzle
        self.log = log or PuzzleLog()

    def run(self, solved: bool = False) -> bool:
        """Show the puzzle, and ask for the answer or print the solution; false if the person leaves."""
        self.show()
        if solved:
            self.write(solution(self.puzzle) + "\n\n")
            return True
        self.result = self.log.result_of(self.puzzle)
        if self.result.solved is not None:
            self.write(f"You have had this puzzle.\n{solution(self.puzzle)}\n\n")
        elif self.result.tries:
            self.write(f"{how_it_went(self.result)}\n")
        try:
            while self.result.solved is None:
                self.answer(self.read(PROMPT).strip())
        except (EOFError, KeyboardInterrupt):
            self.write("\n")
            return False
        if self.puzzle.day:
            text = share_text(self.result, getattr(self.sink, "encoding", None) or "utf-8")
            self.write(f"{self.log.report(self.result)}\n\n{text}\n")
        return True

    def show(self) -> None:
        """Show the position and what is asked."""
        position = self.puzzle.position
        scores = "" if not (position.game.territory or position.board.target) else "Score: {} to {}\n"
        number = f"Quintet #{self.puzzle.number}: " if self.puzzle.number else ""
        self.write(
            f"{number}{position.game.title} {position.board.size}, puzzle {self.puzzle.origin}, "
            f"rating {self.puzzle.rating}\n\n"
            f"{position}\n\n{scores.format(*position.scores)}{self.puzzle.goal}\n"
        )

    def answer(self, line: str) -> None:
        """Take a line as an answer, and say whether it is right and why."""
        position = self.puzzle.position
        if line.lower() in LEAVE:
            raise EOFError
        if line.lower() == "solution":
            self.result = self.result.given_up(utc_now())
            self.log.save(self.result)
            self.write(solution(self.puzzle) + "\n\n")
            return
        if not line:
            return
        try:
            move = read_move(position, line)
            position.play(move)
        except (InvalidMove, IllegalMove) as error:
            self.write(f"{error}\nLegal moves: {list_moves(position)}\n")
            return
        right, why = judge(self.puzzle, move)
        self.result = self.result.after(right, utc_now())
        self.log.save(self.result)
        self.write(why + ("\n\n" if right else "\n"))
        if not right and self.puzzle.day:
            self.refute(move)

    def refute(self, move: int) -> None:
        """Show the board after a wrong move and its refutation, and how many tries are left."""
        after = self.puzzle.position.play(move)
        for reply in oracle_of(after).ask(best_line, after)[:1]:
            self.write(f"\nAfter {sentence_label(after, reply)}:\n\n{after.play(reply)}\n\n")
        self.write(f"{how_it_went(self.result)}\n")
        if self.result.solved is False:
            self.write(f"{solution(self.puzzle)}\n\n")
