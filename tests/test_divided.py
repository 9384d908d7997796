"""The search divided among workers: the same values, whoever is killed, and a file from which it continues."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from boards import every_game
from patience import wait_until
from quintet.games import GAMES
from quintet.gears import FAST, PLAIN
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve import common_table, divided
from quintet.solve.divided import DividedSearch, Found, LeafWork, Task, divide
from quintet.solve.front import Front, Question
from quintet.solve.memory import InvalidMemory, table_room, used_memory
from quintet.solve.proved import InvalidProved, Proved, ProvedFile
from quintet.solve.solution import solve
from quintet.solve.solver import Solver, Stopped
from quintet.solve.theories import theory_of
from quintet.study import solved_boards
from quintet.workers import Signals, Workers, read_workers
from quintet.workers.here import NoSignals
from quintet.workers.processes import ProcessPool, ProcessWorker
from test_solve import random_positions

HERE = read_workers(1)


def alone(position: Position) -> Solver:
    """One search."""
    return Solver(position.game, position.board)


def together(position: Position, searcher: DividedSearch) -> Solver:
    """The same questions to a divided search."""
    return Solver(position.game, position.board, searcher=searcher)


def same(one: Solver, other: Solver, position: Position) -> None:
    """All that is asked of a position has the same answers."""
    number = one.number(position)
    assert other.number(position) == number, repr(position)
    assert other.best(position, number) == one.best(position, number), repr(position)
    assert other.grade(position) == one.grade(position), repr(position)


@every_game
@pytest.mark.parametrize("most", [1, 2, 40])
def test_a_divided_search_finds_the_same_values(game: Game, most: int) -> None:
    """For 40 workers the whole of a small board is divided."""
    for size in ("5", "2x3", "3x3", "3x4"):
        for position in [start(game, size), *random_positions(game, size, 3)]:
            searcher = divide(position, HERE)
            searcher.most = most
            same(alone(position), together(position, searcher), position)


class Hurried(LeafWork):
    """Gives up at once where there is much to search, and at some other positions."""

    def do(self, task: Task, signals: Signals) -> Found:
        left = self.board.cells - (task[0] | task[1]).bit_count()
        return Found(None, 1) if left > 5 or sum(task) % 3 == 0 else super().do(task, signals)


@every_game
def test_positions_that_take_too_long_are_divided_again_and_again(game: Game) -> None:
    divisions = 0
    for size in ("7", "3x3", "3x4"):
        for position in [start(game, size), *random_positions(game, size, 4)]:
            work = Hurried(game, position.board, PLAIN, 1 << 24, 1, 1)
            searcher = DividedSearch(work, HERE, Proved())
            same(alone(position), together(position, searcher), position)
            divisions += len(searcher.proved.divided)
    assert divisions > 20


def test_a_pass_is_a_move() -> None:
    """Without its theory, Adjacent Claim has passes."""
    game = replace(GAMES["adjacent-claim"], name="stranger")
    for size in ("5", "2x3", "3x3"):
        for position in random_positions(game, size, 6):
            searcher = DividedSearch(Hurried(game, position.board, PLAIN, 1 << 24, 1, 1), HERE, Proved())
            same(alone(position), together(position, searcher), position)


def test_a_position_is_divided_when_its_time_is_up() -> None:
    empty = start(GAMES["gridlock"], "5x5")
    searcher = divide(empty, HERE, gear=PLAIN, seconds=0)
    assert str(together(empty, searcher).value(empty)) == "win in 17"
    assert searcher.proved.divided and searcher.answered > len(searcher.proved.divided)


@pytest.mark.parametrize(("size", "gear"), [("4x5", PLAIN), ("5x6", FAST)])
def test_two_processes_find_the_same(size: str, gear: str) -> None:
    """Compiled, they share a table."""
    empty = start(GAMES["gridlock"], size)
    searcher = divide(empty, read_workers(2), gear=gear, memory=1 << 24)
    assert (searcher.table is not None) == (gear == FAST)
    found = solve(empty, gear, searcher=searcher)
    searcher.close()
    expected = solve(empty)
    assert (found.value, found.best, found.complete) == (expected.value, expected.best, True)
    assert 0 < expected.nodes / 2 < found.nodes


DEATHS = 2


def kill_worker(searcher: DividedSearch, killed: set[int]) -> None:
    """Kill a worker in the middle of the search, if enough have not been killed yet."""
    assert isinstance(searcher.pool, ProcessPool)
    for worker in searcher.pool.workers:
        assert isinstance(worker, ProcessWorker)
        pid = worker.process.pid
        if len(killed) < DEATHS and searcher.answered > len(killed) and pid and pid not in killed:
            os.kill(pid, signal.SIGKILL)
            killed.add(pid)
            return


def test_a_solve_survives_its_workers() -> None:
    empty = start(GAMES["gridlock"], "5x5")
    searcher = divide(empty, read_workers(2), gear=PLAIN, seconds=0.1)
    killed: set[int] = set()
    found = solve(empty, PLAIN, watch=lambda _: kill_worker(searcher, killed), searcher=searcher)
    searcher.close()
    assert str(found.value) == "win in 17" and len(found.best) == 17 and found.complete
    assert len(killed) == DEATHS


@pytest.mark.no_cover
def test_a_solve_that_was_killed_continues_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "proved"
    arguments = [sys.executable, "-m", "quintet", "solve", "gridlock", "--size", "5x5", "--gear", "plain", "--json"]
    arguments += ["--workers", "2", "--proved", str(file)]
    killed = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until(lambda: killed.poll() is not None or (file.exists() and file.read_bytes().count(b"\n") > 3))
    killed.kill()
    assert killed.wait() in (-signal.SIGKILL, 0), "a fast machine may have solved it meanwhile"
    before = file.read_bytes().count(b"\n") - 1
    run = subprocess.run(arguments, capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    assert run.stderr == f"quintet: {before} results read from {file}\n"
    assert found["value"]["plies"] == 17 and len(found["best"]) == 17


@pytest.mark.no_cover
def test_sigterm_ends_a_divided_solve_as_ctrl_c_does(tmp_path: Path) -> None:
    file = tmp_path / "proved"
    arguments = [sys.executable, "-m", "quintet", "solve", "gridlock", "--size", "6x6", "--gear", "plain", "--fresh"]
    arguments += ["--workers", "2", "--proved", str(file)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: process.poll() is not None or (file.exists() and file.stat().st_size))
        process.terminate()
        _, errors = process.communicate()
    assert process.returncode > 0 and errors.count("quintet: ") == 1


class Interrupted(DividedSearch):
    """A search that is stopped after a few answers."""

    def take(self, question: Question, found: Found) -> None:
        super().take(question, found)
        self.stopped = self.answered == 5


def test_a_search_that_was_stopped_continues_from_its_file(tmp_path: Path) -> None:
    empty = start(GAMES["gridlock"], "5x5")
    work = LeafWork(empty.game, empty.board, PLAIN, 1 << 26, 1, 60)
    path = tmp_path / "proved"
    answered = []
    for kind, file in ((Interrupted, path), (DividedSearch, path), (DividedSearch, tmp_path / "other")):
        searcher = kind(replace(work), HERE, ProvedFile(file, empty.game, empty.board))
        searcher.most = 8
        solver = together(empty, searcher)
        if kind is Interrupted:
            with pytest.raises(Stopped):
                solver.number(empty)
        else:
            assert str(solver.value(empty)) == "win in 17"
        answered.append(searcher.answered)
        searcher.close()
    first, second, whole = answered
    assert first == 5 and 0 < second < whole


def test_progress_says_what_workers_do() -> None:
    empty = start(GAMES["gridlock"], "4x4")
    searcher = divide(empty, HERE)
    assert searcher.progress == "1 worker, 0 tasks open, 0 answered, 0 proved"
    together(empty, searcher).value(empty)
    assert searcher.progress == "1 worker, 0 tasks open, 2 answered, 1 proved"
    assert together(empty, searcher).fill == 0 and alone(empty).searcher.progress == "table 0% full"


def test_what_is_known_already_is_not_written_again(tmp_path: Path) -> None:
    empty = start(GAMES["gridlock"], "3x3")
    front = Front(empty.game, empty.board, proved_file(tmp_path / "proved"))
    node, _ = front.place(0, 0)
    for limit in (993, 995, 994):
        front.answer((node, 993), limit)
    front.proved.close()
    assert (node.low, len((tmp_path / "proved").read_text().splitlines())) == (995, 3)


def test_the_time_limit_holds() -> None:
    """Also in this process, where nobody but the search itself can be told: otherwise this would take hours."""
    empty = start(GAMES["gridlock"], "7x7")
    found = solve(empty, PLAIN, seconds=0.3, searcher=divide(empty, HERE, gear=PLAIN, seconds=1e9))
    assert not found.complete


def test_a_worker_answers_until_nobody_asks() -> None:
    empty = start(GAMES["gridlock"], "6x6")
    work = LeafWork(empty.game, empty.board, PLAIN, 1 << 26, 1, 60)
    work.prepare()

    class Dropped(NoSignals):
        dropped = True

    found = work.do((0, 0, -970), Dropped())
    assert found.limit is None and found.visited > 0
    assert work.title((0, 0, 0)) == "a search of gridlock 6x6"


def test_workers_share_a_table() -> None:
    """What one has proved another reads, in this process or in another."""
    empty = start(GAMES["gridlock"], "4x5")
    table = common_table.CommonTable(1 << 24)
    visited = []
    for _ in range(2):
        work = LeafWork(empty.game, empty.board, FAST, 0, 1, 60, table.path)
        work.prepare()
        found = work.do((0, 0, 987), NoSignals())
        assert found.limit == 987
        visited.append(found.visited)
    table.close()
    assert visited[0] > 100 and visited[1] == 1


def test_without_memory_files_each_process_has_its_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(divided, "HAS_MEMORY_FILES", False)
    empty = start(GAMES["gridlock"], "5x6")
    searcher = divide(empty, read_workers(4), gear=FAST, memory=1 << 24)
    assert searcher.table is None and searcher.work.memory == 1 << 22
    searcher.close()


def test_memory_is_for_all_processes() -> None:
    empty = start(GAMES["gridlock"], "5x6")
    with pytest.raises(InvalidMemory, match="not enough"):
        table_room(empty, 3 * used_memory(), processes=4)
    used = used_memory()
    assert 0 < table_room(empty, 4 * used + (1 << 28), processes=4) <= 1 << 28


def proved_file(path: Path, size: str = "3x3", game: str = "gridlock") -> ProvedFile:
    return ProvedFile(path, GAMES[game], start(GAMES[game], size).board)


def test_proved_results_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "proved"
    file = proved_file(path)
    file.add((5, 3, -1), -999, 4)
    file.add((5, 3, -1), -7, 4)
    file.add_divided((1 << 62, 0, 0))
    file.close()
    whole = path.read_bytes()
    for torn in (b"", b"7", b"7 7 7 0 0", b"7 7 7 0 0 12345678\n", b"\xff\n"):
        path.write_bytes(whole + torn)
        file = proved_file(path)
        assert (file.limits, file.divided, file.read) == ({(5, 3, -1): (-7, 4)}, {(1 << 62, 0, 0)}, 3)
        file.close()
        assert path.read_bytes() == whole, "what was not written completely is removed"
    title = whole.splitlines(keepends=True)[0]
    for end in (0, 14, len(title) - 1):
        path.write_bytes(title[:end])
        file = proved_file(path)
        assert not file.read
        file.add((1, 1, 1), 1, 1)
        file.close()
        file = proved_file(path)
        file.close()
        assert path.read_bytes().startswith(title) and file.limits == {(1, 1, 1): (1, 1)}


def test_files_that_are_of_no_use(tmp_path: Path) -> None:
    path = tmp_path / "proved"
    file = proved_file(path)
    file.add((5, 3, -1), -999, 4)
    file.add((5, 3, 1), -999, 4)
    file.close()
    for other in (("3x4", "gridlock"), ("3x3", "isolation")):
        with pytest.raises(InvalidProved, match="belongs to another board"):
            proved_file(path, *other)
    path.write_bytes(path.read_bytes().replace(b"5 3 -1", b"5 3 -2"))
    with pytest.raises(InvalidProved, match=r"line 2 of .* is damaged"):
        proved_file(path)
    for text in ("A letter.\n", "q", "quintet", "quintet prove"):
        path.write_text(text)
        with pytest.raises(InvalidProved, match="no proved results"):
            proved_file(path)
        assert path.read_text() == text
    for device in (Path("/dev/null"), tmp_path):  # Some, like /dev/zero, never end.
        with pytest.raises(InvalidProved, match="is not a regular file: choose another file"):
            proved_file(device)
    with path.open("wb") as huge:
        huge.truncate(1 << 40)
    with pytest.raises(InvalidProved, match="no proved results"):
        proved_file(path)
    with pytest.raises(InvalidProved, match=r"cannot open .*: No such file"):
        proved_file(tmp_path / "none" / "proved")


def test_a_file_is_for_one_command_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "proved"
    first = proved_file(path)
    first.add((1, 1, 1), 1, 1)
    with path.open("ab") as other:
        other.write(b"7 7")
    before = path.read_bytes()
    with pytest.raises(InvalidProved, match=f"^another command is using {path}: "):
        proved_file(path)
    assert path.read_bytes() == before
    first.close()
    second = proved_file(path)
    assert second.read == 1
    second.close()


def test_a_full_disk_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = proved_file(tmp_path / "proved")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InvalidProved, match=r"cannot write .*: No space left on device"):
        file.add((1, 1, 1), 1, 1)
    file.close()


def test_the_winner_alone_is_found_without_grundy_numbers() -> None:
    empty = start(GAMES["isolation"], "3x4")
    found = solve(empty, searcher=divide(empty, HERE), winner=True)
    assert found.value.outcome == "loss" and found.grundy is None and found.complete


def test_a_search_that_was_stopped_says_so() -> None:
    empty = start(GAMES["gridlock"], "3x3")
    searcher = divide(empty, HERE)
    solver = together(empty, searcher)
    solver.stop()
    with pytest.raises(Stopped):
        solver.number(empty)
    solver.resume()
    assert str(solver.value(empty)) == "win in 5"


@pytest.mark.parametrize("workers", [HERE, read_workers(2)])
def test_the_page_is_the_same_whoever_solves(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = (Path(__file__).parent.parent / "docs" / "solutions.md").read_text()
    theories = {game: theory_of(game) for game in GAMES.values()}
    for theory in theories.values():
        theory.BOARDS = ("3x3", "4x4")
        theory.GRUNDY_BOARDS = theory.GRUNDY_BOARDS[:1]
    monkeypatch.setattr(solved_boards, "theory_of", theories.__getitem__)
    seen: list[str] = []
    text = solved_boards.page(seen.append, workers)
    rows = [line for line in text.splitlines() if line.startswith(("| 3x3", "| 3x4", "| 4x4"))]
    assert len(rows) == len(seen) == 11 and set(rows) <= set(whole.splitlines())
    assert solved_boards.BoardWork().title(("gridlock", "3x3", False)) == "solving gridlock 3x3"
