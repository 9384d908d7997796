"""The evaluation report: scores by player, game and difficulty, as one HTML file or as Markdown."""

import re
from collections.abc import Callable, Sequence
from html import escape
from shlex import quote
from typing import NamedTuple

from quintet.drawing.svg import BOARD_CSS
from quintet.games import GAMES
from quintet.llm.charts import Cell, panels
from quintet.llm.filmstrip import filmstrip, instructive_games
from quintet.llm.logs import PLAYERS, LoggedSample, Section, short_name
from quintet.llm.report_style import CSS
from quintet.llm.report_tables import (
    GAME_SCORES,
    HEADS,
    POSITION_SCORES,
    Kind,
    more_tables,
    players_of,
    score_text,
    table,
)
from quintet.llm.scores import SCORES, Row, estimate
from quintet.suites.samples import LEVELS

FILMSTRIPS = 6
TITLE = "Agents against perfect play"
INTRODUCTION = (
    "Every position of these games has an exact value, so agents are measured against perfect play, not against "
    "opponents of unknown strength. Intervals are 95 % confidence intervals, clustered by opening. "
    "Regret is a mean over the turns of the suite's games and positions where the result is at stake."
)
Key = Callable[[LoggedSample], str]
"""The group of a sample."""


class Breakdown(NamedTuple):
    """A score by group, beside another score."""

    title: str
    key: Key
    score: str
    mark: str
    """The score to compare with."""


def kinds_of(section: Section) -> list[Kind]:
    """The games and the positions of a section, if it has any."""
    games = [sample for sample in section.samples if sample.spec.opponent]
    positions = [sample for sample in section.samples if not sample.spec.opponent]
    kinds = (Kind("Games", games, GAME_SCORES), Kind("Positions", positions, POSITION_SCORES))
    return [kind for kind in kinds if kind.samples]


def commands_of(section: Section) -> list[str]:
    """The commands that run a suite again for the same players."""
    commands: dict[str, list[LoggedSample]] = {}
    for sample in section.samples:
        commands.setdefault(sample.command, []).append(sample)
    return [command.replace(PLAYERS, quote(",".join(players_of(samples)))) for command, samples in commands.items()]


def groups_of(samples: Sequence[LoggedSample], key: Key) -> list[str]:
    """The groups of samples: games and difficulties in their usual order, others in order of appearance."""
    order = [*GAMES, *LEVELS]
    names = dict.fromkeys(key(sample) for sample in samples)
    return sorted(names, key=lambda name: order.index(name) if name in order else len(order))


def cells_of(samples: Sequence[LoggedSample], breakdown: Breakdown) -> dict[tuple[str, str], Cell]:
    """The scores of every player in every group."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for sample in samples:
        groups.setdefault((sample.player, breakdown.key(sample)), []).append(sample.row)
    cells: dict[tuple[str, str], Cell] = {}
    for place, rows in groups.items():
        found, mark = (estimate(rows, SCORES[name]) for name in (breakdown.score, breakdown.mark))
        if found:
            cells[place] = found, mark.value if mark else None
    return cells


def game_of(sample: LoggedSample) -> str:
    """The game of a sample."""
    return sample.game


def level_of(sample: LoggedSample) -> str:
    """The difficulty of a position, or the opponent of a game."""
    return short_name(sample.spec.level)


BREAKDOWNS = {
    "Games": [
        Breakdown("Score by game, in %", game_of, "score", "par"),
        Breakdown("Score by opponent, in %", level_of, "score", "par"),
        Breakdown("Regret by game, in %", game_of, "regret", "guessing"),
    ],
    "Positions": [
        Breakdown("Regret by game, in %", game_of, "regret", "guessing"),
        Breakdown("Regret by difficulty, in %", level_of, "regret", "guessing"),
    ],
}


def markdown(sections: Sequence[Section]) -> str:
    """The report as Markdown."""
    parts = [f"# {TITLE}", INTRODUCTION, "[What the scores mean](scores.md)"]
    for section in sections:
        parts.append(f"## {plain(section.title)}")
        if section.suite:
            commands = [*commands_of(section), "quintet report runs --markdown --out leaderboard.md"]
            parts.append(f"To reproduce: {', then '.join(code(command) for command in commands)}.")
        if section.unfinished:
            parts.append(f"Not finished: {section.unfinished}.")
        for kind in kinds_of(section):
            parts += [f"### {kind.title}", markdown_table(table(kind))]
            for title, rows in more_tables(kind):
                parts += [f"**{title}**", markdown_table(rows)]
            for breakdown in BREAKDOWNS[kind.title]:
                cells, groups = cells_of(kind.samples, breakdown), groups_of(kind.samples, breakdown.key)
                rows = [["player", *groups]]
                for player in players_of(kind.samples):
                    rows.append([player, *(cell_text(breakdown.score, cells.get((player, name))) for name in groups)])
                parts += [f"**{breakdown.title} ({breakdown.mark} in brackets)**", markdown_table(rows)]
    return "\n\n".join(parts) + "\n"


def cell_text(score: str, cell: Cell | None) -> str:
    """A cell of a breakdown."""
    if cell is None:
        return "-"
    mark = f" [{100 * cell[1]:.1f}]" if cell[1] is not None else ""
    return score_text(score, cell[0], interval=False) + mark


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a Markdown table; the first row has the headings."""
    head, *others = rows
    lines = [list(map(plain, head)), ["---"] * len(head), *([plain(name), *texts] for name, *texts in others)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def plain(text: str) -> str:
    """A name from a log in Markdown, where it must not become a link, a tag or another column."""
    return re.sub(r"([\\`<>\[\]|])", r"\\\1", text)


def code(command: str) -> str:
    """A command in Markdown, with as many backquotes around it as it takes."""
    fence = "`" * (1 + max(map(len, re.findall("`+", command)), default=0))
    return f"{fence}{command}{fence}"


def html(sections: Sequence[Section]) -> str:
    """The report as one HTML file, without scripts or links to other files."""
    body = [f"<header><h1>{TITLE}</h1><p>{INTRODUCTION}</p></header>"]
    for section in sections:
        body.append(f"<section><h2>{escape(section.title)}</h2>")
        if section.unfinished:
            body.append(f"<p>Not finished: {section.unfinished}.</p>")
        for kind in kinds_of(section):
            body += [f"<h3>{kind.title}</h3>", html_table(table(kind), kind.scores)]
            for title, rows in more_tables(kind):
                body += [f"<h4>{title}</h4>", html_table(rows)]
            for breakdown in BREAKDOWNS[kind.title]:
                title = f"{breakdown.title} (bar: {breakdown.mark})"
                groups = groups_of(kind.samples, breakdown.key)
                plot = panels(title, players_of(kind.samples), groups, cells_of(kind.samples, breakdown))
                body.append(f"<figure>{plot}</figure>")
        games = instructive_games(section.samples, FILMSTRIPS)
        if games:
            body += ["<h3>Instructive games</h3>", *(filmstrip(sample) for sample in games)]
        body.append("</section>")
    meanings = "".join(f"<dt>{HEADS[name]}</dt><dd>{escape(score.meaning)}</dd>" for name, score in SCORES.items())
    body.append(f"<section><h2>What the scores mean</h2><dl>{meanings}</dl></section>")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{TITLE}</title><style>{CSS}{BOARD_CSS}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def html_table(rows: Sequence[Sequence[str]], names: Sequence[str] = ()) -> str:
    """Rows as an HTML table, the last columns with these scores; each interval is printed small below its score."""
    head, *others = rows
    meanings = ["", "games or positions", *(SCORES[name].meaning for name in names)] if names else [""] * len(head)
    heads = "".join(
        f'<th scope="col" title="{escape(meaning)}">{escape(text)}</th>'
        for text, meaning in zip(head, meanings, strict=True)
    )
    lines = []
    for name, *texts in others:
        cells = "".join(f"<td>{html_cell(text)}</td>" for text in texts)
        lines.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


def html_cell(text: str) -> str:
    """A score with its interval below."""
    value, bracket, interval = text.partition(" (")
    return f"{escape(value)}<small>{escape(interval.rstrip(')'))}</small>" if bracket else escape(value)
