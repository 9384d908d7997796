"""Human baselines: people play what models play, and are scored as models are."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model
from sqlalchemy import update

from participants import Participant, best, worst
from quintet.llm.agents import Answer
from quintet.llm.baseline import ChangedOpponent, finished, write_baseline
from quintet.llm.episode import play_episode
from quintet.llm.logs import Section, read_logs
from quintet.llm.options import FOR_GAMES
from quintet.llm.report import html, markdown
from quintet.llm.scores import SCORES, estimate
from quintet.llm.tasks import make_task
from quintet.rules import Position, play_all
from quintet.store.baselines import Baseline, load_baseline, load_baselines
from quintet.store.database import Database
from quintet.store.schema import BASELINE_TURNS
from quintet.suites.course import course, find_place, follow, is_over, match_of
from quintet.suites.suite import load_suite
from scripted import THEIRS, inspect_alone, inspect_gone, perfect  # noqa: F401
from serving import Server

PROGRAM = str(Path(sys.executable).with_name("quintet"))
QUICK = load_suite("quick")

pytestmark = THEIRS


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('baseline')}/quintet.db", "--no-limits", "--baseline", "quick")
    yield server
    assert server.stop() == ""


@pytest.fixture(scope="module")
def played(server: Server) -> Server:
    """Two people have played Gridlock, the best way and the worst way; a third has begun."""
    ada, bob, eve = (Participant(server, code) for code in ("Ada", "Bob", "Eve"))
    while ada.found["sample"] or bob.found["sample"]:  # At the same time.
        if ada.found["sample"]:
            ada.play(best)
        if bob.found["sample"]:
            bob.play(worst)
    assert ada.found["total"] == bob.found["total"] == 20
    eve.play(best)
    return server


@pytest.fixture(scope="module")
def section(played: Server, tmp_path_factory: pytest.TempPathFactory) -> Section:
    """Their report, with a model that played the same samples perfectly."""
    folder = tmp_path_factory.mktemp("runs")
    command = [PROGRAM, "baseline", "quick", "--out", str(folder), "--database", played.database]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said == (
        "Ada: 20 finished games and positions\nBob: 20 finished games and positions\n"
        "Eve: 0 finished games and positions\n"
    )

    async def answer(input: list[ChatMessage], *_: object) -> ModelOutput:
        output = ModelOutput.from_content("mock", perfect(input[0].text))
        output.usage = ModelUsage(input_tokens=100, output_tokens=10, total_tokens=110)
        return output

    model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
    task = make_task(course(QUICK, "gridlock"), FOR_GAMES, QUICK.full_name)
    evaluate(task, model=model, display="none", log_dir=str(folder / "model"))
    [section] = read_logs([folder])
    return section


def test_people_and_models_are_rows_of_one_report(section: Section) -> None:
    assert section.suite == "quick-2"
    page = markdown([section])
    games = page[page.index("### Games") : page.index("### Positions")]
    for name in ("human Ada", "human Bob", "mockllm/model"):
        assert re.search(rf"^\| {name} \| 8 \|", games, re.MULTILINE), name
    assert "human Eve" not in page, "no sample was finished"
    assert "human Ada, mockllm/model | 8 | +0.0 %" in games
    assert "mockllm/model, human Bob | 8 | +" in games
    assert re.search(r"^\| human Ada \| 8 \| - \| - \| - \| \d+\.\d s \|$", games, re.MULTILINE), "time alone"
    together = games[games.index("All people together") :].splitlines()[4].split(" | ")
    points = sum(one.statistics.points for one in section.samples if one.player.startswith("human "))
    assert together[:2] == ["| 2", "16"] and together[3].startswith(f"{100 * points / 16:.1f} % (")
    assert "`quintet baseline quick-2 --out runs`" in page
    assert "human Ada" in html([section])


def test_perfect_play_has_no_regret_and_the_score_of_theory(section: Section) -> None:
    def score(player: str, name: str, games: bool) -> float:
        samples = (one for one in section.samples if one.player == player and bool(one.spec.opponent) is games)
        found = estimate([one.row for one in samples], SCORES[name])
        assert found
        return found.value

    for games in (True, False):
        assert score("human Ada", "regret", games) == 0 and score("human Ada", "optimal", games) == 1
        assert score("human Bob", "regret", games) == 1
    against_perfect = [one for one in section.samples if one.player == "human Ada" and one.spec.opponent == "perfect"]
    assert [one.statistics.points for one in against_perfect] == [one.statistics.par for one in against_perfect]
    assert sum(one.statistics.points for one in against_perfect) == 2, "half of the seats are won"
    assert all(one.usage and one.usage.seconds >= 1.5 for one in against_perfect)


def test_the_sample_and_the_opponent_are_those_of_models(section: Section) -> None:
    """The same moves get the same replies: here a person's game is played again as an agent's."""
    [sample] = [
        one
        for one in section.samples
        if one.player == "human Bob" and one.spec.opponent == "level:4" and one.spec.id.endswith("0-player2")
    ]
    assert sample.spec in QUICK.games
    mine = iter(turn.move for turn in sample.episode.turns(sample.spec))

    async def again(position: Position, moves: object) -> Answer:
        return Answer(next(mine))

    assert asyncio.run(play_episode(sample.spec, again)).moves == sample.episode.moves


def test_moves_are_stored_once_and_only_those_of_the_participant(server: Server) -> None:
    ada = Participant(server, "Carl")
    before = ada.found
    ada.play(best)
    after = ada.found
    ada.found = before
    move = load(server, "Carl")[0].turns[0].move
    assert ada.send(move=move).json() == after, "sent twice"
    legal = [cell["label"] for cell in before["sample"]["view"]["cells"] if cell.get("legal")]
    other = next(label for label in legal if label != move)
    assert ada.send(move=other).status_code == 409
    ada.begin()
    assert ada.found["sample"] == after["sample"], "resumed"
    for changes, status in (
        ({"turn": 5}, 409),
        ({"number": 7}, 409),
        ({"move": "9 9"}, 422),
        ({"move": other, "milliseconds": -1}, 422),
        ({"key": "another-key-0123456789"}, 403),
        ({"key": ""}, 401),
    ):
        assert ada.send(**{"move": move, **changes}).status_code == status, changes
    taken = next(cell["label"] for cell in after["sample"]["view"]["cells"] if cell.get("owner"))
    assert ada.send(move=taken).status_code == 422
    body = {"suite": "quick", "game": "gridlock", "code": "Carl", "key": "another-key-0123456789"}
    assert server.http.post("/api/baselines", json=body).status_code == 409
    assert len(load(server, "Carl")[0].turns) == 1


def load(server: Server, code: str) -> list[Baseline]:
    with Database(server.database) as store:
        return load_baselines(store, code=code)


def test_only_what_is_offered_is_recorded(server: Server) -> None:
    assert server.http.get("/api/baselines?suite=quick").json() == {"suite": "quick-2", "games": 40, "total": 100}
    assert server.http.get("/api/baselines?suite=quick&game=isolation").json()["total"] == 20
    for query in ("suite=full", "suite=quick-1", "suite=x", "suite=quick&game=chess"):
        assert server.http.get(f"/api/baselines?{query}").status_code == 404


def test_nothing_says_how_good_a_move_is(server: Server) -> None:
    dan = Participant(server, "Dan", game="grid-conquest")
    dan.play(worst)
    cells = dan.found["sample"]["view"]["cells"]
    assert not any(cell.keys() & {"value", "outcome", "best"} for cell in cells)
    assert "Rulings" not in dan.found["sample"]["rules"] and "Goal" in dan.found["sample"]["rules"]


def test_the_opponent_must_not_have_changed(played: Server, tmp_path: Path) -> None:
    with Database(played.database) as store:
        [ada] = load_baselines(store, code="Ada")
        assert len(finished(QUICK, ada)) == 20
        turns = BASELINE_TURNS.c
        with store.transaction(writing=True) as connection:
            chosen = turns.baseline == ada.id, turns.number == 0, turns.turn == 1
            connection.execute(update(BASELINE_TURNS).where(*chosen).values(position=ada.turns[0].position))
        changed = load_baseline(store, ada.id)
        with store.transaction(writing=True) as connection:
            connection.execute(update(BASELINE_TURNS).where(*chosen).values(position=ada.turns[1].position))
    with pytest.raises(ChangedOpponent, match="plays otherwise than when Ada played it"):
        write_baseline(QUICK, "Ada", [changed], tmp_path)


def test_nobody_has_played(tmp_path: Path) -> None:
    command = [PROGRAM, "baseline", "quick", "--out", str(tmp_path / "runs")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "nobody has played quick-2" in done.stderr and not done.stdout


def test_the_way_through_a_suite() -> None:
    """Every sample once, game by game; a sample without a choice is passed over."""
    specs = course(QUICK)
    assert sorted(spec.id for spec in specs) == sorted(spec.id for spec in (*QUICK.games, *QUICK.positions))
    assert [spec.id for spec in course(QUICK, "isolation")] == [spec.id for spec in specs if "isolation" in spec.id]
    for spec in specs[:10]:
        moves = follow(spec, ())
        assert is_over(spec, moves) or play_all(spec.start, moves).player == spec.player
        assert match_of(spec, moves).position == play_all(spec.start, moves)
    lost = next(spec for spec in specs if spec.opponent is None)
    stuck = type(lost)("stuck", "isolation .X.O. X", 2, "random", 0, "random")
    end = find_place([lost, stuck], 0, [lost.start.moves[0]])
    assert (end.number, end.moves) == (2, []) and len(end.before) == 1
