"""The tasks for Inspect, end to end: its mock model, and real HTTP to a server of models that play by a script."""

import gc
import logging
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai import eval as evaluate
from inspect_ai._util.constants import TRACE
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from quintet.bench.evaluations import measure
from quintet.llm.logs import read_logs
from quintet.llm.overhead import GC_THRESHOLD, reduced_overhead
from quintet.llm.report import markdown
from quintet.llm.run import run_suite
from quintet.llm.tasks import InvalidTask, engine, play, positions
from quintet.suites.suite import load_suite
from quintet.workers import read_workers
from scripted import THEIRS, Policy, illegal, inspect_alone, inspect_gone, perfect, rambling, randomly, serve, silent  # noqa: F401

pytestmark = THEIRS

INSPECT = str(Path(sys.executable).with_name("inspect"))


def mock(answer: Callable[[str], str]) -> Any:
    """Inspect's mock model, answering by a policy."""

    async def outputs(input: list[Any], *_: object) -> ModelOutput:
        output = ModelOutput.from_content("mock", answer(input[0].text))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", custom_outputs=outputs, memoize=False)


def scores(log: EvalLog) -> dict[str, float]:
    """The scores of a run that went well."""
    assert log.status == "success", log.error
    assert log.results
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


def over_http(policy: Policy, task: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, float], int]:
    """The scores of a scripted model behind OpenAI's protocol, and how often it was asked."""
    with serve(policy) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        monkeypatch.setenv("SCRIPTED_API_KEY", "none")
        model = get_model("openai-api/scripted/model", memoize=False)
        [log] = evaluate(task, model=model, display="none")
        return scores(log), len(server.prompts)


def test_perfect_over_http(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = over_http(perfect, play(game="all", opponent="perfect", games=2), monkeypatch)
    assert found["to_par"] == 0 and found["to_par_low"] < 0 < found["to_par_high"]
    assert (found["legality"], found["faults"], found["regret"], found["optimal"], found["kept"]) == (1, 0, 0, 1, 1)
    assert found["guessing"] > 0.3


def test_random_over_http(monkeypatch: pytest.MonkeyPatch) -> None:
    found, asked = over_http(randomly(1), positions(game="all", number=6), monkeypatch)
    assert asked == 5 * 3 * 6
    # Guessing is the exact mean over the legal moves of these very positions.
    assert found["regret_low"] <= found["guessing"] <= found["regret_high"]
    assert found["regret_high"] - found["regret_low"] < 0.25 and found["legality"] == 1


@pytest.mark.parametrize("policy", [illegal, silent])
def test_no_legal_move_over_http(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    task = play(game="gridlock", size="3x3", opponent="random", games=4, retries=2)
    found, asked = over_http(policy, task, monkeypatch)
    assert (found["score"], found["faults"], found["legality"]) == (0, 1, 0) and found["to_par"] == -found["par"]
    assert asked == 4 * 3


def test_rambling_over_http(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = over_http(rambling, positions(game="gridlock,grid-conquest", number=2), monkeypatch)
    assert (found["regret"], found["optimal"], found["legality"]) == (0, 1, 1)


def test_lost_at_once_or_sent_back_with_the_reason() -> None:
    def stubborn(prompt: str) -> str:
        return "MOVE: 1 1"

    logs = {}
    for retries in (0, 2):
        task = play(game="gridlock", size="3x3", opponent="random", side=1, games=1, retries=retries)
        [logs[retries]] = evaluate(task, model=mock(stubborn), display="none")
    once, thrice = ([message.text for message in logs[k].samples[0].messages] for k in (0, 2))  # type: ignore[index]
    assert len(thrice) == len(once) + 2 * 2
    assert "1 1 is not a legal move: That cell is already claimed." in thrice[-2]
    assert scores(logs[0])["faults"] == scores(logs[2])["faults"] == 1


@pytest.mark.parametrize(
    ("limits", "fault"),
    [
        ({"token_limit": 3}, "stopped by a limit"),
        ({"message_limit": 3}, "stopped by a limit"),
        ({"time_limit": 1}, "stopped by a limit"),
        ({"solver": generate()}, "the solver played no move"),
    ],
    ids=["tokens", "messages", "time", "solver"],
)
def test_a_limit_of_inspect_is_a_fault_that_is_scored(limits: dict[str, Any], fault: str, tmp_path: Path) -> None:
    if "time_limit" in limits:

        async def outputs(*_: object) -> ModelOutput:
            await anyio.sleep_forever()
            raise AssertionError

        model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    else:
        model = mock(perfect)
    task = play(game="gridlock", games=2, opponent="perfect")
    [log] = evaluate(task, model=model, display="none", log_dir=str(tmp_path), **limits)
    found = scores(log)
    assert (found["score"], found["faults"]) == (0, 1)
    assert log.samples and all(
        fault in str(sample.scores["exact"].explanation) for sample in log.samples if sample.scores
    )
    [section] = read_logs([tmp_path])
    assert len(section.samples) == 2 and not section.unfinished


def test_values_are_shuffled() -> None:
    boards = [{sample.metadata["case"]["position"].split("values=")[1] for sample in task.dataset if sample.metadata}
              for task in (play(game="point-capture", games=4, shuffle=seed) for seed in (None, 3, 4))]  # fmt: skip
    assert [len(board) for board in boards] == [1, 1, 1] and len(set.union(*boards)) == 3


def test_mock_plays_perfectly() -> None:
    [log] = evaluate(play(game="isolation", games=4), model=mock(perfect), display="none")
    assert scores(log)["regret"] == scores(log)["to_par"] == 0


def test_engines_are_judged_on_the_same_path() -> None:
    for who, regret in (("perfect", 0), ("python:scripted_player:last", None)):
        [log] = evaluate(positions(game="gridlock", number=2), solver=engine(who), model=None, display="none")
        found = scores(log)
        assert regret is None or found["regret"] == regret
        assert log.samples and log.samples[0].store["played"]["player"] == who


@pytest.mark.parametrize("seat", ["solver", "opponent"])
def test_a_model_takes_any_seat_of_an_evaluation(seat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    who = "model:openai-api/scripted/model"
    with serve(perfect) as server:
        monkeypatch.setenv("SCRIPTED_BASE_URL", server.url)
        monkeypatch.setenv("SCRIPTED_API_KEY", "none")
        opponent, player = (who, "random") if seat == "opponent" else ("perfect", who)
        task = play(game="gridlock", size="3x3", opponent=opponent, games=6)
        [log] = evaluate(task, solver=engine(player), model=None, display="none")
        found = scores(log)
        assert len(server.prompts) > 6 and found["faults"] == 0
    assert seat == "opponent" or found["to_par"] == found["regret"] == 0


def test_epochs_are_one_cluster() -> None:
    logs = [
        evaluate(positions(game="gridlock", number=2), solver=engine("greedy"), model=None, display="none", epochs=n)[0]
        for n in (1, 3)
    ]
    assert logs[1].samples and len(logs[1].samples) == 3 * 6
    assert scores(logs[0])["regret_high"] - scores(logs[0])["regret_low"] > 0.3
    assert scores(logs[1])["regret_high"] - scores(logs[1])["regret_low"] > 0.3


def test_pass_at_k_has_openings_as_its_unit(tmp_path: Path) -> None:
    """A model that knows each position at one of its four tries, and never at the others."""
    tries: dict[str, int] = {}

    def wavering(prompt: str) -> str:
        tries[prompt] = tries.get(prompt, 0) + 1
        return perfect(prompt) if tries[prompt] == 1 else "I give up."

    task = positions(game="gridlock", number=2)
    [log] = evaluate(task, model=mock(wavering), display="none", epochs=4, log_dir=str(tmp_path))
    found = scores(log)
    assert [found[f"pass_at_{k}"] for k in (1, 2, 4)] == [0.25, 0.5, 1] and "pass_at_3" not in found
    assert found["pass_at_4_low"] < 0.7 and found["regret"] == pytest.approx(0.75)
    page = markdown(read_logs([tmp_path]))
    assert re.search(r"\| mockllm/model \| 6 \| 25\.0 % \(.*\) \| 50\.0 % \(.*\) \| 100\.0 % \(", page)
    [log] = evaluate(play(game="gridlock", games=4), model=mock(perfect), display="none", epochs=2)
    assert scores(log)["pass_at_2"] == 1 and scores(log)["to_par"] == 0


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"game": "chess"}, "no game called 'chess'"),
        ({"game": "gridlock", "size": "0x0"}, "boards can be"),
        ({"game": "gridlock", "opponent": "nobody"}, "no player called 'nobody'"),
        ({"game": "gridlock", "opponent": "human"}, "a person cannot be evaluated"),
        ({"game": "gridlock", "shuffle": 3}, "there are no values to shuffle"),
        ({"suite": "quick", "shuffle": 3}, "leave out shuffle"),
        ({"game": "gridlock", "side": 3}, "side must be one of"),
        ({"game": "gridlock", "games": 0}, "games must be 1 or more"),
        ({"game": "gridlock", "games": "two"}, "games must be a whole number, not 'two'"),
        ({"game": "gridlock", "games": True}, "games must be a whole number, not True"),
        ({"game": "gridlock", "seed": "x"}, "seed must be a whole number, not 'x'"),
        ({"game": "gridlock", "legal": "maybe"}, "legal must be true or false, not 'maybe'"),
        ({"game": "gridlock", "history": "never"}, "history must be true or false, not 'never'"),
        ({"game": "gridlock", "obfuscate": 2}, "obfuscate must be true or false, not 2"),
        ({"game": 7}, "no game called '7'"),
        ({"suite": 7}, "no suite called '7'"),
        ({"game": "gridlock", "rules": "long"}, "rules must be full or short"),
        ({"game": "gridlock", "notation": "runes"}, "notation must be one of"),
        ({"game": "gridlock", "variants": 0}, "variants must be a number from 1 to"),
        ({"game": "gridlock", "variants": 2, "size": "3x3"}, "leave out size and shuffle"),
        ({"suite": "quick", "variants": 2}, "leave out variants"),
        ({"game": "gridlock", "picture": "yes"}, "picture must be true or false, not 'yes'"),
        ({"game": "gridlock", "picture": True, "obfuscate": True}, "leave out picture or obfuscate"),
        ({"game": "gridlock", "tools": "all"}, "tools must be one of none, play, analyze, not 'all'"),
        ({"game": "gridlock", "retries": -1}, "retries must be a number from 0 to 20, not -1"),
        ({"game": "gridlock", "obfuscate": True, "notation": "letters"}, "has its own notation"),
        ({"suite": "slow"}, "no suite called"),
        ({"suite": "quick", "game": "gridlock"}, "leave out game"),
    ],
)
def test_wrong_options_are_one_clear_line(options: dict[str, Any], line: str) -> None:
    with pytest.raises(InvalidTask) as caught:
        play(**options)
    assert line in str(caught.value.message)


def test_many_games_at_once_take_little_longer_than_the_model() -> None:
    """One after another they take three minutes. `quintet bench judge` measures how near the model's time it is."""
    found = measure(60, 1.0, "gridlock", "perfect", "3x3")
    assert found.games == found.together == 60 and found.asked > 100
    assert found.seconds < 60 * found.bound / 4


@pytest.mark.parametrize("level", [None, "trace"])
def test_overhead_is_reduced_only_inside(level: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INSPECT_TRACE_LEVEL", raising=False)
    monkeypatch.delenv("INSPECT_LOG_LEVEL", raising=False)
    if level:
        monkeypatch.setenv("INSPECT_TRACE_LEVEL", level)
    logger = logging.getLogger("inspect_ai.overhead")
    logger.setLevel(TRACE)
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    assert frozen > 0  # By the tests themselves.
    with reduced_overhead():
        assert gc.get_threshold()[0] == GC_THRESHOLD and gc.isenabled()
        assert logger.isEnabledFor(TRACE) == bool(level) and logger.isEnabledFor(logging.INFO)
    assert gc.get_threshold() == before and logger.isEnabledFor(TRACE)
    assert gc.get_freeze_count() >= frozen
    gc.unfreeze()
    with reduced_overhead():
        assert gc.get_freeze_count() > 0
    assert gc.get_freeze_count() == 0
    gc.freeze()


def test_an_interrupted_run_goes_on_and_counts_nothing_twice(tmp_path: Path) -> None:
    """A run is killed in the middle; its retry plays what was missing, and only that."""
    reached = threading.Event()
    stop_at = 12

    def gate(number: int) -> None:
        if number == stop_at:
            reached.set()

    environment = {**os.environ, "SCRIPTED_API_KEY": "none"}
    logs = tmp_path / "killed"
    task = ["quintet/play", "-T", "game=isolation", "-T", "opponent=perfect", "-T", "games=8"]
    limits = ["--max-samples", "1", "--max-connections", "1", "--log-buffer", "1", "--log-dir", str(logs)]
    with serve(perfect, gate=gate) as server:
        environment["SCRIPTED_BASE_URL"] = server.url
        command = [INSPECT, "eval", *task, "--model", "openai-api/scripted/model", *limits]
        run = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
        assert reached.wait(60)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        [killed] = list_eval_logs(str(logs))
        before = read_eval_log(killed)
        assert before.status == "started"
        done = {sample.id for sample in before.samples or []}
        assert 0 < len(done) < 8
        asked = len(server.prompts)
        retry = subprocess.run(
            [INSPECT, "eval-retry", killed.name, "--log-dir", str(logs)],
            env=environment,
            capture_output=True,
            text=True,
        )
        assert retry.returncode == 0, retry.stderr
        asked_again = len(server.prompts) - asked
    after = [read_eval_log(log) for log in list_eval_logs(str(logs))]
    [whole] = [log for log in after if log.status == "success"]
    assert whole.samples and len(whole.samples) == len({sample.id for sample in whole.samples}) == 8
    missing = [len(sample.store["played"]["answers"]) for sample in whole.samples if sample.id not in done]
    assert asked_again == sum(missing)
    # A report over both logs counts every game once.
    [section] = read_logs([logs])
    assert len(section.samples) == 8 and not section.unfinished
    assert sum(sample.statistics.games for sample in section.samples) == 8


def test_a_suite_is_not_run_twice(tmp_path: Path) -> None:
    whole = load_suite("quick")
    assert run_suite(whole, ["random"], tmp_path, {}) == []
    logs = {log.name: log.mtime for log in list_eval_logs(str(tmp_path))}
    assert len(logs) == 2 and run_suite(whole, ["random"], tmp_path, {}) == []
    assert {log.name: log.mtime for log in list_eval_logs(str(tmp_path))} == logs
    [section] = read_logs([tmp_path])
    assert section.title == "Suite quick-2" and len(section.samples) == len(whole.games) + len(whole.positions)


def test_workers_change_no_score(tmp_path: Path) -> None:
    """Engines are evaluated side by side; one that ends its process is the only one that does not finish."""
    whole, ends = load_suite("quick"), "python:zoo:ends_the_process"
    pages, progress = [], []
    for players, workers in ((["random"], None), (["random", ends], read_workers(2))):
        folder = tmp_path / str(len(players))
        unfinished = run_suite(whole, players, folder, {}, workers, lambda *numbers: progress.append(numbers))
        assert unfinished == players[1:]
        pages.append(markdown(read_logs([folder / "quick-2" / "random"])))
    assert pages[0] == pages[1] and progress == [(1, 2), (2, 2)]


def test_the_command_line_finds_the_tasks(tmp_path: Path) -> None:
    command = [INSPECT, "eval", "quintet/play", "--model", "mockllm/model", "--display", "plain"]
    options = ["-T", "game=gridlock,isolation", "-T", "opponent=perfect,level:10", "-T", "games=1"]
    player = ["--solver", "quintet/engine", "-S", "who=perfect"]
    run = subprocess.run([*command, *options, *player], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0 and "4 samples" in run.stdout, run.stdout + run.stderr
    assert re.search(r"to_par +0\.000", run.stdout)
    wrong = subprocess.run([*command, "-T", "game=chess"], capture_output=True, text=True, cwd=tmp_path)
    assert wrong.returncode != 0 and "no game called 'chess'" in wrong.stdout + wrong.stderr
    assert "Traceback" not in wrong.stdout + wrong.stderr
