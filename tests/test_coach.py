"""The coach: what it says agrees with the values, for every game."""

import random
import re
from collections.abc import Iterator

import pytest

from boards import every_game
from commands import quintet
from quintet.match import Match
from quintet.notation import read_position, screen_label, sentence_label, write_position
from quintet.options import start
from quintet.record import write_record
from quintet.rules import Game, Position, play_all
from quintet.solve.oracle import Oracle
from quintet.solve.value import Value
from quintet.study.analysis import Analysis, analyze
from quintet.study.coach import explain, hint, verdict
from quintet.study.phrases import counted, listed, worth
from quintet.study.reports import explained_analysis, review_report
from quintet.study.reviews import review
from quintet.web import work


def analyses(game: Game, games: int = 4) -> Iterator[tuple[Analysis, Oracle]]:
    """Positions of random games at the rule book's size and on a small even board."""
    rng = random.Random(5)
    for size in (None, "2x4"):
        empty = start(game, size)
        oracle = Oracle(game, empty.board)
        for _ in range(games):
            position = empty
            while position.moves:
                yield analyze(position, oracle), oracle
                position = position.play(rng.choice(position.moves))


def named(position: Position, text: str) -> set[int]:
    """The moves a sentence names."""
    labels = {sentence_label(position, move): move for move in position.moves}
    words = re.findall(
        r"\(\d+,\d+\)|\b[A-Z]\d+\b|\bpass\b|(?<!in )(?<!by )(?<!least, )(?<!most, )\b\d+\b(?! move)", text
    )
    return {labels[word] for word in words if word in labels}


@every_game
def test_the_verdict_agrees_with_the_values(game: Game) -> None:
    seen = set()
    for found, _ in analyses(game):
        text, value = verdict(found), found.value
        keep = {move for move, other in found.moves.items() if other.outcome == value.outcome}
        best = {move for move, other in found.moves.items() if other == value}
        first, _, rest = text.rstrip(".").partition(";")
        kind = text.split()[0]
        seen.add(kind)
        if kind == "Only":
            assert len(keep) == 1 < len(found.moves) and named(found.position, first) == keep
            assert value.outcome != "loss" and rest
        elif kind == "Every":
            assert len(keep) == len(found.moves)
            assert "more" in text or named(found.position, rest) in (best, set())
        elif kind in ("The", "Player"):
            assert len(found.moves) == 1
        else:
            assert 1 < len(keep) < len(found.moves) and "other" in rest
            # Where only the best are named, those who give the outcome away are counted.
            worse = len(found.moves) - len(keep)
            assert best == keep or worse == 1 or f"the other {counted(worse).lower()} " in rest
        if value.outcome != "draw":
            number = str(abs(value.low) if game.territory else value.plies)
            assert re.search(rf"\b{number}\b", text), text
            assert ("win" if value.outcome == "win" else "lose") in text or "hold" in text
        if worst := re.search(r"loses? by at least (\d+)|loses? within (\d+) moves", text):
            others = [other for move, other in found.moves.items() if move not in keep]
            limit = int(worst[1] or worst[2])
            if game.territory:
                assert min(-other.low for other in others) == limit and len(set(others)) > 1
            else:
                assert max(other.plies or 0 for other in others) == limit
            assert {other.outcome for other in others} == {"loss"}
    assert len(seen) > 1


@every_game
def test_a_hint_is_a_best_move_and_says_its_worth(game: Game) -> None:
    for found, oracle in analyses(game, 2):
        move, sentence = hint(found.position, oracle)
        assert found.is_best(move)
        assert sentence_label(found.position, move) in sentence or "pass" in sentence or "more" in sentence
        assert sentence.endswith(".") and sentence.count(". ") == 0


@every_game
def test_an_explanation_ends_with_the_best_line(game: Game) -> None:
    found = analyze(start(game))
    assert explain(found).startswith(verdict(found))
    assert f"Best play goes {sentence_label(found.position, found.line[0])}" in explain(found)
    over = play_all(start(game), found.line)
    assert explain(analyze(over)) == f"Player {over.outcome.winner} has won."  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="the game is over"):
        hint(over)


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (
            "adjacent-claim ...../...../...../...../..... X",
            "Only C3 wins, by 5; every other opening move loses by at least 5.",
        ),
        (
            "gridlock ..../.X../..../.... O",
            "Only (3,3) wins, in 11 moves; every other move loses within 10 moves.",
        ),
        (
            "gridlock ...X/..../O..X/O..X O",
            "Five moves win; (2,3) wins soonest, in 5 moves; the other two moves lose in 4 moves.",
        ),
        (
            "grid-conquest ...../...../...../...../..... X",
            "21 opening moves win; (2,2) wins by the most, 5; the other four opening moves lose by 1.",
        ),
        (
            "adjacent-claim .OXXX/OOXXX/OOOX./OXXX./OOO.. X",
            "Two moves win; E4 wins by the most, 3; the other move loses by 1.",
        ),
        ("adjacent-claim X.../X.O. O", "Two moves win by 2: A3 and B2; the other move draws."),
        ("adjacent-claim ../.. X", "Every opening move keeps the draw."),
        ("adjacent-claim XO./OO. X", "Player 1 must pass and loses by 4."),
        ("isolation ... X", "Only 2 wins, in 1 move; every other opening move loses in 2 moves."),
        ("isolation .. X", "Every opening move wins in 1 move."),
        ("isolation X.. O", "The only move is 3; it wins in 1 move."),
        ("grid-conquest .X./XXX/.X. O", "Every move loses by 5."),
    ],
)
def test_in_a_players_words(position: str, text: str) -> None:
    assert verdict(analyze(read_position(position))) == text


def test_what_is_not_known_is_said() -> None:
    game = start(read_position("adjacent-claim . X").game, "9x9")
    move, sentence = hint(game, seconds=0.05)
    assert move in game.moves and sentence.endswith("its exact value is not known yet.")
    assert "No move is decided yet. Searched " in explain(analyze(game, seconds=0.05))
    assert worth(Value(1, 9, True)) == "wins by 1 to 9" and worth(Value(-9, -1, True)) == "loses by 1 to 9"
    assert worth(Value(-1, 1, False)) == "is not known yet" and worth(Value(1, 9, False)) == "wins"
    assert worth(Value(0, 4, True)) == "does not lose (between +0 and +4)"
    assert worth(Value(-4, 0, True)) == "does not win (between -4 and +0)"
    assert worth(Value(-4, 4, True)) == "is not decided (between -4 and +4)"


def test_long_lists_are_cut() -> None:
    assert listed(["A"]) == "A" and listed(["A", "B"]) == "A and B"
    assert listed(list("ABCDEFGH")) == "A, B, C, D, E and 3 more"


def test_screens_and_the_dialogue_have_their_own_names_for_cells() -> None:
    """One sentence, two ways to name its cells: the page's for what the web serves, the rule book's for `--json`."""
    position = read_position("gridlock ..../.X../..../.... O")
    match = Match(position, [1])
    found, graded = analyze(position), review(match)
    assert explain(found).startswith("Only (3,3) wins") and hint(position)[1].startswith("Only (3,3) wins")
    assert explain(found, screen_label).startswith("Only C3 wins")
    assert hint(position, name=screen_label)[1].startswith("Only C3 wins")
    served = explained_analysis(Match(position), found)
    assert served.explanation == explain(found, screen_label) and "3 3" in [
        move.move for move in served.moves if move.best
    ]
    [printed], [shown] = review_report(graded).moves, review_report(graded, screen_label).moves
    assert printed.remark.startswith("Move 1, (1,1), is a blunder: (3,3) wins")
    assert shown.remark.startswith("Move 1, A1, is a blunder: C3 wins")
    assert printed.move == shown.move == "1 1" and shown.better == "3 3"
    start = write_position(position)
    assert b"Only C3 wins" in work.analyze(start, "", 5)
    assert b"A1, is a blunder: C3 wins" in work.review_record(write_record(match.record()), 5)
    assert b'"text":"Wrong: A1 ' in work.judge(start, 1) and b'"solution":"Solution: C3 ' in work.judge(start, 1)


@every_game
def test_the_dialogue_has_the_coach(game: Game) -> None:
    typed = "hint\nexplain\nhelp\nundo\nquit\n"
    run = quintet("play", game.name, input=typed)
    found = analyze(start(game))
    assert hint(start(game))[1] in run.stdout and explain(found) in run.stdout
    assert "a good move, and why" in run.stdout and run.stderr == "" and run.returncode == 0
