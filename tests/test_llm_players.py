"""One interface for all that plays: functions, models and what other packages add."""

import subprocess
import sys
from pathlib import Path

import pytest

from quintet.arena import tournament as arena
from quintet.arena.results import Result
from quintet.arena.standings import standing
from quintet.engines import EngineFault, UnknownPlayer, make_engine
from quintet.games import GAMES
from quintet.notation import write_position
from quintet.options import start
from scripted import THEIRS, inspect_alone, inspect_gone, perfect, serve  # noqa: F401

BOARD = write_position(start(GAMES["gridlock"], "3x3"))
PROGRAM = str(Path(sys.executable).with_name("quintet"))

pytestmark = THEIRS


def play(*players: str) -> list[Result]:
    """A short tournament, in this process."""
    return list(arena.run(arena.schedule(arena.every_pair(players), [BOARD], 4), workers=1))


def test_functions_enter_the_arena() -> None:
    results = play("python:scripted_player:first", "python:scripted_player:last")
    assert len(results) == 4 and not any(result.fault for result in results)


@pytest.mark.parametrize(
    ("name", "fault"), [("nowhere", "which is not a move"), ("broken", "it failed with KeyError"), ("NUMBER", "")]
)
def test_what_a_function_does_wrong_loses(name: str, fault: str) -> None:
    who = f"python:scripted_player:{name}"
    if not fault:
        with pytest.raises(UnknownPlayer, match="is not a function"):
            make_engine(who)
        return
    results = play(who, "random")
    assert all(fault in result.fault and result.points == (result.duel.players[1] == who) for result in results)


def test_policies_enter_the_arena() -> None:
    same = ("policy:scripted_player:lowest", "python:scripted_player:first")
    ends = [[(one.winner, one.plies) for one in play(*players)] for players in (same, same[::-1])]
    assert ends[0] == ends[1] and len(ends[0]) == 4
    assert all(
        "it failed with IllegalMove" in one.fault for one in play("policy:scripted_player:off_the_board", "random")
    )


@pytest.mark.parametrize("who", ["python:", "python:os", "python:no_such_module:x", "python:os:no_such_name"])
def test_functions_that_there_are_not(who: str) -> None:
    with pytest.raises(UnknownPlayer):
        make_engine(who)


def test_functions_play_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "mybot.py").write_text("def choose(position):\n    return position.moves[0]\n")
    command = [PROGRAM, "arena", "--players", "python:mybot:choose,random", "--game", "gridlock", "--games", "2"]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0 and "python:mybot:choose" in run.stdout, run.stderr


def test_a_model_enters_the_arena_over_http(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(perfect) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        monkeypatch.setenv("SCRIPTED_API_KEY", "none")
        results = play("model:openai-api/scripted/model", "random")
        assert server.prompts and not any(result.fault for result in results)


def test_models_play_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between equal players each opening is won by the same seat, so each of them gets a point of two."""
    with serve(perfect) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        monkeypatch.setenv("SCRIPTED_API_KEY", "none")
        names = "model:openai-api/scripted/one", "model:openai-api/scripted/other"
        results = play(*names)
        assert server.prompts and not any(result.fault for result in results)
    found = standing(names, results)
    assert found.score(*names) == (len(results) / 2, len(results))
    assert all(2 * points == games for points, games in found.openings[names].values())


def polite(prompt: str) -> str:
    return "I would rather not."


def test_a_model_that_says_nothing_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(polite) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        monkeypatch.setenv("SCRIPTED_API_KEY", "none")
        engine = make_engine("model:openai-api/scripted/model")
        assert engine
        with pytest.raises(EngineFault, match="no move could be read"):
            engine.choose(start(GAMES["gridlock"]))
        engine.close()
        assert len(server.prompts) == 3


def test_models_that_there_are_not() -> None:
    with pytest.raises(UnknownPlayer, match="no model called 'nobody/nothing'"):
        make_engine("model:nobody/nothing")
    with pytest.raises(UnknownPlayer, match="no player called 'guild:x'"):
        make_engine("guild:x")
