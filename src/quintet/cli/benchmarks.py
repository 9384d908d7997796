"""Benchmarks as commands: `bench start`, `solve`, `engines`, `arena`, `perfect`, `threads`, `play` and `judge`."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quintet.cli.board_options import Size
from quintet.cli.common import (
    CpuTime,
    Gear,
    Json,
    Memory,
    Unfinished,
    Usage,
    WorkersOption,
    check_compiled,
    print_json,
    require,
)
from quintet.cli.parser import Command, Commands
from quintet.cli.progress import progress_bar
from quintet.errors import suggest

if TYPE_CHECKING:
    from typer._click import Command as AnyCommand

    from quintet.arena.results import Duel, Result
    from quintet.bench.tables import Row

bench = typer.Typer(cls=Commands, help="Run a benchmark.", rich_markup_mode=None)

Runs = Annotated[
    int, typer.Option(min=1, metavar="N", help="Measure N times; print the lowest and highest of each figure.")
]


@bench.command("solve", cls=Command)
def bench_solve(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Name of a game (default: all games).")] = None,
    time: Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Time limit per board.")] = 60,
    memory: Memory = "2G",
    boards: Annotated[bool, typer.Option(help="Solve empty and midgame boards.")] = True,
    grading: Annotated[bool, typer.Option(help="Grade the moves of random positions.")] = True,
    runs: Runs = 1,
) -> None:
    """Time the solver. Random positions at the rule books' sizes come first, then larger and larger boards."""
    from quintet.bench import solver_speed
    from quintet.bench.tables import print_runs
    from quintet.games import GAMES, find_game
    from quintet.solve.memory import read_memory

    names = list(GAMES) if game is None else [find_game(game).name]
    room = read_memory(memory)
    if grading:
        print_runs(runs, lambda: solver_speed.time_random_positions(names))
        print()
    if boards:
        print_runs(runs, lambda: solver_speed.time_empty_boards(names, time, room))
        print()
        print_runs(runs, lambda: solver_speed.time_midgames(names, time, room))


@bench.command("threads", cls=Command)
def bench_threads(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Name of a game.")] = "gridlock",
    size: Annotated[str, typer.Option(metavar="SIZE", help="Board, such as 6x6.")] = "6x6",
    threads: Annotated[int, typer.Option(min=2, max=256, metavar="N", help="Most threads: 1, 2, 4, ... up to N.")] = 2,
    memory: Memory = "1G",
    runs: Runs = 1,
) -> None:
    """Time the solver on several threads against one, in turns."""
    require("searching on several threads", "fast", "numba")
    from quintet.bench.solver_speed import time_threads
    from quintet.bench.tables import print_runs
    from quintet.options import start
    from quintet.solve.memory import read_memory

    counts = [1 << i for i in range(threads.bit_length()) if 1 << i < threads] + [threads]
    empty, room = start(game, size), read_memory(memory)
    print_runs(runs, lambda: time_threads(empty, counts, room))


@bench.command("engines", cls=Command)
def bench_engines(
    positions: Annotated[int, typer.Option(min=2, metavar="N", help="Number of random positions per game.")] = 200,
    gear: Annotated[Gear, typer.Option(help="Run plain Python or compiled code.")] = Gear.plain,
    runs: Runs = 1,
) -> None:
    """Time the engines' moves in random positions."""
    from quintet.bench.engine_speed import time_moves
    from quintet.bench.tables import print_runs

    compiled = check_compiled(gear)
    print_runs(runs, lambda: time_moves(positions, compiled))


@bench.command("arena", cls=Command)
def bench_arena(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Number of games.")] = 20_000,
    workers: WorkersOption = None,
    gear: Annotated[Gear | None, typer.Option(help="Run plain Python or compiled code (default: both).")] = None,
    runs: Runs = 1,
) -> None:
    """Measure arena games per second, random against greedy."""
    from quintet.bench.engine_speed import time_arena
    from quintet.bench.solver_speed import installed_gears
    from quintet.bench.tables import print_runs
    from quintet.workers import read_workers

    crew = read_workers(workers)
    gears = installed_gears() if gear is None else [str(gear)]
    for name in gears:
        check_compiled(Gear(name))
    print_runs(runs, lambda: time_arena(games, crew, gears))


@bench.command("perfect", cls=Command)
def bench_perfect(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Play each game at least N times.")] = 10_000,
    workers: WorkersOption = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for openings and engines.")] = 0,
    game: Annotated[str, typer.Option(metavar="GAME", help="With --size: play this game (default: all).")] = "",
    size: Annotated[
        str,
        typer.Option(
            metavar="SIZE,...",
            help="Play these empty boards N times per engine: from the side that a theorem says wins, else from both.",
        ),
    ] = "",
    against: Annotated[
        str, typer.Option(metavar="WHO,...", help="With --size: the other players.")
    ] = "random,greedy,mcts:200",
    time: Annotated[float, typer.Option(min=0, metavar="SECONDS", help="With --size: time limit per move.")] = 1,
    cpu_time: CpuTime = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --size: write the results to FILE; games in it are not replayed."),
    ] = None,
) -> None:
    """Check that perfect never gives away a win. It plays every engine from both sides."""
    from quintet.arena.results import resume
    from quintet.arena.tournament import run
    from quintet.bench.engine_speed import check_perfect, play_empty_boards
    from quintet.bench.tables import print_table
    from quintet.games import GAMES
    from quintet.options import start
    from quintet.workers import read_workers

    missed, crew = 0, read_workers(workers)
    with progress_bar(crew) as progress:
        if size:

            def play(duels: "Sequence[Duel]") -> "Iterator[Result]":
                return resume(out, duels, lambda missing: run(missing, crew, cpu_time=cpu_time))

            boards = [start(name, one) for name in ([game] if game else GAMES) for one in size.split(",")]
            rows = play_empty_boards(boards, against.split(","), games, time, seed, play, progress)
        else:
            rows = check_perfect(games, crew, seed, progress)
        for row in rows:
            print_table([row])
            if row[0] == "all games":
                missed = int(row[-1])
            elif row[0] == "all won boards":
                missed = int(row[-2]) + int(row[-1])
    if missed:
        raise Unfinished(f"perfect gave away {missed} wins")


@bench.command("play", cls=Command)
def bench_play(
    games: Annotated[str, typer.Option(metavar="GAME,...", help="Measure only these games.")] = "",
    seconds: Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Time per row of the table.")] = 1,
    batch: Annotated[int | None, typer.Option(min=1, metavar="N", help="Batch size for JAX and Pgx.")] = None,
    only: Annotated[str, typer.Option(metavar="KEY,...", help="Measure only these, such as numba,pgx.")] = "",
    runs: Runs = 1,
    json: Json = False,
) -> None:
    """Measure the steps per second of random play. Other libraries that are installed are measured too."""
    require("random play", "envs", "numpy")
    from quintet.bench import environments as play
    from quintet.games import GAMES

    names, keys = read_names(games, list(GAMES), "game"), read_names(only, play.KEYS, "way to play")
    if json:
        rows = [row for _ in range(runs) for row in play.measure(names, seconds, batch, keys)]
        print_json([row._asdict() for row in rows])
        return
    play.print_runs(runs, lambda: play.measure(names, seconds, batch, keys))


def read_names(text: str, known: list[str], kind: str) -> list[str]:
    """Names separated by commas, all of them known."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            called = name[:40]
            hint = suggest(called, known) or f"Choose from {', '.join(known)}."
            raise Usage(f"no {kind} called {called!r}. {hint}")
    return names


@bench.command("start", cls=Command)
def bench_start(
    times: Annotated[int, typer.Option(min=1, metavar="N", help="Starts per command; the fastest counts.")] = 5,
    runs: Runs = 1,
) -> None:
    """Time each command's `--help`. That is how long a user waits before anything happens."""
    from typer.main import get_command

    from quintet.bench.tables import print_runs
    from quintet.cli import app

    print_runs(runs, lambda: time_help(["", *every_command(get_command(app))], times))


def every_command(group: "AnyCommand") -> Iterator[str]:
    """The commands of a group and of the groups in it, as they are typed."""
    if isinstance(group, Commands):
        for name, command in sorted(group.commands.items()):
            yield name
            yield from (f"{name} {inner}" for inner in every_command(command))


def time_help(commands: Iterable[str], times: int) -> Iterator["Row"]:
    """The milliseconds that each command's help takes: the fastest of several starts."""
    import subprocess
    import sys
    from time import perf_counter

    yield ("command", "ms")
    for command in commands:
        words = [sys.executable, "-m", "quintet", *command.split(), "--help"]
        took = []
        for _ in range(times):
            begun = perf_counter()
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            took.append(perf_counter() - begun)
        yield (f"quintet {command}".rstrip(), f"{1000 * min(took):.0f}")


@bench.command("judge", cls=Command)
def bench_judge(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Number of concurrent games.")] = 500,
    latency: Annotated[float, typer.Option(min=0.01, metavar="SECONDS", help="Time the model takes per answer.")] = 1.0,
    game: Annotated[str, typer.Option(metavar="GAME", help="Name of the game.")] = "isolation",
    size: Size = "31",
    opponent: Annotated[str, typer.Option(metavar="WHO", help="The model's opponent.")] = "perfect",
    runs: Runs = 1,
) -> None:
    """Time an evaluation of a slow mock model. The ratio compares it with the time the model takes alone."""
    require("evaluating players", "llm", "inspect_ai")
    from quintet.bench.evaluations import measure
    from quintet.bench.tables import print_runs
    from quintet.llm.tasks import InvalidTask

    def lines() -> Iterator["Row"]:
        found = measure(games, latency, game, opponent, size)
        yield (f"{found.games} games, {found.asked} answers, at most {found.together} in flight",)
        yield (f"{found.turns} turns of {latency:g} s: {found.bound:.1f} s; took {found.seconds:.1f} s",)
        yield (f"ratio {found.seconds / found.bound:.2f}",)

    try:
        print_runs(runs, lines)
    except InvalidTask as error:  # It must derive from Inspect's error, for Inspect to show it.
        raise Usage(str(error.message)) from None
