"""Prompts: complete, about the right side, with one set of labels, and nothing of the game in its disguise."""

import asyncio
import random
import re
from collections.abc import Sequence

import pytest

from boards import every_game
from quintet.games import GAMES
from quintet.llm.agents import Answer
from quintet.llm.episode import play_episode
from quintet.llm.options import FOR_GAMES, AgentOptions
from quintet.llm.solvers import make_sample
from quintet.match import Match
from quintet.options import start
from quintet.rules import PASS, Game, Position, play_all
from quintet.suites.samples import game_samples
from quintet.text.answer import read_answer
from quintet.text.presentation import NOTATIONS
from quintet.text.prompt import (
    InvalidPromptOptions,
    PromptOptions,
    rules_text,
    write_correction,
    write_prompt,
)
from scripted import read_prompt


def middle_of(game: Game, seed: int, size: str | None = None) -> Match:
    """A game after a few random moves."""
    rng = random.Random(seed)
    match = Match(start(game, size))
    for _ in range(seed % 4):
        if len(match.position.moves) > 1:
            match.play(rng.choice(match.position.moves))
    while match.position.must_pass:
        match.play(0)
    return match


def prompt(match: Match, options: PromptOptions) -> str:
    return write_prompt(match.position, match.moves, options, options.present(match.position, "seed"))


@every_game
@pytest.mark.parametrize("seed", range(4))
def test_the_position_can_be_read_back_from_the_prompt(game: Game, seed: int) -> None:
    match = middle_of(game, seed)
    position, labels = read_prompt(prompt(match, FOR_GAMES))
    assert position == match.position
    assert labels == list(FOR_GAMES.present(position, "").names)


@every_game
@pytest.mark.parametrize("seed", [0, 1, 3])
@pytest.mark.parametrize("notation", [*NOTATIONS, "disguised"])
def test_moves_and_board_share_their_labels(game: Game, seed: int, notation: str) -> None:
    match = middle_of(game, seed)
    options = PromptOptions(obfuscate=True) if notation == "disguised" else PromptOptions(notation=notation)
    text = prompt(match, options)
    presentation = options.present(match.position, "seed")
    assert len(set(presentation.names)) == match.position.board.cells
    board = re.search(r"```\n(.*?)\n```", text, re.DOTALL)[1]  # type: ignore[index]
    words = set(re.split(r"[\s:]+", board))
    listed = re.search(r"Your legal moves: (.*)\.", text)[1].split(", ")  # type: ignore[index]
    assert listed == [presentation.label(move) for move in match.position.moves]
    for label in listed:
        assert label in words or all(part in words for part in re.findall(r"[A-Z]+|\d+", label))
        assert read_answer(f"MOVE: {label}", presentation.moves) == label
    for player, move in zip((1, 2) if match.positions[0].player == 1 else (2, 1), match.moves, strict=False):
        assert f"Player {player} {presentation.label(move)}" in text
    me = match.position.player
    assert f"You are Player {me} and your mark is {presentation.marks[me]}." in text


@every_game
def test_each_option_changes_what_it_says(game: Game) -> None:
    match = middle_of(game, 2)
    usual = prompt(match, FOR_GAMES)
    assert rules_text(game, "full") in usual and "Moves so far:" in usual and "Your legal moves:" in usual
    short = prompt(match, PromptOptions(rules="short"))
    assert rules_text(game, "full") not in short and game.summary in short
    assert "Your legal moves:" not in prompt(match, PromptOptions(legal=False))
    assert "Moves so far:" not in prompt(match, PromptOptions(history=False))


@every_game
@pytest.mark.parametrize("options", [FOR_GAMES, AgentOptions(obfuscate=True)], ids=["book", "disguised"])
def test_the_opening_is_told(game: Game, options: AgentOptions) -> None:
    cases = game_samples([start(game)], ["random"], 24, "both", 1)
    assert {len(case.opening_moves) for case in cases} >= {1, 2, 3}
    for case in cases:
        text, presentation = str(make_sample(case, options).input), options.present(case.start, case.id)
        told = re.search(r"Moves so far: (.*)\.", text)[1]  # type: ignore[index]
        moves = [] if told == "none" else [item.split(" ", 2)[2] for item in told.split("; ")]
        assert re.findall(r"Player (\d)", told) == [str(ply % 2 + 1) for ply in range(len(moves))]
        assert play_all(start(game), [presentation.moves[label] for label in moves]) == case.start


def test_later_turns_tell_the_opening_too() -> None:
    told: list[list[int]] = []
    case = next(case for case in game_samples([start(GAMES["gridlock"])], ["random"], 12, "1", 1) if case.opening)

    async def first(position: Position, moves: Sequence[int]) -> Answer:
        told.append(list(moves))
        assert play_all(start(position.game), moves) == position
        return Answer(position.moves[0])

    asyncio.run(play_episode(case, first))
    assert len(told) > 1


@every_game
@pytest.mark.parametrize("notation", [*NOTATIONS, "disguised"])
def test_no_cell_is_named_as_an_example(game: Game, notation: str) -> None:
    match = middle_of(game, 1)
    options = PromptOptions(obfuscate=True) if notation == "disguised" else PromptOptions(notation=notation)
    presentation = options.present(match.position, "seed")
    asked = prompt(match, options).partition("# Your answer")[2]
    refused = write_correction(match.position, None, options, presentation)
    for text in (asked, refused):
        assert "MOVE: <cell>" in text and not re.search(r"\d", text)
        assert read_answer(text, presentation.moves) is None


@every_game
def test_there_is_no_pass_where_nobody_passes(game: Game) -> None:
    boards = [options.present(start(game), "") for options in (FOR_GAMES, PromptOptions(obfuscate=True))]
    assert all(("pass" in presentation.moves) == game.passes for presentation in boards)
    said = "You may pass only when you can claim nothing." if game.passes else "This game has no passes."
    assert start(game).refusal(PASS) == said


@every_game
@pytest.mark.parametrize("rules", ["full", "short"])
def test_the_rules_name_no_cell_and_nothing_but_rules(game: Game, rules: str) -> None:
    text = rules_text(game, rules)
    assert not re.search(r"\b[A-T]\d{1,2}\b|\(\d+, ?\d+\)|\b\d+ \d+\b|`", text)
    assert game.corner != "1" or not re.search(r"\d", text), "where cells are numbers, a number is a cell"
    assert not re.search(r"rule book|ruling|--\w|snort|mathematic", text, re.IGNORECASE)


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_a_prompt_names_no_cell_that_the_position_does_not_require(game: Game, seed: int) -> None:
    match = middle_of(game, seed)
    names = FOR_GAMES.present(match.position, "").names
    text = prompt(match, FOR_GAMES)
    required = ("Moves so far:", "Your legal moves:", "the top left one is")
    board = text[text.index("```") : text.rindex("```")]
    rest = "\n".join(
        line for line in text.replace(board, "").splitlines() if not any(said in line for said in required)
    )
    numbers = {"25", "15", "13", "5", "4", "1", "2"}  # The size, the target, scores and players.
    said = [name for name in names if name not in numbers and re.search(rf"\b{re.escape(name)}\b", rest)]
    assert not said


@every_game
def test_a_disguised_game_gives_nothing_away(game: Game) -> None:
    match = middle_of(game, 3)
    for rules in ("full", "short"):
        text = prompt(match, PromptOptions(obfuscate=True, rules=rules))
        for other in GAMES.values():
            assert other.title.lower() not in text.lower() and other.name not in text
        assert not re.search(r"snort|rule book's|--\w", text, re.IGNORECASE)
        marks = re.search(r"your mark is (\S+)\. .* whose mark is (\S+)\.", text).groups()  # type: ignore[union-attr]
        assert not set(marks) & set(game.style.marks)
    names = PromptOptions(obfuscate=True).present(match.position, "seed").names
    assert names != PromptOptions(obfuscate=True).present(match.position, "another").names
    numbers = [int(re.sub(r"\D", "", name)) for name in names[: match.position.board.cols]]
    assert numbers != sorted(numbers)


def test_another_board_is_said() -> None:
    text = prompt(Match(start(GAMES["point-capture"], "3x4", target=9)), FOR_GAMES)
    assert "3 rows and 4 columns and the target is 9 points" in text


@every_game
def test_refusals_say_why(game: Game) -> None:
    match = middle_of(game, 1)
    position, presentation = match.position, FOR_GAMES.present(match.position, "")
    assert "No move could be read" in write_correction(position, None, FOR_GAMES, presentation)
    told = write_correction(position, match.moves[0], FOR_GAMES, presentation)
    assert position.refusal(match.moves[0]) in told and "Your legal moves:" in told
    assert "Your legal moves:" not in write_correction(
        position, match.moves[0], PromptOptions(legal=False), presentation
    )


def test_what_cannot_be_is_refused() -> None:
    for wrong in (
        {"rules": "x"},
        {"notation": "x"},
        {"notation": ["book"]},
        {"retries": 99},
        {"retries": True},
        {"legal": "maybe"},
        {"history": "never"},
        {"obfuscate": 1},
        {"obfuscate": True, "notation": "one"},
    ):
        with pytest.raises(InvalidPromptOptions):
            PromptOptions(**wrong)
