"""Damaged files: stores, records, results, saved solutions and logs, changed at random and given to the commands.

Whatever is in a file, a command ends with an exit status of its own and lines that begin with `quintet: `, and the web
service answers every request. A traceback is a finding.
"""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from quintet.arena.results import write_result
from quintet.bench.fuzz import PIECES, Finding, LogWatch, TooSlow, change, time_limit
from quintet.bench.fuzz_parsers import RESULT, SOLVED, example_records, example_solution
from quintet.match import Match
from quintet.options import start
from quintet.record import write_record
from quintet.solve.solution import path_of
from quintet.store.database import StoreFault
from quintet.store.matches import Store

if TYPE_CHECKING:
    from quintet.bench.fuzz_server import WebService

SECONDS = 60
"""The time that a command may take, however busy the machine is."""
KINDS = ("record", "results", "solution", "store", "rows")

Value = int | float | str | bytes | None
RunCommand = Callable[[list[str], dict[str, str]], tuple[int, str]]
"""Runs a command with its arguments and variables of the environment: its exit status, and what it prints as errors."""


class DamagedFiles:
    """A folder with one good file of each kind, and how to try a damaged copy."""

    def __init__(self, folder: Path, command: RunCommand) -> None:
        """Write the good files. `command` runs a command of the program."""
        self.folder = folder
        self.command = command
        self.good = folder / "good"
        self.good.mkdir()
        (self.good / "record").write_text(write_record(example_records()[1]), encoding="utf-8")
        (self.good / "results").write_text(3 * write_result(RESULT), encoding="utf-8")
        (self.good / "solution").write_bytes(example_solution(folder / "cache" / "quintet" / "solutions"))
        self.ids = self.write_store(self.good / "store")
        shutil.copy(self.good / "store", self.good / "rows")
        self.kinds = list(KINDS)
        self.tries: dict[str, Callable[[Path], Iterator[str]]] = {
            "record": lambda file: self.run(f"review {file}", f"import {file}"),
            "results": lambda file: self.run(
                f"arena --players random,greedy --games 2 --game gridlock --size 3x3 --jobs 1 --out {file}"
            ),
            "solution": self.try_solution,
            "store": self.try_store,
            "rows": self.try_store,
        }
        if find_spec("inspect_ai"):
            from quintet.bench.fuzz_models import write_log

            write_log(self.good / "log.json")
            self.kinds.append("log.json")
            self.tries["log.json"] = lambda file: self.run(f"report {file} --markdown --out -")

    def write_store(self, file: Path) -> list[str]:
        """A store with matches of the terminal and of the web; gives their ids."""
        url = f"sqlite:///{file}"
        with Store(url) as store:
            ids = [store.add(record) for record in example_records()]
            ids.append(store.begin(Match(start("gridlock"), (1, 1 << 10), ("Ada", "level:3")), ("human", "level:3")))
        if find_spec("fastapi"):
            from quintet.bench.fuzz_server import WebService

            with WebService(url) as service:
                for body in ({"clock": {"seconds": 60, "increment": 1}}, {}, {"take": [1]}):
                    made = service.run(
                        service.request("POST", "/api/matches", json.dumps({"game": "gridlock", **body}).encode())
                    )
                    ids.append(json.loads(made[1])["id"])
                    service.id, service.token = ids[-1], next(iter(json.loads(made[1])["tokens"].values()), "")
                    service.run(service.talk([b'{"type": "move", "ply": 0, "undone": 0, "move": "1 1"}']))
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
        return ids

    def run(self, *commands: str, **environment: str) -> Iterator[str]:
        """What is wrong with the way that commands end."""
        for command in commands:
            try:
                with time_limit(SECONDS):
                    status, errors = self.command(
                        command.split(), {"XDG_CACHE_HOME": str(self.folder / "cache"), **environment}
                    )
            except TooSlow:
                yield f"{command}: no end within {SECONDS} s"
                continue
            if "Traceback" in errors or status not in (0, 1, 2):
                yield f"{command}: status {status}, {errors.strip()[-300:]}"
            elif not all(line.startswith("quintet: ") for line in errors.splitlines()):
                yield f"{command}: {errors[:300]}"

    def try_solution(self, file: Path) -> Iterator[str]:
        """Solve with a saved solution."""
        path_of(self.folder / "cache" / "quintet" / "solutions", SOLVED).write_bytes(file.read_bytes())
        return self.run("solve gridlock --size 2x2")

    def try_store(self, file: Path) -> Iterator[str]:
        """Use a store from the terminal and over the web."""
        url, id = f"sqlite:///{file}", random.Random(file.name).choice(self.ids)
        copy = file.with_name(f"{file.name}.web")
        shutil.copy(file, copy)
        yield from self.run("history", f"export {id}", f"resume {id} --p1 human --p2 human", QUINTET_DATABASE=url)
        if find_spec("fastapi"):
            yield from self.try_web(f"sqlite:///{copy}")

    def try_web(self, url: str) -> Iterator[str]:
        """Request everything of a store over the web."""
        from quintet.bench.fuzz_server import WebService

        try:
            Store(url).close()
        except StoreFault:
            return  # The server does not start, and says why.
        with LogWatch() as log, WebService(url) as service:
            yield from [f"serve: {service.failure[-300:]}"] if service.failure else self.request_all(service)
        if log.traceback:
            yield f"serve: a traceback in the log: {log.traceback}"

    def request_all(self, service: "WebService") -> Iterator[str]:
        """Request everything."""
        requests = [("GET", "/api/health", b""), ("GET", f"/api/matches?ids={','.join(self.ids)}", b"")]
        for id in self.ids:
            requests += [("GET", f"/api/matches/{id}{what}", b"") for what in ("", "/record", "/qr")]
            requests += [
                ("POST", f"/api/matches/{id}/join", b'{"name": "Bea"}'),
                ("POST", f"/api/matches/{id}/moves", b'{"ply": 1, "undone": 0, "move": "3 3"}'),
                ("POST", f"/api/matches/{id}/rematch", b'{"answer": "offer"}'),
                ("POST", f"/api/matches/{id}/undo", b'{"answer": "offer"}'),
            ]
        for method, path, body in requests:
            try:
                status, answer = service.run(service.request(method, path, body, [(b"authorization", b"Bearer x")]))
            except Exception as error:  # What a server reports as its own fault.
                yield f"{method} {path.rpartition('/')[2]}: {type(error).__name__}: {error}"
                continue
            if not (200 <= status < 500 or status == 503):
                yield f"{method} {path.rpartition('/')[2]}: status {status}: {answer[:100]!r}"
        for service.id in self.ids:
            try:
                service.run(service.talk([b'{"type": "move", "ply": 1, "undone": 0, "move": "3 3"}']))
            except Exception as error:
                yield f"socket: {type(error).__name__}: {error}"

    def try_one(self, rng: random.Random, number: int) -> Iterator[Finding]:
        """Damage a file and try it."""
        kind = rng.choice(self.kinds)
        file = self.folder / f"{number}-{kind}"
        shutil.copy(self.good / kind, file)
        if kind == "rows":
            damage_rows(file, rng)
        else:
            damage_bytes(file, rng)
        data = file.read_bytes()
        for error in self.tries[kind](file):
            yield Finding(f"file {kind}", data, error)
        for path in self.folder.glob(f"{number}-*"):
            path.unlink()


def damage_bytes(file: Path, rng: random.Random) -> None:
    """Change some bytes of a file, cut it, or fill a part of it with something else."""
    data = file.read_bytes()
    for _ in range(rng.choice((1, 1, 2, 4, 8, 32))):
        if len(data) > 10_000 and rng.random() < 0.9:  # Do not cut what is large away at once.
            at = rng.randrange(len(data))
            data = data[:at] + rng.randbytes(rng.choice((1, 1, 4, 64))) + data[at + 1 :]
        else:
            data = change(rng, data, [data])
    file.write_bytes(data)


def damage_rows(file: Path, rng: random.Random) -> None:
    """Change some values of a store, of any type, or leave out or repeat a row."""
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for _ in range(rng.choice((1, 2, 4, 8))):
            table = rng.choice(tables)
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            rows = [row for (row,) in connection.execute(f"SELECT rowid FROM {table}")]
            if not rows:
                continue
            column, row = rng.choice(columns), rng.choice(rows)
            try:
                if rng.random() < 0.1:
                    connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
                else:
                    value = damage_value(rng, connection, table, column)
                    connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, row))
            except (sqlite3.Error, OverflowError, UnicodeError):
                pass  # A value that the database refuses.


def damage_value(rng: random.Random, connection: sqlite3.Connection, table: str, column: str) -> Value:
    """A value that does not belong there, or one of another row, or the old one with a change."""
    others = [value for (value,) in connection.execute(f"SELECT {column} FROM {table}")]
    text = str(rng.choice(others)).encode()
    values: tuple[Value, ...] = (
        *(None, 0, 1, -1, 3, 2**62, 1e300, float("inf"), "", "NaN", b"\xff\x00", "9999-99-99", "2026-01-01T00:00:00"),
        *("gridlock", "*", "1-0", "undo:3", "undo:x", "rematch:1", '{"tags": 1}', '{"tags": {"a": 1}, "comments": {}}'),
        rng.choice(others),
        rng.choice(PIECES).decode(errors="replace"),
        change(rng, text, [text]).decode(errors="replace"),
    )
    return rng.choice(values)


def damaged_files(
    folder: Path,
    number: int,
    seed: int,
    command: RunCommand,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Iterator[Finding]:
    """Findings of a number of damaged files."""
    rng, files = random.Random(seed), DamagedFiles(folder, command)
    for done in range(1, number + 1):
        yield from files.try_one(rng, done)
        progress(done, number)
