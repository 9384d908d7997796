"""The page about agents: who is worth what, by game and difficulty, as HTML that stands alone and as Markdown."""

from collections.abc import Callable, Sequence
from html import escape
from shlex import quote

from quintet.drawing.svg import BOARD_CSS
from quintet.games import GAMES
from quintet.llm.case import LEVELS
from quintet.llm.charts import Cell, panels
from quintet.llm.logs import PLAYERS, Entry, Section
from quintet.llm.replay import filmstrip, instructive
from quintet.llm.scores import SCORES, SHARE, Estimate, Row, estimate

REPLAYS = 6
TITLE = "Agents against perfect play"
LEAD = (
    "Every position of these games has an exact value, so agents are measured against the truth, and not against "
    "opponents of unknown strength. Intervals hold 95 % and are clustered by game."
)
HEADS = {
    "score": "score",
    "par": "par",
    "to_par": "to par",
    "faults": "faults",
    "legality": "legal",
    "regret": "regret",
    "guessing": "guessing",
    "optimal": "optimal",
    "cells": "cells",
    "kept": "wins kept",
    "held": "moves held",
}
"""What the columns are called."""
OF_GAMES = ("to_par", "score", "par", "faults", "legality", "regret", "guessing", "optimal", "cells", "kept", "held")
OF_POSITIONS = ("regret", "guessing", "optimal", "cells", "legality")

Key = Callable[[Entry], str]


def players_of(entries: Sequence[Entry]) -> list[str]:
    """The players, who gives least away first; of equals, who plays more best moves."""
    rows: dict[str, list[Row]] = {}
    for entry in entries:
        rows.setdefault(entry.player, []).append(entry.row)

    def order(player: str) -> tuple[float, float, str]:
        regret, optimal = (estimate(rows[player], SCORES[name]) for name in ("regret", "optimal"))
        return regret.value if regret else 0.0, -optimal.value if optimal else 0.0, player

    return sorted(rows, key=order)


def kinds_of(section: Section) -> list[tuple[str, list[Entry], tuple[str, ...]]]:
    """The games and the positions of a section, each with the scores that are shown of them."""
    whole = [entry for entry in section.entries if entry.case.opponent]
    single = [entry for entry in section.entries if not entry.case.opponent]
    return [kind for kind in (("Games", whole, OF_GAMES), ("Positions", single, OF_POSITIONS)) if kind[1]]


def commands_of(section: Section) -> list[str]:
    """The commands that run a suite again for the same players."""
    players: dict[str, list[Entry]] = {}
    for entry in section.entries:
        players.setdefault(entry.command, []).append(entry)
    return [command.replace(PLAYERS, quote(",".join(players_of(entries)))) for command, entries in players.items()]


def shown(name: str, found: Estimate | None, interval: bool = True) -> str:
    """A score as text."""
    if found is None:
        return "-"
    percent = SCORES[name].limits == SHARE
    text = (
        f"{100 * found.value:.1f} %" if percent else f"{found.value:+.2f}" if name == "to_par" else f"{found.value:.2f}"
    )
    if not interval or not (SCORES[name].measured or found.low < found.high):
        return text
    low, high = (100 * found.low, 100 * found.high) if percent else (found.low, found.high)
    digits = 0 if percent else 2
    return f"{text} ({low:.{digits}f} to {high:.{digits}f})"


def table(entries: Sequence[Entry], names: Sequence[str]) -> list[list[str]]:
    """A row for each player under a row of heads."""
    rows = [["player", "cases", *(HEADS[name] for name in names)]]
    for player in players_of(entries):
        mine = [entry.row for entry in entries if entry.player == player]
        rows.append([player, str(len(mine)), *(shown(name, estimate(mine, SCORES[name])) for name in names)])
    return rows


def breakdown(entries: Sequence[Entry], key: Key, score: str, mark: str | None) -> dict[tuple[str, str], Cell]:
    """A score of every player in every group, with what it is compared with."""
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        groups.setdefault((entry.player, key(entry)), []).append(entry)
    cells: dict[tuple[str, str], Cell] = {}
    for where, members in groups.items():
        rows = [entry.row for entry in members]
        found, compared = estimate(rows, SCORES[score]), estimate(rows, SCORES[mark]) if mark else None
        if found:
            cells[where] = found, compared.value if compared else None
    return cells


def columns_of(entries: Sequence[Entry], key: Key) -> list[str]:
    """The groups in the order of the games and of the difficulties, others as they come."""
    order = [*GAMES, *LEVELS]
    names = dict.fromkeys(key(entry) for entry in entries)
    return sorted(names, key=lambda name: order.index(name) if name in order else len(order))


def plots(kind: str) -> list[tuple[str, Key, str, str | None]]:
    """The plots of games, or of positions: title, group, score and what it is compared with."""
    by_game: Key = lambda entry: entry.game  # noqa: E731 - a key is a key
    by_level: Key = lambda entry: entry.case.level  # noqa: E731
    if kind == "Games":
        return [
            ("Score by game in per cent, and par (stroke)", by_game, "score", "par"),
            ("Score by opponent in per cent, and par (stroke)", by_level, "score", "par"),
            ("Regret by game in per cent, and what guessing gives away (stroke)", by_game, "regret", "guessing"),
        ]
    return [
        ("Regret by game in per cent, and what guessing gives away (stroke)", by_game, "regret", "guessing"),
        ("Regret by difficulty in per cent, and what guessing gives away (stroke)", by_level, "regret", "guessing"),
    ]


def markdown(sections: Sequence[Section]) -> str:
    """The page as Markdown."""
    parts = [f"# {TITLE}", LEAD, "What the scores mean is on [one page](scores.md)."]
    for section in sections:
        parts.append(f"## {section.title}")
        if section.suite:
            commands = [*commands_of(section), "quintet report runs --markdown --out leaderboard.md"]
            parts.append(f"Made by {', '.join(f'`{one}`' for one in commands[:-1])} and `{commands[-1]}`.")
        if section.missing:
            parts.append(f"Not finished: {section.missing}.")
        for kind, entries, names in kinds_of(section):
            parts += [f"### {kind}", markdown_table(table(entries, names))]
            for title, key, score, mark in plots(kind):
                cells, columns = breakdown(entries, key, score, mark), columns_of(entries, key)
                rows = [["player", *columns]]
                rows += [[p, *(cell_text(score, cells.get((p, c))) for c in columns)] for p in players_of(entries)]
                parts += [f"**{title.replace('(stroke)', 'in brackets')}**", markdown_table(rows)]
    return "\n\n".join(parts) + "\n"


def cell_text(score: str, cell: Cell | None) -> str:
    """A cell of a breakdown."""
    if cell is None:
        return "-"
    mark = f" [{100 * cell[1]:.1f}]" if cell[1] is not None else ""
    return shown(score, cell[0], interval=False) + mark


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a Markdown table, heads first."""
    head, *others = rows
    lines = [head, ["---"] * len(head), *others]
    return "\n".join("| " + " | ".join(text.replace("|", "\\|") for text in line) + " |" for line in lines)


def html(sections: Sequence[Section]) -> str:
    """The page as HTML: no script, nothing from elsewhere."""
    body = [f"<header><h1>{TITLE}</h1><p>{LEAD}</p></header>"]
    for section in sections:
        body.append(f"<section><h2>{escape(section.title)}</h2>")
        if section.missing:
            body.append(f"<p>Not finished: {section.missing}.</p>")
        for kind, entries, names in kinds_of(section):
            body += [f"<h3>{kind}</h3>", html_table(table(entries, names), names)]
            for title, key, score, mark in plots(kind):
                columns = columns_of(entries, key)
                plot = panels(title, players_of(entries), columns, breakdown(entries, key, score, mark))
                body.append(f"<figure>{plot}</figure>")
        games = instructive(section.entries, REPLAYS)
        if games:
            body += ["<h3>Instructive games</h3>", *(filmstrip(entry) for entry in games)]
        body.append("</section>")
    meanings = "".join(f"<dt>{HEADS[name]}</dt><dd>{escape(score.meaning)}</dd>" for name, score in SCORES.items())
    body.append(f"<section><h2>What the scores mean</h2><dl>{meanings}</dl></section>")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{TITLE}</title><style>{_CSS}{BOARD_CSS}</style></head>\n<body>\n"
        + "\n".join(body)
        + "\n</body></html>\n"
    )


def html_table(rows: Sequence[Sequence[str]], names: Sequence[str]) -> str:
    """Rows as an HTML table; an interval stands small under its score."""
    head, *others = rows
    meanings = ["", "games or positions", *(SCORES[name].meaning for name in names)]
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
    """A score, and its interval below."""
    value, bracket, interval = text.partition(" (")
    return f"{escape(value)}<small>{escape(interval.rstrip(')'))}</small>" if bracket else escape(value)


_CSS = """
  :root { color-scheme: light dark; --page: #f4f1e9; --text: #2e2a21; --soft: #6d6654; --sheet: #fbfaf7;
          --edge: #e0dacb; --good: #2d7a3e; --bad: #b3361b; }
  @media (prefers-color-scheme: dark) {
    :root { --page: #131518; --text: #e4dfd2; --soft: #a39d8d; --sheet: #1b1d21; --edge: #33373e; --good: #7cc98c;
            --bad: #f0876b; } }
  * { box-sizing: border-box; }
  body { margin: 0 auto; max-width: 76rem; padding: 2.5rem 1.25rem 4rem; background: var(--page); color: var(--text);
         font: 16px/1.55 ui-sans-serif, system-ui, sans-serif; }
  header { max-width: 46rem; } h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.01em; }
  header p { color: var(--soft); margin: 0; } h2 { margin: 3rem 0 .25rem; font-size: 1.4rem; }
  h3 { margin: 2rem 0 .75rem; font-size: 1.1rem; } h4 { margin: 0; font-size: 1rem; }
  .wide, figure { overflow-x: auto; background: var(--sheet); border: 1px solid var(--edge); border-radius: 12px; }
  figure { margin: 1rem 0 0; padding: .5rem; } figure svg { display: block; margin: 0 auto; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem; }
  th, td { padding: .5rem .7rem; text-align: right; white-space: nowrap; vertical-align: top; }
  thead th { color: var(--soft); font-weight: 600; border-bottom: 1px solid var(--edge); cursor: help; }
  th:first-child { text-align: left; position: sticky; left: 0; background: var(--sheet); }
  tbody tr + tr > * { border-top: 1px solid var(--edge); } td small { display: block; color: var(--soft);
    font-size: .75rem; }
  .replay { margin: 1rem 0; padding: 1rem 1rem .5rem; background: var(--sheet); border: 1px solid var(--edge);
            border-radius: 12px; } .replay > p { margin: 0 0 .5rem; color: var(--soft); }
  .strip { display: flex; gap: .75rem; overflow-x: auto; scroll-snap-type: x proximity; list-style: none; margin: 0;
           padding: .25rem 0 .75rem; } .strip:focus-visible { outline: 3px solid var(--good); outline-offset: 4px; }
  .strip li { flex: 0 0 auto; scroll-snap-align: start; } .strip svg { width: 100%; height: auto; display: block; }
  .strip p { margin: .4rem 0 0; font-size: .82rem; line-height: 1.4; } .strip span { display: block; }
  .strip span.best, .strip span.good { color: var(--good); }
  .strip span.mistake, .strip span.blunder, .strip span.inaccuracy { color: var(--bad); }
  .strip li.blunder svg, .strip li.mistake svg { outline: 3px solid var(--bad); border-radius: 10px; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; max-width: 46rem; }
  dt { font-weight: 600; } dd { margin: 0; color: var(--soft); }
"""
