"""Exact values for an assistant: hints, explanations and reviews, one search at a time on each board."""

from quintet.llm.mcp.seats import Refusal
from quintet.llm.mcp.wording import player, turn
from quintet.match import Match
from quintet.study.analysis import analyze, value_map
from quintet.study.coach import explain, hint
from quintet.study.reviews import report, review

LONGEST = 60.0
"""Seconds that an answer may take."""


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
    move, why = hint(position, seconds=patience)
    return f"{player(match, position.player)} could play {position.label(move)}. {why}"


def analysis_of(match: Match, seconds: float) -> str:
    """What every move is worth, in words and on the board."""
    position, patience = match.position, limit(seconds)
    found = analyze(position, seconds=patience)
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
    found = review(match, seconds=patience)
    if found.complete:
        return report(found)
    return f"{report(found)}\n\nNot everything was found out within {patience:g} s; the grades given are right."
