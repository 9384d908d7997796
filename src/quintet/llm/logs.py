"""Reading Inspect's logs: the scored samples, grouped into sections whose players can be compared."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log

from quintet.errors import QuintetError
from quintet.llm.episode import Episode, LoggedEpisode, read_episode
from quintet.llm.samples import SampleSpec, read_spec
from quintet.llm.scores import Row
from quintet.llm.solvers import CHANGES, EPISODE, SPEC
from quintet.llm.statistics import Statistics, read_statistics

SCORER = "exact"
PROMPT_OPTIONS = ("rules", "legal", "history", "retries", "notation", "obfuscate")
"""The task's options that describe the player (how it was prompted), not what was played."""
PLAYERS = "WHO,WHO"
"""A placeholder in a command that can run several players."""


class InvalidLogs(QuintetError, ValueError):
    """Files that no report can be made of."""


@dataclass(frozen=True, slots=True)
class LoggedSample:
    """A scored sample of a log."""

    player: str
    """Who played, with the prompt options that are not the defaults."""
    command: str
    """The command that runs it again; a command that can run several players has `PLAYERS` in it."""
    spec: SampleSpec
    episode: Episode
    statistics: Statistics

    @property
    def row(self) -> Row:
        """What scores are computed from."""
        return self.spec.id, self.statistics

    @property
    def game(self) -> str:
        """The game's name."""
        return self.spec.position.split(" ", 1)[0]


@dataclass(slots=True)
class Section:
    """Samples that can be compared: every player was given the same ones."""

    title: str
    suite: str = ""
    """The suite's name and version; empty if it is not a suite."""
    samples: list[LoggedSample] = field(default_factory=list)
    unfinished: int = 0
    """How many samples were not finished."""


def read_logs(paths: Sequence[Path]) -> list[Section]:
    """The sections of a report. A log and its retry are one run: each sample counts once, from the latest log."""
    logs = sorted((read_log(file) for file in find_files(paths)), key=lambda log: log.eval.created)
    found: dict[tuple[str, str | int, int], tuple[EvalLog, EvalSample]] = {}
    for log in logs:
        for sample in log.samples or []:
            key = log.eval.task_id, sample.id, sample.epoch
            if is_scored(sample) or key not in found:
                found[key] = log, sample
    sections: dict[str, Section] = {}
    for log, sample in found.values():
        title = title_of(log)
        section = sections.setdefault(title, Section(title, suite_of(log)))
        if is_scored(sample):
            section.samples.append(read_sample(log, sample))
        else:
            section.unfinished += 1
    if not any(section.samples for section in sections.values()):
        raise InvalidLogs("these logs have no finished samples of quintet/play or quintet/positions")
    return sorted((section for section in sections.values() if section.samples), key=lambda section: section.title)


def find_files(paths: Sequence[Path]) -> list[str]:
    """The logs among these files and folders."""
    found: list[str] = []
    for path in paths:
        if path.is_dir():
            found += [log.name for log in list_eval_logs(str(path))]
        elif path.is_file():
            found.append(str(path))
        else:
            raise InvalidLogs(f"no log at {path}")
    return list(dict.fromkeys(found))


def read_log(file: str) -> EvalLog:
    """A log with its samples."""
    try:
        return read_eval_log(file)
    except Exception:  # Inspect raises many kinds of errors for a file that is not one of its logs.
        raise InvalidLogs(f"{file} is not an Inspect log") from None


def is_scored(sample: EvalSample) -> bool:
    """Whether a sample was played to its end and scored."""
    return bool(sample.scores and SCORER in sample.scores and EPISODE in sample.store)


def suite_of(log: EvalLog) -> str:
    """The suite of a log; empty if there is none."""
    return str((log.eval.metadata or {}).get("suite", ""))


def title_of(log: EvalLog) -> str:
    """What was played: a suite, or a task with its options."""
    if suite_of(log):
        return f"Suite {suite_of(log)}"
    options = [
        f"{name}={value}"
        for name, value in log.eval.task_args.items()
        if name not in PROMPT_OPTIONS and value is not None
    ]
    return " ".join([log.eval.task, *options])


def read_sample(log: EvalLog, sample: EvalSample) -> LoggedSample:
    """A scored sample."""
    spec = read_spec(sample.metadata[SPEC])
    episode = msgspec.convert(sample.store[EPISODE], LoggedEpisode)
    assert sample.scores
    statistics = read_statistics(sample.scores[SCORER].value)
    player, command = episode.player, f"quintet suite {suite_of(log)} --players {PLAYERS} --out runs"
    if player == log.eval.model:  # An engine reads no prompt, so prompt options do not matter to it.
        changes = [f"{name}={value}" for name, value in sample.metadata[CHANGES].items()]
        options = [f"-T {option}" for option in (f"suite={suite_of(log)}", *changes)]
        command = " ".join(["inspect eval", log.eval.task, *options, "--model", player, "--log-dir runs"])
        player = f"{player} ({', '.join(changes)})" if changes else player
    return LoggedSample(player, command, spec, read_episode(spec, episode), statistics)
