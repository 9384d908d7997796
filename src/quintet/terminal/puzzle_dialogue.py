"""A puzzle in the terminal, line by line."""

import sys
from typing import TextIO

from quintet.notation import InvalidMove, list_moves, read_move
from quintet.rules import IllegalMove
from quintet.study.puzzles import Puzzle, judge, solution
from quintet.terminal.console import Console

PROMPT = "Your move (or solution, quit): "
LEAVE = ("quit", "exit", "q")


class PuzzleDialogue(Console):
    """A dialogue about one puzzle."""

    def __init__(self, puzzle: Puzzle, source: TextIO = sys.stdin, sink: TextIO = sys.stdout) -> None:
        """Take the puzzle and the streams."""
        super().__init__(source, sink)
        self.puzzle = puzzle

    def run(self, solved: bool = False) -> bool:
        """Show the puzzle, and ask for the answer or print the solution; false if the person leaves."""
        self.show()
        if solved:
            self.write(solution(self.puzzle) + "\n\n")
            return True
        try:
            while not self.answer(self.read(PROMPT).strip()):
                pass
        except (EOFError, KeyboardInterrupt):
            self.write("\n")
            return False
        return True

    def show(self) -> None:
        """Show the position and what is asked."""
        position = self.puzzle.position
        scores = "" if not (position.game.territory or position.board.target) else "Score: {} to {}\n"
        self.write(
            f"{position.game.title} {position.board.size}, puzzle {self.puzzle.origin}, rating {self.puzzle.rating}\n\n"
            f"{position}\n\n{scores.format(*position.scores)}{self.puzzle.goal}\n"
        )

    def answer(self, line: str) -> bool:
        """Whether a line solves the puzzle; if not, say why."""
        position = self.puzzle.position
        if line.lower() in LEAVE:
            raise EOFError
        if line.lower() == "solution":
            self.write(solution(self.puzzle) + "\n\n")
            return True
        if not line:
            return False
        try:
            move = read_move(position, line)
            position.play(move)
        except (InvalidMove, IllegalMove) as error:
            self.write(f"{error}\nLegal moves: {list_moves(position)}\n")
            return False
        right, why = judge(self.puzzle, move)
        self.write(why + ("\n\n" if right else "\n"))
        return right
