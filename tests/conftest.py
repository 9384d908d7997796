"""Property tests try the same examples on every machine, and no test writes into the user's own store."""

from pathlib import Path

import pytest
from hypothesis import settings

pytest_plugins = ["browsing"]

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of its own for each test."""
    path = tmp_path / "store" / "quintet.db"
    path.parent.mkdir()
    monkeypatch.setenv("QUINTET_DATABASE", f"sqlite:///{path}")
    return path
