"""What the samples of a task set an agent: a game from one seat against an opponent, or a single critical position."""

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from zlib import crc32

import msgspec

from quintet.errors import QuintetError
from quintet.notation import read_moves, read_position, write_moves, write_position
from quintet.rules import PLAYERS, Position, play_all
from quintet.solve.oracle import oracle_of
from quintet.study.puzzles import puzzle_from, random_game
from quintet.text.openings import find_openings, first_image, is_critical

LEVELS = ("easy", "medium", "hard")
"""The thirds of a board's critical positions, by the rating they have as puzzles."""
POOL = 2
"""How many times as many positions are found as are taken."""
MAX_GAMES = 2000
"""How many random games are searched for positions."""


class TooFewPositions(QuintetError, ValueError):
    """A board that does not have enough critical positions."""


@dataclass(frozen=True, slots=True)
class SampleSpec:
    """One game or position to play. Suite files and logs have the same fields."""

    id: str
    position: str
    """The first position, as text."""
    player: int
    """The agent's seat, 1 or 2."""
    opponent: str | None
    """The player in the other seat; `None` if a single move is asked for."""
    seed: int
    """The seed of the opponent."""
    level: str
    """How hard it is: the difficulty of a position, or the opponent."""
    opening: str = ""
    """The moves from the empty board to the first position, if known."""

    @property
    def start(self) -> Position:
        """The first position."""
        return read_position(self.position)

    @property
    def opening_moves(self) -> list[int]:
        """The moves of the opening."""
        start = self.start
        return read_moves(Position(start.game, start.board), self.opening)

    @property
    def cluster(self) -> str:
        """The first position up to symmetry: results of games from there depend on each other, whoever plays."""
        return write_position(first_image(self.start))

    @property
    def agent_seed(self) -> int:
        """The seed of an agent that is an engine; independent of the opponent's."""
        return crc32(f"{self.seed} agent".encode())

    def to_json(self) -> dict[str, str | int | None]:
        """The specification as JSON."""
        return asdict(self)


def read_spec(json: object) -> SampleSpec:
    """A specification from JSON."""
    return msgspec.convert(json, SampleSpec)


def game_samples(
    boards: Sequence[Position], opponents: Sequence[str], number: int, side: str, seed: int
) -> list[SampleSpec]:
    """A number of games on each board against each opponent; with `side` both, every opening from both seats."""
    seats = PLAYERS if side == "both" else (int(side),)
    rounds = -(-number // len(seats))
    specs = []
    for board in boards:
        name = f"{board.game.name}-{board.board.size}"
        openings = find_openings(board, rounds * len(opponents), seed)
        for k, opponent in enumerate(opponents):
            for i in range(number):
                round, seat = divmod(i, len(seats))
                moves = openings[(k * rounds + round) % len(openings)]
                first, opening = write_position(play_all(board, moves)), write_moves(board, moves)
                id = f"{name}-{opponent}-{seed}.{round}-player{seats[seat]}"
                specs.append(SampleSpec(id, first, seats[seat], opponent, crc32(id.encode()), opponent, opening))
    return specs


def position_samples(boards: Sequence[Position], number: int, seed: int) -> list[SampleSpec]:
    """A number of critical positions of each difficulty on each board."""
    return [spec for board in boards for spec in board_positions(board, number, seed)]


def board_positions(empty: Position, number: int, seed: int) -> list[SampleSpec]:
    """The positions of one board, different up to symmetry: of random games, by difficulty, sampled from each third."""
    rng = random.Random(f"{write_position(empty)} {seed}")
    third = POOL * number
    found: dict[Position, float] = {}
    seen: set[Position] = set()
    for _ in range(MAX_GAMES):
        position = rng.choice(random_game(empty, rng).positions)
        if first_image(position) not in seen and is_critical(position):
            seen.add(first_image(position))
            found[position] = difficulty(position)
        if len(found) == third * len(LEVELS):
            break
    else:
        where = f"{empty.game.name} {empty.board.size}"
        raise TooFewPositions(f"{where} has too few critical positions: ask for fewer than {number}, or a larger board")
    order = sorted(found, key=lambda position: (found[position], write_position(position)))
    specs = []
    for i, level in enumerate(LEVELS):
        for j, position in enumerate(rng.sample(order[i * third : (i + 1) * third], number), 1):
            id = f"{empty.game.name}-{empty.board.size}-{level}-{seed}.{j}"
            specs.append(SampleSpec(id, write_position(position), position.player, None, crc32(id.encode()), level))
    return specs


def difficulty(position: Position) -> float:
    """The rating of a position as a puzzle; of equal ratings, the one with fewer right moves is harder."""
    puzzle = puzzle_from(position, oracle_of(position), "")
    return puzzle.rating - len(puzzle.answers) / len(puzzle.moves)
