"""What the documentation shows is what the program prints, and what it links to and names exists."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from boards import every_game
from commands import quintet
from documents import BLOCK, DOCS, PAGES, ROOT, ExampleFailed, examples, renew, renew_ladder
from goldens import RULES, rules_index, rules_page
from quintet.games import GAMES, OWN
from quintet.rules import Game

EXAMPLES = dict(examples())
TEXTS = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_print_what_is_shown(name: str) -> None:
    assert renew(EXAMPLES[name]) == EXAMPLES[name], "python tests/goldens.py --docs writes the output anew"


def test_the_table_of_levels_is_the_measured_one() -> None:
    page = (DOCS / "ladder.md").read_text()
    assert renew_ladder(page) == page and renew_ladder(page.replace("| level:9 |", "| level:9.5 |")) == page


def test_outputs_are_written_where_they_were_wrong() -> None:
    """A session, a program with output, one without, and a conversation; a fragment without imports is not run."""
    wrong = (
        "```console\n$ quintet perft gridlock 1\nwrong\n$ echo a; echo b\n...\n```\n"
        "```python\nimport math\nprint(math.pi)\n```\n\n```text\n3\n```\n"
        "```python\nimport math\n```\n"
        "```python\nprint(1)\n```\n"
        "```protocol\n> hello 1\n< wrong\n```\n"
    )
    right = renew(wrong)
    assert [block[2] for block in BLOCK.finditer(right)] == [
        "$ quintet perft gridlock 1\n16\n$ echo a; echo b\n...\n",
        "import math\nprint(math.pi)\n",
        "import math\n",
        "print(1)\n",
        "> hello 1\n< hello 1 Quintet random\n",
    ]
    assert right.count("```text") == 1 and "\n3.14159" in right and renew(right) == right
    with pytest.raises(ExampleFailed, match="ZeroDivisionError"):
        renew("```python\nimport math\n1 / 0\n```\n")


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```\n", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The fragments of a page's headings, made as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> Iterator[tuple[str, str]]:
    """The relative links and pictures of a page: file, and fragment if there is one."""
    for target in re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", prose(page)):
        file, _, fragment = "".join(target).partition("#")
        if "://" not in file:
            yield file, fragment


@pytest.mark.parametrize("page", TEXTS, ids=[str(page.relative_to(ROOT)) for page in TEXTS])
def test_links_lead_somewhere(page: Path) -> None:
    for file, fragment in links(page):
        target = page.parent / file if file else page
        assert target.exists(), file
        assert not fragment or fragment in anchors(target), f"{file}#{fragment}"


def test_links_and_fragments_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# `quintet play`, line by line\n[a](b.md#c-d) [w](https://x.y/#z)\n```\n# [no](code)\n```\n![p](p.png)"
    )
    assert list(links(page)) == [("b.md", "c-d"), ("p.png", "")]
    assert anchors(page) == {"quintet-play-line-by-line"}


def test_every_page_is_in_the_index() -> None:
    index = DOCS / "README.md"
    named = {(index.parent / file).resolve() for file, _ in links(index)}
    assert set(DOCS.glob("*.md")) - {index} <= named


@cache
def help_of(command: str) -> str:
    """The help of a command, or nothing if there is no such command."""
    run = quintet(*command.split(), "--help")
    return run.stdout if run.returncode == 0 else ""


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """The commands that a page names in code, and the options with them."""
    for code in re.findall(r"`(quintet [^`]+)`", text) + re.findall(r"^(?:\$ | {4})?(quintet .*)$", text, re.MULTILINE):
        unquoted = re.sub(r"\"[^\"]*\"|'[^']*'", "", code.replace("\n", " "))
        first = re.split(r"[|;>]|&& | # ", unquoted)[0]
        words = first.split()[1:]
        group = 2 if words[:1] == ["bench"] else 1
        name = " ".join(word for word in words[:group] if re.fullmatch("[a-z]+", word))
        yield name, re.findall(r"(?<!\S)--?[a-z][a-z-]*\d?", first)


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_commands_and_options_exist(page: Path) -> None:
    for command, options in commands(page.read_text()):
        assert help_of(command), f"quintet {command}"
        for option in options:
            assert re.search(rf"{option}\b", help_of(command)) or option == "--help", f"quintet {command} {option}"


def test_commands_are_found_with_their_options() -> None:
    text = "Run `quintet bench serve --pace 2`\n\n    quintet play x --p1 'exec:y --deep' | tail -n 1\n"
    assert list(commands(text)) == [("bench serve", ["--pace"]), ("play", ["--p1"])]


@every_game
def test_the_pages_of_rules_are_the_programs(game: Game) -> None:
    assert (RULES / f"{game.name}.md").read_text() == rules_page(game)


def test_no_page_of_rules_is_left_over() -> None:
    assert (RULES / "README.md").read_text() == rules_index()
    assert {path.stem for path in RULES.iterdir()} == {*GAMES, "README"}


def test_quoted_files_are_the_examples() -> None:
    page = (DOCS / "adding-a-game.md").read_text()
    for path in (DOCS / "examples" / "col").glob("*.*"):
        assert f"\n{path.read_text()}```\n" in page, path.name


def test_quoted_rules_are_the_programs() -> None:
    source = (ROOT / "src/quintet/games/gridlock.py").read_text()
    quoted = re.findall(r"```python\n(def .*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(quoted) == 1 and quoted[0] in source


def test_the_solved_boards_are_those_of_the_page() -> None:
    page = (DOCS / "solutions.md").read_text()
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
    play, load = ((DOCS / name).read_text() for name in ("benchmarks.md", "load.md"))
    readme = (ROOT / "README.md").read_text()
    table = [[cell.strip() for cell in line.split("|")] for line in play.splitlines() if line.startswith("| ")]
    titles = [GAMES[name].title for name in OWN]
    by_processor = [row for row in table if row[1] not in titles and row[1].rsplit(" ", 1)[0] in titles]
    by_card = [row for row in table if row[1] in titles]
    assert len(by_processor) == len(by_card) == len(OWN)

    def span(rows: list[list[str]], column: int, form: str = "{:g}") -> str:
        figures = [float(figure) for row in rows for figure in row[column].split(" to ")]
        return " to ".join(form.format(figure) for figure in (min(figures), max(figures)))

    assert f"| {span(by_processor, 5)} times |" in readme
    assert f"| {span(by_processor, 6)} times |" in readme
    assert f"| {span(by_card, 2, '{:.0f}')} billion |" in readme
    assert f"| {span(by_card, 7, '{:.1f}')} times |" in readme
    ratios = re.search(r"Quintet played (.+) times as many moves per second, at (.+) times the p99", load)
    assert ratios and f"| {ratios[1]} times at {ratios[2]} times the p99 |" in readme
    paced = load[: load.index("as fast as possible (`")]
    tail = re.search(r"^\| SQLite [^|]*\|[^|]*\|[^|]*\| ([\d. to]+ ms) \|", paced, re.MULTILINE)
    assert tail and f"| {tail[1]} |" in readme
