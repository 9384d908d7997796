"""What logs tell: the cases that were played, by whom, put together by what they can be compared with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log

from quintet.errors import QuintetError
from quintet.llm.case import Case
from quintet.llm.contest import Played, read_played
from quintet.llm.judging import PLAYED
from quintet.llm.scores import Row

SCORER = "exact"
ASKED = ("rules", "legal", "history", "retries", "notation", "obfuscate")
"""The options of a task that belong to the player's line: how it was asked, not what it was set."""
PLAYERS = "WHO,WHO"
"""Where the players stand in a command for several."""


class InvalidLogs(QuintetError, ValueError):
    """Files that no report can be made of."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A case that was played."""

    player: str
    """Who played, with what was unusual in how it was asked."""
    command: str
    """What runs the like again; players that one command can run have `PLAYERS` in it."""
    case: Case
    played: Played
    sums: dict[str, float]

    @property
    def row(self) -> Row:
        """What scores are made of."""
        return self.case.id, self.sums

    @property
    def game(self) -> str:
        """The game's name."""
        return self.case.position.split(" ", 1)[0]


@dataclass(slots=True)
class Section:
    """Cases that can be compared: every player was set the same."""

    title: str
    suite: str = ""
    """The suite it is, if it is one."""
    entries: list[Entry] = field(default_factory=list)
    missing: int = 0
    """Samples that were not finished."""


def read_logs(paths: Sequence[Path]) -> list[Section]:
    """The sections of a report. A log and its retry are one run: a sample counts once, as the latest log has it."""
    logs = sorted((read_log(file) for file in find_files(paths)), key=lambda log: log.eval.created)
    samples: dict[tuple[str, str | int, int], tuple[EvalLog, EvalSample]] = {}
    for log in logs:
        for sample in log.samples or []:
            key = log.eval.task_id, sample.id, sample.epoch
            if scored(sample) or key not in samples:
                samples[key] = log, sample
    sections: dict[str, Section] = {}
    for log, sample in samples.values():
        title = title_of(log)
        section = sections.setdefault(title, Section(title, suite_of(log)))
        if scored(sample):
            section.entries.append(make_entry(log, sample))
        else:
            section.missing += 1
    if not any(section.entries for section in sections.values()):
        raise InvalidLogs("no finished game or position of quintet/play or quintet/positions is in these logs")
    return sorted((section for section in sections.values() if section.entries), key=lambda section: section.title)


def find_files(paths: Sequence[Path]) -> list[str]:
    """The logs that are named, and those in folders that are named."""
    found: list[str] = []
    for path in paths:
        if path.is_dir():
            found += [log.name for log in list_eval_logs(str(path))]
        elif path.is_file():
            found.append(str(path))
        else:
            raise InvalidLogs(f"there is no log {path}")
    return list(dict.fromkeys(found))


def read_log(file: str) -> EvalLog:
    """A log with its samples."""
    try:
        return read_eval_log(file)
    except Exception:  # Inspect says in many ways that a file is not one of its logs.
        raise InvalidLogs(f"{file} is no log of Inspect") from None


def scored(sample: EvalSample) -> bool:
    """Whether a sample was played to its end and judged."""
    return bool(sample.scores and SCORER in sample.scores and PLAYED in sample.store)


def suite_of(log: EvalLog) -> str:
    """The suite of a log, or nothing."""
    return str((log.eval.metadata or {}).get("suite", ""))


def title_of(log: EvalLog) -> str:
    """What was set: a suite, or a task with its options."""
    if suite_of(log):
        return f"Suite {suite_of(log)}"
    options = [
        f"{name}={value}" for name, value in log.eval.task_args.items() if name not in ASKED and value is not None
    ]
    return " ".join([log.eval.task, *options])


def make_entry(log: EvalLog, sample: EvalSample) -> Entry:
    """A sample as the report knows it."""
    case = Case(**sample.metadata["case"])
    facts: dict[str, Any] = sample.store[PLAYED]
    assert sample.scores
    sums: dict[str, float] = sample.scores[SCORER].value  # type: ignore[assignment]
    who, command = facts["player"], f"quintet suite {suite_of(log)} --players {PLAYERS} --out runs"
    if who == log.eval.model:  # An engine reads no prompt, so it does not matter how it would have been asked.
        manner = [f"{name}={value}" for name, value in sample.metadata["manner"].items()]
        options = [f"-T {option}" for option in (f"suite={suite_of(log)}", *manner)]
        command = " ".join(["inspect eval", log.eval.task, *options, "--model", who, "--log-dir runs"])
        who = f"{who} ({', '.join(manner)})" if manner else who
    return Entry(who, command, case, read_played(case, facts), sums)
