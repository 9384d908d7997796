"""Hints, analyses and reviews for an assistant, within a time limit."""

from quintet.board import screen_corner
from quintet.llm.mcp.answers import Analysis, Hint, Review
from quintet.llm.mcp.cells import cell_name
from quintet.llm.mcp.descriptions import describe_turn, player, shown
from quintet.llm.mcp.players import InvalidRequest
from quintet.match import Match
from quintet.study.analysis import analyze, value_map
from quintet.study.coach import explain, hint
from quintet.study.remarks import report
from quintet.study.reviews import review

MAX_SECONDS = 60.0
"""The longest time limit of an answer."""


def check_limit(seconds: float) -> float:
    """A time limit that is allowed."""
    if not 0 < seconds <= MAX_SECONDS:
        raise InvalidRequest(f"seconds must be more than 0 and at most {MAX_SECONDS:.0f}")
    return seconds


def hint_for(match: Match, seconds: float) -> Hint:
    """A good move for the player to move, and why."""
    if match.outcome:
        raise InvalidRequest(f"{describe_turn(match)} A finished match has no hints.")
    position, limit = match.position, check_limit(seconds)
    if position.must_pass:
        return {"move": None, "text": describe_turn(match)}
    move, why = hint(position, seconds=limit, name=cell_name)
    named = cell_name(position, move)
    return {"move": named, "text": f"{player(match, position.player)} could play {named}. {why}"}


def analysis_of(match: Match, seconds: float) -> Analysis:
    """The value of every move, in words and on the board."""
    position, limit = match.position, check_limit(seconds)
    found = analyze(position, seconds=limit)
    lines = [explain(found, cell_name)]
    if found.moves and not position.must_pass:
        legend = "final margin in cells" if position.game.territory else "W wins, L loses, with the moves to the end"
        lines += ["", f"The value of each move for {player(match, position.player)} ({legend}):"]
        lines += [value_map(found, screen_corner(position.board))]
    if not found.complete:
        marked = ", except for estimates, marked ~" if found.estimate else ""
        lines += [
            "",
            f"Stopped after {limit:g} s; the values shown are exact{marked}. Allow more seconds for the others.",
        ]
    return {
        "complete": found.complete,
        "moves": [
            {
                "move": cell_name(position, move),
                "result": value.outcome,
                "margin": value.margin,
                "plies": value.plies,
            }
            for move, value in found.moves.items()
        ],
        "text": "\n".join(lines),
    }


def review_of(match: Match, seconds: float) -> Review:
    """Every move of a match, graded."""
    if not match.moves:
        raise InvalidRequest("There is nothing to review: no move has been played yet.")
    limit = check_limit(seconds)
    found = review(shown(match), seconds=limit)
    text = report(found, cell_name)
    if not found.complete:
        text += f"\n\nStopped after {limit:g} s; the grades shown are exact. Allow more seconds for the others."
    return {
        "complete": found.complete,
        "accuracy": [found.accuracy(number) for number in (1, 2)],
        "regret": [found.regret(number) for number in (1, 2)],
        "text": text,
    }
