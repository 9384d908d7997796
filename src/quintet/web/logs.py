"""The log of a server process: one line for each fault, as text or as JSON, without tracebacks and without secrets."""

import logging
import re
import sys
import threading
import time
import traceback
from asyncio import CancelledError
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import TextIO

import msgspec

from quintet.safe_text import escape
from quintet.store.rows import ALPHABET, ONLINE_ID
from quintet.web.metrics import FAULTS, REFUSED

OWN = Path(__file__).parent.parent
"""The folder of our own code."""
STANDARD = {*vars(logging.makeLogRecord({})), "message", "asctime", "color_message"}
"""What every record has; anything else is a fact about what happened."""
OURS = {"time", "level", "event"}
"""What no secret can be in, even if a word of it is one."""
REFUSALS = {"Invalid HTTP request received.": "400", "Unsupported upgrade request.": "upgrade"}
"""What uvicorn says about requests that are not HTTP; they are counted, because a stranger could fill the log."""
CANCELLED = "Cancel %s running task(s), timeout graceful shutdown exceeded"
"""What uvicorn says when it stops while requests are open: they are told so, and it is not a fault."""
CREDENTIALS = re.compile(r"((?:://[^\s/@:]*:)|(?:bearer )|(?:password=))[^\s@&'\"]+", re.IGNORECASE)
"""A password in a URL, and a token in a header."""
WHOLE_ID = re.compile(rf"(?<![0-9A-Za-z])([{ALPHABET}]{{4}})[{ALPHABET}]{{{ONLINE_ID - 4}}}(?![0-9A-Za-z])")
"""The ID of an online match: whoever knows it can watch the match. Its first letters are logged."""
HIDDEN = "***"
SHORTEST_SECRET = 4
"""Characters; anything shorter would be found in innocent words."""
WINDOW, REPEATS = 10, 20
"""In this many seconds the same line is written so often; whoever can cause a fault could fill the disk with it."""
TRACEBACK = "Traceback (most recent call last)"

log = logging.getLogger("quintet.web")


class Form(StrEnum):
    """How the log is written."""

    TEXT = "text"
    JSON = "json"


class Level(StrEnum):
    """What is logged at least; `debug` adds tracebacks."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Formatter(logging.Formatter):
    """Writes a record as one line."""

    def __init__(self, form: Form = Form.TEXT, secrets: Iterable[str] = (), tracebacks: bool = False) -> None:
        """A form, the texts that must not be in the log, and whether tracebacks are shown."""
        super().__init__()
        self.json = form is Form.JSON
        long = {secret for secret in secrets if len(secret) >= SHORTEST_SECRET}
        # The longest first: one may contain another.
        words = "|".join(map(re.escape, sorted(long, key=len, reverse=True)))
        self.secrets = re.compile(rf"(?<!\w)(?:{words})(?!\w)") if long else None
        self.tracebacks = tracebacks

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        facts = {name: value for name, value in vars(record).items() if name not in STANDARD}
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": facts.pop("event", "unforeseen" if record.exc_info else record.name),
            "message": self.message_of(record),
            "process": record.process,
            **facts,
        }
        if self.tracebacks and record.exc_info and record.exc_info[1]:
            line["traceback"] = "".join(traceback.format_exception(record.exc_info[1]))
        plain = int | float | None
        clean = {
            name: value if name in OURS or isinstance(value, plain) else self.hide(str(value))
            for name, value in line.items()
        }
        if self.json:
            return msgspec.json.encode(clean).decode()
        text = f"{clean['time']} {clean['level']} {clean['event']}: {clean['message']}"
        return f"{text}\n{clean['traceback']}" if "traceback" in clean else text

    def message_of(self, record: logging.LogRecord) -> str:
        """What a record says, in one line; an exception that nobody foresaw with its type and its place in our code."""
        said = record.getMessage()
        if TRACEBACK in said:
            # A library that writes tracebacks itself: the last line is the error.
            said = said.strip().rpartition("\n")[2]
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            described = describe(error)
            said = f"{said.strip()}: {described}" if said.strip() not in ("", str(error)) else described
        return escape(" ".join(said.split()))

    def hide(self, text: str) -> str:
        """A text without the secrets in it, and without whole IDs."""
        text = WHOLE_ID.sub(r"\1...", CREDENTIALS.sub(rf"\1{HIDDEN}", text))
        return self.secrets.sub(HIDDEN, text) if self.secrets else text


def describe(error: BaseException) -> str:
    """An exception's type, its message, and the innermost place of our own code that it came through."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(OWN)] or frames[-1:]
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    if not own:
        return said
    place = Path(own[-1].filename)
    named = place.relative_to(OWN.parent).as_posix() if place.is_relative_to(OWN) else place.name
    return f"{said} ({named}:{own[-1].lineno} in {own[-1].name})"


class Handler(logging.StreamHandler[TextIO]):
    """Writes to standard error, and counts what nobody foresaw. The same line again and again is left out."""

    window = 0
    """The number of the current period."""
    left_out = 0
    """Lines that were left out in it."""

    def __init__(self, stream: TextIO | None = None) -> None:
        """Start with nothing written."""
        super().__init__(stream)
        self.written: Counter[tuple[str, str]] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        if record.name == "uvicorn.error" and (kind := REFUSALS.get(str(record.msg))):
            REFUSED.labels(kind).inc()
            return
        if record.msg == CANCELLED or (record.exc_info and isinstance(record.exc_info[1], CancelledError)):
            return
        if record.exc_info:
            FAULTS.labels("unforeseen").inc()
        if (window := int(record.created // WINDOW)) != self.window:
            self.report_left_out(record.created)
            self.window = window
        line = record.name, record.getMessage()
        self.written[line] += 1
        if self.written[line] > REPEATS:
            self.left_out += 1
        else:
            super().emit(record)

    def report_left_out(self, at: float) -> None:
        """Say how many lines were left out, if any, and start again."""
        said = f"{self.left_out} repeated lines omitted"
        if self.left_out:
            facts = {"msg": said, "event": "left_out", "lines": self.left_out}
            super().emit(logging.makeLogRecord({**facts, "levelname": "WARNING", "created": at}))
        self.left_out = 0
        self.written.clear()

    def close(self) -> None:
        """Say what is left to say."""
        self.report_left_out(time.time())
        super().close()


def configure(form: Form, level: Level, secrets: Iterable[str]) -> None:
    """Send everything that is logged in this process, by whom it may be, through one formatter."""
    handler = Handler()
    handler.setFormatter(Formatter(form, secrets, level is Level.DEBUG))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    # Only ours: libraries that are told to say more write whole messages into the log, with the tokens in them.
    logging.getLogger("quintet").setLevel(level.upper())
    logging.captureWarnings(True)
    sys.excepthook = on_exception
    threading.excepthook = lambda hooked: on_exception(hooked.exc_type, hooked.exc_value, hooked.exc_traceback)
    sys.unraisablehook = lambda hooked: on_exception(hooked.exc_type, hooked.exc_value, hooked.exc_traceback)


def on_exception(kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
    """Log an exception that nobody caught, in whichever thread."""
    caught = error if error is not None else kind()
    log.error("uncaught exception", exc_info=(kind, caught, trace))
