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


def defines(file: str, name: str) -> bool:
    """Whether a function, a class, a method or a field of that name is made in a file, and not merely used."""
    python, script = rf"(async )?def {name}\(|class {name}\b|{name}: ", rf"(async )?(function )?#?{name}\(.*\) \{{$"
    return bool(re.search(rf"^ *({script if file.endswith('.js') else python})", (SOURCE / file).read_text(), re.M))


def test_every_step_is_where_it_says() -> None:
    assert len(STEPS) == len(re.findall(r"^\d+\. ", PAGE, re.MULTILINE)) > 20
    steps = [(file, name) for file, text in STEPS for name in re.findall(r"`(\w+)`", text)]
    assert len(steps) > 30 and [step for step in steps if not defines(*step)] == []


def test_what_is_only_used_in_a_file_is_not_made_there() -> None:
    assert defines("match.py", "play") and defines("web/page/js/live.js", "send")
    assert not defines("match.py", "Record") and not defines("web/page/js/views/table.js", "play")
