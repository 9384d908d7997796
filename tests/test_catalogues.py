"""No text that people read is outside the catalogues, and no catalogue is incomplete, stale or broken."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message

import catalogues
from quintet.games import GAMES, OWN
from quintet.language import language, tr, tr_count

TRANSLATED = {"tr", "tr_count", "later", "Binding"}
"""The functions whose texts are extracted; Textual's `Binding` describes a key at the bottom of a screen."""
NOT_READ = {"Meta", "Query", "Path", "compile", "getLogger", "RateLimiter", "labels"}
"""Functions whose texts no visitor reads: descriptions for programs, patterns, names in the log."""
SHOWN = {"Label", "Button", "Static", "Option", "update", "add_column", "say", "advise", "confirm"}
"""What shows its first argument as it is."""
SENTENCE = re.compile(r"[A-Za-z’']{2,},? [A-Za-z’'{]{2,}|[A-Za-z]{2,}…")
GLUED = re.compile(r"^ [a-z]{2,}$|^ [a-z]{2,} $|[a-z]{2,} $")
"""A piece that is glued to what stands before or after it."""
WORD = re.compile(r"(?<![$/\[])\b[A-Za-z]{2,}\b(?![^\[]*\])")

READ = (
    "effects.py",
    "engines/kinds.py",
    "errors.py",
    "games/__init__.py",
    "lesson.py",
    "match.py",
    "notation.py",
    "options.py",
    "record.py",
    "rules.py",
    "session.py",
    "site/routes.py",
    "site/saved_match.py",
    "site/service.py",
    "study/*.py",
    "terminal/*.py",
    "view.py",
    "web/*.py",
)
"""The modules whose texts a person reads on the page or in the app; those of the games are in their records."""
ENGLISH_FILES = {
    "study/solved_boards.py": "a page of the docs",
    "terminal/dialogue.py": "the rule books' dialogue",
    "terminal/puzzle_dialogue.py": "the command line",
    "web/health.py": "for monitors",
    "web/http_guard.py": "for programs: a browser never sends such requests",
    "web/logs.py": "the log",
    "web/metrics.py": "for monitors",
    "web/pages.py": "the page about the API",
    "web/runner.py": "the log",
    "web/websocket_guard.py": "for programs: a browser never sends such frames",
    "web/worker_process.py": "the log",
}
ENGLISH_TEXTS = {
    "engines/kinds.py": (
        " or ",
        " to ",
        "name a ",
        "name the ",
        "choose a level",
        "mcts takes",
        ", such as",
        "missing quotation",
    ),
    "games/__init__.py": (" of ", "it is not a Game", "there is already", "the game ", " is skipped"),
    "match.py": ("Player ", " resigned"),  # The outcomes of records.
    "rules.py": (
        "Player ",
        ", Player ",
        " of ",
        " uses ",
        " points",
        # Outcomes as records say them; view.py says the same to people.
        " has no legal move",
        " has reached ",
        " cells to ",
        " cells each",
        # For programmers.
        "the rule ",
        ": write it as",
        " of a function",
        ", which is not",
        "the player",
        "a move is a number",
        "No action ",
        ": actions are",
        # Of environments; `refusal` says the same to people.
        "That is not a cell",
        "This game has no",
        # The title of a picture.
        " to move",
    ),
    "site/saved_match.py": ("it waits",),  # For programmers.
    "study/analysis.py": ("analyze takes",),
    "study/daily.py": ("this is no puzzle",),
    "study/remarks.py": (" resigned a won game.", " against ", "Player "),  # The report of the command line.
    "study/reviews.py": ("review takes",),
    "study/value_graph.py": ("Move ",),  # A picture of the command line.
    "terminal/setup_screen.py": ("seat ",),  # A class.
    "terminal/side_panel.py": ("card ",),  # Classes.
    "web/app.py": ("Five small",),  # The description of the API.
    "web/lobby.py": ("match ",),  # What an id is made from.
    "web/match_routes.py": ("quintet serve",),  # A command.
    "web/picture_routes.py": ("public, ",),  # A header.
    "web/previews.py": ("<meta ",),  # HTML.
    "web/operator.py": ("operator token",),  # A name in the log.
    "web/responses.py": ("The ", "A ", "An ", "Not ", "Too "),  # The description of the API.
    "web/sockets.py": ("there is no such table", "The server is restarting.", "Too many messages."),  # For programs.
    "web/tournament_rounds.py": ("tournament ",),  # What an id is made from.
    "web/tournaments.py": ("tournament ",),  # What an id is made from.
    "web/workers.py": (
        "it ended the",
        "was killed ",
        "by ",
        "ended ",
    ),  # What happened to an engine, as records and the log say it.
}
"""Beginnings of texts that stay in English, by their files."""

TITLES = {GAMES[name].title for name in OWN}
SAME = {
    "de": {
        *TITLES,
        "Download",
        "Link",
        "Monte Carlo",
        "Name",
        "Normal",
        "Pause",
        "Server",
        "Sockets",
        "Start",
        "Zoom",
        "{count} ms",
        "{hours} h {minutes} min",
        "{minutes} min",
    },
    "fr": {
        *TITLES,
        "{count} point",
        "{count} points",
        "Date",
        "Documentation",
        "Invitation",
        "Monte Carlo",
        "Normal",
        "Options",
        "Pause",
        "Points",
        "Score",
        "Sockets",
        "Solution",
        "Table",
        "Total",
        "Zoom",
    },
    "es": {
        *TITLES,
        "No",
        "No (n)",
        "Normal",
        "Sockets",
        "Total",
        "Zoom",
        "{count} ms",
        "{hours} h {minutes} min",
        "{minutes} min",
    },
    "ja": {*TITLES},
}
"""Texts that a translation leaves as they are."""


def called(call: ast.Call) -> str:
    """The name of the function that is called."""
    if isinstance(call.func, ast.Attribute):
        return "log" if isinstance(call.func.value, ast.Name) and call.func.value.id == "log" else call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def texts_outside(path: Path) -> Iterator[str]:
    """The texts in a module that look like sentences, or that a widget shows, and that are not translated."""
    tree = ast.parse(path.read_text("utf-8"))
    passed: set[int] = set()
    shown: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed.add(id(node.value))  # A docstring.
        if isinstance(node, ast.Call) and called(node) in TRANSLATED | NOT_READ | {"log"}:
            passed |= {id(one) for one in ast.walk(node)}
        if isinstance(node, ast.Call) and called(node) in SHOWN and node.args:
            shown |= {id(one) for one in ast.walk(node.args[0]) if not isinstance(node.args[0], ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in passed:
            continue
        if SENTENCE.search(node.value) or GLUED.search(node.value) or (id(node) in shown and WORD.search(node.value)):
            yield node.value


def test_no_text_of_python_is_outside() -> None:
    paths = [path for pattern in READ for path in sorted(catalogues.SOURCES.glob(pattern))]
    assert len(paths) > 80
    outside: dict[str, list[str]] = {}
    for path in paths:
        name = path.relative_to(catalogues.SOURCES).as_posix()
        found = [text for text in texts_outside(path) if not text.startswith(ENGLISH_TEXTS.get(name, ("\0",)))]
        if found and name not in ENGLISH_FILES:
            outside[name] = found
    assert outside == {}, "wrap them in tr(), or say in this file why they stay in English"


def test_a_text_outside_is_found(tmp_path: Path) -> None:
    path = tmp_path / "screen.py"
    path.write_text(
        '"""A docstring is not shown."""\nlog.error("nor a line of the log")\ntr("this is", name="and this is")\n'
        'Label("Start")\nLabel(tr("Start"))\nLabel(f"[b]{x}[/b] Moves")\nraise Wrong(f"no game called {name}")\n'
        'of = f" of {target}" if target else " cells"\n'
    )
    assert sorted(texts_outside(path)) == [" cells", " of ", "Start", "[/b] Moves", "no game called "]


@pytest.mark.parametrize("name", OWN)
def test_the_texts_of_the_games_are_translated(name: str) -> None:
    """What a game's file says to people is extracted from its record."""
    found = {text for message in catalogues.texts(catalogues.extract()) for text in both(message.id)}
    assert set(catalogues.game_texts(GAMES[name])) <= found


def both(text: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """The forms of a text."""
    return (text,) if isinstance(text, str) else tuple(text)


def test_the_extraction_finds_every_text_of_python() -> None:
    """Babel reads tokens; Python's own parser must find the same."""
    found = {text for message in catalogues.texts(catalogues.extract()) for text in both(message.id)}
    for path in sorted(catalogues.SOURCES.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                many = call.func.id == "tr_count"
                if many or call.func.id in ("tr", "later"):
                    for argument in call.args[: 2 if many else 1]:
                        if isinstance(argument, ast.Constant):
                            assert argument.value in found, f"{path.name}: {argument.value!r}"
                        else:
                            assert not many and not isinstance(argument, ast.JoinedStr), f"{path.name}:{call.lineno}"


@pytest.mark.parametrize("code", catalogues.translated())
def test_a_catalogue_is_up_to_date_and_compiled(code: str) -> None:
    """If this fails: make languages."""
    for path, data in catalogues.outputs(code, catalogues.update(catalogues.read(code))).items():
        assert path.read_bytes() == data, f"{path.name} is stale: run make languages"


@pytest.mark.parametrize("code", catalogues.translated())
def test_a_catalogue_is_complete_and_sound(code: str) -> None:
    catalogue = catalogues.update(catalogues.read(code))
    problems = [
        f"{catalogues.forms(message)}: {problem}"
        for message in catalogues.texts(catalogue)
        for problem in problems_of(message, code, catalogue.num_plurals)
    ]
    assert problems == []


def problems_of(message: Message, code: str, plurals: int) -> Iterator[str]:
    """What is wrong with a translation."""
    originals, forms = both(message.id), catalogues.forms(message)
    if not all(forms):
        yield f"{originals[0]!r} is not translated"
        return
    if message.fuzzy:
        yield f"{originals[0]!r} is marked as fuzzy"
    if len(originals) > 1 and len(forms) != plurals:
        yield f"{originals[0]!r} needs {plurals} forms"
    for number, form in enumerate(forms):
        original = originals[0 if number == 0 and plurals > 1 else -1]
        for what, mark in (
            ("named values", names_in),
            ("numbers", lambda text: sorted(re.findall(r"\d+", text))),
            ("backquotes and stars", lambda text: (text.count("`"), text.count("**"))),
            ("end", lambda text: text.rstrip("…:!?)")[-1:] in (".", "。")),
            ("spaces around it", lambda text: (text != text.lstrip(), text != text.rstrip())),
        ):
            if mark(form) != mark(original):
                yield f"other {what} than {original!r}"
        if form in originals and has_words(form) and form not in SAME[code]:
            yield "the same as in English: if that is right, list it in SAME"


def names_in(text: str) -> list[str]:
    """The named values of a text."""
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def has_words(text: str) -> bool:
    """Whether there is something to translate in a text."""
    return bool(re.search(r"[A-Za-z]{2,}", re.sub(r"\{\w+\}|`[^`]*`", "", text)))


@pytest.mark.parametrize("code", catalogues.translated())
def test_what_is_compiled_is_what_python_says(code: str) -> None:
    with language(code):
        for message in catalogues.texts(catalogues.read(code)):
            if not catalogues.is_translated(message) or not catalogues.is_of_python(message):
                continue
            if isinstance(message.id, str):
                assert tr(message.id) == catalogues.forms(message)[0]
            else:
                values = dict.fromkeys(names_in(message.id[-1]), "")
                values.pop("count", None)
                one, many = message.id
                said = {tr_count(one, many, count, **values) for count in (0, 1, 2, 5)}
                assert len(said) >= len(set(catalogues.forms(message)))
