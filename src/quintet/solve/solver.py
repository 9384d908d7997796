"""Exact values of the positions of one board: the search with its table, in the gear that suits the board."""

from dataclasses import replace
from threading import Lock, RLock

from quintet.board import Board, index, make_board, move_cells, popcount, symmetries
from quintet.gears import FAST, choose_gear, takes_fast
from quintet.rules import PASS, Game, Position
from quintet.solve.dict_table import Table
from quintet.solve.parts import PartSearcher
from quintet.solve.searcher import DICT_TABLE, Searcher, bind_search, images_of
from quintet.solve.theories import theory_of
from quintet.solve.theories.generic import MOST, Symmetries, part_of
from quintet.solve.value import Value, one_earlier, one_later, value_of

MEMORY = 1 << 30
"""Bytes of a table where no limit is given."""
PART_CELLS = 32
"""From this number of cells on a search by parts is faster than a plain one."""
THEORY_ENTRIES = 1 << 16
"""The most entries that the theorems may remember, apart from the search's table."""


class Stopped(Exception):
    """The search was told to stop."""


class Solver:
    """Finds exact values on one board. What it has found out serves the next question.

    Any number of threads may ask: one search runs at a time, and what is known without a search never waits for one.
    But `stop` and `resume` affect every thread, and `known` tells of whichever value was asked for last: they are for
    the one who has the solver alone. `Oracle` sees to that.
    """

    def __init__(
        self,
        game: Game,
        board: Board,
        gear: str | None = None,
        memory: int = MEMORY,
        threads: int = 1,
        searcher: Searcher | None = None,
    ) -> None:
        """Make an empty table of at most `memory` bytes. Several threads run compiled. Another search has its own."""
        self.game, self.board = game, board
        self.gear = FAST if threads > 1 else gear or choose_gear(board)
        self.step: int = theory_of(game).STEP
        self.searcher = searcher or make_searcher(game, board, self.gear, memory, threads)
        plain = bind_search(game, DICT_TABLE)
        self._limits, self._grundy = plain.limits, plain.grundy
        self._theory: tuple[Board, Symmetries, Table] = board, images_of(board), ({}, [0, 0, 0, THEORY_ENTRIES])
        self.most = board.cells if game.territory else MOST
        self.least = -self.most
        self.low, self.high = self.least, self.most
        self._lock = RLock()
        self._theory_lock = Lock()

    @property
    def nodes(self) -> int:
        """How many positions the search has visited."""
        return self.searcher.visited

    @property
    def fill(self) -> float:
        """The share of the table that is taken."""
        return self.searcher.fill

    def known(self) -> Value:
        """What is known so far of the value asked for last, in whichever thread."""
        return Value(self.low, self.high, self.game.territory)

    def stop(self) -> None:
        """Stop the search that runs now, in another thread, and all that follow until `resume`."""
        self.searcher.stopped = True

    def stop_at(self, until: float) -> None:
        """Stop by itself at a time of the clock, where no other thread can do it; in the plain gear only."""
        self.searcher.stop_at(until)

    def resume(self) -> None:
        """Let the next search run again."""
        self.searcher.stopped = False

    def ask(self, position: Position, bound: int) -> int:
        """A limit of a position's value: a lower one if that is `bound` or more, an upper one if not."""
        with self._lock:
            limit = self.searcher.ask(position.mine, position.theirs, self.aligned(bound))
            if self.searcher.stopped:
                raise Stopped
        return limit

    def grundy(self, position: Position) -> int | None:
        """The Grundy number of a position; `None` in a game whose players have different moves."""
        return self.nimber(position.legal)

    def nimber(self, open_cells: int) -> int | None:
        """The Grundy number of open cells, such as a part of a position's."""
        with self._lock:
            number = self.searcher.grundy(open_cells)
            if self.searcher.stopped:
                raise Stopped
        return number if number >= 0 else None

    def parts(self, position: Position) -> list[int]:
        """The connected parts of the open cells, where each is a game of its own; none in other games."""
        parts: list[int] = []
        left = position.legal if theory_of(self.game).PARTS else 0
        while left:
            parts.append(part_of(self.board, left & -left, left))
            left ^= parts[-1]
        return parts

    def known_nimber(self, part: int) -> int | None:
        """The Grundy number of a part, if it is known without a search."""
        small = popcount(part) <= theory_of(self.game).LARGE_PART or min(self.board.rows, self.board.cols) == 1
        with self._theory_lock:
            number = self._grundy(*self._theory, part) if small else -1
        return number if number >= 0 else None

    def limits(self, position: Position, with_theorems: bool = True) -> Value:
        """What the theory knows of a position's value without a search; without the theorems, sooner and less."""
        with self._theory_lock:
            low, high = self._limits(*self._theory, position.mine, position.theirs, with_theorems)
        return Value(max(self.least, low), min(self.most, high), self.game.territory)

    def outlook(self, position: Position) -> dict[int, Value]:
        """What the theory knows of every legal move without a search, in board order.

        Where a claim is never worse than to pass, all moves are worth at least what passing is.
        """
        like = alike(position)
        known = {first: self.limits(position.play(first)).earlier() for first in dict.fromkeys(like.values())}
        if theory_of(self.game).WAITING and position.mine and position.theirs:
            low = self.limits(replace(position, mine=position.theirs, theirs=position.mine)).earlier().low
            known = {first: Value(max(low, value.low), value.high, value.territory) for first, value in known.items()}
        return {move: known[first] for move, first in like.items()}

    def foresee(self, position: Position, outlook: dict[int, Value] | None = None) -> Value:
        """What the theory knows of a position one move ahead, without a search: it is worth what its best move is."""
        known = self.limits(position)
        if known.exact:
            return known
        moves = self.outlook(position) if outlook is None else outlook
        low, high = max(value.low for value in moves.values()), max(value.high for value in moves.values())
        return Value(max(known.low, low), min(known.high, high), self.game.territory)

    def earlier(self, number: int) -> int:
        """What a move into a position of this value is worth to its player."""
        return one_earlier(number, self.game.territory)

    def aligned(self, bound: int) -> int:
        """The bound, or the next number that a value can be: margins are two apart where every cell gets claimed."""
        return bound + (bound + self.most) % self.step

    def number(self, position: Position, guess: int = 0, known: Value | None = None) -> int:
        """The exact value as a number, found by a series of questions that narrow the limits known of it."""
        with self._lock:
            self.low, self.high, _ = known or self.limits(position, with_theorems=False)
            bound = guess
            while self.low < self.high:
                bound = max(self.low + self.step, min(self.high, bound))
                bound = self.aligned(bound)
                found = self.ask(position, bound)
                if found >= bound:
                    self.low, bound = found, found + self.step
                else:
                    self.high, bound = found, found
            return self.low

    def decide(self, position: Position) -> int | None:
        """Narrow the limits until it is known who wins, and no more; the Grundy number, where the game has one."""
        with self._lock:
            self.low, self.high, _ = self.foresee(position)
            number = self.grundy(position)
            if number is not None:
                self.low, self.high = (max(1, self.low), self.high) if number else (self.low, min(-1, self.high))
                return number
            for bound in (self.aligned(1), self.aligned(0)):  # Is it won? If not, is it a draw?
                if self.low < bound <= self.high:
                    found = self.ask(position, bound)
                    self.low, self.high = (found, self.high) if found >= bound else (self.low, found)
            return None

    def winning(self, position: Position) -> list[int]:
        """The moves of a won position that are known to win; where none is known without a search, the first."""
        if self.grundy(position) is not None:
            return [move for move in position.moves if self.grundy(position.play(move)) == 0]
        return self.proved_wins(position) or [self.first_best(position, self.aligned(1))]

    def proved_wins(self, position: Position) -> list[int]:
        """The moves that a theorem says win."""
        return [move for move, value in self.outlook(position).items() if value.low > 0]

    def value(self, position: Position) -> Value:
        """The exact value of a position."""
        return value_of(self.game, self.number(position, known=self.foresee(position)))

    def after(self, position: Position, move: int, guess: int = 0) -> int:
        """The exact value of a move for its player, as a number."""
        return self.earlier(self.number(position.play(move), -guess))

    def later(self, number: int) -> int:
        """What a value is one best move later, for the other player."""
        return one_later(number, self.game.territory)

    def grade(self, position: Position, grades: dict[int, Value] | None = None) -> dict[int, Value]:
        """The exact value of every legal move in board order; put into `grades` as well, as soon as each is known."""
        like = alike(position)
        numbers: dict[int, int] = {}
        guess = 0
        for first in dict.fromkeys(like.values()):
            guess = numbers[first] = self.after(position, first, guess)
            if grades is not None:
                grades |= {move: value_of(self.game, guess) for move in like if like[move] == first}
        return {move: value_of(self.game, numbers[first]) for move, first in like.items()}

    def reaches(self, position: Position, move: int, number: int) -> bool:
        """Whether a move is worth `number` or more: one question."""
        target = self.later(self.aligned(number))
        return self.ask(position.play(move), target + self.step) <= target

    def best(self, position: Position, number: int) -> list[int]:
        """The moves worth `number` or more."""
        first = alike(position)
        good = {move for move, like in first.items() if move == like and self.reaches(position, move, number)}
        return [move for move, like in first.items() if like in good]

    def first_best(self, position: Position, number: int) -> int:
        """The first move on the board worth `number` or more, which one is known to be."""
        return next(move for move in position.moves if self.reaches(position, move, number))


def make_searcher(game: Game, board: Board, gear: str, memory: int, threads: int) -> Searcher | PartSearcher:
    """A search in one thread or in several; by parts where it can be and compiled code cannot."""
    if theory_of(game).PARTS and game.territory and board.cells >= PART_CELLS and not takes_fast(board):
        whole = make_board(board.rows, board.cols)
        return PartSearcher(game, whole, images_of(whole), memory, board.holes)
    if threads == 1:
        return Searcher(game, board, gear, memory)
    from quintet.solve.threads import SearchThreads

    return SearchThreads(game, board, memory, threads)


def alike(position: Position) -> dict[int, int]:
    """For every move, in board order, the first of those that a symmetry of the position makes of it."""
    maps = [
        s
        for s in symmetries(position.board)
        if move_cells(position.mine, s) == position.mine and move_cells(position.theirs, s) == position.theirs
    ]
    return {move: min(1 << s[index(move)] for s in maps) if move else PASS for move in position.moves}
