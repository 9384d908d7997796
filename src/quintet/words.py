"""What a game says to its players. A game changes the sentences its rule book words otherwise."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """Templates of the line dialogue.

    Players: `{player}` and `{mark}` are those of the move at hand, `{other}` and `{other_mark}` the opponent's. Board:
    `{board}` is the drawing, `{moves}` what may be played, `{cell}` what was, `{example}` a cell near the middle.
    Numbers: `{score1}`, `{score2}`, `{target}`; at the end `{winner}`, `{winner_mark}`, `{loser}`, `{best}`.
    """

    welcome: str = "Welcome to {title}!\n\n{board}\n"
    turn: str = ""
    """Said before the prompt."""
    prompts: tuple[str, ...] = ("Player {player} ({mark}), enter your move (e.g., {example}): ",)
    """For a player on an empty board, for one without cells, and from then on; the last one serves for the rest."""
    again: str = ""
    """The prompt after a refused move, where it differs."""
    claimed: str = "Player {player} claimed {cell}.\n{board}\n"
    captured: str = ""
    """What `{captured}` says after a move that gained more than the cell named."""
    refused: str = "The rules do not allow that cell."
    """Why an unclaimed cell may not be claimed."""
    possible: str = "Available moves: {moves}"
    passed: str = "Player {player} has no valid moves and must pass."
    stuck: str = "Player {loser} has no legal moves remaining. Player {winner} ({winner_mark}) wins the game!"
    reached: str = "Player {winner} has reached {target} points and wins the game!"
    most: str = "Final Scores:\nPlayer 1: {score1}\nPlayer 2: {score2}\nWinner: Player {winner}"
    level: str = "Final Scores:\nPlayer 1: {score1}\nPlayer 2: {score2}\nThe game is a draw."
