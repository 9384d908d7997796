"""The games as environments for learning agents: Gymnasium, PettingZoo, OpenSpiel, JAX, Pgx.

If Gymnasium is installed, importing this package registers every game with it: `quintet.envs:Gridlock-v0`.
"""

from importlib.util import find_spec

if find_spec("gymnasium"):
    import gymnasium

    from quintet.games import GAMES

    for game in GAMES.values():
        gymnasium.register(
            id=f"{game.title.replace(' ', '')}-v0",
            entry_point="quintet.envs.gymnasium:GameEnv",
            kwargs={"game": game.name},
        )
