"""Compile every game once; Numba keeps what it has compiled: `make compiled`."""

from concurrent.futures import ProcessPoolExecutor

from quintet.arena import tournament as arena
from quintet.envs.batch import Batch
from quintet.games import GAMES
from quintet.gears import FAST
from quintet.notation import write_position
from quintet.options import start
from quintet.solve.solver import Solver


def compile_game(name: str) -> None:
    """Its search, its play-outs and its steps in lanes, which Numba keeps on disk."""
    empty = start(GAMES[name])
    Solver(empty.game, empty.board, FAST).value(empty)
    duels = arena.schedule([("random", "greedy"), ("random", "mcts:9")], [write_position(empty)], 2)
    list(arena.run(duels, workers=1, compiled=True))
    batch = Batch(name, count=1, gear=FAST)
    batch.step(batch.sample())
    batch.play(1)


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        list(pool.map(compile_game, GAMES))
