"""The site without a server, built once and served as any static host does, from a folder below the root."""

import fcntl
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

from quintet.site.build import LIST, write_site
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

    def ask(self, page: Page, path: str, body: object = None) -> Any:
        """What the service answers in a browser that is at the site."""
        script = """async ([path, body]) => {
            const app = document.querySelector("script[type=module]").src;
            const { ask, newKey } = await import(app.replace("app.js", "api.js"));
            if (body === null) return ask(path);
            return ask(path, { body: typeof body === "string" ? body : { ...body, key: newKey() } });
        }"""
        return page.evaluate(script, [path, body])

    def follow(self, page: Page, path: str) -> None:
        """Go to another address of the page, as a link does: Python stays loaded."""
        script = """async (path) => {
            const app = document.querySelector("script[type=module]").src;
            const { go } = await import(app.replace("app.js", "router.js"));
            await go(path);
        }"""
        page.evaluate(script, path)


def build_site(folder: Path) -> None:
    """Build the site, unless another process of this test run has; skip the test where Pyodide cannot be had."""
    try:
        pyodide = load_pyodide(None)
    except NoPyodide as error:
        pytest.skip(str(error))
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / FOLDER / LIST).exists():  # It is written last.
            write_site(folder / FOLDER, pyodide)


@contextmanager
def serve_site(folder: Path) -> Iterator[StaticSite]:
    """Serve the site that was built in a folder."""
    handler = functools.partial(Host, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield StaticSite(folder / FOLDER, f"127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()
