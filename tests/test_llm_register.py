"""The entry for the register of Inspect Evals says what the code does."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from inspect_ai._eval.loader import load_tasks

from quintet.suites.suite import VERSIONS, load_suite
from scripted import THEIRS, inspect_alone, inspect_gone  # noqa: F401

ROOT = Path(__file__).parent.parent
TO_FILL = {"ARXIV_URL", "REPOSITORY_URL", "COMMIT", "MAINTAINER"}

pytestmark = THEIRS


@pytest.fixture(scope="module")
def entry() -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / "docs/register/quintet/eval.yaml").read_text("utf-8")))


def test_every_task_is_found_in_a_clone_by_its_path(entry: dict[str, Any]) -> None:
    """As the register runs it: `inspect eval PATH@NAME`. The number of samples is that without options."""
    for listed in entry["tasks"]:
        [task] = load_tasks([f"{ROOT / listed['task_path']}@{listed['name']}"])
        assert len(task.dataset) == listed["dataset_samples"]


def test_the_repository_meets_the_requirements(entry: dict[str, Any]) -> None:
    """Installed by `uv sync`, which installs the project and its group `dev`, with Inspect among it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    name, extras = project["project"]["name"], project["project"]["optional-dependencies"]
    assert project["dependency-groups"]["dev"] == [f"{name}[llm]"]
    assert any(one.startswith("inspect-ai") for one in extras["llm"])


def test_the_description_has_the_suites_of_the_code(entry: dict[str, Any]) -> None:
    for name in VERSIONS:
        suite = load_suite(name)
        counts = f"suite={name} ({len(suite.games)} games and {len(suite.positions)} positions)"
        assert counts in entry["description"]
        assert f"in version {suite.version}" in entry["description"]


def test_what_is_left_to_fill_in_is_documented(entry: dict[str, Any]) -> None:
    text = (ROOT / "docs/register/quintet/eval.yaml").read_text("utf-8")
    left = set(re.findall(r"(?<=[-:] )[A-Z_]{3,}$", text, re.MULTILINE))
    assert left == TO_FILL
    guide = (ROOT / "docs/agents.md").read_text("utf-8")
    assert all(f"`{word}`" in guide for word in left)
    assert entry.keys() == {"title", "description", "arxiv", "source", "tasks", "contributors", "tags"}
