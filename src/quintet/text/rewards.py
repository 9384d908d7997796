"""Rewards for the turns of a game of text: the result, the exact regret, or the result shaped by exact values.

Let `z` be the agent's result in points (a win is 1, a draw 1/2, a loss 0) and `V` the exact value of a position in
which the agent is asked, in points as well. For the turn from position `s` to the agent's next position `t`:

- `result`: `z` after the last turn, 0 before it. The sum is `z`.
- `regret`: minus the points that the move gave away. The sum is minus the regret of the game.
- `shaped`: the result reward plus `V(t) - V(s)`, where `V` of a finished game is 0.

The last is potential-based shaping (Ng, Harada and Russell, 1999) without discount. The potentials cancel from turn to
turn, so the sum is `z - V(start)` for every policy and every opponent. The start's value does not depend on the policy,
so the best policy against this opponent stays the best. Turn by turn it is what the opponent's replies gave back, minus
the regret of the move. Against a perfect opponent nothing is given back, and it is the regret reward.
"""

from collections.abc import Callable

from quintet.errors import InvalidArgument
from quintet.solve.oracle import solve_within
from quintet.solve.regret import points_of
from quintet.solve.solver import Solver
from quintet.text.game import TextGame

Reward = Callable[[TextGame], float]
"""From a game to the reward of its newest turn."""


def potential(game: TextGame) -> float:
    """What the agent's position is worth in points, with best play by both; 0 once the game is over."""
    return 0.0 if game.over else points_of(max(solve_within(Solver.grade, game.position).values()))


def result_reward(game: TextGame) -> float:
    """The result after the last turn, 0 before it."""
    return game.points


def regret_reward(game: TextGame) -> float:
    """Minus the points that the newest turn gave away."""
    return 0.0 - game.turns[-1].regret  # Not -0.0.


def shaped_reward(game: TextGame) -> float:
    """The result reward, and by how much the newest turn and the replies to it changed the exact value."""
    return game.points + potential(game) - points_of(game.turns[-1].before)


REWARDS: dict[str, Reward] = {"result": result_reward, "regret": regret_reward, "shaped": shaped_reward}
"""The rewards by their names."""


def find_reward(name: str) -> Reward:
    """The reward of a name."""
    if name not in REWARDS:
        raise InvalidArgument(f"no reward called {name!r}. There are {', '.join(REWARDS)}.")
    return REWARDS[name]
