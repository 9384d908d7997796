"""The plots of `study.py`."""

from collections import defaultdict

import matplotlib
import numpy as np

from quintet import GAMES

matplotlib.use("Agg")
from matplotlib import pyplot

FLOOR = 1e-4
"""Where a regret of 0 is drawn on a logarithmic axis."""
pyplot.rcParams |= {"svg.hashsalt": "quintet", "svg.fonttype": "none", "font.size": 9}
pyplot.rcParams |= {"axes.grid": True, "grid.color": "#dddddd", "xtick.minor.size": 0, "ytick.minor.size": 0}


def save(figure, file):
    """Write a figure on white, the same for the same data."""
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


def panels(number, ylabel, xlabel="floating-point operations"):
    """Panels for plots with logarithmic axes, up to three in a row, with common limits of the regret."""
    rows, columns = -(-number // 3), min(number, 3)
    figure, grid = pyplot.subplots(
        rows, columns, figsize=(3.2 * columns, 2.9 * rows), layout="constrained", squeeze=False, sharey=True
    )
    for axes in grid[:, 0]:
        axes.set_ylabel(ylabel)
    for place, axes in enumerate(grid.flat):
        axes.set(xscale="log", yscale="log", xlabel=xlabel)
        axes.minorticks_off()
        axes.set_visible(place < number)
    return figure, list(grid.flat)[:number]


def by_game(boards):
    """The boards of each game, with what belongs to them."""
    found = defaultdict(list)
    for (game, size), what in boards.items():
        found[game].append((size, what))
    return found


def plot_scaling(boards, file):
    """Regret against compute, a panel for each game's largest board, a line for each width."""
    games = by_game(boards)
    figure, axes = panels(len(games), "mean regret over all positions")
    for panel, (game, sizes) in zip(axes, games.items(), strict=True):
        size, some = sizes[-1]
        colours = pyplot.get_cmap("viridis")(np.linspace(0, 0.85, len(some)))
        for run, colour in zip(some, colours, strict=True):
            regrets = np.maximum([row["regret"] for row in run["rows"]], FLOOR)
            compute = [row["compute"] for row in run["rows"]]
            panel.plot(compute, regrets.mean(1), marker=".", color=colour, label=f"width {run['run']['width']}")
            panel.fill_between(compute, regrets.min(1), regrets.max(1), color=colour, alpha=0.15, linewidth=0)
        panel.axhline(some[0]["rows"][0]["random"], linestyle=":", color="gray", linewidth=1)
        panel.set_title(f"{GAMES[game].title} {size}")
    axes[0].legend(fontsize=8)
    save(figure, file)


def plot_sizes(curves, rows, file):
    """The least regret for each amount of compute, as a share of random play's; a panel per game, a line per board."""
    games = by_game(curves)
    figure, axes = panels(len(games), "share of random play's regret")
    for panel, (game, sizes) in zip(axes, games.items(), strict=True):
        colours = pyplot.get_cmap("viridis")(np.linspace(0, 0.85, len(sizes)))
        for (size, seeds), colour in zip(sizes, colours, strict=True):
            compute = sorted({point[0] for points in seeds for point in points})
            least = [[min((r for c, r in points if c <= most), default=np.nan) for points in seeds] for most in compute]
            shares = np.maximum(np.array(least) / rows[game, size]["random"], FLOOR)
            label = f"{size}: {rows[game, size]['positions']:,} positions"
            panel.plot(compute, np.nanmean(shares, 1), marker=".", color=colour, label=label)
            panel.fill_between(
                compute, np.nanmin(shares, 1), np.nanmax(shares, 1), color=colour, alpha=0.15, linewidth=0
            )
        panel.set_title(GAMES[game].title)
        panel.legend(fontsize=7, loc="lower left")
    save(figure, file)


def plot_wall(runs, interval, file):
    """Regret as a share of random play's against rounds, a panel for each board, a line for each game and input."""
    sizes = list(dict.fromkeys(run["run"]["size"] for run in runs))
    figure, axes = panels(len(sizes), "share of random play's regret", "rounds of self-play")
    groups = defaultdict(list)
    for run in runs:
        groups[run["run"]["game"], run["run"]["frames"], run["run"]["size"]].append(run)
    for (game, frames, size), some in groups.items():
        panel, colour = axes[sizes.index(size)], "#c2410c" if game == "isolation" else "#1d4ed8"
        rows = list(zip(*[run["rows"] for run in some], strict=False))
        shares = [[max(row["regret"][0] / row["random"], 1e-3) for row in each] for each in rows]
        rounds, means = [each[0]["length"] for each in rows], [interval(each) for each in shares]
        seen = "two positions" if frames == 2 else "one position"
        panel.plot(
            rounds,
            [mean for mean, _ in means],
            "--" if frames == 2 else "-",
            color=colour,
            label=f"{GAMES[game].title}, {seen}",
        )
        low, high = ([max(mean + sign * (margin or 0), 1e-3) for mean, margin in means] for sign in (-1, 1))
        panel.fill_between(rounds, low, high, color=colour, alpha=0.12, linewidth=0)
    for size, panel in zip(sizes, axes, strict=True):
        panel.set_title(f"{'line of ' if size.isdecimal() else ''}{size}")
        panel.set(xscale="linear", xlim=(0, None))
    axes[-1].legend(fontsize=7)
    save(figure, file)
