"""What models and evaluation logs say, fuzzed."""

import json
from pathlib import Path

from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from pydantic import ValidationError

from quintet.bench.fuzz import Target
from quintet.errors import QuintetError
from quintet.llm.logs import Section, read_sample, suite_of, title_of
from quintet.llm.report import markdown
from quintet.safe_text import is_safe
from quintet.suites.suite import load_suite
from quintet.text.answer import read_answer

ANSWERS = ("MOVE: C3", "<think>MOVE: A1</think> I play **MOVE: (2, 2)**", "move: row 2, column 3 or 4", "MOVE: <cell>")
BOARDS = (("A1", "B2", "C3", "pass"), ("1 1", "2 2", "2 3"), ("1", "7", "13"))
SAMPLE = {
    "id": "gridlock-3x3-random",
    "epoch": 1,
    "input": "",
    "target": "",
    "metadata": {
        "case": {
            "id": "a",
            "position": "gridlock X../..O/... X",
            "player": 1,
            "opponent": "random",
            "seed": 3,
            "level": "random",
            "opening": "1 1; 2 3",
        },
        "manner": {"rules": "short", "retries": 2},
    },
    "store": {"played": {"player": "mock", "moves": "1 3", "answers": [1], "fault": "no move could be read"}},
    "scores": {"exact": {"value": {"games": 1, "points": 0.5, "par": 1, "answers": 1, "legal": 1, "stakes": 1}}},
}
LOG = EvalLog(
    eval=EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="quintet/play",
        dataset=EvalDataset(),
        model="mock",
        config=EvalConfig(),
        metadata={"suite": "quick-2"},
    )
)


def model_targets() -> list[Target]:
    """The targets."""
    return [
        Target("answers", read_answers, [text.encode() for text in ANSWERS], 12),
        Target("logs", read_logged, [json.dumps(SAMPLE).encode()], 4),
        Target("suites", lambda data: load_suite(data.decode(errors="surrogateescape")), [b"quick", b"full-2"], 2),
    ]


def read_answers(data: bytes) -> None:
    """Read a model's answer on several boards."""
    text = data.decode(errors="surrogateescape")
    for labels in BOARDS:
        found = read_answer(text, labels)
        assert found is None or found in labels


def read_logged(data: bytes) -> None:
    """Read a sample of a log, and report it."""
    try:
        sample = EvalSample.model_validate(json.loads(data))
    except (ValidationError, ValueError, RecursionError):
        return  # Inspect would refuse the log.
    if not (sample.scores and "exact" in sample.scores and "played" in sample.store):
        return  # It would be an unfinished one.
    try:
        read = read_sample(LOG, sample)
    except QuintetError:
        return
    text = markdown([Section(title_of(LOG), suite_of(LOG), [read])])
    assert is_safe(text)


def write_log(file: Path) -> None:
    """Write a log with a few samples."""
    samples = [EvalSample.model_validate({**SAMPLE, "id": f"sample-{i}"}) for i in range(3)]
    write_eval_log(LOG.model_copy(update={"samples": samples, "status": "success"}), str(file))
