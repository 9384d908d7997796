"""Fuzzing: what was found once is refused in one line, and a short run finds nothing else."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from quintet.bench import fuzz
from quintet.bench.fuzz import Finding, Target, WrongAnswer, mutate, read_corpus
from quintet.bench.fuzz_files import DamagedFiles, damage_rows
from quintet.bench.fuzz_targets import make_targets
from quintet.cli.fuzzing import run_here
from quintet.errors import QuintetError
from scripted import THEIRS

CORPUS = Path(__file__).parent / "data" / "fuzz"

pytestmark = THEIRS


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Target]]:
    with ExitStack() as stack:
        yield make_targets(tmp_path_factory.mktemp("fuzz"), stack)


def test_what_was_found_once(targets: list[Target]) -> None:
    corpus = read_corpus(CORPUS)
    assert {name for name, _ in corpus} <= {target.name for target in targets}
    assert list(fuzz.fuzz(targets, 0, 0, corpus=corpus)) == []


def test_a_short_run(targets: list[Target]) -> None:
    for target in targets:
        target.tried = 0
    assert list(fuzz.fuzz(targets, 1000, 0)) == []
    assert all(target.tried for target in targets) and sum(len(target.lines) for target in targets) > 500


def read_strictly(data: bytes) -> None:
    if data.startswith(b"no"):
        raise QuintetError("refused")
    if data.startswith(b"x"):
        raise KeyError("x")
    if data.startswith(b"y"):
        raise WrongAnswer("y")


@pytest.mark.parametrize(
    ("data", "error"), [(b"fine", None), (b"no", None), (b"x", "KeyError at "), (b"y", "WrongAnswer at ")]
)
def test_what_is_a_finding(data: bytes, error: str | None) -> None:
    found = Target("strict", read_strictly, []).try_input(data, random.Random(0))
    assert (found is None) == (error is None)
    if found and error:
        assert found.error.startswith(error) and json.loads(found.line())["input"] == data.decode()


def test_slow_inputs_and_tracebacks_in_the_log_are_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    import logging
    import signal

    def complain(_: bytes) -> None:
        logging.getLogger("quintet").error("oh", exc_info=KeyError("x"))

    monkeypatch.setattr(fuzz, "SECONDS", 0.05)
    found = Target("slow", lambda _: signal.pause(), []).try_input(b"", random.Random(0))
    assert found and found.error.startswith("TooSlow at ")
    found = Target("noisy", complain, []).try_input(b"", random.Random(0))
    assert found and found.error == "a traceback in the log: oh"


def test_a_finding_is_tried_again_from_its_file(tmp_path: Path) -> None:
    data = b"\xff\x00[\n"
    (tmp_path / "found.jsonl").write_text(Finding("records", data, "KeyError").line())
    assert read_corpus(tmp_path) == [("records", data)] == read_corpus(tmp_path / "found.jsonl")


def test_inputs_depend_on_the_seed_alone() -> None:
    examples = [b"one two", b"[Game 3]"]
    made = [[mutate(random.Random(seed), examples) for seed in range(50)] for _ in range(2)]
    assert made[0] == made[1] and len(set(made[0])) > 30


def test_damaged_files(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    files = DamagedFiles(tmp_path, run_here)
    rng = random.Random(1)
    files.kinds = ["rows", "store", "record", "solution"]
    assert [found for number in range(10) for found in files.try_one(rng, number)] == []
    file = tmp_path / "good" / "rows"
    before = file.read_bytes()
    for seed in range(9):
        damage_rows(file, random.Random(seed))
    assert file.read_bytes() != before


def test_the_command(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "quintet", "bench", "fuzz", "--inputs", "300", "--only", "moves,records"]
    done = subprocess.run([*words, "--corpus", str(CORPUS)], capture_output=True, text=True, cwd=tmp_path)
    assert (
        done.returncode == 0 and done.stdout.endswith("No findings.\n") and not (tmp_path / "findings.jsonl").exists()
    )
    done = subprocess.run([*words, "--corpus", __file__], capture_output=True, text=True, cwd=tmp_path)
    assert (
        done.returncode == 2
        and done.stderr.startswith("quintet: cannot read the corpus")
        and done.stderr.count("\n") == 1
    )
