"""Commands to let engines play each other: `arena`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from quintet.cli.common import Jobs, Json, Shuffle, Size, Target, Unfinished, Usage, Values, begin, need, print_json
from quintet.cli.progress import progress_bar


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
    time: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="How long an engine may think about a move.")
    ] = None,
    ladder: Annotated[bool, typer.Option("--ladder", help="Each level against the one below it.")] = False,
    jobs: Jobs = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep the results; what is there already counts.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the ratings into a file, over an old one (extra: plots).")
    ] = None,
    json: Json = False,
) -> None:
    """Let engines play each other, and rate them. Every opening is played from both sides."""
    import signal
    from contextlib import redirect_stdout

    from quintet.arena import tournament
    from quintet.arena.results import InvalidResults, read_results, save
    from quintet.arena.workers import WorkerDied
    from quintet.games import GAMES
    from quintet.notation import write_position

    names = check_players(players, ladder)
    if plot:
        need("a plot", "plots", "matplotlib")
    boards = [
        write_position(begin(name, size, target, values, shuffle).position)
        for name in (GAMES if game == "all" else [game])
    ]
    pairs = tournament.neighbours(names) if ladder else tournament.every_pair(names)
    duels = tournament.schedule(pairs, boards, games, seed, time)
    signal.signal(signal.SIGTERM, interrupt)
    try:
        known = read_results(out) if out else {}
        results = [known[duel] for duel in duels if duel in known]
        missing = [duel for duel in duels if duel not in known]
        played = tournament.run(missing, jobs)
        # What a plug-in prints must not get between the results.
        with progress_bar() as progress, redirect_stdout(sys.stderr):
            for result in save(out, played) if out else played:
                results.append(result)
                progress(len(results), len(duels))
    except InvalidResults as error:
        raise Usage(str(error)) from None
    except WorkerDied as error:
        raise Unfinished(f"{error}; the results so far are saved" if out else str(error)) from None
    found = tournament.standing(names, results)
    rungs = tournament.ladder(names, found) if ladder else []
    if json and ladder:
        from msgspec.structs import asdict

        command = f"quintet arena --ladder --games {games} --seed {seed}"
        print_json({"command": command, "rows": [asdict(rung) for rung in rungs], **tournament.facts(found)})
    elif json:
        print_json(tournament.facts(found))
    else:
        print("\n".join(tournament.ladder_table(rungs) if ladder else tournament.rating_table(found)))
    if plot:  # Last: a file that cannot be written must not take the results with it.
        try:
            tournament.plot(found, str(plot))
        except (OSError, ValueError) as error:
            raise Usage(f"cannot write {plot}: {getattr(error, 'strerror', None) or error}") from None


def interrupt(*_: object) -> None:
    """End as Ctrl-C does, and the worker processes too."""
    raise KeyboardInterrupt


def check_players(players: str, ladder: bool) -> list[str]:
    """The players of a tournament."""
    from quintet.engines import UnknownPlayer, read_player
    from quintet.engines.door import close_engine
    from quintet.engines.kinds import LEVELS

    if ladder and players:
        raise Usage("the ladder has its own players: the levels")
    names = LEVELS if ladder else [name.strip() for name in players.split(",") if name.strip()]
    if len(names) < 2:
        raise Usage("name two players or more, such as --players random,greedy")
    try:
        found = [read_player(name) for name in names]
        if any(player.is_human for player in found):
            raise Usage("a person cannot play in the arena")
        if len(set(found)) < len(found):
            raise Usage("name each player once")
        for player in found:
            # A plug-in that cannot be loaded is a mistake in the command, not hundreds of lost games.
            engine = player.make() if player.outside else None
            if engine:
                close_engine(engine)
    except UnknownPlayer as error:
        raise Usage(str(error)) from None
    return [str(player) for player in found]
