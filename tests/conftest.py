"""Property tests try the same examples on every machine, no test writes into the user's own store, branches are counted
where that tells something, and it does not matter how the tests were started.
"""

import gc
import locale
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from postgres import why_not

pytest_plugins = ["browsing"]

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")
# Hypothesis also tries the constants of all modules loaded so far: its examples would depend on the tests run before.
vars(providers)["_get_local_constants"] = Constants

# Python reads files and the output of processes in the encoding of the locale, and our files are UTF-8.
if locale.getencoding().lower() not in ("utf-8", "utf8"):
    os.environ["LC_ALL"] = "C.UTF-8"
    locale.setlocale(locale.LC_ALL, "")

# Shells and some CI systems start background jobs with Ctrl-C ignored, and every process that a test starts would
# inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

MEASURED = """
baseline_store board clock conformance daily dataset distributions divided estimates holes match migrations notation
options oracle parts png progress proof_folder record regret session sixth_game solve store surface theorems threads
tournament_store verify writer
"""
"""The tests that run, among them, every branch of the packages in `[tool.coverage.run]`."""


def pytest_configure(config: pytest.Config) -> None:
    """Without a PostgreSQL demand every branch but those that are for it alone."""
    counting = config.pluginmanager.getplugin("_cov")
    if counting and counting.cov_controller and why_not():
        counting.cov_controller.combining_cov.exclude(r"\bif .*(\bdialect\.name\b|\"postgresql\")")
        counting.cov_controller.combining_cov.exclude(r"def _.*ConnectionPoolEntry")


def measured(path: Path) -> bool:
    return path.stem.removeprefix("test_") in MEASURED.split()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where branches are counted, leave out the other tests: even reading them costs time."""
    if config.pluginmanager.hasplugin("_cov") and collection_path.is_file() and not measured(collection_path):
        return True
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the others where none are counted; on a busy machine a browser may lose a click, so those are tried again."""
    for item in items:
        if not measured(item.path):
            item.add_marker(pytest.mark.no_cover)
        if item.path.stem.startswith("test_browser_"):
            item.add_marker(pytest.mark.flaky(reruns=2))


def pytest_collection_finish() -> None:
    """Spare the garbage collector the many modules that stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of its own for each test."""
    path = tmp_path / "store" / "quintet.db"
    path.parent.mkdir()
    monkeypatch.setenv("QUINTET_DATABASE", f"sqlite:///{path}")
    return path
