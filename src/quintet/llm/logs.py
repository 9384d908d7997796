"""Reading Inspect's logs: the scored samples, grouped into sections whose players can be compared."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec
from inspect_ai.log import EvalLog, EvalSample, list_eval_logs, read_eval_log

from quintet.errors import QuintetError
from quintet.llm.episode import Episode, LoggedEpisode, read_episode
from quintet.llm.scores import SCORES, SHARE, Row
from quintet.llm.settings import settings_of, write_flags, write_settings
from quintet.llm.solvers import CHANGES, EPISODE, PERSON, SPEC, TURNS
from quintet.llm.statistics import Statistics, read_statistics
from quintet.rules import PLAYERS as SEATS
from quintet.safe_text import escape, quote
from quintet.store.baselines import BaselineTurn
from quintet.suites.samples import SampleSpec, read_spec

SCORER = "exact"
PROMPT_OPTIONS = ("rules", "legal", "history", "retries", "notation", "obfuscate", "tools", "picture")
"""The task's options that describe the player (how it was prompted), not what was played."""
PLAYERS = "WHO,WHO"
"""A placeholder in a command that can run several players."""
LONGEST_NAME = 200
LARGEST = 1e6
"""The largest number that the statistics of one sample can have."""
ROUNDING = 1e-6


class InvalidLogs(QuintetError, ValueError):
    """Files that no report can be made of."""


class Usage(NamedTuple):
    """What a model took for a sample, or for several; a person takes time alone."""

    input_tokens: float
    output_tokens: float
    cost: float
    """In dollars; 0 where no prices are known."""
    seconds: float
    """Without the time spent waiting for other samples."""


@dataclass(frozen=True, slots=True)
class LoggedSample:
    """A scored sample of a log."""

    player: str
    """Who played, with the settings and the prompt options that are not the defaults."""
    command: str
    """The command that runs it again; a command that can run several players has `PLAYERS` in it."""
    spec: SampleSpec
    episode: Episode
    statistics: Statistics
    epoch: int = 1
    usage: Usage | None = None
    """What a model or a person took; an engine takes nothing that is counted."""
    model: str = ""
    """The name of a model alone; empty for an engine."""
    settings: tuple[str, ...] = ()
    """The settings and prompt options of a model, such as `temperature=0.7`."""

    @property
    def row(self) -> Row:
        """What scores are computed from."""
        return self.spec.cluster, self.statistics

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
        return short_name(f"Suite {suite_of(log)}")
    options = [
        f"{name}={value}"
        for name, value in log.eval.task_args.items()
        if name not in PROMPT_OPTIONS and value is not None
    ]
    return short_name(" ".join([log.eval.task, *options]))


def read_sample(log: EvalLog, sample: EvalSample) -> LoggedSample:
    """A scored sample. `InvalidLogs` if somebody has changed it into one that cannot be."""
    try:
        spec = read_spec(sample.metadata[SPEC])
        logged = msgspec.convert(sample.store[EPISODE], LoggedEpisode)
        changes = msgspec.convert(sample.metadata[CHANGES], dict[str, str | bool | int | float | None])
        assert sample.scores
        statistics = check_statistics(read_statistics(sample.scores[SCORER].value))
        episode = check_episode(spec, read_episode(spec, logged))
        seconds = time_of(sample)
    except (QuintetError, ValueError, KeyError) as error:
        reason = quote(str(error), LONGEST_NAME)
        raise InvalidLogs(f"the sample {quote(str(sample.id))} in {log.location} is damaged: {reason}") from None
    player, command = logged.player, f"quintet suite {shlex.quote(suite_of(log))} --players {PLAYERS} --out runs"
    usage, name, remarks = None, "", list[str]()
    if player == log.eval.model:  # An engine reads no prompt, so prompt options and settings do not matter to it.
        options, settings = write_settings(changes), settings_of(log)
        words = [log.eval.task, *(f"-T {shlex.quote(option)}" for option in (f"suite={suite_of(log)}", *options))]
        words += ["--model", shlex.quote(player), *write_flags(settings), "--log-dir runs"]
        command = " ".join(["inspect eval", *words])
        remarks = [*options, *write_settings(settings)]
        name, player = short_name(player), f"{player} ({', '.join(remarks)})" if remarks else player
        usage = usage_of(sample)
    elif player.startswith(PERSON):
        command = f"quintet baseline {shlex.quote(suite_of(log))} --out runs"
        usage = Usage(0, 0, 0, seconds)
    return LoggedSample(
        short_name(player),
        escape(command),
        spec,
        episode,
        statistics,
        sample.epoch,
        usage,
        name,
        tuple(map(short_name, remarks)),
    )


def time_of(sample: EvalSample) -> float:
    """The seconds that a person took for a sample."""
    turns = msgspec.convert(sample.metadata.get(TURNS, []), list[BaselineTurn])
    return sum(turn.milliseconds for turn in turns) / 1000


def usage_of(sample: EvalSample) -> Usage:
    """What a model took for a sample."""
    used = sample.model_usage.values()
    return Usage(
        sum(usage.input_tokens for usage in used),
        sum(usage.output_tokens for usage in used),
        sum(usage.total_cost or 0.0 for usage in used),
        sample.working_time or sample.total_time or 0.0,
    )


def check_statistics(found: Statistics) -> Statistics:
    """Statistics that a sample can have: no number is negative, and no share is more than the whole."""
    if not all(0 <= number <= LARGEST for number in msgspec.structs.astuple(found)):
        raise InvalidLogs("a number is negative or too large")
    for name, score in SCORES.items():
        whole = score.denominator(found)  # 0 for what does not count, such as the fault in a single position.
        if score.limits == SHARE and whole and score.numerator(found) > whole + ROUNDING:
            raise InvalidLogs(f"{name} is more than 100 %")
    return found


def check_episode(spec: SampleSpec, episode: Episode) -> Episode:
    """An episode that fits its sample: from a seat of the game, with an answer at every turn."""
    if spec.player not in SEATS:
        raise InvalidLogs("the player must be 1 or 2")
    position, turns = spec.start, 0
    for move in episode.moves:
        turns += position.player == spec.player and not position.must_pass
        position = position.play(move)
    if turns > len(episode.answers):
        raise InvalidLogs("a turn has no answer")
    return episode


def short_name(name: str) -> str:
    """A name from a log, as a report shows it: short, printable and on one line."""
    name = escape(name)
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 3] + "..."
