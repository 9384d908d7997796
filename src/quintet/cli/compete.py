"""The command to let engines compete: `arena`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from quintet.cli.board_options import Shuffle, Size, Target, Values
from quintet.cli.common import (
    CpuTime,
    Json,
    MoveTime,
    Unfinished,
    Usage,
    WorkersOption,
    print_json,
    require,
)
from quintet.cli.progress import progress_bar
from quintet.safe_text import escape


def arena(
    players: Annotated[
        str, typer.Option(metavar="WHO,WHO,...", help="Players as for `quintet play`, except human.")
    ] = "",
    games: Annotated[int, typer.Option(min=1, metavar="N", help="Play at least N games per pair.")] = 200,
    game: Annotated[str, typer.Option(metavar="GAME", help="Play only this game; `all` plays each in turn.")] = "all",
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed for openings and engines.")] = 0,
    time: MoveTime = None,
    cpu_time: CpuTime = False,
    ladder: Annotated[bool, typer.Option("--ladder", help="Play each level against the level below it.")] = False,
    workers: WorkersOption = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the results to FILE; games already in it are not replayed."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Plot the ratings to FILE, replacing it (extra: plots).")
    ] = None,
    json: Json = False,
) -> None:
    """Run a tournament between engines and rate them. Each opening is played from both sides."""
    import signal
    from contextlib import redirect_stdout

    from quintet.arena import standings, tournament
    from quintet.arena.results import Result, resume
    from quintet.games import GAMES
    from quintet.notation import write_position
    from quintet.options import start
    from quintet.workers import WorkerDied, read_workers

    crew = read_workers(workers)
    names = check_players(players, ladder)
    if plot:
        require("a plot", "plots", "matplotlib")
    boards = [
        write_position(start(name, size, target, values, shuffle)) for name in (GAMES if game == "all" else [game])
    ]
    pairs = tournament.neighbours(names) if ladder else tournament.every_pair(names)
    duels = tournament.schedule(pairs, boards, games, seed, time)
    signal.signal(signal.SIGTERM, interrupt)
    results: list[Result] = []
    try:
        # What a plug-in prints must not get between the results.
        with progress_bar(crew) as progress, redirect_stdout(sys.stderr):
            for result in resume(out, duels, lambda missing: tournament.run(missing, crew, cpu_time=cpu_time)):
                results.append(result)
                progress(len(results), len(duels))
    except WorkerDied as error:
        raise Unfinished(f"{error}; the results so far are saved" if out else str(error)) from None
    places = {duel: place for place, duel in enumerate(duels)}
    results.sort(key=lambda result: places[result.duel])  # The same table, whoever was faster.
    found = standings.standing(names, results)
    rungs = standings.ladder(names, found) if ladder else []
    if json and ladder:
        from msgspec.structs import asdict

        command = f"quintet arena --ladder --games {games} --seed {seed}"
        print_json({"command": command, "rows": [asdict(rung) for rung in rungs], **standings.facts(found)})
    elif json:
        print_json(standings.facts(found))
    else:
        table = standings.ladder_table(rungs) if ladder else standings.rating_table(found)
        print("\n".join(map(escape, table)))
    if plot:  # Last, so that the results are printed even if the file cannot be written.
        try:
            standings.plot(found, plot)
        except (OSError, ValueError) as error:
            raise Usage(f"cannot write {plot}: {getattr(error, 'strerror', None) or error}") from None


def interrupt(*_: object) -> None:
    """End as Ctrl-C does, and the worker processes too."""
    import signal

    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # Once is enough.
    raise KeyboardInterrupt


def check_players(players: str, ladder: bool) -> list[str]:
    """The players of a tournament."""
    from quintet.engines import read_player
    from quintet.engines.door import close_engine
    from quintet.engines.kinds import LEVELS

    if ladder and players:
        raise Usage("--ladder plays the levels: leave out --players")
    names = LEVELS if ladder else [name.strip() for name in players.split(",") if name.strip()]
    if len(names) < 2:
        raise Usage("name at least two players, such as --players random,greedy")
    found = [read_player(name) for name in names]
    if any(player.is_human for player in found):
        raise Usage("a person cannot play in the arena: choose engines")
    if len(set(found)) < len(found):
        raise Usage("name each player only once")
    for player in found:
        if player.outside and (engine := player.make()):
            close_engine(engine)  # It could be loaded; if not, the command is wrong, and not hundreds of games lost.
    return [str(player) for player in found]
