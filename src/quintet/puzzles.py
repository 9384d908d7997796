"""Puzzles made from exact values: one move keeps the win or the draw, and greed takes another."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any

from quintet.analysis import best_line
from quintet.coach import shown_line, worth
from quintet.engines.greedy import greedy_moves, temptations
from quintet.engines.kinds import CHANCES
from quintet.engines.level import oversight
from quintet.engines.perfect import best_choices
from quintet.games import GAMES, OWN
from quintet.match import Match
from quintet.notation import sentence_label, write_position
from quintet.options import describe, start
from quintet.reviews import Review
from quintet.rules import Game, Position, QuintetError
from quintet.solve.solver import Solver
from quintet.solve.value import Value

HARDEST = len(CHANCES) - 1
"""The last level finds everything."""
MOST_GAMES = 400
"""Random games looked through before giving up."""
ENOUGH = 10
"""Puzzles made to find one of a rating, before the nearest will do."""
DEEPEST = 16
"""A puzzle is at most so many random moves from the end, so that big boards have puzzles too."""
EARLIEST = 2
"""The first moves have few puzzles that are often the same."""
FEWEST_MOVES = 3


class NoPuzzle(QuintetError, ValueError):
    """Nothing of the kind asked for was found."""


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
    """Where it comes from, in words."""
    day: date | None = None
    """The date whose puzzle it is, for a puzzle of the day."""

    @property
    def goal(self) -> str:
        """What is asked for."""
        player, aim = self.position.player, "wins" if self.value.outcome == "win" else "keeps the draw"
        which = "the only move that" if len(self.answers) == 1 else "a move that"
        return f"Player {player} ({'XO'[player - 1]}) to move: find {which} {aim}."


def make_puzzle(
    game: Game | str, seed: int, rating: int | None = None, empty: Position | None = None, solver: Solver | None = None
) -> Puzzle:
    """The puzzle of a seed, on the rule book's board or on `empty`; as near to a rating as a few come."""
    empty = empty or start(game)
    rng = random.Random(f"{write_position(empty)} {seed}")
    solver = solver or Solver(empty.game, empty.board)
    found: list[Puzzle] = []
    for _ in range(MOST_GAMES):
        found += puzzles_in(random_game(empty, rng), solver, f"seed {seed}")
        if found and (rating is None or len(found) >= ENOUGH or any(puzzle.rating == rating for puzzle in found)):
            off = [0 if rating is None else abs(puzzle.rating - rating) for puzzle in found]
            return rng.choice([puzzle for puzzle, how in zip(found, off, strict=True) if how == min(off)])
    raise NoPuzzle(f"no puzzle was found in {MOST_GAMES} random games of {empty.game.name} {empty.board.size}")


def random_game(empty: Position, rng: random.Random) -> Match:
    """A game of random moves to its end."""
    match = Match(empty)
    while match.position.moves:
        match.play(rng.choice(match.position.moves))
    return match


def puzzles_in(match: Match, solver: Solver, origin: str) -> list[Puzzle]:
    """The positions of a game that are puzzles, near enough to its end."""
    positions = match.positions[max(EARLIEST, match.ply - DEEPEST) :]
    return [puzzle for position in positions if (puzzle := puzzle_at(position, solver, origin))]


def today() -> date:
    """The date whose puzzle is the puzzle of the day now: the UTC date, which is the same everywhere."""
    return datetime.now(UTC).date()


def puzzle_of_the_day(day: date) -> Puzzle:
    """The same puzzle for everybody on a date; the games take turns."""
    games = [GAMES[name] for name in OWN]
    number = day.toordinal()
    puzzle = make_puzzle(games[number % len(games)], number)
    return replace(puzzle, origin=f"of {day.isoformat()} (UTC)", day=day)


def mistakes(review: Review, solver: Solver | None = None, player: int | None = None) -> list[Puzzle]:
    """Puzzles from a game: every move that changed the outcome, to be found better; one player's, or both."""
    first = review.match.positions[0]
    solver = solver or Solver(first.game, first.board)
    return [
        make(grade.position, solver, f"from move {grade.ply}, where {sentence_label(first, grade.move)} was played")
        for grade in review.turns
        if player in (None, grade.player)
    ]


def puzzle_at(position: Position, solver: Solver, origin: str) -> Puzzle | None:
    """The puzzle a position is, if it is one: a single move keeps a win or a draw, and greed takes others."""
    if len(position.moves) < FEWEST_MOVES:
        return None
    least = 1 if solver.ask(position, 1) > 0 else 0
    if least == 0 and (not position.game.territory or solver.ask(position, 0) < 0):
        return None
    if any(solver.reaches(position, move, least) for move in greedy_moves(position)):
        return None
    keeping = (move for move in position.moves if solver.reaches(position, move, least))
    return make(position, solver, origin) if len(list(islice(keeping, 2))) == 1 else None


def make(position: Position, solver: Solver, origin: str) -> Puzzle:
    """The puzzle of finding the moves that keep a position's outcome."""
    moves = solver.grade(position)
    value = max(moves.values())
    answers = tuple(move for move, other in moves.items() if other.outcome == value.outcome)
    return Puzzle(position, value, moves, answers, rating_of(position, answers, best_choices(solver, position)), origin)


def rating_of(position: Position, answers: Sequence[int], best: Sequence[int]) -> int:
    """How many of the levels miss the answers more often than not, where these are the best moves."""
    tempting = temptations(position, sum(best)).bit_count()
    others = [move for move in position.moves if move not in best]
    wrong = sum(move not in answers for move in others)
    # A level that overlooks the best moves plays any of the others, and some of those may be answers too.
    return sum(oversight(chance, tempting) * wrong > len(others) / 2 for chance in CHANCES)


def refuting_line(position: Position, move: int, value: Value, solver: Solver) -> list[int]:
    """Best play after a move of known value."""
    return best_line(solver, position.play(move), solver.later(value.low))


def judge(puzzle: Puzzle, move: int, solver: Solver | None = None) -> tuple[bool, str]:
    """Whether a move is right, and why."""
    position, value = puzzle.position, puzzle.moves[move]
    solver = solver or Solver(position.game, position.board)
    name = sentence_label(position, move)
    line = refuting_line(position, move, value, solver)
    goes_on = f" It goes on {shown_line(position, line)}." if line else ""
    if move in puzzle.answers:
        return True, f"Right: {name} {worth(value)}.{goes_on}"
    draws = value.outcome == "draw"
    return False, f"Wrong: {name} {'only draws' if draws else worth(value)}.{goes_on}"


def solution(puzzle: Puzzle, solver: Solver | None = None) -> str:
    """The answer in a sentence, with the line that follows it."""
    return judge(puzzle, puzzle.answers[0], solver)[1].replace("Right", "Solution", 1)


def facts(puzzle: Puzzle, solved: bool = False) -> dict[str, Any]:
    """A puzzle as JSON carries it, with its answers if it is to be solved."""
    position = puzzle.position
    found: dict[str, Any] = {
        "game": position.game.name,
        "options": describe(position.board),
        "position": write_position(position),
        "to_move": position.player,
        "goal": puzzle.value.outcome,
        "rating": puzzle.rating,
        "origin": puzzle.origin,
        "day": puzzle.day and puzzle.day.isoformat(),
        "moves": [position.label(move) for move in puzzle.moves],
    }
    if solved:
        found["answers"] = [position.label(move) for move in puzzle.answers]
        found["values"] = [value.facts() for value in puzzle.moves.values()]
    return found
