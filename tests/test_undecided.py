"""What is said of boards that cannot be solved in time: what is proved, what is only estimated, and never a mixture."""

import random
import re
from collections.abc import Iterator

from boards import every_game
from quintet.gears import PLAIN
from quintet.match import Match
from quintet.notation import sentence_label
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve.oracle import Oracle
from quintet.study.analysis import Analysis, analyze, value_map
from quintet.study.coach import explain, listed
from quintet.study.reports import explained_analysis

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
        assert shown.explanation == text and shown.known == ("exact" if found.complete else "limits")
        for move, value in found.moves.items():
            cell = shown.values[position.label(move)]
            assert cell.proved == (value.outcome is not None) == (cell.text != "?")
            assert cell.outcome == value.outcome and (
                not cell.proved or cell.text[0] in "+-" or OUTCOMES[cell.text[0]] == cell.outcome
            )
            if cell.estimate:
                assert cell.estimate.text.startswith("~") and cell.estimate.words and not value.exact
                if game.territory:
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
        assert bool(undecided) == ("decided yet" in text or "Which moves win" in text)
        assert value_map(found).count("~") == (len(undecided) if found.estimate else 0)
        if found.looks_best:
            best = listed([sentence_label(position, move) for move in found.looks_best])
            assert f", {best} look" in text and set(found.looks_best) <= set(undecided)
