"""The search on several threads: the same values, and a table that no thread can falsify."""

from concurrent.futures import ThreadPoolExecutor
from threading import Timer

import numpy as np
import pytest

from boards import every_game
from quintet.gears import FAST, names_of
from quintet.gears.fast import compile_names
from quintet.options import start
from quintet.rules import Game
from quintet.solve import array_table, shared_table
from quintet.solve.shared_table import probe, store
from quintet.solve.solver import Solver, Stopped
from quintet.solve.theories.generic import MOST
from quintet.solve.threads import LINE_WORDS, aligned_words
from test_solve import random_positions

KEYS = 200


def make_table(rows: int) -> shared_table.Table:
    """An empty table."""
    return np.zeros(rows * shared_table.ROW_WORDS, np.int64), np.zeros(LINE_WORDS, np.int64), np.zeros(3, np.int64)


def test_what_is_stored_is_found_and_limits_narrow() -> None:
    table = make_table(8)
    with np.errstate(over="ignore"):
        assert probe(table, (5, 3, -2)) == (-MOST, MOST)
        store(table, (5, 3, -2), -7, 9)
        store(table, (5, 3, -2), -9, 4)
        assert probe(table, (5, 3, -2)) == (-7, 4)
        for other in range(40):
            store(table, (other, 1, 1), other, other)
        known = [other for other in range(40) if probe(table, (other, 1, 1)) == (other, other)]
        assert known, "a full table forgets the old and remembers the new"
        assert table[2][1] == 8


def test_a_row_that_another_thread_writes_is_left_alone() -> None:
    table = make_table(8)
    with np.errstate(over="ignore"):
        store(table, (5, 3, 1), 2, 2)
        table[0][3::4] |= shared_table.WRITING
        before = table[0].copy()
        assert probe(table, (5, 3, 1)) == (-MOST, MOST)
        store(table, (5, 3, 1), 3, 3)
        assert (table[0] == before).all()


def test_a_row_that_another_thread_has_just_written_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    table = make_table(8)
    assert not shared_table.swap_word(table[0], 3, old=1, new=2)
    monkeypatch.setattr(shared_table, "swap_word", lambda *_: False)
    with np.errstate(over="ignore"):
        store(table, (5, 3, 1), 2, 2)
    assert not table[0].any() and not table[2].any()


def test_a_search_that_was_told_to_pause_stores_nothing() -> None:
    table = make_table(8)
    table[1][2] = 1
    store(table, (5, 3, 1), 2, 2)
    assert not table[0].any()


def test_a_thread_counts_what_it_visits_and_starts_from_its_own_part_of_the_board() -> None:
    table = make_table(8)
    assert not shared_table.visit(table) and table[2][0] == 1
    assert shared_table.pick(table, 0b1010_0110) == 0b10 == array_table.pick(table[:2], 0b1010_0110)
    table[2][2] = 4
    assert shared_table.pick(table, 0b1010_0110) == 0b10_0000
    assert shared_table.pick(table, 0b0110) == 0b10 and shared_table.pick(table, 0) == 0
    table[1][2] = 1
    assert shared_table.visit(table)


def contend(table: shared_table.Table, seed: int, rounds: int) -> int:
    """Store limits that follow from the key, and probe; how often a probe gave others. Compiled."""
    wrong = 0
    for _ in range(rounds):
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        a = (seed >> 8) % KEYS
        key = (a, a * 7 % 11, -a)
        if seed & 128:
            store(table, key, a, a + 500)
        else:
            low, high = probe(table, key)
            wrong += low != -MOST and (low != a or high != a + 500)
    return wrong


def test_no_thread_ever_reads_half_of_what_another_writes() -> None:
    names = names_of(shared_table) | {"contend": contend, "KEYS": KEYS, "MOST": MOST}
    compiled = compile_names(names, "contend", label="contend")
    rows, common, _ = make_table(16)
    tables = [(rows, common, own) for own in aligned_words(4, LINE_WORDS)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(compiled["contend"], tables, range(4), [2_000_000] * 4)) == [0, 0, 0, 0]
    assert (rows[3::4] >> 32).min() > 1_000, "every row was fought over"


@every_game
def test_several_threads_find_the_same_values(game: Game) -> None:
    for size in ("2x3", "3x4", "4x5"):
        for position in random_positions(game, size, 4):
            alone = Solver(game, position.board, FAST)
            together = Solver(game, position.board, memory=1 << 20, threads=3)
            assert together.gear == FAST
            assert together.number(position) == alone.number(position)
            assert together.grade(position) == alone.grade(position)
            assert 0 <= together.fill <= 1 and together.nodes >= 0


def test_threads_stop_and_continue() -> None:
    empty = start("gridlock", "6x6")
    solver = Solver(empty.game, empty.board, memory=1 << 22, threads=2)
    Timer(0.05, solver.stop).start()
    with pytest.raises(Stopped):
        solver.number(empty)
    solver.resume()
    late = next(random_positions(empty.game, "6x6", 1))
    assert solver.number(late) == Solver(empty.game, empty.board, FAST).number(late)
