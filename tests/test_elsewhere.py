"""What runs without POSIX: `elsewhere/sitecustomize.py` shows Quintet the modules and names that Windows has."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from serving import Server, wait_until

pytestmark = pytest.mark.no_cover

WINDOWS = Path(__file__).parent / "elsewhere"
IMPORTED = """
import importlib, json, pkgutil, sys, quintet

refused = {}
for module in pkgutil.walk_packages(quintet.__path__, "quintet."):
    try:
        importlib.import_module(module.name)
    except Exception as error:
        refused[module.name] = f"{type(error).__name__}: {error}"
print(json.dumps([len(sys.modules), refused]))
"""


@pytest.fixture(autouse=True)
def on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(WINDOWS), os.environ.get("PYTHONPATH", "")]))


def run(*words: str, input: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, *words], input=input, capture_output=True, text=True)


def test_every_module_can_be_imported() -> None:
    said = run("-c", IMPORTED)
    assert said.returncode == 0, said.stderr
    loaded, refused = json.loads(said.stdout)
    assert loaded > 300 and refused == {}


def test_it_is_seen_by_quintet_alone() -> None:
    code = "import signal, fcntl; signal.SIGKILL\n"
    assert run("-c", code).returncode == 0
    ours = run("-c", f"exec({code!r}, {{'__package__': 'quintet'}})")
    assert ours.returncode == 1 and "No module named 'fcntl'" in ours.stderr


@pytest.mark.parametrize(
    ("arguments", "typed", "end"),
    [
        ("play gridlock --size 2x2 --p2 greedy", "1 1\n2 2\n", "wins the game!"),
        ("solve gridlock --size 3x3 --workers 2", "", "plain gear"),
        ("arena --game gridlock --size 3x3 --players random,greedy --games 4 --workers 2", "", "greedy"),
        ("serve --help", "", "Show this message and exit."),
        ("play gridlock --p1 exec:cat --p2 greedy", "", "programs can play only on Linux and macOS"),
        ("bench chaos", "", "the faults are signals, which only Linux and macOS have"),
    ],
)
def test_commands_run_or_say_why_not_in_one_line(arguments: str, typed: str, end: str) -> None:
    said = run("-m", "quintet", *arguments.split(), input=typed)
    assert "Traceback" not in said.stderr and said.stderr.count("\n") <= 1
    assert end in (said.stdout if end not in said.stderr else said.stderr), said


def test_the_server_plays(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/matches.db")
    try:
        begun = server.begin(size="3x3", seats={"1": "level:1", "2": "greedy"}, take=[])
        wait_until(lambda: server.table(begun["id"])["state"]["over"])
    finally:
        server.stop()
