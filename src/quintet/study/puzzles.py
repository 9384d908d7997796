"""Puzzles made from exact values: one move keeps the win or the draw, and another one looks better."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import islice

from quintet.engines.greedy import obvious_moves, temptations
from quintet.engines.kinds import MISS_RATES
from quintet.engines.level import oversight
from quintet.engines.perfect import best_choices
from quintet.errors import QuintetError
from quintet.games import GAMES, OWN
from quintet.language import later, tr
from quintet.match import Match
from quintet.notation import Naming, sentence_label, write_position
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve.oracle import Oracle, oracle_of
from quintet.solve.solver import Solver
from quintet.solve.value import Value
from quintet.study.analysis import best_line
from quintet.study.phrases import shown_line, worth
from quintet.study.reviews import Review

HARDEST = len(MISS_RATES) - 1
"""The highest rating; the last level finds every answer."""
EASY = 2
"""The rating of a newcomer's first puzzles."""
MOST_GAMES = 400
"""Random games searched before giving up."""
ENOUGH = 10
"""Puzzles made in search of a rating, before the nearest is taken."""
DEEPEST = 16
"""The most random moves between a puzzle and the end of its game, so that big boards have puzzles too."""
EARLIEST = 2
"""Moves before the first puzzle of a game: the earliest positions have few puzzles, and often the same."""
FEWEST_MOVES = 3
FIRST_DAY = date(2026, 1, 1)
"""The day of puzzle number 1."""
TRIES = 3
"""Tries at a puzzle of the day."""
RIGHT, RIGHT_THEN = later("Right: {move} {worth}."), later("Right: {move} {worth}. Then {line}.")
WRONG, WRONG_THEN = later("Wrong: {move} {worth}."), later("Wrong: {move} {worth}. Then {line}.")
"""Verdicts on a move; a line follows unless the game is over."""


class NoPuzzle(QuintetError, ValueError):
    """No puzzle of the kind asked for was found."""

    status = 1


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position and the moves that keep its outcome."""

    position: Position
    value: Value
    """What the position is worth for the player to move."""
    moves: dict[int, Value]
    """What every legal move is worth."""
    answers: tuple[int, ...]
    """The moves that keep the outcome; one, except in puzzles from one's own mistakes."""
    rating: int
    """How many of the ten levels miss it more often than not."""
    origin: str
    """Where it comes from, in words that follow "puzzle"."""
    day: date | None = None
    """The date whose puzzle it is, for a puzzle of the day."""

    @property
    def number(self) -> int | None:
        """The number of a puzzle of the day."""
        return day_number(self.day) if self.day else None

    @property
    def goal(self) -> str:
        """What is asked for."""
        who = {"player": self.position.player, "mark": "XO"[self.position.player - 1]}
        if self.value.outcome == "win" and len(self.answers) == 1:
            return tr("Player {player} ({mark}) to move: find the only move that wins.", **who)
        if self.value.outcome == "win":
            return tr("Player {player} ({mark}) to move: find a move that wins.", **who)
        if len(self.answers) == 1:
            return tr("Player {player} ({mark}) to move: find the only move that keeps the draw.", **who)
        return tr("Player {player} ({mark}) to move: find a move that keeps the draw.", **who)


def make_puzzle(
    game: Game | str, seed: int, rating: int | None = None, empty: Position | None = None, oracle: Oracle | None = None
) -> Puzzle:
    """The puzzle of a seed, on the rule book's board or on `empty`; of several, the one nearest to a rating."""
    empty = empty or start(game)
    rng = random.Random(f"{write_position(empty)} {seed}")
    oracle = oracle or oracle_of(empty)
    found: list[Puzzle] = []
    for _ in range(MOST_GAMES):
        found += puzzles_in(random_game(empty, rng), oracle, tr("seed {seed}", seed=seed))
        if found and (rating is None or len(found) >= ENOUGH or any(puzzle.rating == rating for puzzle in found)):
            break
    if not found:
        where = {"games": MOST_GAMES, "game": empty.game.name, "size": empty.board.size}
        raise NoPuzzle(tr("no puzzle was found in {games} random games of {game} {size}", **where))
    off = [0 if rating is None else abs(puzzle.rating - rating) for puzzle in found]
    return rng.choice([puzzle for puzzle, how in zip(found, off, strict=True) if how == min(off)])


def random_game(empty: Position, rng: random.Random) -> Match:
    """A game of random moves to its end."""
    match = Match(empty)
    while match.position.moves:
        match.play(rng.choice(match.position.moves))
    return match


def puzzles_in(match: Match, oracle: Oracle, origin: str) -> list[Puzzle]:
    """The positions of a game that are puzzles, near enough to its end."""
    positions = match.positions[max(EARLIEST, match.ply - DEEPEST) :]
    return [puzzle for position in positions if (puzzle := puzzle_at(position, oracle, origin))]


def today() -> date:
    """The date whose puzzle is the puzzle of the day now: the UTC date, which is the same everywhere."""
    return datetime.now(UTC).date()


def day_number(day: date) -> int:
    """The number of a day's puzzle: they are counted from the first."""
    return (day - FIRST_DAY).days + 1


def check_day(day: date, now: date) -> None:
    """Refuse a day whose puzzle nobody can have yet, or that had none."""
    if day > now:
        raise NoPuzzle(tr("the puzzle of {day} is not out yet; today is {today} in UTC", day=day, today=now))
    if day < FIRST_DAY:
        raise NoPuzzle(tr("the first puzzle of the day was that of {day}", day=FIRST_DAY))


def game_of_the_day(day: date) -> Game:
    """The game of a date's puzzle: they take turns."""
    return GAMES[OWN[day.toordinal() % len(OWN)]]


def puzzle_of_the_day(day: date) -> Puzzle:
    """The same puzzle for everybody on a date."""
    puzzle = make_puzzle(game_of_the_day(day), day.toordinal())
    return replace(puzzle, origin=tr("of {day} (UTC)", day=day.isoformat()), day=day)


def mistakes(review: Review, oracle: Oracle | None = None, player: int | None = None) -> list[Puzzle]:
    """Puzzles from a game: a better move for every one that changed the outcome; one player's, or both players'."""
    first = review.match.positions[0]
    oracle = oracle or oracle_of(first)
    found = []
    for grade in review.turns:
        if player in (None, grade.player):
            move = sentence_label(first, grade.move)
            origin = tr("from move {ply}, where {move} was played", ply=grade.ply, move=move)
            found.append(puzzle_from(grade.position, oracle, origin))
    return found


def puzzle_at(position: Position, oracle: Oracle, origin: str) -> Puzzle | None:
    """The puzzle a position is, if it is one."""
    if len(position.moves) < FEWEST_MOVES or not oracle.ask(is_puzzle, position):
        return None
    return puzzle_from(position, oracle, origin)


def is_puzzle(solver: Solver, position: Position) -> bool:
    """Whether a single move keeps a win or a draw, and others look better."""
    least = 1 if solver.ask(position, 1) > 0 else 0
    if least == 0 and (not position.game.territory or solver.ask(position, 0) < 0):
        return False
    if any(solver.reaches(position, move, least) for move in obvious_moves(position)):
        return False
    keeping = (move for move in position.moves if solver.reaches(position, move, least))
    return len(list(islice(keeping, 2))) == 1


def puzzle_from(position: Position, oracle: Oracle, origin: str) -> Puzzle:
    """The puzzle of finding the moves that keep a position's outcome."""
    moves = oracle.grade(position)
    value = max(moves.values())
    answers = tuple(move for move, other in moves.items() if other.outcome == value.outcome)
    rating = rating_of(position, answers, oracle.ask(best_choices, position))
    return Puzzle(position, value, moves, answers, rating, origin)


def rating_of(position: Position, answers: Sequence[int], best: Sequence[int]) -> int:
    """How many of the levels miss the answers more often than not; a perfect player chooses one of `best`."""
    tempting = temptations(position, sum(best)).bit_count()
    others = [move for move in position.moves if move not in best]
    wrong = sum(move not in answers for move in others)
    # A level that overlooks the best moves plays any of the others, and some of those may be answers too.
    return sum(oversight(miss_rate, tempting) * wrong > len(others) / 2 for miss_rate in MISS_RATES)


def judge(puzzle: Puzzle, move: int, oracle: Oracle | None = None, name: Naming = sentence_label) -> tuple[bool, str]:
    """Whether a move is right, and why."""
    position, value = puzzle.position, puzzle.moves[move]
    right = move in puzzle.answers
    worth_less = tr("only draws") if not right and value.outcome == "draw" else worth(value)
    said = {"move": name(position, move), "worth": worth_less}
    if line := line_after(position, move, oracle, name):
        said["line"] = line
        return right, tr(RIGHT_THEN if right else WRONG_THEN, **said)
    return right, tr(RIGHT if right else WRONG, **said)


def solution(puzzle: Puzzle, oracle: Oracle | None = None, name: Naming = sentence_label) -> str:
    """The answer in a sentence, with the line that follows it."""
    position, move = puzzle.position, puzzle.answers[0]
    said = {"move": name(position, move), "worth": worth(puzzle.moves[move])}
    if line := line_after(position, move, oracle, name):
        return tr("Solution: {move} {worth}. Then {line}.", **said, line=line)
    return tr("Solution: {move} {worth}.", **said)


def line_after(position: Position, move: int, oracle: Oracle | None, name: Naming) -> str:
    """How best play continues after a move, for a sentence; empty if the game is over."""
    return shown_line(position, (oracle or oracle_of(position)).ask(best_line, position.play(move)), name)
