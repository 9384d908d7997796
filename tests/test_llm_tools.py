"""A model that plays with tools, by a script: the scores that theory says, and faults as for text."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from inspect_ai import eval as evaluate
from inspect_ai.event import InfoEvent
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolInfo

from quintet.board import index
from quintet.engines.perfect import Perfect
from quintet.games import GAMES
from quintet.llm.tasks import engine, play, positions
from quintet.llm.toolbox import MAX_STEPS
from quintet.notation import write_position
from quintet.options import start
from scripted import THEIRS, inspect_alone, inspect_gone, read_prompt  # noqa: F401

pytestmark = THEIRS

Script = Callable[[list[ChatMessage]], ModelOutput]
"""From a turn's conversation to the next message."""


def call(tool: str, **arguments: object) -> ModelOutput:
    return ModelOutput.for_tool_call("mock", tool, arguments)


def best_cell(prompt: str) -> str:
    position, labels = read_prompt(prompt)
    return labels[index(Perfect(0).choose(position))]


def by_thought(messages: list[ChatMessage]) -> ModelOutput:
    """Looks at its legal moves, then plays the best."""
    if not isinstance(messages[-1], ChatMessageTool):
        return call("legal_moves")
    cell = best_cell(messages[0].text)
    assert cell in messages[-1].text.split(", ")
    return call("play_move", cell=cell)


def by_analysis(messages: list[ChatMessage]) -> ModelOutput:
    """Knows nothing of the game: plays a move that wins, draws or loses, by what `analyze` says."""
    if not isinstance(messages[-1], ChatMessageTool):
        return call("analyze")
    moves = [re.fullmatch(r"(.+) (wins|keeps|loses)\b.*", line) for line in messages[-1].text.splitlines()]
    ranked = sorted((("wins", "keeps", "loses").index(found[2]), found[1]) for found in moves if found)
    assert len(ranked) == len(moves)
    return call("play_move", cell=ranked[0][1])


def stubborn(messages: list[ChatMessage]) -> ModelOutput:
    """Claims a cell that is not on the board."""
    return call("play_move", cell="Q99 99")


def talker(messages: list[ChatMessage]) -> ModelOutput:
    """Calls nothing."""
    return ModelOutput.from_content("mock", f"MOVE: {best_cell(messages[0].text)}")


def dawdler(messages: list[ChatMessage]) -> ModelOutput:
    """Never moves."""
    return call("legal_moves")


def run(script: Script, task: Any, offered: list[str] | None = None, **limits: Any) -> EvalLog:
    def outputs(input: list[ChatMessage], tools: list[ToolInfo], *_: object) -> ModelOutput:
        if offered is not None:
            offered[:] = [tool.name for tool in tools]
        output = script(input)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    [log] = evaluate(task, model=model, display="none", **limits)
    assert log.status == "success" and log.results, log.error
    return log


def scores(log: EvalLog) -> dict[str, float]:
    assert log.results
    return {name: metric.value for name, metric in log.results.scores[0].metrics.items()}


def turns(log: EvalLog) -> list[dict[str, Any]]:
    """The graded turns of all samples, as the viewer has them."""
    return [
        event.data
        for sample in log.samples or []
        for event in sample.events
        if isinstance(event, InfoEvent) and event.source == "quintet" and isinstance(event.data, dict)
    ]


def test_a_model_plays_perfectly_with_tools() -> None:
    offered: list[str] = []
    log = run(by_thought, play(game="gridlock", size="3x3", games=4, tools="play", legal=False), offered)
    found = scores(log)
    assert offered == ["legal_moves", "play_move"]
    assert (found["to_par"], found["legality"], found["faults"], found["regret"], found["optimal"]) == (0, 1, 0, 0, 1)
    assert log.samples and "calling play_move" in str(log.samples[0].input) and "MOVE:" not in str(log.samples[0].input)


def test_analyze_is_an_ablation() -> None:
    offered: list[str] = []
    log = run(
        by_analysis,
        positions(game="isolation,gridlock", number=1, tools="analyze", obfuscate=True),
        offered,
    )
    assert offered == ["legal_moves", "play_move", "analyze"]
    assert scores(log)["regret"] == 0 and scores(log)["legality"] == 1


@pytest.mark.parametrize(
    ("script", "fault", "answers"),
    [
        (stubborn, "no move could be read", 3),
        (talker, "play_move was not called", 3),
        (dawdler, f"no move was played in {MAX_STEPS} messages", 1),
    ],
)
def test_faults_are_those_of_text(script: Script, fault: str, answers: int) -> None:
    log = run(script, play(game="gridlock", size="3x3", opponent="random", games=2, tools="play"))
    found = scores(log)
    assert (found["score"], found["faults"], found["legality"]) == (0, 1, 0)
    assert log.samples and log.samples[0].store["played"]["answers"] == [answers]
    assert {turn["fault"] for turn in turns(log)} == {fault}


def test_an_illegal_move_is_refused_with_the_reason_and_only_one_is_played() -> None:
    def hasty(messages: list[ChatMessage]) -> ModelOutput:
        """Calls three times at once: a cell that is taken, the best one, and another."""
        position, labels = read_prompt(messages[0].text)
        taken = labels[index(position.theirs & -position.theirs)]
        best = best_cell(messages[0].text)
        outputs = [call("play_move", cell=cell) for cell in (taken, best, taken)]
        calls = [each for output in outputs for each in output.message.tool_calls or []]
        outputs[0].message.tool_calls = calls
        return outputs[0]

    task = play(game="gridlock", size="3x3", opponent="perfect", side=2, games=1, tools="play", seed=1)
    log = run(hasty, task)
    assert log.samples
    said = [message.text or str(message.error) for message in log.samples[0].messages if message.role == "tool"]
    assert "is not a legal move: That cell is already claimed." in said[0]
    assert said[1].startswith("You have played ") and "this turn is over" in said[2]
    assert scores(log)["legality"] == 0.5 and scores(log)["faults"] == 0


def test_a_limit_of_inspect_is_a_fault_that_is_scored() -> None:
    log = run(by_thought, play(game="gridlock", size="3x3", games=2, tools="play"), message_limit=3)
    assert (scores(log)["score"], scores(log)["faults"]) == (0, 1)


def test_every_turn_has_its_best_move_and_regret_in_the_transcript() -> None:
    """What the turns give away is what the scorer counts; moves are named as the agent writes them."""
    log = run(talker, play(game="point-capture,grid-conquest", size="3x3", games=2, opponent="level:3"))
    found = turns(log)
    assert log.samples and len(found) == sum(len(sample.store["played"]["answers"]) for sample in log.samples)
    assert all(
        turn["move"] in turn["best"] and turn["regret"] == 0 and turn["value"] == turn["value_after"] for turn in found
    )
    [log] = evaluate(
        positions(game="isolation,grid-conquest", number=2),
        solver=engine("random"),
        model=None,
        display="none",
    )
    by_turn = sum(turn["regret"] for turn in turns(log))
    values = [sample.scores["exact"].value for sample in log.samples or [] if sample.scores]
    assert by_turn == sum(value["regret"] for value in values if isinstance(value, dict)) > 0
    assert {turn["margin_loss"] is None for turn in turns(log)} == {True, False}


def test_variants_are_other_boards_and_exactly_solved() -> None:
    """An agent that knows nothing but what `analyze` says gives nothing away on boards that it has never seen."""
    tasks = [positions(game="all", variants=1, number=1, seed=seed, tools="analyze", obfuscate=True) for seed in (1, 2)]
    boards = [{board_of(sample.metadata or {}) for sample in task.dataset} for task in tasks]
    usual = {board_of({"case": {"position": write_position(start(game))}}) for game in GAMES.values()}
    assert len(boards[0]) == len(boards[1]) == len(GAMES) and not usual & (boards[0] | boards[1])
    assert boards[0] != boards[1] and any("values=" in board for board in boards[0])
    assert all("-" in board.split()[1] for board in boards[0] | boards[1]), "all have holes"
    log = run(by_analysis, tasks[0])
    assert (scores(log)["regret"], scores(log)["legality"]) == (0, 1) and scores(log)["guessing"] > 0.2
    games = play(game="point-capture,isolation", variants=1, games=4, seed=1)
    [log] = evaluate(games, solver=engine("perfect"), model=None, display="none")
    assert scores(log)["to_par"] == 0 and scores(log)["regret"] == 0


def board_of(metadata: dict[str, Any]) -> str:
    """The game, shape and values of a sample's board."""
    game, rows, _, *values = metadata["case"]["position"].split()
    return " ".join([game, re.sub("[XO]", ".", rows), *values])
