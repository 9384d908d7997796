# /// script
# requires-python = ">=3.11"
# dependencies = ["quintet-games", "skyrl-gym==0.4.0"]
#
# [tool.uv.sources]
# quintet-games = { path = "../..", editable = true }
# ///
"""256 games at once as environments of SkyRL-gym, turn by turn, with scripted agents."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

import skyrl_gym

from scripted import Answer, Row, Transcript, check, run_example

run_example("SkyRL-gym")  # It registers the environment.


def play(rows: list[Row], answer: Answer) -> list[Transcript]:
    """Play all games, a turn of each at a time, as SkyRL's generator does."""
    envs = [skyrl_gym.make("quintet", env_config={}, extras={"episode": row}) for row in rows]
    reads = [env.init([])[0][-1]["content"] for env in envs]
    played = [Transcript([], []) for _ in rows]
    live = list(range(len(rows)))
    while live:
        for number in live:
            played[number].texts.append(reads[number])
            output = envs[number].step(answer(reads[number]))
            played[number].rewards.append(output["reward"])
            reads[number] = "" if output["done"] else output["observations"][-1]["content"]
        live = [number for number in live if reads[number]]
    for env, transcript in zip(envs, played, strict=True):
        assert len(transcript.texts) == len(transcript.rewards) and set(env.get_metrics()) == {"points", "regret"}
        env.close()
    return played


check(play)
