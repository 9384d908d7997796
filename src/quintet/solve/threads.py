"""The compiled search on several threads with one table: whichever answers first has answered.

All threads are asked the same question, and try the cells in different orders. What one has found out the others read
in the table, so they share the work without being told how.
"""

from concurrent.futures import ThreadPoolExecutor, wait

import numpy as np

from quintet.board import Board
from quintet.rules import Game
from quintet.solve.searcher import SHARED_TABLE, Searcher, bind_search, compiled_board
from quintet.solve.shared_table import ROW_WORDS, Words

LINE_WORDS = 8
"""Words of the processor's cache line: what a thread writes often must not share a line with what another reads."""


class SearchThreads(Searcher):
    """A search in several threads."""

    def __init__(self, game: Game, board: Board, memory: int, threads: int, words: Words | None = None) -> None:
        """Make an empty table of at most `memory` bytes; its pages are taken as they are needed. Or use these words."""
        bound = bind_search(game, SHARED_TABLE)
        self.search, self.find_grundy = bound.search, bound.grundy
        if words is None:
            words = aligned_words(1 << (memory // ROW_WORDS // 8).bit_length() - 1, ROW_WORDS).reshape(-1)
        common = aligned_words(1, LINE_WORDS)[0]
        self.own = aligned_words(threads, LINE_WORDS)
        self.own[:, 2] = np.arange(threads) * board.area // threads
        self.tables = [(words, common, own) for own in self.own]
        self.arguments = *compiled_board(board), self.tables[0]
        self.pool = ThreadPoolExecutor(threads, "search")

    @property
    def visited(self) -> int:
        """How many positions all threads have visited."""
        return int(self.own[:, 0].sum())

    @property
    def fill(self) -> float:
        """The share of the table that is taken."""
        return float(self.own[:, 1].sum()) * ROW_WORDS / len(self.tables[0][0])

    def ask(self, mine: int, theirs: int, bound: int) -> int:
        """The first answer of a thread."""
        board, images, _ = self.arguments
        common = self.tables[0][1]
        answers: list[int] = []

        def run(table: tuple[Words, Words, Words]) -> None:
            limit = self.search(board, images, table, mine, theirs, 0, 0, bound)
            if not common[2]:  # Nobody was told to pause while this thread searched.
                answers.append(int(limit))
                common[2] = 1

        common[2] = 0
        runs = [self.pool.submit(run, table) for table in self.tables]
        try:
            wait(runs)
        finally:
            common[2] = 1  # Ctrl-C may have interrupted the waiting.
            wait(runs)
        for ended in runs:
            ended.result()
        return answers[0]


def aligned_words(rows: int, columns: int) -> Words:
    """An array of zeros that begins with a cache line."""
    raw = np.zeros(rows * columns + LINE_WORDS, np.int64)
    skipped = -raw.ctypes.data % (8 * LINE_WORDS) // 8
    return raw[skipped : skipped + rows * columns].reshape(rows, columns)
