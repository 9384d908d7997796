"""The examples in the documentation that can be run, and what the program prints for them.

`python tests/goldens.py --docs` writes that output into the pages, so nobody edits it by hand. The tests compare it.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from quintet.arena.standings import Rung, ladder_table

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
PROGRAM = Path(sys.executable).with_name("quintet")
LADDER = ROOT / "src/quintet/data/ladder.json"

BLOCK = re.compile(r"^```(console|python|protocol)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE)
"""A session (`console`), a Python program with its output (`text`), or a conversation with `quintet engine`."""
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


class ExampleFailed(Exception):
    """A Python example in a page ended with an error."""


def examples() -> Iterator[tuple[str, str]]:
    """Every example with a name for it: its page, and its number there."""
    for page in PAGES:
        for number, block in enumerate(BLOCK.finditer(page.read_text()), 1):
            if is_run(block):
                yield f"{page.relative_to(ROOT)} {number}", block[0]


def is_run(block: re.Match[str]) -> bool:
    """Whether a block can be run; a Python fragment that imports nothing is only there to be read."""
    return block[1] != "python" or "import " in block[2]


def renew(text: str) -> str:
    """The text of a page with the output of its examples as the program prints it now."""
    return BLOCK.sub(lambda block: RUNNERS[block[1]](block) if is_run(block) else block[0], text)


def run(words: list[str], folder: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a scratch folder that looks like the repository to a reader and has a store of its own."""
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(PROGRAM.parent), os.environ["PATH"]]),
        "QUINTET_DATABASE": f"sqlite:///{folder}/quintet.db",
    }
    return subprocess.run(words, input=typed, capture_output=True, text=True, cwd=folder, env=environment)


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder in which `docs` and `examples` are found and files may be written."""
    folder = tempfile.TemporaryDirectory()
    for name in ("docs", "examples"):
        (Path(folder.name) / name).symlink_to(ROOT / name)
    return folder


def clean(printed: str) -> str:
    """Printed lines without blanks at their ends, and with one fixed moment for all times."""
    lines = [line.rstrip() for line in MOMENT.sub("2026-11-15 20:15", printed).rstrip().splitlines()]
    return "".join(f"{line}\n" for line in lines)


def renew_console(block: re.Match[str]) -> str:
    """A session: every `$ COMMAND` with what it prints. The commands of a block share a folder and a store."""
    with scratch() as folder:

        def answer(session: re.Match[str]) -> str:
            done = run(["bash", "-c", session[1]], folder)
            printed = clean(done.stdout + done.stderr)
            shown = session[2].splitlines()
            if shown[-1:] == ["..."]:  # Only the beginning is shown.
                printed = "".join(printed.splitlines(keepends=True)[: len(shown) - 1]) + "...\n"
            gap = "\n" if session[2].endswith("\n\n") else ""
            return f"$ {session[1]}\n{printed}{gap}"

        body = re.sub(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", answer, block[2], flags=re.MULTILINE)
    return f"```console\n{body}```\n"


def renew_python(block: re.Match[str]) -> str:
    """A Python program, and its output if it prints anything."""
    with scratch() as folder:
        done = run([sys.executable, "-W", "error", "-c", block[2]], folder)
    if done.returncode or done.stderr:
        raise ExampleFailed(done.stderr)
    output = f"\n```text\n{clean(done.stdout)}```\n" if done.stdout else ""
    return f"```python\n{block[2]}```\n{output}"


def renew_protocol(block: re.Match[str]) -> str:
    """A conversation with `quintet engine random`: a line after `>` is answered by one after `<`.

    A move that is shown stays: which one the engine chooses does not matter, and a test checks that it is legal.
    """
    exchanges = re.findall(r"^> (.*)\n< (.*)\n", block[2], re.MULTILINE)
    with scratch() as folder:
        done = run([str(PROGRAM), "engine", "random"], folder, "".join(f"{line}\n" for line, _ in exchanges))
    lines = ["```protocol"]
    for (line, shown), answer in zip(exchanges, done.stdout.splitlines(), strict=True):
        both_move = shown.startswith("move ") and answer.startswith("move ")
        lines += [f"> {line}", f"< {shown if both_move else answer}"]
    return "\n".join([*lines, "```\n"])


RUNNERS = {"console": renew_console, "python": renew_python, "protocol": renew_protocol}


def renew_ladder(page: str) -> str:
    """The page of the levels with the table of the measured ladder."""
    rungs = [Rung(**row) for row in json.loads(LADDER.read_text())["rows"]]
    table = "".join(f"{line}\n" for line in ladder_table(rungs))
    return re.sub(r"^(\|.*\n)+\| level:2 \|.*\n(\|.*\n)*", lambda _: table, page, flags=re.MULTILINE)


def write_documents() -> None:
    """Write the output of every example, the table of the ladder and the page of solved boards."""
    for page in PAGES:
        page.write_text(renew(page.read_text()))
    ladder = DOCS / "ladder.md"
    ladder.write_text(renew_ladder(ladder.read_text()))
    with scratch() as folder:
        solutions = run([str(PROGRAM), "solutions"], folder)
        solutions.check_returncode()
        (DOCS / "solutions.md").write_text(solutions.stdout)
