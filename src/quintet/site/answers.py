"""What the page asks first, answered when the site is built, by the same functions: it is there before Python is."""

import json
from functools import cache
from typing import Any
from urllib.parse import urlencode

import msgspec

from quintet.board import value_list
from quintet.errors import QuintetError
from quintet.games import GAMES
from quintet.language import LANGUAGES, language, page_texts
from quintet.options import start
from quintet.rules import Game
from quintet.site import service
from quintet.site.saved_match import finish
from quintet.web import study_routes

Answers = dict[str, Any]
"""Answers as JSON has them, by the addresses that ask for them."""


def ask(path: str, **request: object) -> Any:
    """What the service answers, which it must."""
    answer = json.loads(service.respond(json.dumps({"path": path, **request})))
    if answer["status"] != 200:
        raise QuintetError(f"{path}: {answer['body']['error']}")
    return answer["body"]


def at(path: str, **options: object) -> str:
    """An address with options, as the page writes it."""
    return f"{path}?{urlencode(options)}"


def board_of(game: Game) -> dict[str, object]:
    """The options of a rule book's board, as the page writes them for a table."""
    board = start(game).board
    worth = {"target": board.target, "values": ",".join(map(str, value_list(board)))} if board.target else {}
    return {"game": game.name, "size": board.size, **worth}


def first_answers() -> Answers:
    """What is asked for on the start page, in the form for a new game and at a table before the first move."""
    answers = {path: ask(path) for path in ("/api/games", "/api/engines", "/api/ladder")}
    tables = {}
    for game in GAMES.values():
        for options in ({"game": game.name}, board_of(game)):
            for path in ("/api/position", "/api/effects"):
                answers[at(path, **options)] = ask(at(path, **options))
        body = {"game": game.name, "take": [1, 2], "key": "0" * 20}
        created = json.loads(service.respond(json.dumps({"path": "/api/matches", "body": json.dumps(body), "id": "0"})))
        tables[game.name] = ask("/api/matches/0", saved={"0": created["changes"][0]["text"]})
    return {"answers": answers, "tables": tables, "games": list(GAMES)}


def game_answers(game: Game) -> Answers:
    """A game's lesson and rules, the values of its opening, and the line of best play that the start page shows."""
    rules = finish(lambda: study_routes.rules(game.name))
    answers: Answers = {f"/api/games/{game.name}/rules": json.loads(bytes(rules.body))}
    if game.lesson:
        answers[f"/api/lessons/{game.name}"] = ask(f"/api/lessons/{game.name}")
    for options in ({"game": game.name}, board_of(game)):
        found = ask(at("/api/analysis", **options))
        answers[at("/api/analysis", **options)] = answers[at("/api/analysis", **options, quick="true")] = found
    line = found["line"]
    for plies in range(1, len(line) + 1):
        path = at("/api/position", game=game.name, moves="; ".join(line[:plies]))
        answers[path] = ask(path)
    return answers


@cache
def all_answers() -> dict[str, bytes]:
    """The files of answers, by their names: the same in each language, and the texts of the page."""
    files: dict[str, bytes] = {}
    for code in LANGUAGES:
        with language(code):
            found = {"start": first_answers()} | {game.name: game_answers(game) for game in GAMES.values()}
        files |= {f"{code}/{name}.json": msgspec.json.encode(answers) for name, answers in found.items()}
        files[f"{code}/texts.json"] = page_texts(code)
    return files
