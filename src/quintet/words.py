"""What a game says to its players: the sentences its rule book words otherwise, and the steps of its lesson."""

from dataclasses import dataclass

from quintet.language import later


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
    refused: str = later("The rules do not allow that cell.")
    """Why an unclaimed cell may not be claimed."""
    possible: str = "Available moves: {moves}"
    passed: str = "Player {player} has no valid moves and must pass."
    stuck: str = "Player {loser} has no legal moves remaining. Player {winner} ({winner_mark}) wins the game!"
    reached: str = "Player {winner} has reached {target} points and wins the game!"
    most: str = "Final Scores:\nPlayer 1: {score1}\nPlayer 2: {score2}\nWinner: Player {winner}"
    level: str = "Final Scores:\nPlayer 1: {score1}\nPlayer 2: {score2}\nThe game is a draw."


@dataclass(frozen=True, slots=True)
class Step:
    """One tap of a game's lesson; the learner plays X. Cells are named as on screens: `B2`, or `7` on a line.

    In the texts `{cells}` is how many cells the tap took; `{score1}`, `{score2}` and `{target}` are as in the dialogue.
    The last step is over with a tap that wins.
    """

    say: str
    """What to do."""
    then: str
    """What the tap did."""
    tap: str = ""
    """The cells to tap, separated by spaces; empty for any that may be claimed."""
    refused: bool = False
    """Whether to tap a cell that may not be claimed, to see why."""
    retry: str = ""
    """The text after a legal tap that is not the right one, where the learner has to choose."""
    reply: str = ""
    """The opponent's answer: the first of these cells that may be claimed and, before the last step, lets the learner
    win. A forced pass need not be named."""
    start: str = ""
    """The position it starts from, as `quintet.write_position` writes it without the game; empty to continue."""
