"""What the documentation shows is what the program prints."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from boards import every_game
from goldens import RULES, rules_index, rules_page
from quintet.games import GAMES, OWN
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
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    for number, (code, output) in enumerate(
        re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", path.read_text(), re.DOTALL), 1
    )
    if "import " in code
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
    quoted = re.findall(r"```python\n(def .*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(quoted) == 1 and quoted[0] in source


def test_the_solved_boards_are_those_of_the_page() -> None:
    page = (ROOT / "docs/solutions.md").read_text()
    rows = re.findall(r"^\| ([A-Z][\w ]+) \| (\d.*?) \| (.*?) \|$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert [row[0] for row in rows] == [GAMES[name].title for name in OWN]
    for title, *boards in rows:
        solved = page.split(f"## {title}\n")[1].split("\n## ")[0]
        for board in "; ".join(boards).split("; "):
            size, value = board.split(": ")
            value, _, best = value.partition(", by ")
            assert f"| {size} | {value} | {best}" in solved, board


def test_the_figures_are_those_of_the_pages() -> None:
    """What was measured stands with its command on a page of its own; here it is repeated, and must be the same."""
    play, load = ((ROOT / "docs" / name).read_text() for name in ("benchmarks.md", "load.md"))
    readme = (ROOT / "README.md").read_text()
    table = [[cell.strip() for cell in line.split("|")] for line in play.splitlines() if line.startswith("| ")]
    titles = [GAMES[name].title for name in OWN]
    by_processor = [row for row in table if row[1] not in titles and row[1].rsplit(" ", 1)[0] in titles]
    by_card = [row for row in table if row[1] in titles]
    assert len(by_processor) == len(by_card) == len(OWN)

    def span(rows: list[list[str]], column: int, form: str = "{:g}") -> str:
        figures = [float(row[column]) for row in rows]
        return " to ".join(form.format(figure) for figure in (min(figures), max(figures)))

    assert f"| {span(by_processor, 5)} times |" in readme
    assert f"| {span(by_processor, 6)} times |" in readme
    assert f"| {span(by_card, 2, '{:.0f}')} billion |" in readme
    assert f"| {span(by_card, 7)} times |" in readme
    median = re.search(r"Quintet played ([\d.]+) times the moves at ([\d.]+) times the p99", load)
    assert median and f"| {median[1]} times at {median[2]} times the p99 |" in readme
    paced = load[: load.index("as fast as it goes (`")]
    slowest = max(
        float(figure) for figure in re.findall(r"^\| SQLite \| \d+ \| [\d.]+ ms \| ([\d.]+) ms", paced, re.MULTILINE)
    )
    assert f"| {slowest} ms |" in readme
