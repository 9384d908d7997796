"""What a model is asked: the rules, who it is, the board, and how to answer. One text for every game."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from quintet.llm.answer import FORM
from quintet.llm.dress import NOTATIONS, Dress, plain_dress, strange_dress
from quintet.rules import Game, Position

RULES = ("full", "short")
MOST_RETRIES = 20


class InvalidManner(ValueError):
    """An option of the prompt that cannot be."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a model is asked. Each choice is an ablation: change one, and the difference is what it is worth."""

    rules: str = "full"
    """The rule book in `full`, or its one sentence: `short`."""
    legal: bool = True
    """Whether the legal moves are listed."""
    history: bool = True
    """Whether the moves so far are listed, or the board alone is shown."""
    retries: int = 2
    """How often an answer that is no legal move is sent back with the reason; with 0 it loses at once."""
    notation: str = "book"
    obfuscate: bool = False
    """Whether the game appears as its twin: renamed, with other symbols and coordinates in no order."""

    def __post_init__(self) -> None:
        """Refuse what cannot be."""
        if self.rules not in RULES:
            raise InvalidManner(f"rules are {' or '.join(RULES)}, not {self.rules!r}")
        if self.notation not in tuple(NOTATIONS):
            raise InvalidManner(f"the notation is one of {', '.join(NOTATIONS)}, not {self.notation!r}")
        if self.obfuscate and self.notation != "book":
            raise InvalidManner("the obfuscated twin has a notation of its own: leave the notation out")
        for name in ("legal", "history", "obfuscate"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidManner(f"{name} is true or false, not {getattr(self, name)!r}")
        if type(self.retries) is not int or not 0 <= self.retries <= MOST_RETRIES:
            raise InvalidManner(f"retries are a number from 0 to {MOST_RETRIES}, not {self.retries!r}")

    def dress(self, position: Position, seed: str) -> Dress:
        """What the board wears; the twin's names follow from the seed."""
        if self.obfuscate:
            return strange_dress(position.game, position.board, seed)
        return plain_dress(position.game, position.board, self.notation)

    def changes(self, usual: "Manner") -> dict[str, Any]:
        """What differs from the usual way of asking."""
        before = asdict(usual)
        return {name: value for name, value in asdict(self).items() if value != before[name]}


FOR_GAMES = Manner()
FOR_POSITIONS = Manner(history=False, retries=0)
"""The usual ways of asking. A position has no history, and one answer."""


def rules_text(game: Game, dress: Dress, rules: str) -> str:
    """The rules of a game. The twin leaves out remarks about the rule book, which would give the game away."""
    if rules == "short":
        return game.summary
    paragraphs = game.manual.strip().split("\n\n")
    if dress.shuffled:
        lead, *others = paragraphs
        told = [text for text in others if text.startswith("**") and not text.startswith(("**Rulings", "**Other"))]
        paragraphs = [lead, *told]
    return "\n\n".join(paragraphs)


def ask(position: Position, moves: Sequence[int], manner: Manner, dress: Dress) -> str:
    """The question at a turn: everything a player may know, for whoever is to move."""
    me, other = position.player, position.other
    board = position.board
    parts = [
        f"You are playing {dress.title}, a game for two players.",
        f"# Rules\n\n{rules_text(position.game, dress, manner.rules)}",
        f"# This game\n\n{this_board(position, dress)}\n\n"
        f"You are Player {me} and your mark is {dress.marks[me]}. "
        f"Your opponent is Player {other}, whose mark is {dress.marks[other]}. It is your turn.",
    ]
    if board.target or position.game.territory:
        unit = "points" if board.target else "cells"
        mine, theirs = position.scores[me - 1], position.scores[other - 1]
        parts.append(f"You have {mine} {unit}, your opponent has {theirs}.")
    parts.append(f"# The board now\n\n```\n{dress.draw(position)}\n```")
    if manner.history:
        parts.append(f"Moves so far: {dress.history(position, moves)}.")
    if manner.legal:
        parts.append(f"Your legal moves: {', '.join(dress.label(move) for move in position.moves)}.")
    parts.append(
        "# Your answer\n\nThink as long as you need. Then end your answer with one line that names your move, "
        f"in this form with the name of the cell in it:\n\n{FORM}"
    )
    return "\n\n".join(parts)


def this_board(position: Position, dress: Dress) -> str:
    """The facts of the board, which count where the rules speak of another."""
    board = position.board
    shape = f"{board.rows} rows and {board.cols} columns" if board.rows > 1 else f"one line of {board.cols} cells"
    goal = f" and the target is {board.target} points" if board.target else ""
    text = f"The board has {shape}{goal}; that counts where the rules speak of another."
    if board.values:
        text += " A number on the board is what an unclaimed cell is worth."
    else:
        text += f" An unclaimed cell is shown as {dress.marks[0]!r}."
    if not dress.rows:
        text += " Every cell stands with its name, a colon, and what it holds."
    elif " " in dress.names[0]:
        text += f" A cell is named by its row and its column: the top left one is {dress.names[0]}."
    else:
        text += f" A cell is named by its row, then its column: the top left one is {dress.names[0]}."
    if dress.shuffled:
        text += " The cells' names are in no order: what lies next to what is seen in the drawing alone."
    return text


def refuse(position: Position, move: int | None, manner: Manner, dress: Dress) -> str:
    """What is wrong with an answer, and the request for another."""
    if move is None:
        return f"No move could be read in your answer. End it with one line that names one cell of the board: {FORM}"
    text = f"{dress.label(move)} is not a legal move: {position.refusal(move)}"
    if manner.legal:
        text += f" Your legal moves: {', '.join(dress.label(legal) for legal in position.moves)}."
    return f"{text} Choose another, and end your answer with one line of the form {FORM}"
