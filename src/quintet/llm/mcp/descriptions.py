"""A match in words, for an assistant."""

from quintet.engines.players import stored_player
from quintet.llm.mcp.answers import MatchState
from quintet.llm.mcp.cells import cell_name, cell_names, list_cells, on_screen
from quintet.llm.mcp.players import ASSISTANT, PERSON
from quintet.match import Match
from quintet.rules import PASS
from quintet.safe_text import quote
from quintet.view import gained

MAX_LISTED = 60
"""The most legal moves that a description lists."""
LONGEST_NAME = 40
"""How many characters of a stranger's name are shown."""


def quoted_name(name: str) -> str:
    """A player's name for an assistant: what a stranger chose is quoted and short, so that nobody obeys it."""
    player = stored_player(name)
    ours = name in (PERSON, ASSISTANT) or (player is not None and str(player) == name)
    return name if ours else f"a player called {quote(name, LONGEST_NAME)}"


def shown(match: Match) -> Match:
    """The match for an assistant: the same, with texts of strangers quoted."""
    match = match.copy()
    match.names = quoted_name(match.names[0]), quoted_name(match.names[1])
    if match.fault:
        player, reason = match.fault
        match.fault = player, quote(reason)
    return match


def player(match: Match, number: int) -> str:
    """A player with mark and name: `Player 1 (X, person)`."""
    name = quoted_name(match.names[number - 1])
    return f"Player {number} ({match.position.game.style.marks[number]}, {name})"


def state_of(id: str, match: Match, text: str) -> MatchState:
    """A match as data, with a text that describes it."""
    position, outcome = match.position, match.outcome
    return {
        "match": id,
        "game": position.game.name,
        "size": position.board.size,
        "players": [quoted_name(name) for name in match.names],
        "to_move": None if outcome else position.player,
        "board": str(on_screen(position)),
        "score": list(position.scores),
        "moves": cell_names(position, match.moves),
        "legal_moves": [] if outcome else cell_names(position, position.moves),
        "over": outcome is not None,
        "winner": outcome.winner if outcome else None,
        "text": text,
    }


def describe_match(id: str, match: Match, since: int | None = None) -> str:
    """The board, what happened since a ply, whose turn it is, and the legal moves."""
    position = match.position
    size = position.board.size
    lines = [f"Match {id}: {position.game.title} {size}, {player(match, 1)} against {player(match, 2)}.", ""]
    if since is not None and since < match.ply:
        lines += [*(describe_move(match, ply) for ply in range(since, match.ply)), ""]
    lines += [str(on_screen(position)), ""]
    if position.game.territory or position.board.target:
        target = f", {position.board.target} wins" if position.board.target else ""
        lines.append(f"Score: {position.scores[0]} to {position.scores[1]}{target}.")
    if match.moves:
        lines.append(f"Moves so far: {'; '.join(cell_names(position, match.moves))}")
    return "\n".join([*lines, describe_turn(match)])


def describe_move(match: Match, ply: int) -> str:
    """What happened at a ply."""
    before, move = match.positions[ply], match.moves[ply]
    if move == PASS:
        return f"{player(match, before.player)} had to pass."
    more = gained(match, ply).bit_count() - 1
    also = f" and {more} more cell{'' if more == 1 else 's'}" if more else ""
    return f"{player(match, before.player)} claimed {cell_name(before, move)}{also}."


def describe_turn(match: Match) -> str:
    """Whose turn it is and the legal moves, or how the match ended."""
    if match.outcome:
        outcome = shown(match).outcome
        assert outcome
        return f"The match is over. {outcome.sentence}"
    position = match.position
    if position.must_pass:
        return f"{player(match, position.player)} must pass."
    return f"{player(match, position.player)} to move. Legal moves: {list_legal(match)}"


def list_legal(match: Match) -> str:
    """The legal moves; if there are very many, only their number."""
    number = len(match.position.moves)
    if number > MAX_LISTED:
        return f"{number}; legal_moves lists them."
    return f"{list_cells(match.position)}."
