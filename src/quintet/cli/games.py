"""Commands to look at the games: `games`, `rules`, `show`, `perft`."""

from pathlib import Path
from typing import Annotated

import typer

from quintet.cli.common import (
    GameName,
    Json,
    Moves,
    Setup,
    Shuffle,
    Size,
    Target,
    Values,
    begin,
    print_json,
    write_text,
)


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


def rules(game: GameName) -> None:
    """Print the rules of a game."""
    position = begin(game).position
    print(f"# {position.game.title}\n\n{position.game.manual}\n```\n{position}\n```")


def show(
    game: GameName,
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    moves: Moves = "",
    setup: Setup = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the board as SVG into a file, over an old one; - prints it."),
    ] = None,
) -> None:
    """Show a position: the board and what may be played."""
    match = begin(game, size, target, values, shuffle, moves, setup)
    if svg:
        last = match.positions[-2].gain(match.moves[-1]) if match.moves else 0
        text = match.position.picture(last)
        write_text(svg, text)
        return
    from quintet.notation import list_moves, write_position

    position = match.position
    print(position)
    print()
    print(f"Score: {position.scores[0]} to {position.scores[1]}")
    if match.outcome:
        print(match.outcome.sentence)
    else:
        print(f"Player {position.player} ({'XO'[position.player - 1]}) to move: {list_moves(position)}")
    print(f"Position: {write_position(position)}")


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=0, max=60, metavar="DEPTH", help="How many moves deep.")],
    size: Size = None,
    target: Target = None,
    values: Values = None,
    shuffle: Shuffle = None,
    moves: Moves = "",
    setup: Setup = None,
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count after each first move.")] = False,
) -> None:
    """Count the move sequences of a length. The last line is the number alone."""
    from quintet import perft as counting

    position = begin(game, size, target, values, shuffle, moves, setup).position
    if divide and depth:
        parts = counting.divide(position, depth)
        for move, number in parts.items():
            print(f"{position.label(move)}: {number}")
        print(sum(parts.values()))
    else:
        print(counting.perft(position, depth))
