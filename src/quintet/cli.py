"""The command line: one short function per command, and nothing imported that a command does not use."""

import os
import sys
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

    from quintet.engines import Engine
    from quintet.match import Match
    from quintet.puzzles import Puzzle
    from quintet.solve.solver import Solver
    from quintet.solve.watch import Watch
    from quintet.store import Store

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

LONGEST_REVIEW = 60.0
"""Seconds for finding the mistakes of a recorded game."""


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
Who = Annotated[
    str,
    typer.Option(metavar="WHO", help="human, random, greedy, level:1 to level:10, mcts[:N], perfect or exec:COMMAND."),
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Make chance repeatable.")]
Jobs = Annotated[int | None, typer.Option(min=1, metavar="N", help="Processes at work; by default one for each core.")]
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
    first: int | None = None,
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
            position = start(game, size, target, values, shuffle, first or 1)
        else:
            if any(given is not None for given in (size, target, values, shuffle, first)):
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
        write_text(svg, text)
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
    first: Annotated[First | None, typer.Option(help="Who moves first; by default Player 1.")] = None,
    moves: Moves = "",
    setup: Setup = None,
    seed: Seed = None,
    time: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="How long an engine may think about a move.")
    ] = None,
    no_save: Annotated[bool, typer.Option("--no-save", help="Do not keep the match.")] = False,
) -> None:
    """Play a game here, in the rule book's own words."""
    import random

    from quintet.protocol import LONGEST_TIME

    opener = {None: None, "p1": 1, "p2": 2}.get(first, random.Random(seed).choice((1, 2)))
    match = begin(game, size, target, values, shuffle, moves, setup, opener)
    if time is not None and not 0 <= time <= LONGEST_TIME:
        raise Usage(f"the time for a move lies between 0 and {LONGEST_TIME:.0f} seconds")
    match.names = (p1, p2)
    sit_down(match, seats(p1, p2, seed), time, not no_save)


def seats(p1: str, p2: str, seed: int | None) -> "list[Engine | None]":
    """The players that two descriptions name."""
    from quintet.engines import UnknownPlayer, make_engine

    try:
        return [make_engine(who, None if seed is None else 2 * seed + seat) for seat, who in enumerate((p1, p2))]
    except UnknownPlayer as error:
        raise Usage(str(error)) from None


def sit_down(
    match: "Match",
    engines: "list[Engine | None]",
    seconds: float | None = None,
    save: bool = True,
    id: str | None = None,
) -> None:
    """Play a match on, and keep it, where it is kept already if it has an id."""
    from quintet.keeper import Keeper
    from quintet.terminal.line import Dialogue

    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]

    def complain(reason: str) -> None:
        print(f"quintet: this match is not kept: {reason}", file=sys.stderr)

    keeper = Keeper(match, complain, id) if save else None
    try:
        Dialogue(match, engines, sys.stdin, sys.stdout, seconds, keeper).run()
    finally:
        if keeper:
            keeper.close()
    if match.outcome and match.outcome.kind == "forfeit":
        raise typer.Exit(1)


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
        raise Unfinished("stopped before everything was decided; what is said is right")


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
    from quintet.solve import solution

    match = begin(game, size, target, values, shuffle, moves, setup)
    position, chosen = match.position, check_gear(match, gear)
    folder = user_cache_path("quintet") / "solutions"
    found = None if fresh or gear else solution.read(folder, position)
    if found is None:
        with showing_progress() as watch:
            found = solution.solve(position, chosen, room_for_table(match, memory, chosen), time, watch)
        solution.keep(folder, position, found)
    best, keeps_win = ([position.label(move) for move in found_moves] for found_moves in (found.best, found.keeps_win))
    if json:
        facts = {"value": found.value.facts(), "best": best, "nodes": found.nodes, "seconds": round(found.seconds, 3)}
        print_json(facts | {"gear": found.gear} | ({"keeps_win": keeps_win} if keeps_win else {}))
    else:
        print(headline(position, found.value))
        for name, labels in (("Best", best), ("Keeps the win", keeps_win)):
            if labels:
                print(f"{name}: {'; '.join(labels)}")
        print(f"{found.nodes:,} positions in {found.seconds:.3f} s, {found.gear} gear")
    if not found.complete:
        raise Unfinished("stopped before everything was decided; what is said is right")


def check_gear(match: "Match", gear: "Gear | None") -> str | None:
    """The gear asked for, if it can be had."""
    from importlib.util import find_spec

    from quintet.gears import WORD_CELLS

    if gear == "fast" and not find_spec("numba"):
        raise Usage("the compiled gear needs the extra: pip install 'quintet[fast]'")
    if gear == "fast" and match.position.board.cells > WORD_CELLS:
        raise Usage(f"the compiled gear takes boards of up to {WORD_CELLS} cells")
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
    from shutil import get_terminal_size

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
        print(f"\r\x1b[K{text[: get_terminal_size().columns - 1]}", end="", file=sys.stderr, flush=True)

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
        print()
        measure.print_table(measure.midgame(names, limit, room), print)


@app.command()
def engine(
    who: Annotated[str, typer.Argument(metavar="[WHO]", help="Who plays, as in `quintet play`.")] = "perfect",
    seed: Seed = None,
) -> None:
    """Serve a player to other programs, over the line protocol on standard input and output."""
    from quintet.engines import UnknownPlayer, make_engine
    from quintet.engines.server import Server

    try:
        player = make_engine(who, seed)
    except UnknownPlayer as error:
        raise Usage(str(error)) from None
    if player is None:
        raise Usage("a person cannot be served: choose an engine")
    try:
        Server(player, f"Quintet {who}").run(sys.stdin.buffer, sys.stdout.buffer)
    except KeyboardInterrupt:
        pass  # That is how a person ends a server.
    finally:
        player.close()


@app.command()
def review(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as `save` writes it.")],
    json: Json = False,
    svg: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the value over the game as SVG into a file; - prints it.")
    ] = None,
    time: Time = 60,
    memory: Memory = "1G",
) -> None:
    """Grade every move of a recorded game against perfect play."""
    from quintet import review as reviewing

    if json and str(svg) == "-":
        raise Usage("print either JSON or the picture")
    match = replay_file(file)
    with showing_progress() as watch:
        found = reviewing.review(match, seconds=time, watch=watch, memory=room_for_table(match, memory))
    if svg:
        write_text(svg, reviewing.value_graph(found))
    if json:
        print_json(reviewing.facts(found))
    elif str(svg) != "-":
        print(reviewing.report(found))
    if not found.complete:
        raise Unfinished(f"not everything is decided within {time:g} s and {memory}; the grades given are right")


@app.command()
def puzzle(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="The game; by default chance chooses.")] = None,
    rating: Annotated[
        int | None, typer.Option(min=1, max=10, metavar="N", help="How hard, 1 to 10; the nearest that is found.")
    ] = None,
    seed: Seed = None,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    day: Annotated[str | None, typer.Option(metavar="YYYY-MM-DD", help="The puzzle of that day.")] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="The mistakes of a recorded game.")
    ] = None,
    player: Annotated[int | None, typer.Option(min=1, max=2, help="Whose mistakes, with --from.")] = None,
    solution: Annotated[bool, typer.Option("--solution", help="Print the solution instead of asking.")] = False,
    json: Json = False,
) -> None:
    """Find the one move that wins; without arguments, the puzzle of the day."""
    from quintet import puzzles
    from quintet.terminal.puzzle import Quiz

    made = (game, rating, seed, size, target, values, shuffle)
    if sum((made != (None,) * len(made), day is not None, source is not None)) > 1:
        raise Usage("choose one: a game with its options, --day, or --from")
    if player and not source:
        raise Usage("--player goes with --from")
    if source:
        chosen = own_mistakes(source, player)
    elif any(option is not None for option in made):
        chosen = [new_puzzle(game, rating, seed, size, target, values, shuffle)]
    else:
        chosen = [puzzles.puzzle_of_the_day(read_day(day))]
    if json:
        found = [puzzles.facts(one, solution) for one in chosen]
        print_json(found if source else found[0])
        return
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    for one in chosen:
        if not Quiz(one, sys.stdin, sys.stdout).run(solution):
            return


def new_puzzle(
    name: str | None,
    rating: int | None,
    seed: int | None,
    size: str | None,
    target: int | None,
    values: str | None,
    shuffle: int | None,
) -> "Puzzle":
    """The puzzle that the options describe; what they leave open is left to chance."""
    import random

    from quintet.games import GAMES
    from quintet.puzzles import NoPuzzle, make_puzzle

    if name is None and (size, target, values, shuffle) != (None,) * 4:
        raise Usage("a board needs its game: quintet puzzle GAME")
    if seed is None:
        seed = random.randrange(1_000_000)
    empty = begin(name or random.Random(seed).choice(list(GAMES)), size, target, values, shuffle).position
    try:
        return make_puzzle(empty.game, seed, rating, empty)
    except NoPuzzle as error:
        raise Unfinished(str(error)) from None


def own_mistakes(file: Path, player: int | None) -> "list[Puzzle]":
    """The puzzles in a recorded game."""
    from quintet.puzzles import mistakes
    from quintet.review import review as look_at
    from quintet.solve.solver import Solver

    match = replay_file(file)
    solver = Solver(match.position.game, match.position.board)
    with showing_progress() as watch:
        found = mistakes(look_at(match, solver, LONGEST_REVIEW, watch), solver, player)
    if not found:
        whose = f"Player {player}'s" if player else "either player's"
        raise Unfinished(f"{file}: no move of {whose} is known to have changed the outcome")
    return found


def read_day(text: str | None) -> "date":
    """A date, today if none is given."""
    from datetime import date

    try:
        return date.today() if text is None else date.fromisoformat(text)
    except ValueError:
        raise Usage(f"cannot read the day {text[:20]!r}: write it as 2026-11-15") from None  # type: ignore[index]


def replay_file(file: Path) -> "Match":
    """The match in a record file."""
    from quintet.match import replay
    from quintet.record import InvalidRecord, load_record

    try:
        return replay(load_record(file))
    except InvalidRecord as error:
        raise Usage(str(error)) from None


def write_text(file: Path, text: str) -> None:
    """Text into a file; - prints it."""
    if str(file) == "-":
        print(text, end="")
        return
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Usage(f"cannot write {file}: {error.strerror}") from None


@bench.command("engines")
def bench_engines(
    positions: Annotated[int, typer.Option(min=2, metavar="N", help="Random positions of each game.")] = 200,
    gear: Annotated[Gear, typer.Option(help="Plain Python or compiled.")] = Gear.plain,
) -> None:
    """Time the engines' moves in random positions at the rule books' sizes."""
    from quintet import bench as measure

    measure.print_table(measure.answers(positions, check_compiled(gear)), print)


@bench.command("arena")
def bench_arena(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games of random against greedy.")] = 20_000,
    jobs: Jobs = None,
    gear: Annotated[Gear | None, typer.Option(help="Plain Python or compiled; by default both.")] = None,
) -> None:
    """Count how many games of random against greedy the arena plays in a second."""
    from quintet import bench as measure

    gears = measure.gears() if gear is None else [str(gear)]
    for name in gears:
        check_compiled(Gear(name))
    measure.print_table(measure.throughput(games, jobs, gears), print)


@bench.command("perfect")
def bench_perfect(
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games of each game, at least.")] = 10_000,
    jobs: Jobs = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed, other games.")] = 0,
) -> None:
    """Let perfect play everyone from both sides, and count the won games it lost: there must be none."""
    from quintet import bench as measure

    lost = 0

    def emit(line: str) -> None:
        print(line, flush=True)

    with progress_bar() as progress:
        for row in measure.perfection(games, jobs, seed, progress):
            measure.print_table(iter([row]), emit)
            lost = int(row[-1]) if row[0] == "all games" else lost
    if lost:
        raise Unfinished(f"perfect lost {lost} games that were won")


def check_compiled(gear: Gear) -> bool:
    """Whether the compiled gear is asked for, which must be there then."""
    from importlib.util import find_spec

    if gear == Gear.fast and not find_spec("numba"):
        raise Usage("the compiled gear needs the extra: pip install 'quintet[fast]'")
    return gear == Gear.fast


@app.command()
def arena(
    players: Annotated[
        str, typer.Option(metavar="WHO,WHO,...", help="The players, as `quintet play` takes them, but human.")
    ] = "",
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Games of each pair, at least.")] = 200,
    game: Annotated[str, typer.Option(metavar="GAME", help="One game, or all, which share the number.")] = "all",
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed, other openings and other luck.")] = 0,
    seconds: Annotated[float | None, typer.Option(min=0, metavar="S", help="Time for a move.")] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="Each level against the one below it.")] = False,
    jobs: Jobs = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the results; what is there already counts.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the ratings (extra: plots).")] = None,
    json: Json = False,
) -> None:
    """Let engines play each other, every opening from both sides, and rate them."""
    from importlib.util import find_spec

    from quintet import arena as tournament
    from quintet.games import GAMES
    from quintet.notation import write_position
    from quintet.results import InvalidResults, keep, read_results

    names = check_players(players, ladder)
    if plot and not find_spec("matplotlib"):
        raise Usage("a plot needs the extra: pip install 'quintet[plots]'")
    boards = [
        write_position(begin(name, size, target, values, shuffle).position)
        for name in (GAMES if game == "all" else [game])
    ]
    pairs = tournament.neighbours(names) if ladder else tournament.every_pair(names)
    duels = tournament.schedule(pairs, boards, games, seed, seconds)
    try:
        known = read_results(out) if out else {}
        results = [known[duel] for duel in duels if duel in known]
        missing = [duel for duel in duels if duel not in known]
        played = tournament.run(missing, jobs)
        with progress_bar() as progress:
            for result in keep(out, played) if out else played:
                results.append(result)
                progress(len(results), len(duels))
    except InvalidResults as error:
        raise Usage(str(error)) from None
    found = tournament.standing(names, results)
    if plot:
        try:
            tournament.plot(found, str(plot))
        except (OSError, ValueError) as error:
            raise Usage(f"cannot write {plot}: {getattr(error, 'strerror', None) or error}") from None
    if json:
        print_json(tournament.facts(found))
    else:
        print("\n".join(tournament.ladder_table(names, found) if ladder else tournament.rating_table(found)))


def check_players(players: str, ladder: bool) -> list[str]:
    """The players of a tournament."""
    from quintet.engines import UnknownPlayer, make_engine
    from quintet.engines.level import LEVELS

    if ladder and players:
        raise Usage("the ladder has its own players: the levels")
    names = LEVELS if ladder else [name.strip() for name in players.split(",") if name.strip()]
    if len(names) < 2:
        raise Usage("name two players or more, such as --players random,greedy")
    if len(set(names)) < len(names):
        raise Usage("name each player once")
    try:
        for name in names:
            engine = make_engine(name)
            if engine is None:
                raise Usage("a person cannot play in the arena")
            engine.close()
    except UnknownPlayer as error:
        raise Usage(str(error)) from None
    return names


@contextmanager
def progress_bar() -> "Iterator[Callable[[int, int], None]]":
    """A bar on the terminal that is told how much of all is done; gone in the end."""
    import time

    begun = time.monotonic()
    before: list[int] = []
    shown = [0.0]

    def show(done: int, whole: int) -> None:
        now = time.monotonic()
        if not before:
            before.append(done - 1)
        if not sys.stderr.isatty() or now - shown[0] < 0.1:
            return
        shown[0] = now
        rate = (done - before[0]) / max(now - begun, 1e-6)
        bar = "#" * (30 * done // whole)
        text = f"[{bar:<30}] {done:,} of {whole:,}, {rate:,.0f} a second, {(whole - done) / rate:,.0f} s left"
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    try:
        yield show
    finally:
        if shown[0]:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


MatchId = Annotated[str, typer.Argument(metavar="ID", help="The match; `quintet history` lists them.")]


@app.command()
def history(
    json: Json = False,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, metavar="N", help="Show no more than so many.")] = 20,
) -> None:
    """List the matches that are kept, the latest first."""
    with opened_store() as store:
        entries = store.entries(limit)
    if json:
        from dataclasses import asdict

        print_json([{**asdict(entry), "updated": entry.updated.isoformat()} for entry in entries])
        return
    if not entries:
        print("No matches are kept yet; `quintet play` keeps each one.")
        return
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    rows = [("ID", "WHEN", "GAME", "SIZE", "PLAYERS", "PLIES", "RESULT")]
    for entry in entries:
        names = ", ".join(name if len(name) <= 20 else name[:19] + "…" for name in entry.names)
        players = "".join(character if character.isprintable() else "?" for character in names)
        when = f"{entry.updated.astimezone():%Y-%m-%d %H:%M}"
        rows.append((entry.id, when, entry.game, entry.size, players, str(entry.plies), entry.result))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


@app.command()
def resume(
    id: Annotated[str | None, typer.Argument(metavar="[ID]", help="The match; by default the latest.")] = None,
    p1: Annotated[str | None, typer.Option(metavar="WHO", help="Who plays on as Player 1.")] = None,
    p2: Annotated[str | None, typer.Option(metavar="WHO", help="Who plays on as Player 2.")] = None,
    seed: Seed = None,
) -> None:
    """Go on with a match that was left, between the same players unless you name others."""
    from quintet.record import UNFINISHED

    with opened_store() as store:
        if id is None:
            left = store.entries(unfinished=True)
            if not left:
                raise Usage("no match was left unfinished")
            id = left[0].id
        match, result = store.load(id), store.record(id).result
        if result != UNFINISHED:
            raise Usage(f"match {id} is over: {result}")
        engines = seats(p1 or take_seat(match.names[0]), p2 or take_seat(match.names[1]), seed)
        if p1 or p2:
            match.names = (p1 or match.names[0], p2 or match.names[1])
            store.rename(id, match.names)
    sit_down(match, engines, id=id)


def take_seat(name: str) -> str:
    """Who plays under a name that is kept: the engine of that name, or else a person."""
    from quintet.engines import HUMAN, UnknownPlayer, make_engine

    if name.startswith("exec:"):
        # The name may have come with somebody else's record, and opening a file must not start a program.
        raise Usage(f"a player was a program; to start it again, name it with --p1 or --p2: '{name}'")
    try:
        make_engine(name)
    except UnknownPlayer:
        return HUMAN
    return name


@app.command()
def export(
    id: MatchId, file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Where to write it.")] = None
) -> None:
    """Print a match as a record, or write it to a new file."""
    from quintet.record import write_record

    with opened_store() as store:
        text = write_record(store.record(id))
    if file is None:
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
        print(text, end="")
        return
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise Usage(f"there is a file {file} already; choose another name") from None
    except OSError as error:
        raise Usage(f"cannot write {file}: {error.strerror}") from None


@app.command("import")
def bring_in(files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records.")]) -> None:
    """Keep the matches that records tell of; one wrong record, and none is kept."""
    from quintet.record import LARGEST_RECORD, InvalidRecord, read_record

    records = []
    for file in files:
        try:
            with file.open(encoding="utf-8") as stream:
                records.append(read_record(stream.read(LARGEST_RECORD + 1)))
        except InvalidRecord as error:
            raise Usage(f"{file}: {error}") from None
        except UnicodeDecodeError:
            raise Usage(f"{file}: line 1: this is no text in UTF-8") from None
        except OSError as error:
            raise Usage(f"cannot read {file}: {error.strerror}") from None
    with opened_store() as store:
        for file, record in zip(files, records, strict=True):
            print(f"{store.add(record)}  {file}")


@contextmanager
def opened_store() -> "Iterator[Store]":
    """The store of matches; what is wrong with it is one clear line."""
    from quintet.store import Store, StoreFault, UnknownMatch

    try:
        with Store() as store:
            yield store
    except UnknownMatch as error:
        raise Usage(str(error)) from None
    except StoreFault as error:
        raise Unfinished(str(error)) from None


def print_json(data: object) -> None:
    """Print data as JSON."""
    import json

    print(json.dumps(data, indent=2))


def discard_output() -> None:
    """Our reader has gone, or its disk is full: what is still in the buffer must not be written at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run a command; a person never sees a traceback."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # Whoever started the program closed it.
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - it stays open to the end
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
        print("\nquintet: interrupted", file=sys.stderr)
        status = 1
    except MemoryError:
        print("quintet: out of memory", file=sys.stderr)
        status = 1
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        discard_output()
        print(f"quintet: {error.strerror or error}", file=sys.stderr)
        status = 1
    sys.exit(status)
