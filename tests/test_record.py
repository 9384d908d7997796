"""Game records: what is written reads back equal, and what is wrong is named with its line."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_moves, read_position
from quintet.options import start
from quintet.record import LARGEST_RECORD, InvalidRecord, Record, load_record, read_record, write_record

ONE_LINE = st.text(max_size=30).filter(
    lambda text: len(text.splitlines()) <= 1 and text.strip("\r\n\x85\u2028\u2029") == text
)

SAMPLE = """\
[Game "gridlock"]
[Size "4x4"]
[Player1 "Ada \\"the\\" Countess"]
[Result "*"]

{a quiet start} 1. 2 2 {centre}; 3 3
2. 1 1 {and
so on}
"""


def test_a_record_reads_as_written() -> None:
    record = read_record(SAMPLE)
    assert record.tags == {"Player1": 'Ada "the" Countess'}
    assert [record.start.label(move) for move in record.moves] == ["2 2", "3 3", "1 1"]
    assert record.comments == {0: "a quiet start", 1: "centre", 3: "and so on"}
    assert read_record(write_record(record)) == record
    assert read_record(SAMPLE.replace("\n", "\r\n")) == record
    assert read_record("\n\n" + SAMPLE.replace("{centre}", "{} {centre} { }")) == record
    tags, moves = SAMPLE.split("\n\n")
    assert read_record(f"{tags}\n{moves}") == record, "no empty line"
    assert read_record(tags).moves == () == read_record(f"{tags}\n\n").moves, "no moves"


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("gridlock", "chess", "line 1: no game called 'chess'"),
        ('[Size "4x4"]', '[Size "0x4"]', "line 2: boards can be 1x1"),
        ('[Size "4x4"]', "[Size 4x4]", "line 2: a tag is written"),
        ('[Size "4x4"]', '[Game "gridlock"]', "line 2: the tag Game appears twice"),
        ('[Size "4x4"]', '[Target "5"]', "line 2: gridlock has no target"),
        ('[Result "*"]', '[Result "2-0"]', "line 4: the result must be one of"),
        ("3 3", "2 3", "line 6: 2 3: You cannot place next to"),
        ("1 1", "9 9", "line 7: 9 9: No such cell"),
        ("so on}", "so on", "line 7: unmatched brace"),
        ('[Result "*"]', '[Position "gridlock XO X"]', "line 4: the position does not fit this game"),
        ('[Game "gridlock"]\n', "\n", "line 1: a record begins with a tag"),
        ("{centre}", "{the {centre}", "line 6: brace inside a comment"),
    ],
)
def test_errors_name_the_line(old: str, new: str, error: str) -> None:
    with pytest.raises(InvalidRecord) as caught:
        read_record(SAMPLE.replace(old, new))
    assert str(caught.value).startswith(error.split(": ")[0] + ": ") and error.split(": ", 1)[1] in str(caught.value)


def test_the_result_must_follow_from_the_moves() -> None:
    text = '[Game "gridlock"]\n[Size "2x2"]\n[Result "1-0"]\n\n1. 1 1; 2 2\n'
    with pytest.raises(InvalidRecord, match="line 3: the moves lead to 0-1, not 1-0"):
        read_record(text)
    record = read_record(text.replace("1-0", "0-1"))
    assert record.result == "0-1" and len(record.moves) == 2
    assert read_record(text.replace("1-0", "0-1") + "0-1\n") == record, "it may stand after the moves as well"


def test_a_resigned_game_and_a_set_up_start() -> None:
    match = Match(read_position("point-capture X../... O target=9 values=3,2,1,1,2,3"))
    match.play(match.position.moves[0])
    match.resign()
    record = match.record()
    assert record.result == "0-1" and record.tags["Termination"] == "Player 1 resigned"
    assert read_record(write_record(record)) == record


@settings(max_examples=500, deadline=None)
@given(st.dictionaries(st.from_regex(r"[A-Za-z]{1,10}", fullmatch=True), ONE_LINE, max_size=4), ONE_LINE)
def test_tags_and_comments_read_back(tags: dict[str, str], comment: str) -> None:
    position = start(GAMES["isolation"])
    comment = " ".join(comment.replace("{", "").replace("}", "").split())
    tags = {
        name: text
        for name, text in tags.items()
        if name not in {"Game", "Size", "Target", "Values", "Position", "Result"}
    }
    moves = tuple(read_moves(position, "7; 4"))
    record = Record(position, moves, "*", tags, {1: comment} if comment else {})
    assert read_record(write_record(record)) == record


@pytest.mark.parametrize(
    "wrong",
    [
        {"tags": {"two words": "x"}},
        {"tags": {"Game": "x"}},
        {"tags": {"A": "x\ny"}},
        {"comments": {0: "}"}},
        {"comments": {9: "x"}},
        {"result": "?"},
    ],
)
def test_what_could_not_be_read_back_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"tag|comment|result"):
        Record(start(GAMES["gridlock"]), **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b'[Game "isolation"]\n\n1. 7; 8\n', ": line 3: 8: That square is next to"),
        (b"\xff\xfe", ": byte 1 is not UTF-8 text"),
        (b"7\n" * LARGEST_RECORD, ": line 1: a record can have at most"),
    ],
)
def test_a_file_that_holds_no_record_is_named(data: bytes, error: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(data)
    with pytest.raises(InvalidRecord) as caught:
        load_record(path)
    assert str(caught.value).startswith(f"{path}{error}")


def test_a_file_is_read_whatever_editor_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(SAMPLE.replace("\n", "\r\n").encode("utf-8-sig"))
    assert load_record(path) == read_record(SAMPLE)
    for nowhere in (tmp_path, tmp_path / "none"):
        with pytest.raises(InvalidRecord, match=f"cannot read {nowhere}: "):
            load_record(nowhere)
