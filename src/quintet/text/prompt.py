"""The prompts for models: the rules, the model's side, the board, and how to answer. One text for every game.

The wording is part of published results: a change of it is a new version of the suites.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from quintet.errors import QuintetError
from quintet.rules import HOLE, Game, Position
from quintet.text.answer import FORM
from quintet.text.presentation import NOTATIONS, Presentation, disguised_presentation, plain_presentation

RULES = ("full", "short")
MAX_RETRIES = 20
REQUEST = (
    "Think as long as you need. Then end your answer with one line that names your move, "
    f"in this form with the name of the cell in it:\n\n{FORM}"
)
"""How a move is asked for."""


class InvalidPromptOptions(QuintetError, ValueError):
    """Options of the prompt that are not valid."""


@dataclass(frozen=True, slots=True)
class PromptOptions:
    """How a model is prompted. Each option is an ablation: change one, and the difference is its effect."""

    rules: str = "full"
    """The rule book in `full`, or its one sentence: `short`."""
    legal: bool = True
    """Whether the legal moves are listed."""
    history: bool = True
    """Whether the moves so far are listed."""
    retries: int = 2
    """How often an answer without a legal move is sent back with the reason; with 0 it loses at once."""
    notation: str = "book"
    """How cells are named."""
    obfuscate: bool = False
    """Whether the game is disguised: other title, symbols and coordinates."""

    def __post_init__(self) -> None:
        """Check the options."""
        if self.rules not in RULES:
            raise InvalidPromptOptions(f"rules must be {' or '.join(RULES)}, not {self.rules!r}")
        if self.notation not in tuple(NOTATIONS):
            raise InvalidPromptOptions(f"notation must be one of {', '.join(NOTATIONS)}, not {self.notation!r}")
        if self.obfuscate and self.notation != "book":
            raise InvalidPromptOptions("a disguised game has its own notation: leave out notation")
        for name in ("legal", "history", "obfuscate"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidPromptOptions(f"{name} must be true or false, not {getattr(self, name)!r}")
        if type(self.retries) is not int or not 0 <= self.retries <= MAX_RETRIES:
            raise InvalidPromptOptions(f"retries must be a number from 0 to {MAX_RETRIES}, not {self.retries!r}")

    def present(self, position: Position, seed: str) -> Presentation:
        """How the board is presented; the names of a disguised game follow from the seed."""
        if self.obfuscate:
            return disguised_presentation(position.game, position.board, seed)
        return plain_presentation(position.game, position.board, self.notation)

    def changes(self, defaults: "PromptOptions") -> dict[str, str | bool | int]:
        """The options that differ from the defaults."""
        before = asdict(defaults)
        return {name: value for name, value in asdict(self).items() if value != before[name]}


def rules_text(game: Game, rules: str) -> str:
    """The rules of a game, and nothing else of its page: remarks on the rule book and on other boards stay out."""
    if rules == "short":
        return game.summary
    lead, *others = game.manual.strip().split("\n\n")
    chosen = [text for text in others if text.startswith("**") and not text.startswith(("**Rulings", "**Other"))]
    return "\n\n".join([lead, *chosen])


def write_prompt(
    position: Position,
    moves: Sequence[int],
    options: PromptOptions,
    presentation: Presentation,
    request: str = REQUEST,
) -> str:
    """The prompt at a turn: everything the player to move may know. It ends with a request for the move."""
    me, other = position.player, position.other
    board = position.board
    parts = [
        f"You are playing {presentation.title}, a game for two players.",
        f"# Rules\n\n{rules_text(position.game, options.rules)}",
        f"# This game\n\n{describe_board(position, presentation)}\n\n"
        f"You are Player {me} and your mark is {presentation.marks[me]}. "
        f"Your opponent is Player {other}, whose mark is {presentation.marks[other]}. It is your turn.",
    ]
    if board.target or position.game.territory:
        unit = "points" if board.target else "cells"
        mine, theirs = position.scores[me - 1], position.scores[other - 1]
        parts.append(f"You have {mine} {unit}, your opponent has {theirs}.")
    drawing = "The picture shows it." if presentation.pictured else f"```\n{presentation.draw(position)}\n```"
    parts.append(f"# The board now\n\n{drawing}")
    if options.history:
        parts.append(f"Moves so far: {presentation.history(position, moves)}.")
    if options.legal:
        parts.append(f"Your legal moves: {', '.join(presentation.label(move) for move in position.moves)}.")
    parts.append(f"# Your answer\n\n{request}")
    return "\n\n".join(parts)


def describe_board(position: Position, presentation: Presentation) -> str:
    """The facts of this board, which may differ from the rule book's."""
    board = position.board
    shape = f"{board.rows} rows and {board.cols} columns" if board.rows > 1 else f"one line of {board.cols} cells"
    which = "top left one" if presentation.names[0] else "first one"
    first = next(filter(None, presentation.names))
    goal = f" and the target is {board.target} points" if board.target else ""
    text = f"The board has {shape}{goal}. This counts where the rules name another size."
    if board.holes:
        text += " It has holes: places without a cell, which nobody can claim and which are no cell's neighbours."
        text += " In the picture they are blank." if presentation.pictured else f" A hole is shown as {HOLE!r}."
    if presentation.pictured:
        text += " In the picture an unclaimed cell has no mark."
    if board.values:
        text += " A number on the board is what an unclaimed cell is worth."
    elif not presentation.pictured:
        text += f" An unclaimed cell is shown as {presentation.marks[0]!r}."
    if not presentation.rows and presentation.pictured:
        text += " Its cells are numbered."
    elif not presentation.rows:
        text += " Every cell stands with its name, a colon, and what it holds."
    elif " " in first:
        text += f" A cell is named by its row and its column: the {which} is {first}."
    else:
        text += f" A cell is named by its row, then its column: the {which} is {first}."
    if presentation.disguised:
        text += " The cells' names are in no order: only the drawing shows which cells are next to each other."
    return text


def write_correction(position: Position, move: int | None, options: PromptOptions, presentation: Presentation) -> str:
    """What is wrong with an answer, and the request for another one."""
    if move is None:
        return f"No move could be read in your answer. End it with one line that names one cell of the board: {FORM}"
    text = write_refusal(position, move, options, presentation)
    return f"{text} Choose another, and end your answer with one line of the form {FORM}"


def write_refusal(position: Position, move: int, options: PromptOptions, presentation: Presentation) -> str:
    """Why a move is not legal."""
    text = f"{presentation.label(move)} is not a legal move: {position.refusal(move)}"
    if options.legal:
        text += f" Your legal moves: {', '.join(presentation.label(legal) for legal in position.moves)}."
    return text
