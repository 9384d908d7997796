"""The games as environments for learning agents: Gymnasium, PettingZoo, OpenSpiel, JAX, Pgx.

If Gymnasium is installed, importing this package registers every game with it: `quintet/Gridlock-v0`, and the same
without `quintet/`. Only the first has a vector environment of its own.
"""

from importlib.util import find_spec

if find_spec("gymnasium"):
    import gymnasium

    from quintet.games import GAMES

    for game in GAMES.values():
        name = f"{game.title.replace(' ', '')}-v0"
        entry, options = "quintet.envs.gymnasium:GameEnv", {"game": game.name}
        gymnasium.register(name, entry_point=entry, kwargs=options)
        vector = "quintet.envs.vector:BatchEnv"
        gymnasium.register(f"quintet/{name}", entry_point=entry, vector_entry_point=vector, kwargs=options)
