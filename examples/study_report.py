"""Tables and fits of the runs of `study.py`: means over seeds with 95 % intervals by Student's distribution."""

import json
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.stats import t as student
from study_plots import plot_scaling, plot_sizes, plot_wall

from quintet import GAMES

LEARNED = 0.5
"""A power law is fitted from where the regret is below this share of that of random play."""
FEWEST = 3
"""The fewest points of a fit."""
GOAL = 0.5
"""The share of the regret of random play that boards of different sizes are compared at."""


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


def write_billions(numbers):
    """The geometric mean of large numbers with its interval, in billions with two digits, as text."""
    mean, margin = interval(np.log10(numbers))
    low, middle, high = (f"{float(f'{10 ** (mean + step - 9):.2g}'):g}" for step in (-(margin or 0), 0, margin or 0))
    return middle if margin is None else f"{middle} ({low} to {high})"


def write_difference(first, second, digits=3):
    """The difference of two means with its interval and its p-value, as two cells; by Welch's test, not paired."""
    apart = np.mean(first) - np.mean(second)
    spreads = [np.var(numbers, ddof=1) / len(numbers) for numbers in (first, second)]
    if not sum(spreads):
        return f"{apart:+.{digits}f} |"
    freedom = sum(spreads) ** 2 / sum(
        spread**2 / (len(numbers) - 1) for spread, numbers in zip(spreads, (first, second), strict=True)
    )
    error = sum(spreads) ** 0.5
    margin, chance = student.ppf(0.975, freedom) * error, 2 * student.sf(abs(apart) / error, freedom)
    return f"{apart:+.{digits}f} ± {margin:.{digits}f} | {np.format_float_positional(float(f'{chance:.1g}'), trim='-')}"


def frontier(runs, seed):
    """The least regret that one seed reached with each amount of compute, over all widths; each point is lower."""
    points = sorted((row["compute"], row["regret"][seed]) for run in runs for row in run["rows"])
    best, found = float("inf"), []
    for compute, regret in points:
        if regret < best:
            best = regret
            found.append((compute, regret))
    return found


def slope(points):
    """The exponent of a power law through these points, `None` if they are too few to fit."""
    return float(np.polyfit(*np.log(np.array(points)).T, 1)[0]) if len(points) >= FEWEST else None


def learned(points, random):
    """The points from where something has been learned, those of 0 left out."""
    return [(compute, regret) for compute, regret in points if 0 < regret < LEARNED * random]


def exponent(points, random):
    """The exponent of compute in a power law through these points, `None` if too few are left to fit."""
    return slope(learned(points, random))


def determination(points, random):
    """The share of the variance of the logarithm of regret that the power law explains, `None` without a fit."""
    some = learned(points, random)
    return float(np.corrcoef(*np.log(np.array(some)).T)[0, 1] ** 2) if len(some) >= FEWEST else None


def width_exponent(runs, seed):
    """The exponent of the number of weights in a power law of one seed's last regrets, those of 0 left out."""
    ends = [run["rows"][-1] for run in runs]
    return slope([(row["weights"], row["regret"][seed]) for row in ends if row["regret"][seed] > 0])


def needed(points, random):
    """The least compute with which the regret falls to half of that of random play, `None` if it does not."""
    return next((compute for compute, regret in points if regret <= GOAL * random), None)


def write_known(found, write):
    """What was found for every seed, as text; how many seeds have it if some have not."""
    known = [one for one in found if one is not None]
    return write(known) if len(known) == len(found) else f"{len(known)} of {len(found)} seeds"


def by_board(runs):
    """The runs of each game and size."""
    found = defaultdict(list)
    for run in runs:
        found[run["run"]["game"], run["run"]["size"]].append(run)
    return found


def width_table(runs):
    """A row for each board: what random play and networks of each width give away after training."""
    widths = sorted({run["run"]["width"] for run in runs})
    titles = ["game", "board", "positions", "random play", *[f"width {width}" for width in widths]]
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for (game, size), some in by_board(runs).items():
        last = {run["run"]["width"]: run["rows"][-1] for run in some}
        row = next(iter(last.values()))
        ends = [write_interval(last[width]["regret"]) if width in last else "" for width in widths]
        lines.append(
            f"| {GAMES[game].title} | {size} | {row['positions']:,} | {row['random']:.3f} | {' | '.join(ends)} |"
        )
    return lines


def fit_table(runs):
    """A row for each board: the power laws, and the compute that half of the regret of random play takes."""
    lines = [
        "| game | board | exponent of compute | R² | exponent of weights | billion operations to half of random's |",
        "|---|---|---|---|---|---|",
    ]
    for (game, size), some in by_board(runs).items():
        row = some[0]["rows"][-1]
        seeds = range(len(row["regret"]))
        best = [frontier(some, seed) for seed in seeds]
        cells = [
            write_known([exponent(points, row["random"]) for points in best], lambda known: write_interval(known, 2)),
            write_known(
                [determination(points, row["random"]) for points in best], lambda known: f"{np.mean(known):.2f}"
            ),
            write_known([width_exponent(some, seed) for seed in seeds], lambda known: write_interval(known, 2)),
            write_known([needed(points, row["random"]) for points in best], write_billions),
        ]
        lines.append(f"| {GAMES[game].title} | {size} | {' | '.join(cells)} |")
    return lines


def size_table(runs):
    """A row for each game: how the compute that half of the regret of random play takes grows with the positions."""
    lines = ["| game | boards | exponent of positions |", "|---|---|---|"]
    games = defaultdict(list)
    for (game, size), some in by_board(runs).items():
        games[game].append((size, some))
    for game, boards in games.items():
        fits = []
        for seed in range(len(boards[0][1][0]["rows"][-1]["regret"])):
            rows = [(some, some[0]["rows"][-1]) for _, some in boards]
            found = [(row["positions"], needed(frontier(some, seed), row["random"])) for some, row in rows]
            fits.append(None if None in dict(found).values() else slope(found))
        text = write_known(fits, lambda known: write_interval(known, 2))
        lines.append(f"| {GAMES[game].title} | {', '.join(size for size, _ in boards)} | {text} |")
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


def difference_table(runs):
    """A row for each comparison: of inputs on a board, and of games on the same board."""
    lines = ["| board | difference of the shares of random play's regret | mean | p |", "|---|---|---|---|"]
    shares = defaultdict(list)
    for run in runs:
        row = run["rows"][-1]
        shares[run["run"]["size"], run["run"]["game"], run["run"]["frames"]].append(row["regret"][0] / row["random"])
    for (size, game, frames), some in shares.items():
        title, others = GAMES[game].title, shares.get((size, game, 2), [])
        if frames == 1 and min(len(some), len(others)) > 1:
            lines.append(f"| {size} | {title}: two positions − one position | {write_difference(others, some)} |")
        others = shares.get((size, "gridlock", frames), [])
        if game == "isolation" and min(len(some), len(others)) > 1:
            seen = "two positions" if frames == 2 else "one position"
            lines.append(f"| {size} | {title} − Gridlock, {seen} | {write_difference(some, others)} |")
    return lines


def book_table(runs):
    """A row for each rule book's board: what the network alone gives away, and in how many positions each seed errs."""
    lines = [
        "| game | board | positions | random play | regret | positions in which it errs, by seed |",
        "|---|---|---|---|---|---|",
    ]
    for run in runs:
        row, (game, size) = run["rows"][-1], (run["run"]["game"], run["run"]["size"])
        wrong = ", ".join(f"{number:,}" for number in row["wrong"])
        lines.append(
            f"| {GAMES[game].title} | {size} | {row['positions']:,} | {row['random']:.3f} "
            f"| {write_interval(row['regret'], 5)} | {wrong} |"
        )
    return lines


def write_report(folder):
    """Print the tables, and write the plots into the folder."""
    runs = [run for run in read_runs(folder) if run["rows"]]
    if not runs:
        raise SystemExit(f"study.py: {folder} has no results yet")
    tables = {
        "scaling": (width_table, fit_table, size_table),
        "wall": (wall_table, difference_table),
        "book": (book_table,),
    }
    order = list(GAMES)
    for name, writers in tables.items():
        some = [run for run in runs if run["run"]["experiment"] == name]
        some.sort(key=lambda run: (order.index(run["run"]["game"]), run["rows"][-1]["positions"], run["run"]["width"]))
        if some:
            print("\n\n".join("\n".join(write(some)) for write in writers), end="\n\n")
        if some and any(run["done"] < run["run"]["length"] for run in some):
            print("Some of these runs are not finished.", end="\n\n")
        if some and name == "scaling":
            boards = by_board(some)
            rows = {board: each[0]["rows"][0] for board, each in boards.items()}
            best = {
                board: [frontier(each, seed) for seed in range(len(rows[board]["regret"]))]
                for board, each in boards.items()
            }
            plot_scaling(boards, Path(folder) / "scaling.svg")
            plot_sizes(best, rows, Path(folder) / "sizes.svg")
        if some and name == "wall":
            plot_wall(some, interval, Path(folder) / "wall.svg")
