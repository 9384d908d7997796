"""What is said of boards that cannot be solved in time: what is proved, what is only estimated, and never a mixture."""

import random
import re
from collections.abc import Iterator
from functools import cache

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from boards import every_game
from driving import begin, drive
from quintet.gears import PLAIN
from quintet.match import Match
from quintet.notation import read_position, screen_label, sentence_label
from quintet.options import start
from quintet.rules import Game, Position, play_all
from quintet.solve.oracle import Oracle
from quintet.solve.solver import Solver, Stopped, alike
from quintet.solve.theories.generic import MOST
from quintet.solve.value import Value
from quintet.study.analysis import Analysis, analyze, value_map
from quintet.study.coach import explain, hint
from quintet.study.estimates import CLOSE, Estimate, estimate_moves
from quintet.study.phrases import listed
from quintet.study.reports import analysis_report, explained_analysis

SIZES = ("4x4", "7x7", "8x8", "12x12", "20x20", "13", "100")
OUTCOMES = {"W": "win", "L": "loss", "D": "draw"}


def cut_short(game: Game) -> Iterator[tuple[Analysis, Oracle]]:
    """Analyses that were stopped almost at once: of the empty board, and of positions soon after it."""
    rng = random.Random(3)
    for size in SIZES:
        position = start(game, size)
        oracle = Oracle(game, position.board, PLAIN)
        for seconds in (0, 0.01, 0.01):
            yield analyze(position, oracle, seconds), oracle
            for _ in range(2):
                position = position.play(rng.choice(position.moves)) if position.moves else position


def named(position: Position, text: str, proof: str) -> list[int]:
    """The moves that a text says are proved to do something; every one, or every other one, if it says so."""
    for sentence in re.split(r"(?<=\.) ", text):
        if not sentence.endswith(f"proved to {proof}."):
            continue
        if sentence.startswith("Every move"):
            return list(position.moves)
        subject = re.sub(r" (is|are) proved .*", "", sentence)
        return [move for move in position.moves if sentence_label(position, move) in re.split(r", | and ", subject)]
    return []


@every_game
def test_cells_and_text_say_the_same(game: Game) -> None:
    for found, _ in cut_short(game):
        position, text = found.position, explain(found)
        shown = explained_analysis(Match(position), found)
        assert shown.explanation == explain(found, screen_label) and shown.known == (
            "exact" if found.complete else "limits"
        )
        for move, value in found.moves.items():
            cell = shown.values[position.label(move)]
            assert cell.proved == (value.outcome is not None) == (cell.text != "?")
            assert cell.outcome == value.outcome and (
                not cell.proved or cell.text[0] in "+-" or OUTCOMES[cell.text[0]] == cell.outcome
            )
            if cell.estimate:
                assert cell.estimate.text.startswith("~") and cell.estimate.words and not value.exact
                assert (cell.estimate.text == "~") != found.shows_numbers
                if game.territory and found.shows_numbers:
                    assert value.low <= int(cell.estimate.text[1:]) <= value.high
        if found.complete or len(found.moves) < 2 or any(found.is_best(move) for move in found.moves):
            continue
        for outcome, proof in (("win", "win"), ("draw", "draw"), ("loss", "lose")):
            proved = [move for move, value in found.moves.items() if value.outcome == outcome]
            said = named(position, text, proof)
            assert set(said) <= set(proved) or "Every other move" in text
            assert bool(proved) == (f"proved to {proof}." in text), text
            if 0 < len(proved) <= 6 and "Every" not in text:
                assert said == proved
        undecided = [move for move, value in found.moves.items() if value.outcome is None]
        assert bool(undecided) == ("decided yet" in text or "which move wins yet" in text)
        marked = [move for move in undecided if found.cell_text(move).startswith("~")]
        assert value_map(found).count("~") == len(marked)
        made, best = found.estimate, found.looks_best
        if made and found.shows_numbers:
            assert marked == [move for move in undecided if move in made.moves]
            assert made.depth > 1 or made.rollouts
            assert len({found.cell_text(move) for move in marked}) > 1 or len(marked) < len(undecided)
            alone = [move for move in marked if found.cell_text(move) == found.cell_text(best[0])] == best
            assert (f"({found.cell_text(best[0])})" in text) == alone
        else:
            assert marked == (best if len(best) < len(undecided) else []) and "~" not in text
        if found.looks_best:
            names = listed([sentence_label(position, move) for move in found.looks_best])
            assert f", {names} look" in text or ", all look alike" in text
            assert set(found.looks_best) <= set(undecided)


@every_game
def test_what_is_proved_is_true(game: Game) -> None:
    rng = random.Random(5)
    for size in ("4x4", "3x4", "9"):
        empty = start(game, size)
        oracle = Oracle(game, empty.board, PLAIN)
        for _ in range(3):
            position = empty
            while position.moves:
                known, true = analyze(position, oracle, 0), analyze(position, oracle)
                assert known.value.low <= true.value.low <= known.value.high
                limits = ((known.moves[move], value) for move, value in true.moves.items())
                assert all(limit.low <= value.low <= limit.high for limit, value in limits)
                assert true.complete and true.estimate is None and known.estimate is None
                position = position.play(rng.choice(position.moves))


@pytest.mark.parametrize(
    ("position", "text"),
    [
        (
            start("gridlock", "7x7"),
            "With best play Player 1 wins; how soon is not known yet."
            " (4,4) is proved to win. The other moves are not decided yet.",
        ),
        (
            start("gridlock", "8x8"),
            "With best play Player 2 wins; how soon is not known yet. Every move is proved to lose.",
        ),
        (
            start("grid-conquest", "13x13"),
            "With best play Player 1 wins by 5."
            " (6,6) is best; the exact values of the other moves are not all known yet.",
        ),
        (
            start("grid-conquest", "8x8"),
            "With best play Player 1 does not lose; the margin is between +0 and +4 for Player 1."
            " No move is decided yet; each is worth between -2 and +4 for Player 1.",
        ),
        (
            start("adjacent-claim", "12x12"),
            "With best play Player 2 does not lose; the margin is between -138 and +0 for Player 1."
            " No move is decided yet; none of them wins.",
        ),
        (start("isolation", "7x8"), "It is not known yet who wins. No move is decided yet."),
        (
            start("isolation", "5x7"),
            "With best play Player 1 wins; how soon is not known yet."
            " 18 is proved to win. The other moves are not decided yet.",
        ),
    ],
)
def test_what_is_known_at_once(position: Position, text: str) -> None:
    assert explain(analyze(position, Oracle(position.game, position.board, PLAIN), 0)) == text


def test_a_hint_says_what_it_knows() -> None:
    position = start("gridlock", "7x7")
    move, sentence = hint(position, Oracle(position.game, position.board, PLAIN), 0)
    assert (position.label(move), sentence) == ("4 4", "(4,4) is proved to win; how soon is not known yet.")
    position = start("gridlock", "8x8")
    _, sentence = hint(position, Oracle(position.game, position.board, PLAIN), 0)
    assert re.fullmatch(r"Every move is proved to lose; \(\d,\d\) looks best, searched \d moves? deep\.", sentence)
    position = start("adjacent-claim", "12x12")
    for seconds in (0, 0.01):
        _, sentence = hint(position, Oracle(position.game, position.board, PLAIN), seconds)
        assert re.fullmatch(r"\S+ looks best, searched \d moves? deep; its exact value is not known yet\.", sentence)


@every_game
def test_an_estimate_is_the_same_for_moves_that_a_symmetry_swaps(game: Game) -> None:
    empty = start(game, "6x6")
    found = estimate_moves(empty, 0.05)
    like = alike(empty)
    assert found.moves.keys() <= set(empty.moves)
    assert all(found.moves.get(move) == found.moves.get(first) for move, first in like.items())
    assert (found.depth > 0) != (found.rollouts > 0) and found.how


def test_an_estimate_tells_its_lead() -> None:
    race, margin = Estimate({1: 3, 2: -2, 4: 0, 8: 2990, 16: -2990}, False, 6), Estimate({1: 9, 2: 2003}, True, 1)
    unknown = Value(-MOST, MOST, False)
    assert [race.text(1 << i, unknown) for i in range(5)] == ["~+3", "~-2", "~0", "~W", "~L"]
    words = ["about 3 open cells ahead", "about 2 open cells behind", "about even", "looks won", "looks lost"]
    assert [race.words(1 << i, unknown) for i in range(5)] == words and race.how == "searched 6 moves deep"
    assert margin.text(1, Value(-5, 5, True)) == "~+5" and margin.words(2, Value(-5, 5, True)) == "about 3 cells ahead"
    assert margin.how == "searched 1 move deep"
    played = Estimate({1: 62}, False, rollouts=2000)
    assert (played.text(1, unknown), played.words(1, unknown)) == ("~62%", "wins about 62% of random games")
    assert played.how == "after 2,000 random games"


@cache
def mex(position: Position) -> int:
    """The Grundy number by the rules alone."""
    left = {mex(position.play(move)) for move in position.moves}
    return next(number for number in range(len(left) + 1) if number not in left)


def test_nimbers_decide_who_wins() -> None:
    rng = random.Random(4)
    for size in ("3x4", "4x4", "13"):
        empty = start("isolation", size)
        oracle = Oracle(empty.game, empty.board, PLAIN)
        for _ in range(4):
            position = empty.play(rng.choice(empty.moves))
            while position.moves:
                found = analyze(position, oracle)
                assert found.nimber == mex(position) and (found.nimber > 0) == (found.value.outcome == "win")
                text = explain(found)
                assert f"the player to move {'wins' if found.nimber else 'loses'}." in text
                assert len(found.parts) == 1 or f"fall into {len(found.parts)} parts with nimbers " in text
                position = position.play(rng.choice(position.moves))


def test_grundy_numbers_decide_moves_before_their_values_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = start("isolation", "4x5")
    whole = analyze(empty)

    def stop(*_: object, **__: object) -> None:
        raise Stopped

    monkeypatch.setattr(Solver, "ask", stop)
    part = analyze(empty, Oracle(empty.game, empty.board, PLAIN))
    assert part.value.outcome == whole.value.outcome and not part.value.exact and part.nimber == whole.nimber
    assert [value.outcome for value in part.moves.values()] == [value.outcome for value in whole.moves.values()]


def test_parts_are_told() -> None:
    found = analyze(read_position("isolation ..X.....O.... X"))
    assert [part.nimber for part in found.parts] == [1, 2, 2] and found.nimber == 1
    assert explain(found).endswith(
        "The open cells fall into 3 parts with nimbers 1, 2 and 2; together 1: the player to move wins."
    )
    report = analysis_report(Match(found.position), found)
    assert [part.cells for part in report.parts] == [["1"], ["5", "6", "7"], ["11", "12", "13"]]
    many = analyze(play_all(start("isolation", "60"), [1 << 5 * i for i in range(12)]), seconds=0)
    assert re.search(r"fall into \d\d parts; their nimbers make \d together: the player to move ", explain(many))
    conquest = analyze(read_position("grid-conquest .X./XXO/... X"))
    assert explain(conquest).endswith("The open cells fall into 3 parts that do not affect each other.")
    assert conquest.nimber is None
    gridlock = analyze(start("gridlock"))
    assert gridlock.parts == () and gridlock.nimber is None


def test_the_app_colours_parts() -> None:
    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "isolation")
        for move in (1 << 2, 1 << 8):
            screen.session.play(move)
        screen.follow()
        await pilot.press("o")
        advice = str(pilot.app.screen.query_one("#advice", Static).content)
        assert advice.startswith("The open cells fall into 3 parts with nimbers 1, 2 and 2")
        assert screen.board.view is not None
        assert [cell.part for cell in screen.board.view.cells if cell.legal] == [0, 1, 1, 1, 2, 2, 2]
        await pilot.press("o")
        assert all(cell.part is None for cell in screen.board.view.cells)

    drive(story)


def test_a_limit_is_not_shown_as_an_estimate() -> None:
    """A move far behind the best has no number, and the text names a number only if no other cell shows it."""
    found = analyze(start("adjacent-claim", "8x8"), seconds=2)
    made = found.estimate
    assert made and made.depth > 1
    assert min(made.moves.values()) > max(made.moves.values()) - CLOSE
    text = explain(found)
    assert "none of them wins" in text, "a theorem says so"
    number = re.search(r"look best \((~.*?)\)", text)
    if number:
        assert sum(found.estimate_of(move)[0] == number[1] for move in found.moves) == len(found.looks_best)


def test_nothing_is_estimated_where_every_move_is_proved() -> None:
    found = analyze(start("gridlock", "12x12"), seconds=0.5)
    assert found.estimate is None and all(value.outcome == "loss" for value in found.moves.values())
