"""The page's scripts are right before they run: types agree with the service's messages, and a linter finds nothing."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from api_types import declarations
from quintet.site import build
from quintet.web import pages

FOLDER = Path(__file__).parent / "page"
PROGRAMS = FOLDER / "node_modules" / ".bin"

needs_node = pytest.mark.skipif(
    not (shutil.which("node") and PROGRAMS.is_dir()), reason="Node or its packages are not installed (make test)"
)


def run(program: str, *arguments: str) -> None:
    """Run a program that must find nothing wrong."""
    command = [str(PROGRAMS / program), *arguments]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


@needs_node
def test_the_types_agree_with_the_messages_of_the_service() -> None:
    build = FOLDER / "build"
    build.mkdir(exist_ok=True)
    (build / "api.d.ts").write_text(declarations())
    run("tsc", "--project", ".")


@needs_node
def test_the_linter_finds_nothing() -> None:
    run("oxlint", "--config", "oxlintrc.json", "--deny-warnings", str(pages.FOLDER / "js"), str(build.SCRIPTS))


@needs_node
def test_scripts_mean_the_same_as_they_are_sent() -> None:
    """The pattern of what is left out knows little of the language; it is right about today's scripts."""
    paths = sorted((*pages.FOLDER.rglob("*.js"), *build.SCRIPTS.glob("*.js")))
    scripts = ["// A comment.\nconst a = /[/*]/; // Another.\n", "const a = `${`\n  `}`;"]
    scripts += [path.read_text() for path in paths]
    sent = [pages.compact(script) for script in scripts]
    command, text = ["node", "tokens.mjs"], json.dumps(scripts + sent)
    done = subprocess.run(command, cwd=FOLDER, input=text, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    tokens = json.loads(done.stdout)
    before, after = tokens[: len(scripts)], tokens[len(scripts) :]
    assert before[0] == after[0] == ["const", "a", "=", "/[/*]/", ";", ""]
    assert before[1] != after[1], "the check sees what is lost"
    assert [path.name for path, *both in zip(paths, before[2:], after[2:], strict=True) if both[0] != both[1]] == []
    assert all(len(found) > 1 for found in before)
