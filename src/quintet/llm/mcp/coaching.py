"""Exact values for an assistant: hints, explanations and reviews, one search at a time on each board."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock

from quintet.board import Board
from quintet.llm.mcp.seats import Refusal
from quintet.llm.mcp.wording import player, turn
from quintet.match import Match
from quintet.rules import Game
from quintet.solve.solver import Solver
from quintet.study.analysis import analyze, value_map
from quintet.study.coach import explain, hint
from quintet.study.reviews import report, review

LONGEST = 60.0
"""Seconds that an answer may take."""
MEMORY = 1 << 28


@lru_cache(maxsize=4)
def knowledge(game: Game, board: Board) -> tuple[Solver, Lock]:
    """What is known of a board; it grows with every question."""
    return Solver(game, board, memory=MEMORY), Lock()


@contextmanager
def solver_of(match: Match) -> Iterator[Solver]:
    """The solver of a match's board, for one question."""
    solver, lock = knowledge(match.position.game, match.position.board)
    with lock:
        yield solver


def limit(seconds: float) -> float:
    """A time that may be asked for."""
    if not 0 < seconds <= LONGEST:
        raise Refusal(f"seconds must lie between 0 and {LONGEST:.0f}")
    return seconds


def hint_for(match: Match, seconds: float) -> str:
    """A good move for the player to move, and why."""
    if match.outcome:
        raise Refusal(f"{turn(match)} There is nothing to hint at.")
    position, patience = match.position, limit(seconds)
    if position.must_pass:
        return turn(match)
    with solver_of(match) as solver:
        move, why = hint(position, solver, patience)
    return f"{player(match, position.player)} could play {position.label(move)}. {why}"


def analysis_of(match: Match, seconds: float) -> str:
    """What every move is worth, in words and on the board."""
    position, patience = match.position, limit(seconds)
    with solver_of(match) as solver:
        found = analyze(position, solver, patience)
    lines = [explain(found)]
    if found.moves and not position.must_pass:
        legend = "cells ahead in the end" if position.game.territory else "W wins, L loses, with the moves to the end"
        lines += ["", f"What each claim is worth for {player(match, position.player)} ({legend}):"]
        lines += [value_map(position, found.moves)]
    if not found.complete:
        lines += ["", f"Not everything was found out within {patience:g} s; more seconds may tell more."]
    return "\n".join(lines)


def review_of(match: Match, seconds: float) -> str:
    """Every move of a match, graded."""
    if not match.moves:
        raise Refusal("No move has been played yet, so there is nothing to review.")
    patience = limit(seconds)
    with solver_of(match) as solver:
        found = review(match, solver, patience)
    if found.complete:
        return report(found)
    return f"{report(found)}\n\nNot everything was found out within {patience:g} s; the grades given are right."
