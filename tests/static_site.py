"""The site without a server, built once and served as any static host does, from a folder below the root."""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from quintet.site.build import write_site
from quintet.site.pyodide import NoPyodide, load_pyodide

FOLDER = "some/where"
"""Where the site lies on its host."""


REQUESTS: list[str] = []
"""What browsers have asked the host for."""


class Host(SimpleHTTPRequestHandler):
    """What `python -m http.server` does; its log is a list."""

    def log_message(self, format: str, *arguments: object) -> None:
        """Write down a request."""
        REQUESTS.append(format % arguments)


@dataclass
class StaticSite:
    """A site and its host."""

    files: Path
    host: str

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{self.host}/{FOLDER}/"

    def address(self, path: str) -> str:
        """An address of the page, as a browser writes it."""
        if path.startswith("http"):
            return path
        place, _, query = path.partition("?")
        options = [*([f"at={quote(place)}"] if place != "/" else []), *([query] if query else [])]
        return self.url + (f"?{'&'.join(options)}" if options else "")

    def begin(self, page: Page, game: str, body: dict[str, Any]) -> dict[str, Any]:
        """A new match, in the browser."""
        page.goto(self.url)
        script = """async (body) => {
            const app = document.querySelector("script[type=module]").src;
            const { ask, newKey } = await import(app.replace("app.js", "api.js"));
            return ask("/api/matches", { body: { ...body, key: newKey() } });
        }"""
        return dict(page.evaluate(script, {"game": game, **body}))


@contextmanager
def open_site(folder: Path) -> Iterator[StaticSite]:
    """Build the site and serve it; skip the test where Pyodide cannot be had."""
    try:
        pyodide = load_pyodide(None)
    except NoPyodide as error:
        pytest.skip(str(error))
    write_site(folder / FOLDER, pyodide)
    handler = functools.partial(Host, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield StaticSite(folder / FOLDER, f"127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()
