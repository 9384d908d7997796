"""Benchmarks as commands: `bench start`, `solve`, `engines`, `arena`, `perfect`, `play`, `serve` and `judge`."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quintet.cli.common import (
    WEB,
    Gear,
    Jobs,
    Json,
    Memory,
    Size,
    Unfinished,
    Usage,
    begin,
    check_compiled,
    need,
    print_json,
)
from quintet.cli.parser import Command
from quintet.cli.progress import progress_bar

if TYPE_CHECKING:
    from quintet.bench.meter import Figures
    from quintet.bench.solver_speed import Row

bench = typer.Typer(help="Measure the program, each part beside its peer.", rich_markup_mode=None)


@bench.command("solve", cls=Command)
def bench_solve(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game only.")] = None,
    time: Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Give up a board after so long.")] = 60,
    memory: Memory = "2G",
    boards: Annotated[bool, typer.Option(help="Solve empty boards.")] = True,
    grading: Annotated[bool, typer.Option(help="Grade random positions.")] = True,
) -> None:
    """Time exact values. First come random positions at the rule books' sizes, then bigger and bigger empty boards."""
    from quintet.bench import solver_speed as measure
    from quintet.games import GAMES
    from quintet.solve.memory import InvalidMemory, read_memory

    if game is not None:
        begin(game)
    names = list(GAMES) if game is None else [game]
    try:
        room = read_memory(memory)
    except InvalidMemory as error:
        raise Usage(str(error)) from None
    if grading:
        measure.print_table(measure.grading(names))
        print()
    if boards:
        measure.print_table(measure.boards(names, time, room))
        print()
        measure.print_table(measure.midgame(names, time, room))


@bench.command("engines", cls=Command)
def bench_engines(
    positions: Annotated[int, typer.Option(min=2, metavar="N", help="Random positions of each game.")] = 200,
    gear: Annotated[Gear, typer.Option(help="Plain Python or compiled.")] = Gear.plain,
) -> None:
    """Time the engines' moves in random positions of the usual sizes."""
    from quintet.bench import solver_speed as measure

    measure.print_table(measure.answers(positions, check_compiled(gear)))


@bench.command("arena", cls=Command)
def bench_arena(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games of random against greedy.")] = 20_000,
    jobs: Jobs = None,
    gear: Annotated[Gear | None, typer.Option(help="Plain Python or compiled; by default both.")] = None,
) -> None:
    """Count the games of the arena in a second. Random plays greedy."""
    from quintet.bench import solver_speed as measure

    gears = measure.gears() if gear is None else [str(gear)]
    for name in gears:
        check_compiled(Gear(name))
    measure.print_table(measure.throughput(games, jobs, gears))


@bench.command("perfect", cls=Command)
def bench_perfect(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games of each game, at least.")] = 10_000,
    jobs: Jobs = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed, other games.")] = 0,
) -> None:
    """Let perfect play everyone from both sides. The won games it lost are counted: there must be none."""
    from quintet.bench import solver_speed as measure

    lost = 0
    with progress_bar() as progress:
        for row in measure.perfection(games, jobs, seed, progress):
            measure.print_table([row])
            lost = int(row[-1]) if row[0] == "all games" else lost
    if lost:
        raise Unfinished(f"perfect lost {lost} games that were won")


@bench.command("play", cls=Command)
def bench_play(
    games: Annotated[str, typer.Option(metavar="GAME,...", help="Some games only.")] = "",
    seconds: Annotated[float, typer.Option(min=0, metavar="SECONDS", help="For each line of the table.")] = 1,
    batch: Annotated[int | None, typer.Option(min=1, metavar="N", help="Games at once in JAX and Pgx.")] = None,
    only: Annotated[str, typer.Option(metavar="KEY,...", help="Some ways to play only, such as numba,pgx.")] = "",
    json: Json = False,
) -> None:
    """Count the steps of random play in a second. Ours stand beside the peers that are installed."""
    need("random play", "envs", "numpy")
    from quintet.bench import environments as play
    from quintet.games import GAMES

    names, keys = read_list(games, list(GAMES), "game"), read_list(only, play.KEYS, "way to play")
    if json:
        rows = list(play.measure(names, seconds, batch, keys))
        print_json([row._asdict() for row in rows])
        return
    play.print_table(play.measure(names, seconds, batch, keys))


def read_list(text: str, known: list[str], kind: str) -> list[str]:
    """Names with commas between them, all of them known."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise Usage(f"there is no {kind} {name[:40]!r}: there are {', '.join(known)}")
    return names


@bench.command("start", cls=Command)
def bench_start(
    times: Annotated[int, typer.Option(min=1, metavar="N", help="How often to start each; the fastest counts.")] = 5,
) -> None:
    """Time every command's way to its help. That is what a person waits for before anything happens."""
    from typer.main import get_command

    from quintet.bench import solver_speed as measure
    from quintet.cli import app

    measure.print_table(start_times(["", *every_command(get_command(app))], times))


def every_command(group: Any) -> Iterator[str]:
    """The commands of a group, and those of the groups in it, as they are typed."""
    for name, command in sorted(getattr(group, "commands", {}).items()):
        yield name
        yield from (f"{name} {inner}" for inner in every_command(command))


def start_times(commands: Iterable[str], times: int) -> Iterator["Row"]:
    """How many milliseconds each command's help takes, the fastest of several times."""
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


@bench.command("serve", cls=Command)
def bench_serve(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game only; by default all in turn.")] = None,
    size: Annotated[str | None, typer.Option(metavar="RxC", help="Another board than the rule book's.")] = None,
    matches: Annotated[int, typer.Option(min=1, metavar="N", help="Matches at once.")] = 100,
    engines: Annotated[int, typer.Option(min=0, metavar="N", help="Matches against an engine.")] = 0,
    engine: Annotated[str, typer.Option(metavar="WHO", help="Which engine.")] = "level:5",
    sockets: Annotated[int, typer.Option(min=0, metavar="N", help="Open sockets in all; the rest watches.")] = 0,
    pace: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Between the moves of a match, in the mean; 0 is flat out.")
    ] = 0,
    seconds: Annotated[float, typer.Option(min=0.1, metavar="SECONDS", help="How long to measure.")] = 10,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="A server that runs already, with --no-limits.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="The store of the server to begin; by default a scratch file.")
    ] = None,
    json: Json = False,
) -> None:
    """Play many matches at once over real sockets. It tells moves a second, their times, memory and errors."""
    from dataclasses import asdict

    from msgspec import structs

    from quintet.bench import solver_speed as measure
    from quintet.games import GAMES

    if game is not None:
        begin(game, size=size)
    elif size is not None:
        raise Usage("a size needs a game")
    need("the web table", "web", *WEB)
    from quintet.bench import web_load as load

    plan = load.Plan(
        tuple(GAMES) if game is None else (game,), size, matches, min(engines, matches), engine, sockets, pace
    )
    try:
        figures = load.run(plan, seconds, url, database)
    except load.LoadFault as fault:
        raise Unfinished(str(fault)) from None
    if json:
        print_json({**asdict(plan), **structs.asdict(figures)})
    else:
        measure.print_table(figures_table(figures))
    if figures.errors:
        raise Unfinished(f"{sum(figures.errors.values())} errors")


def figures_table(figures: "Figures") -> Iterator["Row"]:
    """What came of a load, a line each, with whatever went wrong."""
    yield ("moves a second", f"{figures.moves_per_second:,.0f}", f"  ({figures.moves:,} in {figures.seconds:.0f} s)")
    yield ("engines' moves", f"{figures.engine_moves:,}")
    for name, time in (
        ("half within", figures.p50_ms),
        ("99 % within", figures.p99_ms),
        ("all within", figures.max_ms),
    ):
        yield (name, "-" if time is None else f"{time:.1f} ms")
    if figures.server_mb is not None:
        yield ("server's memory", f"{figures.server_mb:.0f} MB")
        yield ("server's cores", f"{figures.server_cores:.2f}")
    yield ("clients' cores", f"{figures.client_cores:.2f}")
    yield ("errors", str(sum(figures.errors.values())))
    for error, times in figures.errors.items():
        yield (f"{times} times:", f" {error}")


@bench.command("judge", cls=Command)
def bench_judge(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games at once.")] = 500,
    latency: Annotated[float, typer.Option(min=0.01, metavar="SECONDS", help="How long every answer takes.")] = 1.0,
    game: Annotated[str, typer.Option(metavar="GAME", help="Which game.")] = "isolation",
    size: Size = "31",
    opponent: Annotated[str, typer.Option(metavar="WHO", help="Who sits opposite.")] = "perfect",
) -> None:
    """Play many games at once against a slow mock model. Their time is compared with what the model takes alone."""
    need("judging agents", "llm", "inspect_ai")
    from quintet.bench.evaluations import measure
    from quintet.llm.tasks import InvalidTask

    try:
        found = measure(games, latency, game, opponent, size)
    except InvalidTask as error:
        raise Usage(str(error.message)) from None
    print(f"{found.games} games, {found.asked} answers, up to {found.together} awaited at a time")
    print(f"{found.turns} turns of {latency:g} s: {found.bound:.1f} s; took {found.seconds:.1f} s")
    print(f"{found.seconds / found.bound:.2f}")
