"""A plugin for pytest: of all tests that are run for each game or board, only those for the game in `QUINTET_ONLY`."""

import os
from typing import Any

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is about other games, or about none."""
    chosen = [item for item in items if any(names(value) for value in parameters(item))]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


def parameters(item: pytest.Item) -> list[Any]:
    """What a test is run for."""
    return list(item.callspec.params.values()) if hasattr(item, "callspec") else []


def names(value: Any) -> bool:
    """Whether this is the game, or a board of it."""
    wanted = os.environ["QUINTET_ONLY"]
    return value == wanted or getattr(getattr(value, "game", value), "name", None) == wanted
