"""Plug-ins that misbehave lose their game with one line, wherever they play, and nothing else is lost with it."""

import asyncio
import fcntl
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot

import zoo
from driving import begin, click, drive, until
from patience import WAIT
from quintet.arena import tournament as arena
from quintet.arena.results import read_results
from quintet.arena.standings import standing
from quintet.engines import Engine, EngineFault, UnknownPlayer, make_engine, players, plugin
from quintet.engines.door import ask_engine, close_engine, complain
from quintet.engines.server import Server
from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import read_position, write_position
from quintet.options import start
from quintet.rules import PASS, Position
from quintet.session import Session
from quintet.store.matches import Store
from quintet.terminal.dialogue import Dialogue
from zoo import ZOO

EMPTY = start(GAMES["gridlock"])
BOARD = write_position(EMPTY)
HERE = Path(__file__).parent
PROGRAM = [sys.executable, "-m", "quintet"]
LIMIT = 0.05

every_creature = pytest.mark.parametrize("name", ZOO)


@pytest.fixture(autouse=True)
def _released(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Plug-ins have little time in here; those that hang are let go in the end."""
    monkeypatch.setattr(plugin, "MARGIN", 0.0)
    zoo.calls.clear()
    yield
    zoo.released.set()
    for thread in plugin._hanging.values():
        thread.join()
    plugin._hanging.clear()
    zoo.released = Event()


def limit(name: str) -> float:
    """Only those that hang meet the limit; the others have time, however busy the machine is."""
    return LIMIT if name == "hangs" else 60.0


def engine(who: str) -> Engine:
    """An engine that is there."""
    made = make_engine(who)
    assert made
    return made


# Each surface plays a game of a plug-in, and gives the line that is said.


def in_the_arena(name: str) -> str:
    who = f"python:zoo:{name}"
    results = [arena.play(duel) for duel in arena.schedule([(who, "random")], [BOARD], 1, seconds=limit(name))]
    assert all(result.points == (result.duel.players[1] == who) for result in results)
    zoo.released.set()
    return results[0].fault


def in_the_dialogue(name: str) -> str:
    said = io.StringIO()
    match = Match(EMPTY)
    Dialogue(match, (engine(f"python:zoo:{name}"), None), io.StringIO(), said, limit(name)).run()
    assert match.outcome and match.outcome.winner == 2
    *_, last = said.getvalue().splitlines()
    assert last.startswith("Player 1 forfeits: ") and last.endswith(". Player 2 wins the game!")
    return last


def over_the_protocol(name: str) -> str:
    server = Server(engine(f"python:zoo:{name}"), "zoo")
    assert server.answer(b"new gridlock") == "ok"
    answer = server.answer(f"go {limit(name)}".encode())
    assert answer.startswith("error ") and server.answer(b"hello").startswith("hello")
    return answer


def in_gymnasium(name: str) -> str:
    gymnasium = pytest.importorskip("quintet.envs.gymnasium")
    env = gymnasium.GameEnv("gridlock", opponent=f"python:zoo:{name}", seat=2)
    _, info = env.reset()
    _, reward, terminated, _, _ = env.step(0)
    assert reward == 1.0 and terminated
    env.close()
    return str(info["reason"])


def at_an_assistants_table(name: str) -> str:
    sessions = pytest.importorskip("quintet.llm.mcp.assistant_session")
    with Store() as store:
        match = Match(EMPTY, names=("random", "assistant"))
        session = sessions.AssistantSession(store.begin(match), match, ("random", "human"), store)
        session.engines[0] = engine(f"python:zoo:{name}")
        session.play_engines()
        session.close()
    assert match.outcome and match.outcome.winner == 2
    return match.outcome.reason


def on_the_web(name: str) -> str:
    work = pytest.importorskip("quintet.web.work")
    answer, spent = work.choose(f"python:zoo:{name}", BOARD, limit(name))
    work.engine.cache_clear()
    assert isinstance(answer, str) and spent < 30
    return answer


def as_an_agent(name: str) -> str:
    agents = pytest.importorskip("quintet.llm.agents")
    agent = agents.engine_agent(engine(f"python:zoo:{name}"))
    answer = asyncio.run(agent(EMPTY, ()))
    assert answer.move is None
    return str(answer.fault)


def in_a_session(name: str) -> str:
    session = Session(Match(EMPTY), (engine(f"python:zoo:{name}"), None))
    assert session.engine_move(limit(name)) is None and session.engine is None
    assert session.match.outcome
    session.close()
    return session.match.outcome.reason


SURFACES = (
    in_the_arena,
    in_the_dialogue,
    over_the_protocol,
    in_gymnasium,
    at_an_assistants_table,
    on_the_web,
    as_an_agent,
    in_a_session,
)


@every_creature
@pytest.mark.parametrize("surface", SURFACES, ids=lambda surface: surface.__name__)
def test_it_loses_with_one_line(name: str, surface: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin, "PLUGIN_SECONDS", limit(name))
    monkeypatch.setattr("quintet.llm.mcp.assistant_session.SECONDS", limit(name))
    line = surface(name)
    assert ZOO[name] in line and line.isprintable() and len(line) < 250


@pytest.mark.parametrize("name", ["off_the_board", "exits", "rude", "hangs"])
def test_it_loses_in_the_app(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin, "PLUGIN_SECONDS", limit(name))
    made = engine(f"python:zoo:{name}")
    monkeypatch.setattr("quintet.terminal.setup_screen.make_engine", lambda who, _: None if who == "human" else made)

    async def story(pilot: Pilot[None]) -> None:
        screen = await begin(pilot, "gridlock", p2="random")
        await click(pilot, 5)
        await until(pilot, lambda: screen.match.outcome is not None)
        assert screen.match.outcome and screen.match.outcome.winner == 1
        assert ZOO[name] in screen.match.outcome.reason

    drive(story)


def test_an_opponent_that_fails_loses_an_evaluation_game() -> None:
    episodes = pytest.importorskip("quintet.llm.episode")
    agents = pytest.importorskip("quintet.llm.agents")
    spec = pytest.importorskip("quintet.suites.samples").SampleSpec("zoo", BOARD, 2, "python:zoo:exits", 0, "zoo")
    played = asyncio.run(episodes.play_episode(spec, agents.engine_agent(engine("random"))))
    assert ZOO["exits"] in played.opponent_fault and played.fault == "" and episodes.result_of(spec, played) == 1.0
    assert episodes.read_episode(spec, episodes.write_episode(spec, played, "random")) == played


# Policies, and players that packages add.


def test_policies_lose_too() -> None:
    pytest.importorskip("gymnasium")
    for name, reason in (("policy_nothing", "No action None"), ("policy_exits", "SystemExit")):
        with pytest.raises(EngineFault, match=reason):
            ask_engine(engine(f"policy:zoo:{name}"), EMPTY)


@pytest.fixture
def _packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two packages that add players."""
    added = {"clumsy": "zoo:Clumsy", "empty": "zoo:make_nothing", "gone": "zoo:no_such_name"}
    monkeypatch.setattr(
        players, "find_added", lambda name: EntryPoint(name, added[name], players.GROUP) if name in added else None
    )


@pytest.mark.usefixtures("_packages")
def test_players_that_packages_add(caplog: pytest.LogCaptureFixture) -> None:
    complain.cache_clear()
    results = [arena.play(duel) for duel in arena.schedule([("clumsy:x", "random")], [BOARD], 4)]
    assert not any(result.fault for result in results)
    assert caplog.messages == ["quintet: clumsy:x could not be closed: it failed with SystemExit: '5'"]
    assert players.stored_player("clumsy:x") is None and players.read_player("clumsy:x").outside
    with pytest.raises(UnknownPlayer, match="Did you mean 'clumsy:NAME'"):
        players.read_player("clumsy")


@pytest.mark.usefixtures("_packages")
@pytest.mark.parametrize(
    ("who", "reason"),
    [
        ("clumsy:broken", "the player clumsy of the package zoo:Clumsy cannot be used: SystemExit: 4"),
        ("empty:x", "'empty:x' cannot be started: it has no method `choose`"),
        ("gone:x", "the player gone of the package zoo:no_such_name cannot be used: AttributeError"),
    ],
)
def test_players_that_cannot_be_made(who: str, reason: str) -> None:
    with pytest.raises(UnknownPlayer) as error:
        make_engine(who)
    assert reason in str(error.value)
    (result, _) = (arena.play(duel) for duel in arena.schedule([(who, "random")], [BOARD], 1))
    assert result.winner == 2 and result.fault == str(error.value)


def test_an_engine_of_anybodys_making_is_asked_through_the_same_door(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def choose(self, position: Position, seconds: float | None = None) -> int:
            raise SystemExit

        def close(self) -> None:
            raise ValueError("not now")

    complain.cache_clear()
    with pytest.raises(EngineFault, match="it failed with SystemExit"):
        ask_engine(Broken(), EMPTY)
    close_engine(Broken())
    assert caplog.messages == ["quintet: Broken could not be closed: it failed with ValueError: 'not now'"]
    assert ask_engine(Broken(), read_position("adjacent-claim XO./OO./... X")) == PASS


# Those that hang.


def test_one_that_hangs_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    who = "python:zoo:hangs"
    results = list(arena.run(arena.schedule([(who, "random")], [BOARD], 40, seconds=LIMIT), workers=1))
    assert len(results) == 40 and zoo.calls == ["hangs"]
    assert all(result.points == (result.duel.players[1] == who) for result in results)
    found = standing([who, "random"], results)
    assert found.faults == {
        f"{who}: it gave no answer within {LIMIT} s": 1,
        f"{who}: it is still busy with an earlier move": 39,
    }
    hanging = engine(who)
    with pytest.raises(EngineFault, match="it is still busy"):
        ask_engine(hanging, EMPTY)
    zoo.released.set()
    plugin._hanging[who].join()
    assert ask_engine(hanging, EMPTY) == 1, "one that has come back plays again"


# Whole programs.


def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command where the zoo can be found."""
    return subprocess.run(
        [*PROGRAM, *words],
        capture_output=True,
        text=True,
        cwd=HERE,
        timeout=60,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("name", ["hangs", "exits", "nothing"])
def test_play_ends_with_a_line(name: str) -> None:
    seconds = "0.1" if name == "hangs" else "60"
    done = run("play", "gridlock", "--p1", f"python:zoo:{name}", "--p2", "random", "--time", seconds)
    assert done.returncode == 1 and done.stderr == "" and ZOO[name] in done.stdout.splitlines()[-1]


def test_what_a_plug_in_prints_does_not_get_between_the_answers() -> None:
    words = [*PROGRAM, "engine", "python:zoo:first"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=HERE, timeout=60, input="new gridlock\ngo\nquit\n")
    assert done.stdout == "ok\nmove 1 1\nok\n" and done.stderr == "a plug-in may print\n"
    words = ["arena", "--players", "python:zoo:first,random", "--game", "gridlock", "--games", "4", "--json", "--jobs"]
    for jobs in ("1", "2"):
        assert json.loads(run(*words, jobs).stdout)["pairs"][0]["games"] == 4


def test_one_that_ends_its_process_loses_that_game_only(tmp_path: Path) -> None:
    ends, kills = "python:zoo:ends_the_process", "python:zoo:kills_the_process"
    duels = arena.schedule([(ends, "random"), (kills, ends), ("random", "greedy")], [BOARD], 4)
    results = list(arena.run(duels, workers=2))
    assert {result.duel for result in results} == set(duels) and len(results) == len(duels)
    for result in results:
        loser = result.duel.players[2 - (result.winner or 0)]
        if ends in result.duel.players and result.fault:
            assert loser in (ends, kills) and len(set(result.duel.players)) == 2
            assert result.fault == f"it ended the worker process {'with status 3' if loser == ends else 'by SIGKILL'}"
        else:
            assert result.duel.players in (("random", "greedy"), ("greedy", "random")) and not result.fault
    # Whoever is asked first ends the game of those two.
    both = {arena.opening(duel).player: duel for duel in duels if set(duel.players) == {ends, kills}}
    assert both
    for result in results:
        if set(result.duel.players) == {ends, kills}:
            assert result.winner == 3 - arena.opening(result.duel).player


def test_one_that_ends_a_process_of_the_server_loses() -> None:
    workers = pytest.importorskip("quintet.web.workers")

    async def story() -> object:
        pool = workers.WorkerPool(2, {"guest:Zoo": "python:zoo:ends_the_process"})
        try:
            answer, _ = await pool.choose("guest:Zoo", EMPTY)
            assert isinstance((await pool.choose("random", EMPTY))[0], int)
            return answer
        finally:
            pool.close()

    assert asyncio.run(story()) == "it ended the worker process with status 3"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_arena_that_is_ended_leaves_nobody_and_keeps_its_results(number: signal.Signals, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "lock").touch()
    who, out = "python:zoo:hangs_in_the_second_game", tmp_path / "results.jsonl"
    words = [*PROGRAM, "arena", "--players", f"{who},random", "--game", "gridlock", "--games", "8", "--jobs", "2"]
    process = subprocess.Popen(
        [*words, "--out", str(out)],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=HERE,
        env={**os.environ, "ZOO": str(tmp_path)},
    )
    pipe = os.open(tmp_path / "pipe", os.O_RDWR)
    said = b""
    while said.count(b"thinking") < 2:  # Until both workers are in their second game.
        said += os.read(pipe, 100)
    os.close(pipe)
    begun = time.monotonic()
    process.send_signal(number)
    _, errors = process.communicate(timeout=WAIT)
    with (tmp_path / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # It is theirs as long as they live.
    assert time.monotonic() - begun < WAIT
    assert len(read_results(out)) == 2
    assert number == signal.SIGKILL or (process.returncode == 130 and errors.strip() == "quintet: interrupted")
