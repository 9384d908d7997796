"""Models that play by a script and know no more than the prompt, and a server that speaks OpenAI's way for them."""

import gc
import json
import random
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from quintet.board import index
from quintet.engines.perfect import Perfect
from quintet.games import GAMES
from quintet.options import start
from quintet.rules import Position

THEIRS = [
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
"""What Inspect and its parts are warned of is theirs to mend."""


@pytest.fixture(autouse=True)
def inspect_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inspect_gone: None) -> None:
    """Inspect keeps its files in the test's own folder, and shows nothing."""
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")


@pytest.fixture(scope="module")
def inspect_gone() -> Iterator[None]:
    """Inspect leaves nothing open for the tests of others."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


Policy = Callable[[str], str]
"""From the prompt to the answer."""


def read_prompt(prompt: str) -> tuple[Position, list[str]]:
    """The position a prompt shows in the rule book's notation, and the labels of its cells in board order."""
    title = re.search(r"You are playing ([\w ]+),", prompt)[1]  # type: ignore[index]
    game = next(game for game in GAMES.values() if game.title == title)
    me, mine, theirs = re.search(
        r"You are Player (\d) and your mark is (\S+)\. .*?whose mark is (\S+)\.", prompt
    ).groups()  # type: ignore[union-attr]
    lines = re.search(r"```\n(.*?)\n```", prompt, re.DOTALL)[1].splitlines()  # type: ignore[index]
    if ":" in lines[0]:
        rows = [line.split() for line in lines]
        labels = [cell.split(":")[0] for row in rows for cell in row]
        marks = [cell.split(":")[1] for row in rows for cell in row]
    else:
        head, *body = [line.split() for line in lines]
        rows = [row[1:] for row in body]
        between = " " if body[0][0].isdigit() else ""
        labels = [f"{row[0]}{between}{col}" for row in body for col in head]
        marks = [mark for row in rows for mark in row]
    empty = start(game, f"{len(rows)}x{len(rows[0])}")
    mine_set, theirs_set = (sum(1 << i for i, mark in enumerate(marks) if mark == who) for who in (mine, theirs))
    return Position(game, empty.board, mine_set, theirs_set, int(me)), labels


def perfect(prompt: str) -> str:
    """Plays perfectly, by the drawing alone."""
    position, labels = read_prompt(prompt)
    return f"I have worked it out.\n\nMOVE: {labels[index(Perfect(0).choose(position))]}"


def randomly(seed: int) -> Policy:
    """Plays any of the legal moves that the prompt lists."""
    rng = random.Random(seed)

    def policy(prompt: str) -> str:
        legal = re.search(r"Your legal moves: (.*)\.", prompt)[1].split(", ")  # type: ignore[index]
        return f"MOVE: {rng.choice(legal)}"

    return policy


def illegal(prompt: str) -> str:
    """Names a cell that no board has."""
    return "MOVE: Q99 99"


def rambling(prompt: str) -> str:
    """Plays perfectly, after much talk and moves it does not mean."""
    position, labels = read_prompt(prompt)
    best = labels[index(Perfect(0).choose(position))]
    doubts = "\n".join(f"What about MOVE: {label}? Hmm, on the other hand..." for label in labels)
    return f"<think>MOVE: {labels[0]}</think>\n{'Let me see. ' * 50}\n{doubts}\n\n```\n**MOVE: [{best}]**\n```"


def silent(prompt: str) -> str:
    """Says nothing."""
    return ""


class Server:
    """What a server of scripted models has seen."""

    def __init__(self, url: str) -> None:
        """Begin with no requests."""
        self.url = url
        self.prompts: list[str] = []


@contextmanager
def serve(policy: Policy, gate: Callable[[int], object] = int) -> Iterator[Server]:
    """A server of OpenAI's chat completions on this machine; the gate is passed before each answer, with its number."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            prompt = asked["messages"][0]["content"]
            with lock:
                seen.prompts.append(prompt)
                number = len(seen.prompts)
                answer = policy(prompt)
            gate(number)
            body = json.dumps(
                {
                    "id": "1",
                    "object": "chat.completion",
                    "created": 0,
                    "model": asked["model"],
                    "choices": [
                        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}
                    ],
                    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
                }
            ).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    class Listener(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 512

    listener = Listener(("127.0.0.1", 0), Handler)
    seen = Server(f"http://127.0.0.1:{listener.server_port}/v1")
    thread = threading.Thread(target=listener.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield seen
    finally:
        listener.shutdown()
        listener.server_close()
        thread.join()
