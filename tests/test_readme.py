"""What the documentation shows is what the program prints."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from boards import every_game
from goldens import RULES, rules_index, rules_page
from quintet.games import GAMES
from quintet.rules import Game

ROOT = Path(__file__).parent.parent
PROGRAM = str(Path(sys.executable).with_name("quintet"))
SESSIONS = [
    (path.name, command, output)
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    for block in re.findall(r"```console\n(.*?)```", path.read_text(), re.DOTALL)
    for command, output in re.findall(r"^\$ (quintet .*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


EXAMPLES = [
    (f"{path.name} {number}", code, output)
    for path in sorted((ROOT / "docs").glob("*.md"))
    for number, (code, output) in enumerate(
        re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", path.read_text(), re.DOTALL), 1
    )
]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like the repository to a reader of the docs, and where files may be written."""
    for name in ("docs", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("page", "command", "output"), SESSIONS, ids=[command for _, command, _ in SESSIONS])
def test_sessions_in_the_docs(page: str, command: str, output: str) -> None:
    run = subprocess.run([PROGRAM, *shlex.split(command)[1:]], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    shown = [line.rstrip() for line in output.rstrip().splitlines()]
    printed = [line.rstrip() for line in (run.stdout + run.stderr).rstrip().splitlines()]
    if shown and shown[-1] == "...":
        shown.pop()
        printed = printed[: len(shown)]
    assert printed == shown, page


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize(("code", "output"), [example[1:] for example in EXAMPLES], ids=[name for name, *_ in EXAMPLES])
def test_examples_in_the_docs(code: str, output: str) -> None:
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert (run.stderr, run.returncode) == ("", 0)
    assert [line.rstrip() for line in run.stdout.splitlines()] == output.splitlines()


def test_the_pictures_are_the_programs(tmp_path: Path) -> None:
    commands = re.findall(r"^<!-- (quintet show .*) -->$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert commands
    for command in commands:
        *words, path = shlex.split(command)[1:]
        subprocess.run([PROGRAM, *words, str(tmp_path / "new.svg")], check=True)
        assert (tmp_path / "new.svg").read_text() == (ROOT / path).read_text()


def test_links_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)[^):]*\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    named = {(index.parent / target).resolve() for target in re.findall(r"\]\(([^)#:]+)\)", index.read_text())}
    assert set((ROOT / "docs").glob("*.md")) - {index} <= named


@every_game
def test_the_pages_of_rules_are_the_programs(game: Game) -> None:
    assert (RULES / f"{game.name}.md").read_text() == rules_page(game)


def test_no_page_of_rules_is_left_over() -> None:
    assert (RULES / "README.md").read_text() == rules_index()
    assert {path.stem for path in RULES.iterdir()} == {*GAMES, "README"}


def test_quoted_files_are_the_examples() -> None:
    page = (ROOT / "docs" / "adding-a-game.md").read_text()
    for path in (ROOT / "docs" / "examples" / "col").glob("*.*"):
        assert f"\n{path.read_text()}```\n" in page, path.name


def test_quoted_rules_are_the_programs() -> None:
    source = (ROOT / "src/quintet/games/gridlock.py").read_text()
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL):
        assert block in source
