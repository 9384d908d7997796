"""The data card of a dataset: a README.md as Hugging Face reads it."""

import json
import re
import shlex
from pathlib import Path

from quintet.games import GAMES
from quintet.solve.dataset import About
from quintet.solve.distributions import ALL, DISTRIBUTIONS
from quintet.version import DISTRIBUTION, __version__

MARK = "<!-- data card by quintet dataset: {file} -->"
"""The line that says whose card it is, and of which file; such a card is replaced."""

COLUMNS = {
    "mine": "the cells of the player to move; cell `i`, counted row by row from 0, is bit `i`",
    "theirs": "the cells of the opponent",
    "value": "the result with best play for the player to move: 1 win, 0 draw, -1 loss",
    "margin": "the final margin in cells with best play, for the player to move",
    "plies": "the number of moves left, both players' counted, if the winner hurries and the loser delays",
    "optimal": "the best actions; action `i` is bit `i`; 0 if the game is over",
    "images": "the size of the symmetry orbit: how many positions the row stands for",
    "weight": "the share of the row, with all its images, in the distribution; the weights add up to 1",
    "actions": "the legal actions: the number of a cell, or after the last cell a pass; empty if the game is over",
    "action_values": "the result of each of these actions, followed by best play, on the scale of `value`",
    "action_margins": "the final margin after each of these actions, on the scale of `margin`",
    "action_plies": "the moves left with each of these actions, which is counted too",
    "action_regrets": "what each of these actions gives away in points (win 1, draw 1/2, loss 0): 0, 1/2 or 1, "
    "as `quintet.regret`",
}
"""What the columns mean."""

SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M", 10_000_000: "1M<n<10M"}


def size_category(rows: int) -> str:
    """The number of rows as Hugging Face says it."""
    return next((name for limit, name in SIZES.items() if rows < limit), "10M<n<100M")


def command_of(about: About, file: str) -> str:
    """The command that makes the dataset."""
    words = ["quintet", "dataset", about["game"], "--size", about["size"]]
    if "target" in about:
        words += ["--target", str(about["target"]), "--values", ",".join(map(str, about["values"]))]
    return shlex.join([*words, "--distribution", about["distribution"], "--format", "parquet", "--out", file])


def name_of(about: About) -> str:
    """What a dataset is called."""
    return f"{GAMES[about['game']].title} {about['size']}, solved ({about['distribution']})"


def describe_distribution(about: About) -> str:
    """What the weights say, and how a mean over it is taken."""
    name = about["distribution"]
    text = f"`{name}`: {DISTRIBUTIONS[name]}."
    if name != ALL:
        length = about["positions_per_game"]
        text += f" Such a game has {length:.4f} positions on average, the first and the last one included."
        text += " Positions that it never reaches are left out."
    return f"{text} The column `weight` is exact up to rounding; nothing is sampled."


def data_card(about: About, columns: list[str], file: str, checksum: str) -> str:
    """The card of a Parquet file."""
    game, title = GAMES[about["game"]], name_of(about)
    header = {
        "license": "mit",
        "pretty_name": title,
        "size_categories": [size_category(about["rows"])],
        "tags": ["board-games", "combinatorial-game-theory", "solved-game", about["game"]],
        "configs": [{"config_name": "default", "data_files": file}],
    }
    top = "\n".join(f"{name}: {json.dumps(value)}" for name, value in header.items())
    table = "\n".join(f"| `{name}` | {COLUMNS[name]} |" for name in columns)
    return f"""\
---
{top}
---
{MARK.format(file=file)}

# {title}

{game.summary} These are the positions on the board {about["size"]} with their exact values, and the value and regret of
every legal action.

- **Rows:** {about["rows"]:,}, which stand for {about["positions"]:,} positions. Symmetric positions share a row.
  Positions are identified by {about["told_by"]}; one row stands for all that agree in this.
- **Distribution:** {describe_distribution(about)}
- **A mean regret** over it is the mean of a row's regret, weighted by `weight`, over the rows with actions.
  State the distribution with it.

| column | content |
|---|---|
{table}

## How to load it

```py
import pandas as pd
data = pd.read_parquet("{file}")
```

## How it was made

By {DISTRIBUTION} {__version__}. All positions that can come up from the empty board are found by the rules, and their
values are worked out backwards from the ends of the game, independently of the search. This command makes it again:

```sh
{command_of(about, file)}
```

SHA-256 of `{file}`: `{checksum}`. Another version of pyarrow may compress the same rows differently.

License: MIT, as Quintet itself.
"""


def may_replace(card: Path, file: str) -> bool:
    """Whether there is no file where the card is to be written, or an earlier card of the same data."""
    try:
        text = card.read_text(errors="replace")
    except FileNotFoundError:
        return True
    return re.search(f"^{re.escape(MARK.format(file=file))}$", text, re.MULTILINE) is not None
