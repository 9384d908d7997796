"""Write the golden data anew: `python tests/goldens.py`. Read the difference before you keep it."""

import random
from pathlib import Path

from quintet.games import GAMES
from quintet.match import Match
from quintet.notation import list_moves, write_position
from quintet.options import start
from quintet.perft import perft
from quintet.rules import Game

DATA = Path(__file__).parent / "data"
MOST_LEAVES = 4_000_000
DEEPEST = 8
SIZES = (None, "2x3", "3x4", "18")


def perft_file(game: Game) -> str:
    """Counts at several sizes, as deep as they stay affordable."""
    lines = ["# size, then the number of move sequences of length 1, 2, 3, ..."]
    for size in SIZES:
        counts: list[int] = []
        for depth in range(1, DEEPEST + 1):
            number = perft(start(game, size), depth)
            if number == 0 or number > MOST_LEAVES:
                break
            counts.append(number)
        lines.append(" ".join([start(game, size).board.size, *map(str, counts)]))
    return "\n".join(lines) + "\n"


def playthrough(game: Game) -> str:
    """A random game at the rule book's size and one on a small even board, every position in full."""
    parts = []
    for size in (None, "2x4"):
        match = Match(start(game, size))
        rng = random.Random(1)
        while True:
            position = match.position
            parts += [
                f"## {game.name} {position.board.size}, ply {match.ply}, Player {position.player} to move",
                str(position),
                write_position(position),
                f"scores: {position.scores[0]} {position.scores[1]}",
                f"moves: {list_moves(position)}",
            ]
            if not position.moves:
                parts += [f"result: {position.outcome}", ""]
                break
            move = rng.choice(position.moves)
            parts += [f"plays: {position.label(move)}", ""]
            match.play(move)
    return "\n".join(parts)


if __name__ == "__main__":
    for game in GAMES.values():
        (DATA / "perft" / f"{game.name}.txt").write_text(perft_file(game))
        (DATA / "playthroughs" / f"{game.name}.txt").write_text(playthrough(game))
