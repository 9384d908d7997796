"""The stages of a proof, piece by piece by workers. What the store already has is not done again."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from quintet import board as geometry
from quintet.gears import digest, names_of, reachable, rules_of
from quintet.rules import Position, write_position
from quintet.solve.layers import LayerStore, Record, WrongFolder, check_folder, lock_folder, open_folder, read_record
from quintet.solve.positions import TooLarge
from quintet.solve.walk import Piece, Walk
from quintet.workers import Pool, Signals, Work, Workers
from quintet.workers.here import Here

MOST_POSITIONS = 60_000_000
"""The most positions in memory, and the most that claims lead to from one layer: some 2 GB."""

MEMORY = 1 << 30
"""Bytes for each worker where no limit is given."""

Progress = Callable[[str, float, int], None]
"""Told the stage, how much of it is done, and how many positions that are."""


def ignore_progress(stage: str, share: float, positions: int) -> None:
    """Report no progress."""


class PieceWork(Work[Piece, int]):
    """Work on the parts of a walk's layers, a piece of work each."""

    def __init__(self, walk: Walk) -> None:
        """In another process, the walk is a copy with the same folder."""
        self.walk = walk

    def title(self, task: Piece) -> str:
        """A piece, for an error."""
        return f"the stage {task.stage!r} at {task.claimed} claimed cells (a lower --memory may help)"


class WalkWork(PieceWork):
    """The pieces of a walk."""

    def do(self, task: Piece, signals: Signals) -> int:
        """Do a piece; how many positions it gave."""
        stages = {"expand": self.walk.expand, "merge": self.walk.merge, "evaluate": self.walk.evaluate}
        return stages[task.stage](task.claimed, task.part)


def do_pieces(pool: Pool[Piece, int], walk: Walk, pieces: list[Piece]) -> Iterator[tuple[float, int]]:
    """Have pieces done that are not finished yet; after each, the share that is finished, and what it gave."""
    left = [piece for piece in pieces if walk.store.find(piece.name) is None]
    done = len(pieces) - len(left)
    for piece in left:
        pool.give(piece)
    while answers := pool.answers():
        for _, answer in answers:
            done += 1
            yield done / len(pieces), answer


def pieces_of(walk: Walk, stage: str, layers: Iterable[int]) -> list[Piece]:
    """The pieces of a stage, a part of a layer each."""
    return [Piece(stage, claimed, part) for claimed in layers for part in walk.parts(claimed)]


def walk_forward(walk: Walk, pool: Pool[Piece, int], progress: Progress) -> list[int]:
    """Find every position, those with fewer claimed cells first; the layers there are."""
    store, layers, positions = walk.store, list[int](), 0
    if store.find("start") is None:
        walk.begin()
    waiting = {int(target) for target, _ in store.get("start")["runs"]}
    while waiting:
        claimed = min(waiting)
        if store.find(Piece("plan", claimed, 0).name) is None:
            walk.plan(claimed)
        for share, _ in do_pieces(pool, walk, pieces_of(walk, "merge", [claimed])):
            progress("positions", (claimed + share / 2) / (walk.board.cells + 1), positions)
        for saved in walk.runs(claimed):
            store.delete(saved)
        positions += walk.rows(claimed)
        moves = 0
        for share, found in do_pieces(pool, walk, pieces_of(walk, "expand", [claimed])):
            progress("positions", (claimed + (1 + share) / 2) / (walk.board.cells + 1), positions)
            moves += found
            if store.limited and max(positions, moves) > MOST_POSITIONS:
                text = f"a proof in memory is limited to {MOST_POSITIONS:,} positions; this game has more"
                raise TooLarge(f"{text}: give a folder to save them in (--folder FOLDER)")
        layers.append(claimed)
        waiting |= {
            int(target) for piece in pieces_of(walk, "expand", [claimed]) for target, _ in store.get(piece.name)["runs"]
        }
        waiting -= set(layers)
    return layers


def walk_backward(walk: Walk, layers: list[int], pool: Pool[Piece, int], progress: Progress) -> None:
    """Work out the value of every position from those it leads to."""
    total, positions = sum(map(walk.rows, layers)), 0
    for claimed in reversed(layers):
        rows = walk.rows(claimed)
        for share, _ in do_pieces(pool, walk, pieces_of(walk, "evaluate", [claimed])):
            done = positions + round(share * rows)
            progress("values", done / total, done)
        positions += rows


def walk_all(walk: Walk, workers: Workers, progress: Progress) -> list[int]:
    """Find every position and its value; the layers there are."""
    with workers.pool(WalkWork(walk)) as pool:
        layers = walk_forward(walk, pool, progress)
        walk_backward(walk, layers, pool, progress)
    return layers


def describe_proof(start: Position, key: str) -> Record:
    """What a folder must be about to continue a proof: the position, the rules, and what identifies positions."""
    rules = names_of(geometry) | rules_of(start.game)
    wording = reachable(rules, "legal", "gain", "score") | {name: rules[name] for name in ("PASSES", "TERRITORY")}
    return {"position": write_position(start), "rules": digest(wording), "key": key}


@contextmanager
def temporary_folder() -> Iterator[str]:
    """A folder for the time; an error that names it if it cannot be used."""
    with TemporaryDirectory(prefix="quintet-") as folder:
        try:
            yield folder
        except OSError as error:
            text = f"cannot use the temporary folder {folder}: {error.strerror or error}"
            raise WrongFolder(f"{text}; give another one (--folder FOLDER)") from None


@contextmanager
def open_walk(
    start: Position, folder: Path | None, workers: Workers, memory: int = MEMORY, key: str | None = None
) -> Iterator[Walk]:
    """A walk in a folder, or in memory if there is none; workers outside this process need one, if only for a time."""
    key = key or start.game.future
    with ExitStack() as stack:
        if folder is None and isinstance(workers, Here):
            yield Walk(start, LayerStore(), key)
        else:
            path = folder or Path(stack.enter_context(temporary_folder()))
            about = describe_proof(start, key)
            check_folder(path, about)  # The lock is a file, which is not put into just any folder.
            stack.enter_context(lock_folder(path))
            yield Walk(start, open_folder(path, about), key, memory)


def can_continue(start: Position, folder: Path, key: str | None = None) -> bool:
    """Whether a folder has the beginning of this proof; an error if it belongs to something else."""
    check_folder(folder, describe_proof(start, key or start.game.future))
    return read_record(folder / "start.json") is not None
