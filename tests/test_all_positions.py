"""Policies graded on every position of a board: by the one regret, and a network that learns them."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from boards import every_game
from quintet import regret, start
from quintet.board import index
from quintet.envs.all_positions import AllPositions, Sets
from quintet.rules import Game, Position

SMALL = {"isolation": "7"}
EXAMPLE = Path(__file__).parent.parent / "examples" / "lookahead.py"


def positions_with_a_choice(empty: Position) -> dict[tuple[int, int], Position]:
    """Every position that can come up in which at least two claims are legal, by both players' cells."""
    found, waiting = {(empty.mine, empty.theirs): empty}, [empty]
    while waiting:
        position = waiting.pop()
        for move in position.moves:
            after = position.play(move)
            if (after.mine, after.theirs) not in found:
                found[after.mine, after.theirs] = after
                waiting.append(after)
    return {key: position for key, position in found.items() if len(position.moves) > 1}


@every_game
def test_every_choice_is_graded_by_regret(game: Game) -> None:
    empty = start(game, SMALL.get(game.name, "2x3"))
    everything, known = AllPositions(empty), positions_with_a_choice(empty)
    assert len(everything) == len(known)

    def first_claim(mine: Sets, theirs: Sets) -> Sets:
        moves = (known[pair].moves[0] for pair in zip(mine.tolist(), theirs.tolist(), strict=True))
        return np.array([index(move) for move in moves], np.int32)

    lost = [regret(position, position.moves[0]) for position in known.values()]
    grade = everything.grade(first_claim)
    assert abs(grade.regret - sum(lost) / len(lost)) < 1e-9
    assert grade.wrong == sum(map(bool, lost)) <= grade.lesser <= grade.positions == len(known)
    random = [np.mean([regret(position, move) for move in position.moves]) for position in known.values()]
    assert abs(everything.random - np.mean(random)) < 1e-9


@every_game
def test_fewer_positions_stand_for_all_where_the_future_depends_on_less(game: Game) -> None:
    empty = start(game, SMALL.get(game.name, "3x3"))
    everything, futures = AllPositions(empty), AllPositions(empty, key=game.future)
    assert len(futures) == len(everything) if game.future == "cells" else len(futures) < len(everything)


def test_a_network_learns_nearly_every_position(tmp_path: Path) -> None:
    data = tmp_path / "result.json"
    toy = "--size 3x3 --width 64 --layers 1 --batch 128 --updates 1600 --workers 1"
    command = [sys.executable, str(EXAMPLE), "gridlock", *toy.split(), "--json", str(data)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    (result,) = json.loads(data.read_text())
    assert result["positions"] == 208 and result["rows"][-1][2] < result["random"] / 8
