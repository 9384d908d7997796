"""A match in words, as an assistant reads it."""

from quintet.match import Match
from quintet.notation import list_moves, sentence_label, write_moves
from quintet.rules import PASS
from quintet.view import gained, make_view

MOST_LISTED = 60
"""Legal moves named in passing, at most."""


def player(match: Match, number: int) -> str:
    """A player with mark and name: `Player 1 (X, person)`."""
    return f"Player {number} ({match.position.game.style.marks[number]}, {match.names[number - 1]})"


def describe_match(id: str, match: Match, since: int | None = None) -> str:
    """The board, what has happened since a ply, whose turn it is, and what may be played."""
    position = match.position
    size = position.board.size
    lines = [f"Match {id}: {position.game.title} {size}, {player(match, 1)} against {player(match, 2)}.", ""]
    if since is not None and since < match.ply:
        lines += [*(event(match, ply) for ply in range(since, match.ply)), ""]
    lines += [str(position), ""]
    if position.game.territory or position.board.target:
        target = f", {position.board.target} wins" if position.board.target else ""
        lines.append(f"Score: {position.scores[0]} to {position.scores[1]}{target}.")
    if match.moves:
        lines.append(f"Moves so far: {write_moves(position, match.moves)}")
    return "\n".join([*lines, turn(match)])


def event(match: Match, ply: int) -> str:
    """What happened at a ply."""
    before, move = match.positions[ply], match.moves[ply]
    if move == PASS:
        return f"{player(match, before.player)} had to pass."
    more = gained(match, ply).bit_count() - 1
    also = f" and {more} more" if more else ""
    return f"{player(match, before.player)} claimed {sentence_label(before, move)}{also}."


def turn(match: Match) -> str:
    """Whose turn it is and what may be played, or how the match ended."""
    if match.outcome:
        return f"The match is over. {make_view(match).result}"
    position = match.position
    if position.must_pass:
        return f"{player(match, position.player)} must pass."
    return f"{player(match, position.player)} to move: {allowed(match)}"


def allowed(match: Match) -> str:
    """What may be played; of very many moves, how many there are."""
    number = len(match.position.moves)
    if number > MOST_LISTED:
        return f"{number} moves, which legal_moves lists."
    return f"{list_moves(match.position)}."
