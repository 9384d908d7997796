"""The security page: its headers are those of the server, its packages those of the project, its tests exist."""

import re
import tomllib
from pathlib import Path

from quintet.web.headers import HEADERS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "security.md").read_text()


def rows_under(heading: str) -> list[list[str]]:
    """The rows of the table whose first column has this heading, without their code marks."""
    tables = [block.splitlines() for block in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE)]
    [found] = [lines[2:] for lines in tables if lines[0].startswith(f"| {heading} |")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found]


def test_the_headers_are_those_of_the_server() -> None:
    shown = [(name.strip("`"), value.strip("`")) for name, value, _ in rows_under("header")]
    assert shown == [(name.decode(), value.decode()) for name, value in HEADERS]


def test_the_packages_are_those_of_the_project_and_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {"base": project["dependencies"], **project["optional-dependencies"]}
    wanted.pop("test")
    names = {
        (extra, re.split(r"[\[<>=; ]", text)[0])
        for extra, texts in wanted.items()
        for text in texts
        if not text.startswith("quintet")
    }
    shown = {(extra.strip("`"), package.strip("`")) for extra, package, _ in rows_under("extra")}
    assert shown == names
    pinned = {line.partition("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert {name.replace("_", "-") for _, name in names} <= pinned


def test_every_threat_has_a_test_that_exists() -> None:
    threats = rows_under("who")
    assert len(threats) >= 15
    for who, what, _, shown in threats:
        assert shown.startswith("`"), (who, what)
        for name in re.findall(r"`(tests/[^`]+)`", shown):
            assert (ROOT / name).is_file(), name
