"""Tables, fits and plots of the runs of `study.py`: means over seeds with 95 % intervals by Student's distribution."""

import json
from collections import defaultdict
from pathlib import Path

import matplotlib
import numpy as np
from scipy.stats import t as student

from quintet import GAMES

matplotlib.use("Agg")
from matplotlib import pyplot

LEARNED = 0.5
"""A power law is fitted from where the regret is below this share of that of random play."""
FEWEST = 3
"""The fewest points of a fit."""


def read_runs(folder):
    """The runs in a folder, in order of their names."""
    return [json.loads(file.read_text()) for file in sorted(Path(folder).glob("*.json"))]


def interval(numbers):
    """The mean, and half the width of its 95 % interval; without an interval if there is only one number."""
    mean = float(np.mean(numbers))
    if len(numbers) < 2:
        return mean, None
    return mean, student.ppf(0.975, len(numbers) - 1) * float(np.std(numbers, ddof=1)) / len(numbers) ** 0.5


def write_interval(numbers, digits=4):
    """A mean with its interval, as text."""
    mean, margin = interval(numbers)
    return f"{mean:.{digits}f}" if margin is None else f"{mean:.{digits}f} ± {margin:.{digits}f}"


def frontier(runs, seed):
    """The least regret that one seed reached with each amount of compute, over all widths; each point is lower."""
    points = sorted((row["compute"], row["regret"][seed]) for run in runs for row in run["rows"])
    best, found = float("inf"), []
    for compute, regret in points:
        if regret < best:
            best = regret
            found.append((compute, regret))
    return found


def exponent(points, random):
    """The exponent of compute in a power law through these points, `None` if too few are left to fit."""
    learned = [(compute, regret) for compute, regret in points if 0 < regret < LEARNED * random]
    if len(learned) < FEWEST:
        return None
    slope, _ = np.polyfit(*np.log(np.array(learned)).T, 1)
    return float(slope)


def by_board(runs):
    """The runs of each game and size."""
    found = defaultdict(list)
    for run in runs:
        found[run["run"]["game"], run["run"]["size"]].append(run)
    return found


def scaling_table(runs):
    """A row for each board: what random play, the smallest and the largest network give away, and the power law."""
    lines = [
        "| game | board | positions | random play | smallest network | largest network | exponent of compute |",
        "|---|---|---|---|---|---|---|",
    ]
    for (game, size), some in by_board(runs).items():
        some.sort(key=lambda run: run["run"]["width"])
        last = some[0]["rows"][-1]
        fits = [exponent(frontier(some, seed), last["random"]) for seed in range(len(last["regret"]))]
        known = [fit for fit in fits if fit is not None]
        small, large = (
            f"{run['run']['width']} wide: {write_interval(run['rows'][-1]['regret'])}" for run in (some[0], some[-1])
        )
        fitted = (
            write_interval(known, 2) if len(known) == len(fits) else f"{len(known)} of {len(fits)} seeds can be fitted"
        )
        board = f"{GAMES[game].title} | {size} | {last['positions']:,} | {last['random']:.3f}"
        lines.append(f"| {board} | {small} | {large} | {fitted} |")
    return lines


def wall_table(runs):
    """A row for each board and input: what the network gives away after training, as a share of random play too."""
    lines = [
        "| game | board | input | seeds | random play | regret | share of random play | wrong positions |",
        "|---|---|---|---|---|---|---|---|",
    ]
    groups = defaultdict(list)
    for run in runs:
        groups[run["run"]["game"], run["run"]["size"], run["run"]["frames"]].append(run["rows"][-1])
    for (game, size, frames), rows in groups.items():
        regrets = [row["regret"][0] for row in rows]
        wrong = [row["wrong"][0] / row["positions"] for row in rows]
        shares = [row["regret"][0] / row["random"] for row in rows]
        lines.append(
            f"| {GAMES[game].title} | {size} | {'two positions' if frames == 2 else 'one position'} | {len(rows)} "
            f"| {rows[0]['random']:.3f} | {write_interval(regrets)} | {write_interval(shares, 3)} "
            f"| {write_interval([100 * share for share in wrong], 1)} % |"
        )
    return lines


def plot_scaling(runs, file):
    """Regret against compute, a panel for each game's largest board, a line for each width."""
    largest = {game: some for (game, _), some in by_board(runs).items()}
    figure, panels = pyplot.subplots(
        1, len(largest), figsize=(3.2 * len(largest), 3.4), layout="constrained", squeeze=False
    )
    for panel, (game, some) in zip(panels[0], largest.items(), strict=True):
        for run in sorted(some, key=lambda run: run["run"]["width"]):
            compute = [row["compute"] for row in run["rows"]]
            regret = [max(np.mean(row["regret"]), 1e-7) for row in run["rows"]]
            panel.loglog(compute, regret, marker=".", linewidth=1, label=f"{run['run']['width']}")
        panel.axhline(some[0]["rows"][0]["random"], linestyle=":", color="gray", linewidth=1)
        panel.set_title(f"{GAMES[game].title} {some[0]['run']['size']}", fontsize=9)
        panel.set_xlabel("floating-point operations", fontsize=8)
    panels[0][0].set_ylabel("mean regret over all positions", fontsize=8)
    panels[0][-1].legend(title="width", fontsize=7)
    figure.savefig(file)


def plot_wall(runs, file):
    """Regret as a share of random play's against compute, a line for each board and input."""
    figure, panel = pyplot.subplots(figsize=(7, 4), layout="constrained")
    groups = defaultdict(list)
    for run in runs:
        groups[run["run"]["game"], run["run"]["size"], run["run"]["frames"]].append(run)
    for (game, size, frames), some in groups.items():
        rows = zip(*[run["rows"] for run in some], strict=False)
        points = [(each[0]["compute"], np.mean([row["regret"][0] / row["random"] for row in each])) for each in rows]
        style = "--" if frames == 2 else "-"
        panel.loglog(*zip(*points, strict=True), style, label=f"{GAMES[game].title} {size}, {frames} seen", linewidth=1)
    panel.set(xlabel="floating-point operations", ylabel="regret as a share of random play's")
    panel.legend(fontsize=7)
    figure.savefig(file)


def write_report(folder):
    """Print the tables, and write the plots into the folder."""
    runs = [run for run in read_runs(folder) if run["rows"]]
    if not runs:
        raise SystemExit(f"study.py: {folder} has no results yet")
    parts = {"scaling": (scaling_table, plot_scaling), "wall": (wall_table, plot_wall)}
    for name, (table, plot) in parts.items():
        if some := [run for run in runs if run["run"]["experiment"] == name]:
            lengths = sorted({run["done"] == run["run"]["length"] for run in some})
            print(
                "\n".join(table(some)),
                end="\n\n" if lengths == [True] else "\n\nSome of these runs are not finished.\n\n",
            )
            plot(some, Path(folder) / f"{name}.svg")
