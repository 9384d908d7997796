"""Tournaments by link over HTTP: joining, rounds, people who leave, rulings, restarts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cups import Cup
from serving import Server, own_address, wait_until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(f"sqlite:///{tmp_path_factory.mktemp('cup')}/quintet.db", "--no-limits")
    yield server
    assert server.stop() == ""


def test_everybody_plays_everybody(server: Server) -> None:
    cup = Cup(server, name="Class  7b")
    cup.join("Ada", "Bea", "Cy")
    assert [entry["name"] for entry in cup.state["entries"]] == ["Ada", "Bea", "Cy"]
    assert (cup.state["name"], cup.state["rounds"], cup.state["stage"]) == ("Class 7b", 3, "open")
    cup.organise("start", round=1)
    cup.organise("start", round=1)  # It has begun already.
    assert len(cup.state["played"]) == 1
    for number in (1, 2, 3):
        cup.play_round(number)
    wait_until(lambda: cup.state["stage"] == "over")
    games = [game for played in cup.state["played"] for game in played["pairings"]]
    assert sorted(sorted((game["one"], game["two"])) for game in games if game["two"]) == [[1, 2], [1, 3], [2, 3]]
    assert sum(place["points"] for place in cup.state["places"]) == 3
    assert cup.ask("entries", name="Dee").status_code == 409


def test_seats_belong_to_the_entries_and_there_are_no_undos(server: Server) -> None:
    cup = Cup(server)
    cup.join("Ada", "Bea")
    cup.organise("start", round=1)
    [game] = cup.open_games()
    ada, bea = cup.tokens["Ada"], cup.tokens["Bea"]
    seats = {tuple(server.table(game["match"], token)["seat"]) for token in (ada, bea)}
    assert seats == {(1,), (2,)}
    table = server.table(game["match"])
    assert table["tournament"] == cup.id and table["seat"] == []
    assert {table["players"]["1"]["name"], table["players"]["2"]["name"]} == {"Ada", "Bea"}
    first, second = (cup.tokens[cup.name(game[side])] for side in ("one", "two"))
    view = table["state"]["view"]
    move = next(cell["label"] for cell in view["cells"] if cell["legal"])
    assert server.post(game["match"], "moves", first, ply=0, undone=0, move=move).status_code == 200
    assert server.post(game["match"], "undo", first, answer="offer").status_code == 409
    if not server.table(game["match"])["state"]["over"]:
        server.post(game["match"], "resign", second)
    assert server.post(game["match"], "rematch", first, answer="offer").status_code == 409


def test_swiss_with_a_bye_a_late_joiner_and_one_who_leaves(server: Server) -> None:
    cup = Cup(server, format="swiss", rounds=3)
    cup.join("Ada", "Bea", "Cy", "Dee", "Eve")
    cup.organise("start", round=1)
    bye = next(game for game in cup.state["played"][0]["pairings"] if game["two"] is None)
    assert bye["result"] == "1-0" and bye["match"] is None
    game, other = cup.open_games()
    leaver = cup.name(game["one"])
    assert cup.ask("leave", cup.tokens[leaver]).status_code == 200
    wait_until(lambda: len(cup.open_games()) == 1)  # The game is lost, and the tournament goes on.
    [lost] = [pairing for pairing in cup.state["played"][0]["pairings"] if pairing["match"] == game["match"]]
    assert (lost["result"], lost["forfeit"]) == ("0-1", True)
    cup.join("Late")
    cup.resign(other)
    wait_until(lambda: len(cup.state["played"]) == 2)
    paired = {number for game in cup.state["played"][1]["pairings"] for number in (game["one"], game["two"])}
    assert cup.number(leaver) not in paired and cup.number("Late") in paired
    assert cup.ask("return", cup.tokens[leaver]).status_code == 200
    cup.play_round(2)
    wait_until(lambda: len(cup.state["played"]) == 3)
    paired = {number for game in cup.state["played"][2]["pairings"] for number in (game["one"], game["two"])}
    assert cup.number(leaver) in paired
    assert cup.ask("entries", name="Too late").status_code == 409
    cup.play_round(3)
    wait_until(lambda: cup.state["stage"] == "over")
    met = [frozenset((game["one"], game["two"])) for one in cup.state["played"] for game in one["pairings"]]
    assert len(met) == len(set(met))


def test_engines_play_by_themselves(server: Server) -> None:
    cup = Cup(server)
    for who in ("level:1", "level:1", "random"):
        cup.organise("engines", who=who)
    assert [entry["name"] for entry in cup.state["entries"]] == ["Anna", "Anna (2)", "Random"]
    cup.organise("start", round=1)
    wait_until(lambda: cup.state["stage"] == "over")
    assert len([game for one in cup.state["played"] for game in one["pairings"] if game["match"]]) == 3
    assert cup.ask("engines", cup.key, who="level:1").status_code == 409


def test_only_the_organiser_organises(server: Server) -> None:
    cup = Cup(server)
    assert cup.ask("start", cup.key, round=1).json() == {"error": "A tournament needs at least two entries."}
    cup.join("Ada", "Bea", "Cy", "Dee")
    for what, body in (
        ("start", {"round": 1}),
        ("remove", {"entry": 1}),
        ("engines", {"who": "level:1"}),
        ("rule", {"match": "x", "entry": 1}),
    ):
        assert cup.ask(what, **body).status_code == 401
        assert cup.ask(what, cup.tokens["Ada"], **body).status_code == 403
    assert cup.ask("leave").status_code == 401 and cup.ask("leave", cup.key).status_code == 403
    assert cup.ask("engines", cup.key, who="exec:true").status_code == 422
    assert cup.ask("engines", cup.key, who="human").status_code == 422
    assert cup.ask("remove", cup.key, entry=9).status_code == 404
    cup.organise("remove", entry=cup.number("Dee"))  # Before the start nothing of it remains.
    assert [entry["name"] for entry in cup.state["entries"]] == ["Ada", "Bea", "Cy"]
    cup.join("Dee")
    assert cup.number("Dee") == 5  # Not the number of somebody whose browser may still know it.
    cup.organise("start", round=1)
    assert cup.ask("start", cup.key, round=2).status_code == 409  # Games are still played.
    stuck, other = cup.open_games()
    assert cup.ask("rule", cup.key, match=stuck["match"], entry=other["one"]).status_code == 409
    cup.organise("rule", match=stuck["match"], entry=stuck["one"])
    wait_until(lambda: len(cup.open_games()) == 1)
    result = server.table(stuck["match"])["state"]["result"]
    assert result["winner"] == 2 and result["kind"] == "forfeit"
    cup.organise("remove", entry=other["two"])
    wait_until(lambda: len(cup.state["played"]) == 2)
    assert cup.ask("return", cup.tokens[cup.name(other["two"])]).status_code == 403
    forfeited = next(game for game in cup.state["played"][1]["pairings"] if other["two"] in (game["one"], game["two"]))
    assert forfeited["forfeit"] and forfeited["match"] is None  # In a round robin the opponent has the point.


def test_a_game_whose_match_was_deleted_can_be_ended(server: Server) -> None:
    cup = Cup(server)
    cup.join("Ada", "Bea")
    cup.organise("start", round=1)
    [game] = cup.open_games()
    with closing(sqlite3.connect(server.database.removeprefix("sqlite:///"), timeout=10)) as connection, connection:
        for table, key in (("moves", "match"), ("seats", "match"), ("matches", "id")):
            connection.execute(f"DELETE FROM {table} WHERE {key} = ?", (game["match"],))
    cup.organise("rule", match=game["match"], entry=game["one"])
    wait_until(lambda: cup.state["stage"] == "over")
    assert cup.state["played"][0]["pairings"][0]["result"] == "0-1"


def test_the_organiser_can_start_the_next_round_before_the_pause_is_over(server: Server) -> None:
    cup = Cup(server, pause=3_000)
    cup.join("Ada", "Bea", "Cy")
    assert cup.organise("start", round=1)["starts_in"] is None
    cup.play_round(1)
    assert 2_900 < cup.state["starts_in"] <= 3_000
    assert len(cup.organise("start", round=2)["played"]) == 2


def test_who_is_absent_when_the_clock_runs_out_is_not_paired_again(server: Server) -> None:
    cup = Cup(server, format="swiss", rounds=2, clock={"seconds": 1})
    cup.join("Ada", "Bea", "Cy")
    cup.organise("start", round=1)
    [game] = cup.open_games()
    wait_until(lambda: cup.state["played"][0]["ended"])
    absent = next(entry for entry in cup.state["entries"] if entry["number"] == game["one"])
    assert absent["left"] and not absent["removed"]
    wait_until(lambda: len(cup.state["played"]) == 2)
    assert game["one"] not in [one["one"] for one in cup.state["played"][1]["pairings"]]


HOSTILE = "<img src=x onerror=alert(1)>"


def test_names_of_strangers(server: Server) -> None:
    cup = Cup(server, name=HOSTILE)
    cup.join(HOSTILE)
    assert cup.state["entries"][0]["name"] == HOSTILE  # It is text; the page shows it as text.
    for name, status in (("", 422), (" \n\t", 422), (HOSTILE.upper(), 409), ("x" * 41, 422)):
        assert cup.ask("entries", name=name).status_code == status
    cup.join("\u202egnp.exe\0\x1b[2J", "a\nb")
    assert [entry["name"] for entry in cup.state["entries"]][1:] == ["\\u202egnp.exe \\x1b[2J", "a b"]
    assert cup.post("", {**cup.options, "size": "2x2"}).status_code == 409  # The key of another tournament.
    assert cup.post("", cup.options).json()["id"] == cup.id
    assert server.http.get("/api/tournaments/abc").json() == {"error": "Tournament not found."}


def test_a_tournament_has_a_limit(server: Server) -> None:
    cup = Cup(server)
    cup.join(*(f"Player {number}" for number in range(48)))
    for _ in range(16):
        cup.organise("engines", who="level:1")
    assert cup.ask("engines", cup.key, who="level:1").status_code == 409
    assert cup.ask("entries", name="One too many").status_code == 409
    assert not cup.state["joinable"]
    assert cup.state["rounds"] == 63


def test_joining_is_limited_like_new_matches(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db")
    try:
        cup = Cup(server)
        answers = [cup.ask("entries", name="").status_code for _ in range(80)]
        assert answers[0] == 422 and answers[-1] == 429
    finally:
        server.stop()


def test_the_link_and_an_answer_that_has_not_changed(server: Server) -> None:
    cup = Cup(server)
    invited = server.http.get(f"/api/tournaments/{cup.id}/invitation").json()
    assert invited["url"].endswith(f"/tournament/{cup.id}")
    assert "<svg" in server.http.get(f"/api/tournaments/{cup.id}/qr").text
    path = f"/api/tournaments/{cup.id}"
    etag = server.http.get(path).headers["etag"]
    assert server.http.get(path, headers={"If-None-Match": etag}).status_code == 304
    assert server.http.get(f"/tournament/{cup.id}").status_code == 200


def test_a_restart_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/quintet.db", "--no-limits", "--host", own_address())
    try:
        cup = Cup(server, format="swiss", rounds=2)
        cup.join("Ada", "Bea")
        cup.organise("engines", who="level:1")
        cup.organise("engines", who="random")
        before = cup.organise("start", round=1)
        server.kill()
        server.start()
        assert [game["match"] for game in cup.state["played"][0]["pairings"]] == [
            game["match"] for game in before["played"][0]["pairings"]
        ]
        people = {cup.number("Ada"), cup.number("Bea")}

        def finish(number: int) -> None:
            wait_until(lambda: len(cup.state["played"]) == number)
            for game in cup.open_games():
                for side in {"one", "two"}:
                    if game[side] in people:
                        server.post(game["match"], "resign", cup.tokens[cup.name(game[side])])

        finish(1)
        wait_until(lambda: cup.state["played"][0]["ended"])
        server.kill()
        server.start()
        finish(2)
        wait_until(lambda: cup.state["stage"] == "over")
        assert len(cup.state["played"]) == 2
        games = [game for one in cup.state["played"] for game in one["pairings"]]
        assert len(games) == 4 and all(game["result"] for game in games)
    finally:
        server.stop()
