"""A Gymnasium-style policy as a player: from an observation with its mask to an action."""

from quintet.engines.function import Function, load_function
from quintet.envs.space import Space
from quintet.rules import Position


def make_player(detail: str, seed: int | None = None) -> Function:
    """The player that asks the policy at `MODULE:NAME` for each move."""
    policy = load_function(detail)

    def choose(position: Position) -> int:
        space = Space(position)
        return space.move(policy(space.observe(position, position.player)))

    return Function(choose)
