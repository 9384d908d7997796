"""Fuzzing: inputs that nobody would write, for everything that reads what strangers send.

A target reads an input, and may refuse it with a `QuintetError`. Anything else is a finding: another exception, an
answer that is none, a traceback in a log, an input that takes too long. Inputs are made from examples, by changes that
know nothing of their grammar. Where an input reaches lines of the program that no other has reached, it becomes an
example too.
"""

import json
import logging
import random
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, NamedTuple, Self

import quintet
from quintet.errors import QuintetError

if TYPE_CHECKING:
    from _typeshed import TraceFunction

SECONDS = 20
"""The longest time that an input may take, however busy the machine is."""
TRACED = 16
"""One in this many inputs is traced, to see which lines it reaches."""
MOST_EXAMPLES = 2_000
LONGEST = 20_000
"""The most bytes of an input that grows further."""
PIECES: tuple[bytes, ...] = tuple(
    piece.encode(errors="surrogatepass")
    for piece in (
        *"\0\n\r\t\x1b\x7f\x85\x9b\u2028\u202e\ufeff\ud800\U0001f642",
        *(
            "\x1b]52;c;eA==\x07",
            "[/b[",
            "{",
            "}",
            "[",
            "]",
            '"',
            "\\",
            "\\ud800",
            "\\u0000",
            "//",
            "..",
            "%00",
            "%",
            "=",
        ),
        *(
            "-1",
            "0",
            "00",
            "1",
            "2",
            "60",
            "1e999",
            "-1e999",
            "NaN",
            "Infinity",
            "0.5",
            "9" * 19,
            "9" * 400,
            "9" * 5000,
        ),
        *("٣", "²", "İ", "ﬁ", "Ⅳ", "null", "true", "[]", "{}", '""', "[" * 50_000, '{"a":' * 5_000, "X" * 10_000),
    )
)
"""What is put into inputs: what parsers stumble over."""


class Finding(NamedTuple):
    """An input that went wrong."""

    target: str
    input: bytes
    error: str

    def line(self) -> str:
        """A line of a corpus."""
        return json.dumps({"target": self.target, "input": as_text(self.input), "error": self.error}) + "\n"


class TooSlow(BaseException):
    """An input takes too long."""


class WrongAnswer(Exception):
    """An input that was answered with something that is not an answer."""


@dataclass
class Target:
    """Something that reads what strangers send."""

    name: str
    read: Callable[[bytes], object]
    """Read an input; a `QuintetError` refuses it."""
    examples: list[bytes]
    weight: int = 1
    """How many inputs it gets, relative to the others."""
    lines: set[tuple[CodeType, int]] = field(default_factory=set)
    """The lines that were reached."""
    tried: int = 0

    def try_input(self, data: bytes, rng: random.Random) -> Finding | None:
        """Read an input, and remember it if it is a new example."""
        self.tried += 1
        fresh: set[tuple[CodeType, int]] = set()
        log = LogWatch()
        try:
            with time_limit(SECONDS), log, watched(fresh, self.lines, not rng.randrange(TRACED)):
                self.read(data)
        except QuintetError:
            pass
        except (Exception, SystemExit, TooSlow) as error:
            frames = traceback.extract_tb(error.__traceback__)
            where = next((frame for frame in reversed(frames) if "quintet" in frame.filename), frames[-1])
            text = f"{type(error).__name__} at {Path(where.filename).name}:{where.lineno}: {str(error)[:200]}"
            return Finding(self.name, data, text)
        if log.traceback:
            return Finding(self.name, data, f"a traceback in the log: {log.traceback[:200]}")
        if fresh and len(data) <= LONGEST:
            self.lines |= fresh
            if len(self.examples) < MOST_EXAMPLES:
                self.examples.append(data)
        return None


class LogWatch(logging.Handler):
    """Notices tracebacks in the log, which is not shown meanwhile."""

    def __init__(self) -> None:
        """Watch nothing yet."""
        super().__init__()
        self.traceback = ""
        self.others: list[logging.Handler] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Look at a record."""
        if record.exc_info or "Traceback" in record.getMessage():
            self.traceback = record.getMessage() or "?"

    def __enter__(self) -> Self:
        root = logging.getLogger()
        self.others, root.handlers = root.handlers, [self]
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().handlers = self.others


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` when the time is over, on systems that have a clock for it."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise TooSlow(f"longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def watched(fresh: set[tuple[CodeType, int]], known: set[tuple[CodeType, int]], watching: bool) -> Iterator[None]:
    """Collect the lines of this program that are reached and were not known; this takes time."""
    if not watching:
        yield
        return
    home = str(Path(str(quintet.__file__)).parent)

    def look(frame: FrameType, event: str, _: object) -> "TraceFunction | None":
        if not frame.f_code.co_filename.startswith(home):
            return None
        if event == "line" and (frame.f_code, frame.f_lineno) not in known:
            fresh.add((frame.f_code, frame.f_lineno))
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(before)


def mutate(rng: random.Random, examples: Sequence[bytes]) -> bytes:
    """An input: an example with a few changes."""
    data = rng.choice(examples)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5, 8))):
        data = change(rng, data, examples)
    return data


def change(rng: random.Random, data: bytes, examples: Sequence[bytes]) -> bytes:
    """One change of an input."""
    start = rng.randrange(len(data) + 1)
    end = min(len(data), start + rng.choice((1, 1, 2, 4, 16, 256)))
    if len(data) > LONGEST:
        return data[:start]
    match rng.randrange(7):
        case 0:  # Flip a bit.
            return (
                data[:start]
                + bytes(byte ^ 1 << rng.randrange(8) for byte in data[start : start + 1])
                + data[start + 1 :]
            )
        case 1:  # Leave something out.
            return data[:start] + data[end:]
        case 2:  # Say something twice.
            return data[:end] + data[start:]
        case 3:  # Put something in.
            return data[:start] + rng.choice(PIECES) + data[start:]
        case 4:  # Replace a word by something.
            return replace_word(rng, data, rng.choice(PIECES))
        case 5:  # Continue like another example.
            other = rng.choice(examples)
            return data[:start] + other[rng.randrange(len(other) + 1) :]
        case _:  # Replace a word by one of another example.
            words: list[bytes] = rng.choice(examples).split() or [b""]
            return replace_word(rng, data, rng.choice(words))


def replace_word(rng: random.Random, data: bytes, word: bytes) -> bytes:
    """The input with another word somewhere. Words are what spaces or punctuation separate."""
    start = rng.randrange(len(data) + 1)
    first, last = start, start
    while first > 0 and data[first - 1 : first].isalnum():
        first -= 1
    while last < len(data) and data[last : last + 1].isalnum():
        last += 1
    return data[:first] + word + data[last:]


def fuzz(
    targets: Sequence[Target],
    inputs: int,
    seed: int,
    progress: Callable[[int, int], None] = lambda *_: None,
    corpus: Iterable[tuple[str, bytes]] = (),
) -> Iterator[Finding]:
    """Findings, each kind once: first the corpus, whose inputs are examples too, then a number of new inputs."""
    rng = random.Random(seed)
    by_name = {target.name: target for target in targets}
    kinds: set[tuple[str, str]] = set()
    for name, data in corpus:
        if name in by_name:
            by_name[name].examples.append(data)
    known = [(target, data) for target in targets for data in target.examples]
    for target, data in known:
        if (found := target.try_input(data, rng)) and is_new(found, kinds):
            yield found
    weights = [target.weight for target in targets]
    for done in range(1, inputs + 1):
        (target,) = rng.choices(targets, weights)
        if (found := target.try_input(mutate(rng, target.examples), rng)) and is_new(found, kinds):
            yield found
        if not done % 256 or done == inputs:
            progress(done, inputs)


def is_new(found: Finding, kinds: set[tuple[str, str]]) -> bool:
    """Whether a finding is the first of its kind."""
    kind = found.target, found.error.split(": ")[0]
    if kind in kinds:
        return False
    kinds.add(kind)
    return True


def as_text(data: bytes) -> str:
    """An input as text; nothing is lost."""
    return data.decode(errors="surrogateescape")


def read_corpus(path: Path) -> list[tuple[str, bytes]]:
    """The inputs in a file, or in the files of a folder: the name of the target, and the input."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    lines = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [(line["target"], line["input"].encode(errors="surrogateescape")) for line in lines]
