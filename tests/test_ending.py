"""How the program ends when it is told to: quietly, with one line, and nothing that it started outlives it."""

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from patience import WAIT

PROGRAM = [sys.executable, "-m", "quintet"]

HANGS = """
import fcntl, os, signal
for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
lock = open("lock")
fcntl.flock(lock, fcntl.LOCK_EX)
if os.fork():
    open("pipe", "w").write("ready")
while True:
    signal.pause()
"""


def wait_for_lock(folder: Path) -> None:
    """Wait until all processes are gone that hold it."""

    def too_late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_late)
    signal.alarm(WAIT)
    try:
        with (folder / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_program_that_hangs_does_not_outlive_us(tmp_path: Path, number: signal.Signals) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "lock").touch()
    (tmp_path / "hangs.py").write_text(HANGS)
    words = [*PROGRAM, "play", "gridlock", "--p1", f"exec:{sys.executable} hangs.py", "--no-save"]
    process = subprocess.Popen(words, cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    with (tmp_path / "pipe").open() as pipe:
        assert pipe.read() == "ready"
    process.send_signal(number)
    process.wait(WAIT)
    wait_for_lock(tmp_path)


def test_ctrl_c_while_modules_are_loaded(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "typer.py").write_text("import signal\nopen('pipe', 'w').write('loading')\nsignal.pause()\n")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    process = subprocess.Popen(
        [*PROGRAM, "games"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with (tmp_path / "pipe").open() as pipe:
        assert pipe.read() == "loading"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=WAIT) == ("", "\nquintet: interrupted\n") and process.returncode == 130
