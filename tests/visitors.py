"""Visitors of the page, each with a window of a real browser that is watched for what must never happen."""

import json
import os
import shutil
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from serving import WAIT, Server
from static_site import StaticSite

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
DESK: ViewportSize = {"width": 1280, "height": 800}
HERE = {"seats": {"1": "human", "2": "human"}, "take": [1, 2]}
"""Two people, one screen."""
NOTHING = "/api/health"
"""An address of the service where nothing goes on."""
LOOKS = ("viewport", "color_scheme", "reduced_motion")
"""What can be changed while a window is open."""

WATCH = """
addEventListener("securitypolicyviolation", (event) => console.error(`policy: ${event.violatedDirective}`));
"""
CLEAR_STORAGE = """
() => new Promise((done, fail) => {
  localStorage.clear();
  const opening = indexedDB.open("quintet", 1);
  opening.onerror = fail;
  opening.onsuccess = () => {
    const clearing = opening.result.transaction("matches", "readwrite");
    clearing.objectStore("matches").clear();
    clearing.oncomplete = () => done(opening.result.close());
  };
})
"""
IS_PLAIN = """
() => {
  const { lang, dataset } = document.documentElement;
  return lang === "en" && !dataset.theme && document.querySelector("#sound").ariaPressed !== "true";
}
"""
"""Whether the parts of the page that stay are as they were when it was loaded."""
AT_ONCE = "localStorage.getItem('quintet.pace') ?? localStorage.setItem('quintet.pace', '0');"
"""Engines answer at once, unless a test is about their pace."""

Place = Server | StaticSite
"""Where the page comes from."""

expect.set_options(timeout=WAIT * 1000)


def look_of(options: dict[str, Any]) -> dict[str, Any]:
    """How the page is to look; a theme that is not named is the browser's own."""
    usual = {"viewport": DESK, "color_scheme": "null", "reduced_motion": "reduce"}
    return usual | {name: options[name] for name in LOOKS if name in options}


def find_browser() -> str | None:
    """Where the system keeps a Chromium."""
    names = [os.environ.get("QUINTET_CHROMIUM", ""), *NAMES]
    return next((path for name in names if name and (path := shutil.which(name))), None)


class Visitor:
    """Somebody's browser window: a page whose troubles are collected."""

    def __init__(self, browser: Browser, place: Place, paced: bool = False, **options: Any) -> None:
        self.place = place
        self.home = f"http://{place.host}"
        self.paced = paced
        self.look = look_of(options)
        own = {name: value for name, value in options.items() if name not in LOOKS}
        self.context = browser.new_context(base_url=self.home, **own)
        self.context.set_default_timeout(WAIT * 1000)
        self.troubles: list[str] = []
        self.forgiven: tuple[str, ...] = ()
        self.has_clock = False
        self.page = self.open_tab()

    def open_tab(self) -> Page:
        """Another tab of the same browser."""
        self.has_scripts = self.must_load = False
        page = self.context.new_page()
        self.dress(page)
        page.add_init_script(WATCH)
        if not self.paced:
            page.add_init_script(AT_ONCE)
        page.on("console", lambda message: self.note(f"{message.type}: {message.text}", message.type == "error"))
        page.on("pageerror", lambda error: self.note(f"uncaught: {error}"))
        page.on("request", lambda request: self.note(f"elsewhere: {request.url}", not self.is_ours(request.url)))
        return page

    def dress(self, page: Page) -> None:
        """Give a tab the size and the theme of this visitor's screen."""
        page.set_viewport_size(self.look["viewport"])
        page.emulate_media(color_scheme=self.look["color_scheme"], reduced_motion=self.look["reduced_motion"])

    def add_script(self, script: str) -> None:
        """Run a script whenever the page is loaded, before its own."""
        self.page.add_init_script(script)
        self.has_scripts = self.must_load = True

    def note(self, trouble: str, is_one: bool = True) -> None:
        if is_one and not any(word in trouble for word in self.forgiven):
            self.troubles.append(trouble)

    def is_ours(self, url: str) -> bool:
        return url.startswith((f"{self.home}/", f"ws://{self.place.host}/", "data:", "blob:"))

    @property
    def server(self) -> Server:
        """The service that the page comes from."""
        assert isinstance(self.place, Server)
        return self.place

    def url(self, path: str) -> str:
        """An address of the page, as a browser writes it."""
        return self.place.address(path) if isinstance(self.place, StaticSite) else f"{self.home}{path}"

    def link(self, path: str) -> str:
        """An address of the page, as its links write it."""
        return self.url(path).removeprefix(self.home)

    def load(self, path: str) -> Page:
        """Load the page at an address."""
        self.page.goto(path if path.startswith("http") else self.url(path))
        self.must_load = False
        return self.page

    def open(self, path: str) -> None:
        """Go to an address of the page. A site that is open stays open, as if by a link: Python would start again."""
        is_open = self.is_there() and not self.must_load
        if isinstance(self.place, StaticSite) and is_open and path.startswith("/"):
            self.place.follow(self.page, path)
        else:
            self.load(path)

    def go(self, path: str) -> Page:
        """Go to an address of the page, and wait until its view is there."""
        self.open(path)
        expect(self.page.locator("#main h1:not(.unseen)")).to_be_visible()
        return self.page

    def is_there(self) -> bool:
        """Whether the tab shows something of this place."""
        return self.page.url.startswith(f"{self.home}/")

    def arrive(self) -> None:
        """Be where this place's storage can be reached."""
        if not self.is_there():
            self.load("/" if isinstance(self.place, StaticSite) else NOTHING)

    def ask(self, path: str) -> Any:
        """What the service answers to a question."""
        if isinstance(self.place, StaticSite):
            self.arrive()
            return self.place.ask(self.page, path)
        answer = self.place.http.get(path)
        assert answer.is_success, answer.text
        return answer.json()

    def create(self, game: str, **options: Any) -> dict[str, Any]:
        """A new match; by default this visitor has both of its seats."""
        body = {**HERE, **options}
        if isinstance(self.place, Server):
            return self.place.begin(game, **body)
        self.arrive()
        return dict(self.place.ask(self.page, "/api/matches", {"game": game, **body}))

    def bring(self, record: str) -> str:
        """Import a game record; gives the id of its match."""
        if isinstance(self.place, Server):
            return str(self.place.http.post("/api/records", content=record).json()["id"])
        self.arrive()
        return str(self.place.ask(self.page, "/api/records", record)["id"])

    def hold(self, *matches: dict[str, Any]) -> None:
        """Remember matches with their seats, as a browser does that began them."""
        kept = json.dumps([{"id": match["id"], "tokens": match["tokens"]} for match in matches])
        self.arrive()
        self.page.evaluate("(kept) => localStorage.setItem('quintet.matches', kept)", kept)

    def begin(self, game: str, **options: Any) -> str:
        """Sit down at a new match; by default at both of its seats."""
        match = self.create(game, **options)
        self.hold(match)
        self.go(match["url"])
        return str(match["id"])

    def take_clock(self, time: str | None = None) -> None:
        """From now on a test says what time it is, and how it passes."""
        self.page.clock.install(time=time)
        self.has_clock = True

    def forget(self) -> None:
        """Be as if never here before, with one tab; what the site has installed stays, and Python, if it can."""
        for page in self.context.pages:
            if page != self.page:
                page.close()
        self.page.unroute_all()
        self.context.clear_permissions()
        self.forgiven = ()
        if self.has_scripts or not self.can_stay():
            session = self.context.new_cdp_session(self.page)
            kinds = "local_storage,indexeddb"
            session.send("Storage.clearDataForOrigin", {"origin": self.home, "storageTypes": kinds})
            self.page.close()
            self.page = self.open_tab()
        elif isinstance(self.place, StaticSite):
            self.place.follow(self.page, "/rules")  # Nothing goes on there.
            self.page.evaluate(CLEAR_STORAGE)
        else:
            self.page.goto(NOTHING)
            self.page.evaluate("localStorage.clear()")

    def can_stay(self) -> bool:
        """Whether nobody would see on the page that somebody else was there."""
        if isinstance(self.place, Server):
            return True
        return self.page.url.startswith(self.place.url) and bool(self.page.evaluate(IS_PLAIN))

    def close(self) -> None:
        self.context.close()
        assert self.troubles == []


class Windows:
    """The browser of this process. Windows are used again, because a new one is slow: Python has to start in it."""

    def __init__(self) -> None:
        self.stack = ExitStack()
        self.opened: Browser | None = None
        self.free: dict[str, list[Visitor]] = {}

    @property
    def browser(self) -> Browser:
        """The browser, where the system has one."""
        if self.opened is None:
            path = find_browser()
            if not path:
                pytest.skip("no Chromium is installed (Debian: apt install chromium; or set QUINTET_CHROMIUM)")
            playwright = self.stack.enter_context(sync_playwright())
            self.opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
            self.stack.callback(self.opened.close)
        return self.opened

    def free_of(self, place: Place, paced: bool, options: dict[str, Any]) -> list[Visitor]:
        """The windows that may be used instead of a new one."""
        own = sorted((name, value) for name, value in options.items() if name not in LOOKS)
        return self.free.setdefault(repr((place.host, paced, own)), [])

    def enter(self, place: Place, paced: bool = False, **options: Any) -> Visitor:
        """A visitor who remembers nothing, in a window that was used before if there is one."""
        free = self.free_of(place, paced, options)
        if not free:
            return Visitor(self.browser, place, paced, **options)
        visitor = free.pop()
        visitor.look = look_of(options)
        visitor.dress(visitor.page)
        visitor.page.mouse.move(0, 0)
        return visitor

    def leave(self, visitor: Visitor, paced: bool = False, **options: Any) -> None:
        """End a visit, which was without trouble."""
        if visitor.troubles or visitor.has_clock:
            visitor.close()
        else:
            visitor.forget()
            self.free_of(visitor.place, paced, options).append(visitor)

    def close(self) -> None:
        """Close the browser: other tests may run event loops of their own."""
        self.stack.close()
        self.opened = None
        self.free.clear()
