"""The tables of the evaluation report, as rows of text; the first row has the headings."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from quintet.llm.logs import LoggedSample
from quintet.llm.scores import SCORES, SHARE, Estimate, Row, difference, estimate, passes_by_tries
from quintet.llm.solvers import PERSON
from quintet.llm.statistics import total

HEADS = {
    "score": "score",
    "par": "par",
    "to_par": "to par",
    "faults": "faults",
    "legality": "legal",
    "regret": "regret",
    "guessing": "guessing",
    "optimal": "optimal",
    "cells": "margin loss",
    "kept": "wins kept",
    "held": "moves held",
}
"""The headings of the columns."""
GAME_SCORES = ("to_par", "score", "par", "faults", "legality", "regret", "guessing", "optimal", "cells", "kept", "held")
POSITION_SCORES = ("regret", "guessing", "optimal", "cells", "legality")


AXES = ("reasoning_effort", "reasoning_tokens", "max_tokens", "token_limit", "tools")
"""Settings that have a table of their own if a model was run with several values of one."""
DEFAULT = "default"
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


class Kind(NamedTuple):
    """The games of a section, or its positions."""

    title: str
    samples: list[LoggedSample]
    scores: tuple[str, ...]
    """The scores that are shown."""


def players_of(samples: Sequence[LoggedSample]) -> list[str]:
    """The players, least regret first; of equal players, the one with more best moves first."""
    rows: dict[str, list[Row]] = {}
    for sample in samples:
        rows.setdefault(sample.player, []).append(sample.row)

    def order(player: str) -> tuple[float, float, str]:
        regret, optimal = (estimate(rows[player], SCORES[name]) for name in ("regret", "optimal"))
        return regret.value if regret else 0.0, -optimal.value if optimal else 0.0, player

    return sorted(rows, key=order)


def score_text(name: str, found: Estimate | None, interval: bool = True) -> str:
    """A score as text."""
    if found is None:
        return "-"
    percent = SCORES[name].limits == SHARE
    text = (
        f"{100 * found.value:.1f} %" if percent else f"{found.value:+.2f}" if name == "to_par" else f"{found.value:.2f}"
    )
    if not interval or not (SCORES[name].of_agent or found.low < found.high):
        return text
    low, high = (100 * found.low, 100 * found.high) if percent else (found.low, found.high)
    digits = 0 if percent else 2
    return f"{text} ({low:.{digits}f} to {high:.{digits}f})"


def table(kind: Kind) -> list[list[str]]:
    """A row of headings, and a row for each player."""
    names = kind.scores
    rows = [["player", "samples", *(HEADS[name] for name in names)]]
    for player in players_of(kind.samples):
        mine = [sample.row for sample in kind.samples if sample.player == player]
        rows.append([player, str(len(mine)), *(score_text(name, estimate(mine, SCORES[name])) for name in names)])
    return rows


def usage_table(kind: Kind) -> list[list[str]]:
    """What models and people took per sample; no row for an engine."""
    rows = [["player", "samples", "input tokens", "output tokens", "cost", "time"]]
    for player in players_of(kind.samples):
        used = [sample.usage for sample in kind.samples if sample.player == player and sample.usage]
        if used:
            tokens_in, tokens_out, cost, seconds = (sum(numbers) / len(used) for numbers in zip(*used, strict=True))
            price = f"${cost:.4f}" if cost else "-"
            tokens = [f"{tokens_in:,.0f}", f"{tokens_out:,.0f}"] if tokens_in or tokens_out else ["-", "-"]
            rows.append([player, str(len(used)), *tokens, price, f"{seconds:.1f} s"])
    return rows


def people_table(kind: Kind) -> list[list[str]]:
    """All people together, if there are several. Here a person is a cluster: other people would score otherwise."""
    names = [name for name in kind.scores if SCORES[name].of_agent]
    rows = [["people", "samples", *(HEADS[name] for name in names)]]
    mine = [(sample.player, sample.statistics) for sample in kind.samples if sample.player.startswith(PERSON)]
    people = {player for player, _ in mine}
    if len(people) > 1:
        scores = (score_text(name, estimate(mine, SCORES[name])) for name in names)
        rows.append([str(len(people)), str(len(mine)), *scores])
    return rows


def pairs_table(kind: Kind) -> list[list[str]]:
    """Each player beside the one above it, over the samples that both have played."""
    points = bool(kind.samples[0].spec.opponent)
    name = "score" if points else "regret"
    rows = [["players", "samples", f"difference in {HEADS[name]}"]]
    players = players_of(kind.samples)
    played: dict[str, dict[tuple[str, int], LoggedSample]] = {player: {} for player in players}
    for sample in kind.samples:
        played[sample.player][sample.spec.id, sample.epoch] = sample
    for first, second in pairwise(players):
        both = [(one, played[second][key]) for key, one in played[first].items() if key in played[second]]
        found = difference([one.row for one, _ in both], [other.row for _, other in both], SCORES[name])
        if found:
            text = f"{100 * found.value:+.1f} % ({100 * found.low:+.0f} to {100 * found.high:+.0f})"
            rows.append([f"{first}, {second}", str(len(both)), text])
    return rows


def passes_table(kind: Kind) -> list[list[str]]:
    """pass@k of the players who tried samples several times, in as many epochs."""
    found: dict[str, dict[int, Estimate]] = {}
    for player in players_of(kind.samples):
        tries: dict[str, list[LoggedSample]] = {}
        for sample in kind.samples:
            if sample.player == player:
                tries.setdefault(sample.spec.id, []).append(sample)
        rows = [(several[0].spec.cluster, total([one.statistics for one in several])) for several in tries.values()]
        found[player] = passes_by_tries(rows)
    numbers = sorted({k for passes in found.values() for k in passes})
    rows_of_text = [["player", "samples", *(f"pass@{k}" for k in numbers)]]
    for player, passes in found.items():
        if passes:
            shares = (score_text("score", passes.get(k)) for k in numbers)
            rows_of_text.append([player, f"{passes[1].total:.0f}", *shares])
    return rows_of_text


def axis_table(kind: Kind, axis: str) -> list[list[str]]:
    """Models that were run with several values of a setting: what each value gets, and the tokens it takes."""
    score = kind.scores[0]
    cells: dict[str, dict[str, list[LoggedSample]]] = {}
    for sample in kind.samples:
        if sample.model:
            values = [text.partition("=")[2] for text in sample.settings if text.startswith(f"{axis}=")]
            others = [text for text in sample.settings if not text.startswith(f"{axis}=")]
            name = f"{sample.model} ({', '.join(others)})" if others else sample.model
            cells.setdefault(name, {}).setdefault(values[0] if values else DEFAULT, []).append(sample)
    cells = {name: found for name, found in cells.items() if len(found) > 1}
    columns = sorted({value for found in cells.values() for value in found}, key=axis_order)
    rows = [["player", "", *columns]]
    for name, found in sorted(cells.items()):
        scores = [estimate([one.row for one in found.get(value, [])], SCORES[score]) for value in columns]
        rows.append([name, HEADS[score], *(score_text(score, each) for each in scores)])
        used = [[one.usage.output_tokens for one in found.get(value, []) if one.usage] for value in columns]
        rows.append([name, "output tokens", *(f"{sum(each) / len(each):,.0f}" if each else "-" for each in used)])
    return rows


def axis_order(value: str) -> tuple[int, float, str]:
    """The order of the values of a setting: none given, efforts from low to high, numbers by size, others."""
    if value in EFFORTS:
        return 1, EFFORTS.index(value), value
    return (2, float(value), value) if value.isdecimal() else (int(value != DEFAULT) * 3, 0.0, value)


def more_tables(kind: Kind) -> list[tuple[str, list[list[str]]]]:
    """The tables below the scores that have something to say, with their titles."""
    tables = [
        ("All people together, with intervals that are about other people", people_table(kind)),
        ("Neighbours in the table above, on the same samples", pairs_table(kind)),
        ("Several tries at the same samples", passes_table(kind)),
        ("Per sample", usage_table(kind)),
        *((f"By {axis.replace('_', ' ')}", axis_table(kind, axis)) for axis in AXES),
    ]
    return [(title, rows) for title, rows in tables if len(rows) > 1]
