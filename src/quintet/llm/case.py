"""What an agent is set: a game from a seat against an opponent, or one position with something at stake."""

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from zlib import crc32

from quintet.arena.results import Duel
from quintet.arena.tournament import opening_moves
from quintet.llm.grading import grade
from quintet.notation import read_moves, read_position, write_moves, write_position
from quintet.rules import PLAYERS, Position, play_all
from quintet.solve.oracle import oracle_of
from quintet.study.puzzles import make, random_game

LEVELS = ("easy", "medium", "hard")
"""The thirds of the positions that random games of a board hold, as puzzles are rated."""
POOL = 2
"""So many times as many positions are found as are taken."""
MOST_GAMES = 2000
"""Random games looked into before giving up."""


class NoCase(ValueError):
    """Nothing of the kind asked for can be set."""


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to play."""

    id: str
    position: str
    """Where it begins, as a position is written."""
    player: int
    """Which seat the agent has."""
    opponent: str | None
    """Who sits opposite; nobody where one move is asked for."""
    seed: int
    """The luck of the opponent."""
    level: str
    """How hard it is: a difficulty of positions, or the opponent."""
    opening: str = ""
    """The moves that led from the empty board to where it begins, where they are told."""

    @property
    def start(self) -> Position:
        """Where it begins."""
        return read_position(self.position)

    @property
    def opening_moves(self) -> list[int]:
        """The moves of the opening."""
        start = self.start
        return read_moves(Position(start.game, start.board), self.opening)

    @property
    def own_seed(self) -> int:
        """The luck of an agent that is an engine, which has nothing to do with the opponent's."""
        return crc32(f"{self.seed} agent".encode())

    def facts(self) -> dict[str, Any]:
        """The case as JSON carries it."""
        return asdict(self)


def games(boards: Sequence[Position], opponents: Sequence[str], number: int, side: str, seed: int) -> list[Case]:
    """So many games on each board against each opponent, openings taken from both sides where `side` is both."""
    seats = PLAYERS if side == "both" else (int(side),)
    cases = []
    for board in boards:
        text = write_position(board)
        name = f"{board.game.name}-{board.board.size}"
        for opponent in opponents:
            for i in range(number):
                turn, seat = divmod(i, len(seats))
                moves = opening_moves(Duel(text, ("", ""), turn, seed))
                begun, told = write_position(play_all(board, moves)), write_moves(board, moves)
                id = f"{name}-{opponent}-{seed}.{turn}-player{seats[seat]}"
                cases.append(Case(id, begun, seats[seat], opponent, crc32(id.encode()), opponent, told))
    return cases


def positions(boards: Sequence[Position], number: int, seed: int) -> list[Case]:
    """So many positions of each difficulty on each board. In each, some moves keep the outcome and others do not."""
    return [case for board in boards for case in board_positions(board, number, seed)]


def board_positions(empty: Position, number: int, seed: int) -> list[Case]:
    """The positions of one board: found in random games, sorted by how hard they are, and drawn from each third."""
    rng = random.Random(f"{write_position(empty)} {seed}")
    oracle = oracle_of(empty)
    third = POOL * number
    found: dict[Position, float] = {}
    for _ in range(MOST_GAMES):
        position = rng.choice(random_game(empty, rng).positions)
        if position not in found and at_stake(position):
            puzzle = make(position, oracle, "")
            found[position] = puzzle.rating - len(puzzle.answers) / len(puzzle.moves)
        if len(found) == third * len(LEVELS):
            break
    else:
        raise NoCase(f"{empty.game.name} {empty.board.size} has too few positions with something at stake for {number}")
    order = sorted(found, key=lambda position: (found[position], write_position(position)))
    cases = []
    for i, level in enumerate(LEVELS):
        for j, position in enumerate(rng.sample(order[i * third : (i + 1) * third], number), 1):
            id = f"{empty.game.name}-{empty.board.size}-{level}-{seed}.{j}"
            cases.append(Case(id, write_position(position), position.player, None, crc32(id.encode()), level))
    return cases


def at_stake(position: Position) -> bool:
    """Whether the outcome depends on the move."""
    return len({value.outcome for value in grade(position).values()}) > 1
