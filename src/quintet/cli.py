"""The command line: one short function per command, and nothing imported that a command does not use."""

import os
import sys
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from quintet.match import Match
    from quintet.solve.solver import Solver
    from quintet.solve.watch import Watch

app = typer.Typer(
    help="Five small two-player strategy games, played perfectly.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

HOW_TO_PLAY = """\
Quintet: five small two-player strategy games, played perfectly.

  quintet games            the games
  quintet rules GAME       the rules of one
  quintet play GAME        play it here, for example: quintet play gridlock
  quintet --help           everything else"""


class Usage(Exception):
    """Wrong usage: one clear line, exit status 2."""


class Unfinished(Exception):
    """The answer is not complete: one clear line, exit status 1."""


class Gear(StrEnum):
    """How the search runs."""

    plain = "plain"
    fast = "fast"


class First(StrEnum):
    """Who moves first."""

    p1 = "p1"
    p2 = "p2"
    random = "random"


GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name; `quintet games` lists them.")]
Size = Annotated[str | None, typer.Option(metavar="RxC", help="Rows x columns, or N for a line.")]
Target = Annotated[int | None, typer.Option(metavar="N", help="Points that win (Point Capture).")]
Values = Annotated[str | None, typer.Option(metavar="N,N,...", help="The cells' values, row by row (Point Capture).")]
Shuffle = Annotated[
    int | None, typer.Option(metavar="SEED", help="Deal the usual values in another order (Point Capture).")
]
Moves = Annotated[str, typer.Option(metavar="MOVES", help='Moves played so far, such as "C3; C4; C2".')]
Setup = Annotated[
    str | None, typer.Option("--position", metavar="TEXT", help='Begin from a position, such as "gridlock X./.O X".')
]
Who = Annotated[str, typer.Option(metavar="WHO", help="human or random.")]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Make chance repeatable.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Time = Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Stop after so long.")]
Memory = Annotated[str, typer.Option(metavar="SIZE", help="Take no more memory than this, such as 512M or 2G.")]


def begin(
    name: str,
    size: str | None = None,
    target: int | None = None,
    values: str | None = None,
    shuffle: int | None = None,
    moves: str = "",
    setup: str | None = None,
    first: int = 1,
) -> "Match":
    """The match that the common options describe."""
    from quintet.games import UnknownGame, find_game
    from quintet.match import Match
    from quintet.notation import InvalidMove, InvalidPosition, read_moves, read_position
    from quintet.options import InvalidOptions, start
    from quintet.rules import IllegalMove

    try:
        game = find_game(name)
        if setup is None:
            position = start(game, size, target, values, shuffle, first)
        else:
            if (size, target, values, shuffle, first) != (None, None, None, None, 1):
                raise Usage("a position already says its board and whose turn it is")
            position = read_position(setup)
            if position.game is not game:
                raise Usage(f"that is a position of {position.game.name}, not of {name}")
        return Match(position, read_moves(position, moves))
    except (UnknownGame, InvalidOptions, InvalidPosition, InvalidMove, IllegalMove) as error:
        raise Usage(str(error)) from None


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False
) -> None:
    """Five small two-player strategy games, played perfectly."""
    if version:
        from importlib.metadata import version as installed

        print(installed("quintet"))
        raise typer.Exit
    if context.invoked_subcommand is None:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from quintet.terminal.app import QuintetApp, open_store

            QuintetApp(open_store).run()
        else:
            print(HOW_TO_PLAY)


@app.command()
def games(json: Json = False) -> None:
    """List the games."""
    from quintet.games import GAMES
    from quintet.options import describe, start

    if json:
        print_json(
            [
                {
                    "name": game.name,
                    "title": game.title,
                    "summary": game.summary,
                    "options": describe(start(game).board),
                }
                for game in GAMES.values()
            ]
        )
        return
    for game in GAMES.values():
        print(f"{game.name:<16}{start(game).board.size:<6}{game.summary}")


@app.command()
def rules(game: GameName) -> None:
    """Print the rules of a game."""
    position = begin(game).position
    print(f"# {position.game.title}\n\n{position.game.manual}\n```\n{position}\n```")


@app.command()
def show(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    moves: Moves = "",
    setup: Setup = None,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the board as SVG into a file; - prints it.")
    ] = None,
) -> None:
    """Show a position: the board, whose turn it is, what may be played."""
    match = begin(game, size, target, values, shuffle, moves, setup)
    if svg:
        from quintet.picture import picture

        last = match.position.theirs & ~match.positions[-2].mine if match.moves else 0
        text = picture(match.position, last)
        if str(svg) == "-":
            print(text, end="")
            return
        try:
            svg.write_text(text, encoding="utf-8")
        except OSError as error:
            raise Usage(f"cannot write {svg}: {error.strerror}") from None
        return
    from quintet.notation import list_moves, write_position

    position = match.position
    print(position)
    print()
    print(f"Score: {position.scores[0]} to {position.scores[1]}")
    if match.outcome:
        winner = f"Player {match.outcome.winner} wins" if match.outcome.winner else "Draw"
        print(f"{winner}: {match.outcome.reason}.")
    else:
        print(f"Player {position.player} ({'XO'[position.player - 1]}) to move: {list_moves(position)}")
    print(f"Position: {write_position(position)}")


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=0, max=60, help="How many moves deep.")],
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    moves: Moves = "",
    setup: Setup = None,
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count after each first move.")] = False,
) -> None:
    """Count the move sequences of a length; the last line is the number alone."""
    from quintet import perft as counting

    position = begin(game, size, target, values, shuffle, moves, setup).position
    if divide and depth:
        parts = counting.divide(position, depth)
        for move, number in parts.items():
            print(f"{position.label(move)}: {number}")
        print(sum(parts.values()))
    else:
        print(counting.perft(position, depth))


@app.command()
def play(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    p1: Who = "human",
    p2: Who = "human",
    first: Annotated[First, typer.Option(help="Who moves first.")] = First.p1,
    moves: Moves = "",
    setup: Setup = None,
    seed: Seed = None,
) -> None:
    """Play a game here, in the rule book's own words."""
    import random

    from quintet.engines import UnknownPlayer, make_engine
    from quintet.terminal.line import Dialogue

    opener = {"p1": 1, "p2": 2}.get(first) or random.Random(seed).choice((1, 2))
    match = begin(game, size, target, values, shuffle, moves, setup, opener)
    try:
        engines = [make_engine(who, seed) for who in (p1, p2)]
    except UnknownPlayer as error:
        raise Usage(str(error)) from None
    match.names = (p1, p2)
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    Dialogue(match, engines, sys.stdin, sys.stdout).run()


@app.command()
def analyze(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    moves: Moves = "",
    setup: Setup = None,
    json: Json = False,
    time: Time = 60,
    memory: Memory = "1G",
) -> None:
    """Tell what a position and each of its moves is worth under perfect play."""
    from quintet import analysis

    match = begin(game, size, target, values, shuffle, moves, setup)
    with showing_progress() as watch:
        room = room_for_table(match, memory)
        result = analysis.analyze(match.position, seconds=time, watch=watch, memory=room)
    if json:
        print_json(analysis.facts(match, result))
    else:
        print(analysis.headline(match.position, result.value))
        if result.moves:
            print("\n" + analysis.value_map(match.position, result.moves))
            best = [match.position.label(move) for move in result.moves if result.is_best(move)]
            if best:
                print(f"\nBest: {'; '.join(best)}")
        if result.line:
            print(f"Line: {'; '.join(match.position.label(move) for move in result.line)}")
    if not result.complete:
        raise Unfinished(f"not everything is decided within {time:g} s and {memory}; the values given are right")


@app.command()
def solve(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    moves: Moves = "",
    setup: Setup = None,
    json: Json = False,
    time: Annotated[float | None, typer.Option(min=0, metavar="SECONDS", help="Stop after so long.")] = None,
    memory: Memory = "1G",
    gear: Annotated[
        Gear | None, typer.Option(help="Plain Python or compiled; by default what suits the board.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Solve anew what was solved and kept before.")] = False,
) -> None:
    """Solve a position: its value and its best moves, on boards as big as time and memory allow."""
    from platformdirs import user_cache_path

    from quintet.analysis import headline
    from quintet.solve.solution import solve as find

    match = begin(game, size, target, values, shuffle, moves, setup)
    chosen = check_gear(match, gear)
    keep = None if fresh else user_cache_path("quintet") / "solutions"
    with showing_progress() as watch:
        room = room_for_table(match, memory, chosen)
        found = find(match.position, chosen, room, time, watch, keep)
    best = [match.position.label(move) for move in found.best]
    if json:
        print_json(
            {
                "value": found.value.facts(),
                "best": best,
                "nodes": found.nodes,
                "seconds": round(found.seconds, 3),
                "gear": found.gear,
            }
        )
    else:
        print(headline(match.position, found.value))
        if best:
            print(f"Best: {'; '.join(best)}")
        print(f"{found.nodes:,} positions in {found.seconds:.3f} s, {found.gear} gear")
    if not found.complete:
        raise Unfinished("stopped before everything was decided; what is said is right")


def check_gear(match: "Match", gear: "Gear | None") -> str | None:
    """The gear asked for, if it can be had."""
    from importlib.util import find_spec

    if gear == "fast" and not find_spec("numba"):
        raise Usage("the compiled gear needs the extra: pip install 'quintet[fast]'")
    if gear == "fast" and match.position.board.cells > 63:
        raise Usage("the compiled gear takes boards of up to 63 cells")
    return gear and str(gear)


def room_for_table(match: "Match", memory: str, gear: str | None = None) -> int:
    """What is left for a search when the whole program is to stay within a limit."""
    from quintet.solve.memory import InvalidMemory, read_memory, table_room

    try:
        return table_room(match.position, read_memory(memory), gear)
    except InvalidMemory as error:
        raise Usage(str(error)) from None


@contextmanager
def showing_progress() -> "Iterator[Watch]":
    """A line about a long search on the terminal, gone when it is over."""
    import time

    begun = time.monotonic()
    shown = [begun]

    def watch(solver: "Solver") -> None:
        now = time.monotonic()
        if not sys.stderr.isatty() or now - begun < 0.5 or now - shown[0] < 0.2:
            return
        shown[0] = now
        known = f"value {solver.known()}"
        rate = solver.nodes / (now - begun)
        text = f"{solver.nodes:,} positions, {rate:,.0f} a second, {known}, table {solver.fill:.0%} full"
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    try:
        yield watch
    finally:
        if shown[0] != begun:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@app.command()
def verify(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    moves: Moves = "",
    setup: Setup = None,
    json: Json = False,
    gear: Annotated[Gear | None, typer.Option(help="The gear of the search that is put to the proof.")] = None,
) -> None:
    """Prove the values of all positions from the rules alone, and that the search knows them."""
    from importlib.util import find_spec

    if not find_spec("numpy"):
        raise Usage("a proof needs NumPy, which comes with an extra: pip install 'quintet[fast]'")
    from quintet.solve import verify as proof

    match = begin(game, size, target, values, shuffle, moves, setup)

    def progress(stage: str, share: float) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{stage} {share:4.0%}" if stage else "\r\x1b[K", end="", file=sys.stderr, flush=True)

    try:
        found = proof.verify(match.position, check_gear(match, gear), progress)
    except proof.TooLarge as error:
        raise Usage(str(error)) from None
    except proof.Disproved as error:
        raise Unfinished(str(error)) from None
    finally:
        progress("", 0)
    if json:
        print_json({**found._asdict(), "value": found.value.facts()})
        return
    print(f"{match.position.game.title} {match.position.board.size}: {found.value} for the player to move, proved")
    counts = {
        "positions": found.positions,
        "before a pass": found.before_passes,
        "before the target": found.before_target,
        "wins": found.wins,
        "losses": found.losses,
        "draws": found.draws,
        "search agrees": found.compared,
    }
    for name, number in counts.items():
        if number is not None:
            print(f"{name:<18}{number:>12,}")
    print(f"checksum          {found.checksum}\nA position is told by {found.told_by}.")


@app.command()
def solutions() -> None:
    """Print the page of solved boards, Markdown."""
    from quintet.solutions import page

    def progress(board: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{board}", end="", file=sys.stderr, flush=True)

    text = page(progress)
    progress("")
    print(text, end="")


bench = typer.Typer(help="Measure the program, each part beside its peer.", rich_markup_mode=None)
app.add_typer(bench, name="bench")


@bench.command("solve")
def bench_solve(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game only.")] = None,
    limit: Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Give up a board after so long.")] = 60,
    memory: Memory = "2G",
    boards: Annotated[bool, typer.Option(help="Solve empty boards.")] = True,
    grading: Annotated[bool, typer.Option(help="Grade random positions.")] = True,
) -> None:
    """Time exact values: random positions at the rule books' sizes, then bigger and bigger empty boards."""
    from quintet import bench as measure
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
        measure.print_table(measure.grading(names), print)
        print()
    if boards:
        measure.print_table(measure.boards(names, limit, room), print)


def print_json(data: object) -> None:
    """Print data as JSON."""
    import json

    print(json.dumps(data, indent=2))


def main() -> None:
    """Run a command; a person never sees a traceback."""
    status = 0
    try:
        command = typer.main.get_command(app)
        with command.make_context("quintet", sys.argv[1:]) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as exit:
        status = exit.exit_code
    except Usage as error:
        print(f"quintet: {error}", file=sys.stderr)
        status = 2
    except Unfinished as error:
        print(f"quintet: {error}", file=sys.stderr)
        status = 1
    except typer.TyperException as error:
        print(f"quintet: {error.format_message()} (quintet --help lists what there is)", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
    except BrokenPipeError:
        # Whoever read our output has gone. What is still in the buffer must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(status)
