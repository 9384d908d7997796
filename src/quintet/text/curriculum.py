"""Stages of a curriculum: any number of games, by board, opponent and distance to the end."""

import random
from collections.abc import Iterator, Sequence

from quintet.errors import InvalidArgument
from quintet.options import start
from quintet.rules import PLAYERS, Game, Position, play_all
from quintet.study.puzzles import random_game
from quintet.text.game import TextGame
from quintet.text.openings import TRIES, is_critical, short_opening
from quintet.text.prompt import PromptOptions


def random_games(
    game: str | Game,
    sizes: Sequence[str | None] = (None,),
    opponents: Sequence[str] = ("random",),
    distance: int | None = None,
    seed: int = 0,
    options: PromptOptions | None = None,
) -> Iterator[TextGame]:
    """Any number of games, a stage of a curriculum: random boards, opponents, seats and openings of those given.

    Without a distance a game starts after a few random moves. With one it starts at most that many moves before the end
    of a random game, and the outcome depends on the agent's first move.
    """
    if isinstance(sizes, str) or isinstance(opponents, str) or not sizes or not opponents:
        raise InvalidArgument("sizes and opponents are lists of at least one")
    if distance is not None and distance < 1:
        raise InvalidArgument("a game starts 1 move or more before the end")
    rng = random.Random(f"games {seed}")
    boards = [start(game, size) for size in sizes]
    while True:
        empty = rng.choice(boards)
        moves, player = short_opening(empty, rng), rng.choice(PLAYERS)
        if distance is not None:
            moves = late_opening(empty, distance, rng)
            player = play_all(empty, moves).player
        yield TextGame(
            empty,
            opponent=rng.choice(list(opponents)),
            player=player,
            seed=rng.getrandbits(31),
            moves=moves,
            options=options,
        )


def late_opening(empty: Position, distance: int, rng: random.Random) -> list[int]:
    """The moves of a random game up to a point near its end, where the outcome depends on the next move."""
    for _ in range(TRIES):
        game = random_game(empty, rng)
        ply = max(0, game.ply - rng.randint(1, distance))
        if is_critical(game.positions[ply]):
            return game.moves[:ply]
    where = f"{empty.game.title} {empty.board.size}"
    raise InvalidArgument(f"{where}: no position {distance} moves or less before the end has something at stake")
