"""A slow, plain reading of the five rule books: lists, loops and no bit tricks. The oracle of the tests."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache


@cache
def neighbours(rows: int, cols: int, row: int, col: int) -> list[tuple[int, int]]:
    found = []
    for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
        if 0 <= r < rows and 0 <= c < cols:
            found.append((r, c))
    return found


HOLE = -1


class Naive:
    """A game in progress. `grid[row][col]` is 0, or the player who claimed the cell, or `HOLE` if there is no cell."""

    def __init__(
        self,
        rows: int,
        cols: int,
        values: list[int] | None = None,
        target: int = 0,
        holes: Iterable[tuple[int, int]] = (),
    ) -> None:
        self.rows, self.cols = rows, cols
        self.grid = [[0] * cols for _ in range(rows)]
        for row, col in holes:
            self.grid[row][col] = HOLE
        self.values = values
        self.target = target
        self.player = 1

    def touches(self, row: int, col: int, players: tuple[int, ...]) -> bool:
        for r, c in neighbours(self.rows, self.cols, row, col):
            if self.grid[r][c] in players:
                return True
        return False

    def cells_of(self, player: int) -> list[tuple[int, int]]:
        return [(r, c) for r, row in enumerate(self.grid) for c, owner in enumerate(row) if owner == player]

    def may_claim(self, row: int, col: int, player: int) -> bool:
        raise AssertionError("each rule book says")

    def claimable(self, player: int) -> list[tuple[int, int]]:
        return [(r, c) for r, c in self.cells_of(0) if self.may_claim(r, c, player)]

    def moves(self) -> list[tuple[int, int] | None]:
        """The cells the player to move may claim; `[None]` for a forced pass; nothing when the game is over."""
        return list(self.claimable(self.player))

    def play(self, move: tuple[int, int] | None) -> None:
        if move is not None:
            self.claim(*move)
        self.player = 3 - self.player

    def claim(self, row: int, col: int) -> None:
        self.grid[row][col] = self.player

    def winner(self) -> int:
        """Who won a game without moves; 0 is a draw. Here: whoever cannot move has lost."""
        return 3 - self.player


class AdjacentClaim(Naive):
    def claimable(self, player: int) -> list[tuple[int, int]]:
        if not self.cells_of(player):
            return self.cells_of(0)
        return [(r, c) for r, c in self.cells_of(0) if self.touches(r, c, (player,))]

    def moves(self) -> list[tuple[int, int] | None]:
        cells = self.claimable(self.player)
        if cells:
            return list(cells)
        if self.claimable(3 - self.player):
            return [None]
        return []

    def winner(self) -> int:
        one, two = len(self.cells_of(1)), len(self.cells_of(2))
        if one == two:
            return 0
        return 1 if one > two else 2


class GridConquest(Naive):
    def may_claim(self, row: int, col: int, player: int) -> bool:
        return True

    def claim(self, row: int, col: int) -> None:
        self.grid[row][col] = self.player
        for r, c in neighbours(self.rows, self.cols, row, col):
            if self.grid[r][c] == 0:
                self.grid[r][c] = self.player

    winner = AdjacentClaim.winner


class Isolation(Naive):
    def may_claim(self, row: int, col: int, player: int) -> bool:
        return not self.touches(row, col, (1, 2))


class Gridlock(Naive):
    def may_claim(self, row: int, col: int, player: int) -> bool:
        return not self.touches(row, col, (3 - player,))


class PointCapture(Naive):
    def points(self, player: int) -> int:
        assert self.values is not None
        return sum(self.values[r * self.cols + c] for r, c in self.cells_of(player))

    def claimable(self, player: int) -> list[tuple[int, int]]:
        assert self.values is not None
        if self.points(1) == self.target or self.points(2) == self.target:
            return []
        points = self.points(player)
        return [(r, c) for r, c in self.cells_of(0) if points + self.values[r * self.cols + c] <= self.target]


NAIVE: dict[str, type[Naive]] = {
    "adjacent-claim": AdjacentClaim,
    "grid-conquest": GridConquest,
    "isolation": Isolation,
    "gridlock": Gridlock,
    "point-capture": PointCapture,
}


def count(game: Naive, depth: int) -> int:
    """Perft by playing every sequence out."""
    if depth == 0:
        return 1
    total = 0
    for move in game.moves():
        grid, player = [row[:] for row in game.grid], game.player
        game.play(move)
        total += count(game, depth - 1)
        game.grid, game.player = grid, player
    return total
