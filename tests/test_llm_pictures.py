"""Prompts with a picture: a model that sees nothing but the picture plays perfectly."""

import io
import re
from base64 import b64decode

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessage, ContentImage, ModelOutput, ModelUsage, get_model
from PIL import Image

from quintet.drawing.canvas import NAMES
from quintet.drawing.svg import CELL, MARGIN
from quintet.engines.perfect import Perfect
from quintet.games import GAMES
from quintet.llm.options import AgentOptions
from quintet.llm.questions import ask
from quintet.llm.tasks import play
from quintet.options import start
from quintet.rules import Position
from scripted import THEIRS, inspect_alone, inspect_gone  # noqa: F401

pytestmark = THEIRS

SIZE = "3x3"


def see(message: ChatMessage) -> Position:
    """The position of Gridlock that the picture of a message shows."""
    assert isinstance(message.content, list) and isinstance(message.content[1], ContentImage)
    image = Image.open(io.BytesIO(b64decode(message.content[1].image.split(",")[1])))
    owners = [0, 0, 0]
    for number in range(9):
        row, col = divmod(number, 3)
        place = MARGIN + col * CELL + CELL // 6, MARGIN + (row + 1) * CELL - CELL // 6
        colour = image.getpixel(place)
        assert isinstance(colour, int)
        owners[("cell", "one-cell", "two-cell").index(NAMES[colour])] |= 1 << number
    me = re.search(r"You are Player (\d) and your mark is a (cross|ring)\.", message.text)
    assert me and me[2] == ("cross", "ring")[int(me[1]) - 1]
    mine, theirs = owners[1:] if me[1] == "1" else owners[:0:-1]
    return Position(GAMES["gridlock"], start("gridlock", SIZE).board, mine, theirs, int(me[1]))


@pytest.mark.parametrize("notation", ["book", "letters"])
def test_a_model_that_sees_only_the_picture_plays_perfectly(notation: str) -> None:
    async def outputs(input: list[ChatMessage], *_: object) -> ModelOutput:
        assert "```" not in input[0].text and "The picture shows it." in input[0].text
        position = see(input[0])
        names = AgentOptions(notation=notation).present(position, "")
        output = ModelOutput.from_content("mock", f"MOVE: {names.label(Perfect(0).choose(position))}")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    task = play(game="gridlock", size=SIZE, games=4, picture=True, history=False, legal=False, notation=notation)
    [log] = evaluate(task, model=model, display="none")
    assert log.status == "success" and log.results, log.error
    found = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    assert (found["to_par"], found["legality"], found["regret"]) == (0, 1, 0)


@pytest.mark.parametrize("game", GAMES)
def test_the_words_fit_the_picture(game: str) -> None:
    """No word of the text drawing is left, and nothing in the picture depends on which moves are legal."""
    position, options = start(game), AgentOptions(picture=True)
    message = ask(position, [], options, options.present(position, ""))
    assert "shown as" not in message.text and "colon" not in message.text
    assert isinstance(message.content, list) and isinstance(message.content[1], ContentImage)
    image = Image.open(io.BytesIO(b64decode(message.content[1].image.split(",")[1])))
    assert NAMES.index("dot") not in image.tobytes()
