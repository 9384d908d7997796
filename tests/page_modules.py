"""The page's modules: which addresses load which of them, and what they weigh as they are sent."""

import gzip
import re
from pathlib import Path

from starlette.middleware.gzip import GZipMiddleware

from quintet.web import pages

SCRIPTS = pages.FOLDER / "js"
MOST_SCRIPT = 60_000
"""Compressed bytes of script that a page may load."""
SHELL = SCRIPTS / "app.js"
ROUTE = re.compile(r'\[/(.+)/, \(\) => import\("\./([^"]+)"\)\]')
SMALLEST = GZipMiddleware(None).minimum_size  # type: ignore[arg-type]
"""Smaller files are sent as they are."""


def read_routes() -> dict[str, Path]:
    """The patterns of the addresses that the shell registers with the router, and the view of each."""
    shell = SHELL.read_text()
    routes = {pattern: SCRIPTS / view for pattern, view in ROUTE.findall(shell)}
    assert len(routes) == shell.count("import(") > 0, "a route is not written as the others"
    return routes


def imported(path: Path, later: bool = True) -> set[Path]:
    """The modules that a module asks for at once, or also later."""
    call = r"\(?" if later else ""
    wanted = re.findall(rf"""(?:from|import)\s*{call}\s*"(\.[^"]+)\"""", path.read_text())
    return {(path.parent / module).resolve() for module in wanted}


def loaded(*modules: str) -> set[Path]:
    """All that modules load, with themselves. What a view loads later counts; of the shell, the views do not."""
    found, waiting = set[Path](), {SCRIPTS / module for module in modules}
    while waiting:
        path = waiting.pop()
        found.add(path)
        waiting |= imported(path, later=path != SHELL) - found
    return found


def weight(paths: set[Path]) -> int:
    """Bytes of scripts as they are sent, each file compressed by itself."""
    sent = [pages.compact(path.read_text()).encode() for path in paths]
    return sum(len(script) if len(script) < SMALLEST else len(gzip.compress(script)) for script in sent)
