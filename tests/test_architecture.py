"""The page about the architecture: everything is where it says, and nothing is forgotten."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "quintet"
PAGE = (ROOT / "docs" / "architecture.md").read_text()
STEPS = re.findall(r"^\d+\. `([^`]+)`: (.*(?:\n {3}.*)*)", PAGE, re.MULTILINE)


def test_the_diagram_is_the_list_of_layers() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    diagram = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)[0].splitlines()
    assert [re.split(r"\s{2,}", line.strip())[0] for line in diagram] == layers


def test_what_is_named_exists() -> None:
    named = re.findall(r"`([\w/.-]+(?:/|\.(?:py|js|toml)))`", PAGE)
    assert len(named) > 80
    for name in named:
        path = (ROOT if name.startswith(("tests/", "src/", "pyproject")) else SOURCE) / name
        assert path.is_dir() if name.endswith("/") else path.is_file(), name


def test_every_module_is_named() -> None:
    modules = {path.name for path in SOURCE.glob("*.py")} | {f"{path.parent.name}/" for path in SOURCE.glob("*/*.py")}
    assert {name for name in modules - {"__init__.py"} if f"`{name}`" not in PAGE} == set()


def test_every_step_is_where_it_says() -> None:
    assert len(STEPS) == len(re.findall(r"^\d+\. ", PAGE, re.MULTILINE)) > 20
    for file, text in STEPS:
        source = (SOURCE / file).read_text()
        for name in re.findall(r"`(\w+)`", text):
            assert re.search(rf"\b{name}\b", source), f"{file}: {name}"
