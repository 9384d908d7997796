"""Answers of models, written by hand, with what each must read as."""

import json
from pathlib import Path

import pytest

from quintet.games import GAMES
from quintet.options import start
from quintet.text.answer import read_answer
from quintet.text.presentation import disguised_presentation, plain_presentation

TABLE = [json.loads(line) for line in (Path(__file__).parent / "data/answers.jsonl").read_text("utf-8").splitlines()]


def test_the_table_is_long_enough() -> None:
    assert len({(row["game"], row["answer"]) for row in TABLE}) >= 60


@pytest.mark.parametrize("row", TABLE, ids=[f"{row['game']}: {row['answer'][:40]!r}" for row in TABLE])
def test_answers_read_as_they_must(row: dict[str, str | None]) -> None:
    empty = start(GAMES[str(row["game"])])
    dress = plain_presentation(empty.game, empty.board)
    assert read_answer(str(row["answer"]), dress.moves) == row["reads"]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@pytest.mark.parametrize("notation", ["book", "letters", "zero", "one", "numbers", "strange"])
def test_every_label_reads_as_itself(game: object, notation: str) -> None:
    empty = start(game)  # type: ignore[arg-type]
    dress = (
        disguised_presentation(empty.game, empty.board, "x")
        if notation == "strange"
        else plain_presentation(empty.game, empty.board, notation)
    )
    for label in dress.moves:
        assert read_answer(f"Thinking about it.\n\nMOVE: {label.lower()}", dress.moves) == label
