"""A person's way through a suite: one sample after another, against the same opponents as everybody else."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from quintet.engines import make_engine
from quintet.engines.door import ask_engine, close_engine
from quintet.games import GAMES
from quintet.match import Match
from quintet.rules import PASS, Position, play_all
from quintet.suites.samples import SampleSpec
from quintet.suites.suite import Suite


class Place(NamedTuple):
    """How far a person is."""

    number: int
    """Which sample is to be played, counted from 0; the number of samples at the end."""
    moves: list[int]
    """Both players' moves in it so far."""
    before: list[int]
    """The same in the sample that they came from, if that has ended."""


def course(suite: Suite, game: str = "") -> tuple[SampleSpec, ...]:
    """The samples of a suite in the order in which a person plays them: game by game, or those of one game."""
    names = [game] if game else list(GAMES)
    samples = (*suite.games, *suite.positions)
    return tuple(spec for name in names for spec in samples if spec.position.split(" ", 1)[0] == name)


def find_place(specs: Sequence[SampleSpec], number: int, choices: Sequence[int]) -> Place:
    """Where a person is who has made these choices in a sample: there, or in the next in which there is a choice."""
    before = moves = follow(specs[number], choices)
    at = number
    while is_over(specs[at], moves):
        at += 1
        if at == len(specs):
            return Place(at, [], before)
        moves = follow(specs[at], ())
    return Place(at, moves, before if at > number else [])


def follow(spec: SampleSpec, choices: Sequence[int]) -> list[int]:
    """Both players' moves after the first position if the person makes these choices, until they have to choose again.

    The opponent is asked again from the start, because its random numbers continue from move to move.
    """
    engine = make_engine(spec.opponent, spec.seed) if spec.opponent else None
    position, left, moves = spec.start, list(choices), list[int]()
    try:
        while not is_over(spec, moves):
            if position.must_pass:
                move = PASS
            elif position.player == spec.player:
                if not left:
                    break
                move = left.pop(0)
            else:
                assert engine
                move = ask_engine(engine, position, inf)
            position = position.play(move)
            moves.append(move)
    finally:
        if engine:
            close_engine(engine)
    return moves


def is_over(spec: SampleSpec, moves: Sequence[int]) -> bool:
    """Whether a sample has ended: the game, or the single move that was asked for."""
    return bool(moves) if spec.opponent is None else bool(play_all(spec.start, moves).outcome)


def match_of(spec: SampleSpec, moves: Sequence[int]) -> Match:
    """The match that a screen shows: from the empty board if the opening is known."""
    start = spec.start
    empty = Position(start.game, start.board)
    opening = spec.opening_moves
    return Match(empty, [*opening, *moves]) if opening or start == empty else Match(start, list(moves))
