"""The first message of a turn: the prompt, with a picture of the board if the options say so."""

from base64 import b64encode
from collections.abc import Sequence

from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText

from quintet.drawing.png import pixels, png
from quintet.llm.options import AgentOptions
from quintet.rules import Position
from quintet.text.presentation import NOTATIONS, Presentation
from quintet.text.prompt import write_prompt


def ask(position: Position, moves: Sequence[int], options: AgentOptions, presentation: Presentation) -> ChatMessageUser:
    """Ask for a move."""
    text = write_prompt(position, moves, options, presentation, options.request)
    if not options.picture:
        return ChatMessageUser(content=text)
    content: list[Content] = [ContentText(text=text), ContentImage(image=picture(position, options.notation))]
    return ChatMessageUser(content=content)


def picture(position: Position, notation: str) -> str:
    """A picture of the board as a data URL; nothing in it says which moves are legal."""
    corner = NOTATIONS[notation] or position.game.corner
    image = png(pixels(position.board, corner, *position.claims, legal=0, last=0))
    return f"data:image/png;base64,{b64encode(image).decode()}"
