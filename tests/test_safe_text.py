"""What somebody else wrote is shown, never obeyed: not by a terminal, and not by a model."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot

from driving import LARGE, drive, text_of, until
from quintet.llm.mcp.tools import Tools
from quintet.match import Match
from quintet.options import start
from quintet.record import read_record
from quintet.safe_text import LONGEST_QUOTE, escape, is_safe, quote
from quintet.store.matches import Store
from quintet.terminal.app import open_store
from quintet.terminal.play_screen import PlayScreen

PROGRAM = [sys.executable, "-m", "quintet"]

ATTACKS = (
    "\x1b]52;c;cm0gLXJmIH4=\x07",  # Writes to the clipboard.
    "\x1b]0;title\x9c",
    "\x1b[2J\x1b[31m",
    "\x9b31m",  # The same without an escape character.
    "a\u202etxt.exe",  # Turns the direction of writing.
    "zero\u200bwidth",
    "bell\x07 back\x08 delete\x7f",
)

RECORD = """[Game "gridlock"]
[Size "4x4"]
[Player1 "{0}"]
[Player2 "{0}"]
[Event "{0}"]
[Result "1-0"]
[Termination "Player 2 forfeits: {0}"]

1. 1 1 {{{0}}}; 4 4
"""


@pytest.mark.parametrize("text", ATTACKS)
def test_escaped_and_quoted(text: str) -> None:
    for shown in (escape(text), quote(text), escape(f"{text}\n", lines=True)[:-1]):
        assert shown.isprintable() and shown != text
    assert escape(f"one\n{text}\r\n", lines=True).count("\n") == 2
    assert "\n" not in escape("one\ntwo") and "\n" not in quote("one\ntwo")
    assert len(quote(text * 1000)) < 8 * LONGEST_QUOTE


def test_ordinary_text_stays_as_it_is() -> None:
    for text in ("Šárka – 青", "level:3", "it's 'quoted'", "🙂", "👩\u200d🚀", "山田\u3000太郎"):
        assert escape(text) == text
    assert escape("a\tb\nc", lines=True) == "a\tb\nc"


def at_a_terminal(*words: str) -> str:
    """What a command shows on a terminal, standard error included."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, *words], stdin=subprocess.DEVNULL, stdout=side, stderr=side, env={**os.environ, "NO_COLOR": "1"}
    )
    os.close(side)
    shown = b""
    try:
        while chunk := os.read(main, 4096):
            shown += chunk
    except OSError:
        pass  # How Linux says that the other side has been closed.
    os.close(main)
    process.wait(60)
    return shown.decode(errors="surrogateescape").replace("\r\n", "\n").replace("\r\x1b[K", "")


def is_clean(shown: str) -> bool:
    return is_safe(shown)


def test_terminals_are_safe_and_records_stay_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(RECORD.format("".join(ATTACKS)))
    unfinished = tmp_path / "unfinished.txt"
    name = "exec:" + "".join(ATTACKS)
    unfinished.write_text(RECORD.format(name).replace('[Result "1-0"]\n', "").replace("Termination", "End"))
    ids = []
    for path in (file, unfinished):
        done = subprocess.run([*PROGRAM, "import", str(path)], capture_output=True, text=True, check=True)
        ids.append(done.stdout.split()[0])
    for words in (["export", ids[0]], ["history"], ["review", str(file)], ["resume", ids[1]], ["resume", ids[0]]):
        shown = at_a_terminal(*words)
        assert shown and is_clean(shown), words
    exported = subprocess.run([*PROGRAM, "export", ids[0]], capture_output=True, check=True).stdout.decode()
    assert read_record(exported) == read_record(file.read_text())


def test_lists_of_damaged_matches_are_safe() -> None:
    evil = "\x1b]0;pwn\x07"
    with Store() as store:
        store.begin(Match(start("gridlock"), (1,)))
        with store.transaction() as connection:
            for table, column in (("moves", "match"), ("seats", "match"), ("matches", "id")):
                connection.exec_driver_sql(f"update {table} set {column} = ?", (evil,))
            connection.exec_driver_sql("update matches set game = '[/b]' || ?", (evil,))

    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("y")
        await until(pilot, lambda: "[/b]" in text_of(pilot))
        assert is_clean(text_of(pilot))

    drive(story, size=LARGE, opener=open_store)
    history = subprocess.run([*PROGRAM, "history"], capture_output=True, check=True).stdout.decode()
    tools = Tools()
    listed = tools.list_matches()["text"]
    tools.close()
    for text in (history, listed):
        assert "pwn" in text and is_clean(text)


def test_the_app_is_safe() -> None:
    with Store() as store:
        store.begin(Match(start("gridlock"), (1,), ("".join(ATTACKS), "exec:" + "".join(ATTACKS))))

    async def story(pilot: Pilot[None]) -> None:
        await pilot.press("y")
        await until(pilot, lambda: "Gridlock" in text_of(pilot))
        assert is_clean(text_of(pilot)) and "x1b" in text_of(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, PlayScreen))
        await pilot.pause()
        assert is_clean(text_of(pilot)) and "x1b" in text_of(pilot)

    drive(story, LARGE, Store)


def test_errors_are_safe(tmp_path: Path) -> None:
    file = tmp_path / "\x1b[31mgame.txt"
    file.write_text('[Game "gridlock"]\n[Size "\x9b"]')
    for words in (["import", str(file)], ["play", "gridlock", "--p1", "\x1b[31m"], ["arena", "--\x1b[31m"]):
        shown = at_a_terminal(*words)
        assert shown.startswith("quintet: ") and is_clean(shown) and shown.count("\n") == 1
