"""Engines: legal, repeatable, as strong as they say, and perfect where that can be known."""

import os
import random
import re
import subprocess
import sys
import time
from importlib.util import find_spec
from itertools import pairwise
from math import inf
from pathlib import Path
from threading import Thread
from xml.etree import ElementTree

import pytest

from boards import every_board, every_game
from commands import PROGRAM, quintet
from naive import NAIVE
from quintet.arena.standings import tally
from quintet.arena.tournament import opening, play, schedule
from quintet.board import index, split, value_list
from quintet.engines import HUMAN, Engine, EngineFault, Player, UnknownPlayer, make_engine, read_player
from quintet.engines.characters import CHARACTERS
from quintet.engines.greedy import greedy_cells
from quintet.engines.kinds import KINDS, LEVELS, MISS_RATES, OFFERED, level_of, name_of, title_of
from quintet.engines.level import USUAL, oversight
from quintet.engines.perfect import best_choices
from quintet.engines.players import is_outside, shown_name, stored_player
from quintet.engines.rng import next_state, pick, seeded
from quintet.engines.rollout import ROW, bind_rollouts
from quintet.games import GAMES
from quintet.gears import FAST, PLAIN, gear_board
from quintet.match import Match
from quintet.notation import read_position, write_position
from quintet.options import start
from quintet.rules import PASS, Game, Position
from quintet.solve.oracle import Oracle
from quintet.solve.solver import Solver
from quintet.store.autosave import Autosave
from quintet.store.matches import Store
from quintet.terminal.dialogue import Dialogue
from quintet.web import pages

ROOT = Path(__file__).parent.parent
WHO = ("random", "greedy", "mcts:30", "perfect", "level:1", "level:6")
BROKEN = "the player guild of the package guild-bots cannot be used"
BOARDS = [write_position(start(game)) for game in GAMES.values()]


def engine(who: str, seed: int | None = 1) -> Engine:
    """An engine that is there."""
    made = make_engine(who, seed)
    assert made is not None
    return made


def game_between(empty: Position, first: str, second: str, seed: int = 1, seconds: float | None = None) -> Match:
    """A whole game of two engines."""
    match = Match(empty)
    seats = engine(first, seed), engine(second, seed + 1)
    while not match.outcome:
        match.play(seats[match.position.player - 1].choose(match.position, seconds))
    return match


def score(first: str, second: str, games: int, seed: int = 3) -> float:
    """The first player's share of the points over all games."""
    points, played = tally([play(duel) for duel in schedule([(first, second)], BOARDS, games, seed)])[first, second]
    return points / played


@every_board
@pytest.mark.parametrize("who", WHO)
def test_engines_play_legal_moves_to_the_end(empty: Position, who: str) -> None:
    """A move that is not legal would be refused by the match."""
    if not empty.outcome:
        assert game_between(empty, who, "random", seconds=0.1).outcome


@every_game
@pytest.mark.parametrize("who", ["random", "greedy", "mcts:20", "perfect", "level:4"])
def test_the_same_seed_gives_the_same_game(game: Game, who: str) -> None:
    games = [tuple(game_between(start(game), who, "random", seed).moves) for seed in (1, 1, 2, 3, 4, 5)]
    assert games[0] == games[1] and len(set(games)) > 1


def test_a_seed_is_needed_only_to_repeat() -> None:
    assert engine("random", None).choose(start(GAMES["gridlock"])) in start(GAMES["gridlock"]).moves


def test_dice_are_fair_and_never_stand_still() -> None:
    state, seen = seeded(1), dict.fromkeys((1, 4, 1 << 70), 0)
    for _ in range(30_000):
        state = next_state(state)
        assert 0 < state < 1 << 32
        seen[pick(1 | 4 | 1 << 70, state)] += 1
    assert all(9_500 < count < 10_500 for count in seen.values())
    assert seeded(0) and seeded(7) != seeded(8)


def test_who_is_there_and_who_is_not() -> None:
    assert make_engine("human") is None
    for who in ("", "deep-blue", "level", "level:0", "level:11", "level:x", "level:²", "mcts:", "mcts:0", "mcts:-1"):
        with pytest.raises(UnknownPlayer):
            make_engine(who)
    for who in ("mcts:9999999", "perfect:1", "exec:", "exec: ", "random:1"):
        with pytest.raises(UnknownPlayer):
            make_engine(who)
    assert engine("mcts").choose(start(GAMES["gridlock"]))


def test_the_catalogue_is_of_players_that_there_are() -> None:
    assert [who for who in OFFERED if not make_engine(who)] == []
    assert {who.partition(":")[0] for who in OFFERED} == {kind.name for kind in KINDS.values() if kind.players}
    assert [name for name, kind in KINDS.items() if not kind.players and not kind.outside] == [HUMAN]
    for kind in KINDS.values():
        assert is_outside(f"{kind.name}:x") == kind.outside
        assert kind.written.startswith(kind.name)
    titles = [title_of(who) for who in (HUMAN, "mcts", "mcts:50", "exec:./bot -v", "Ada: the countess")]
    assert titles == ["Person", "Monte Carlo", "Monte Carlo 50", "Program ./bot -v", "Ada: the countess"]


def test_every_level_has_a_name_a_picture_and_a_line() -> None:
    names = [character.name for character in CHARACTERS]
    assert len(names) == len(LEVELS) and names == sorted(set(names))
    assert all(name.isascii() and name.isalpha() and len(name) <= 5 for name in names)
    assert len({character.glyph for character in CHARACTERS}) == len(LEVELS)
    assert title_of("level:3") == "Cleo · level 3" and name_of("level:3") == "Cleo" and level_of("level:3") == 3
    assert level_of("level:11") is None and name_of("greedy") == title_of("greedy") == "Greedy"
    page = (ROOT / "docs" / "ladder.md").read_text()
    for who, character in zip(LEVELS, CHARACTERS, strict=True):
        assert f"| `{who}` | {character.name} | {character.about} |" in page
    pictures = [pages.FOLDER / "levels" / f"{number}.svg" for number in range(1, len(LEVELS) + 1)]
    assert sorted(pictures) == sorted((pages.FOLDER / "levels").iterdir())
    assert sum(path.stat().st_size for path in pictures) < 8_000
    for path in pictures:
        shapes = {element.tag.rpartition("}")[2] for element in ElementTree.parse(path).iter()}
        assert shapes <= {"svg", "g", "circle", "ellipse", "path", "rect"}


def test_the_pages_name_every_kind() -> None:
    pages = {name: (ROOT / "docs" / name).read_text().replace("`", "") for name in ("agents.md", "mcp.md")}
    for kind in KINDS.values():
        if kind.name != HUMAN:
            assert kind.written in pages["agents.md"]
            assert kind.outside or kind.written in pages["mcp.md"]


def test_what_is_said_of_the_levels_is_true() -> None:
    """Where two others look as good, a level misses the best move as often as its sentence says."""
    assert USUAL == 2
    for who, chance in zip(LEVELS[:-1], MISS_RATES[:-1], strict=True):
        assert oversight(chance, 1) < oversight(chance, 2) < oversight(chance, 3)
        assert oversight(chance, 2) == pytest.approx(chance)
        if "more often than not" in OFFERED[who]:
            assert (chance > 0.5) == ("misses" in OFFERED[who])
    assert oversight(MISS_RATES[-1], 9) == 0 and "never" in OFFERED[LEVELS[-1]]
    names = [OFFERED[who].partition(":")[0] for who in LEVELS]
    assert len(set(names)) == len(names) and all(name.isalpha() for name in names)
    weaker = [who for who in LEVELS if "Weaker than Random" in OFFERED[who]]
    assert weaker == ["level:1", "level:2"] and "About as strong as Random" in OFFERED["level:3"]
    assert "Levels 1 and 2 play worse than `random`, level 3 about as well" in (ROOT / "docs/ladder.md").read_text()
    assert all(score("random", who, 100) > 0.5 for who in weaker) and 0.4 < score("random", "level:3", 100) < 0.6


@pytest.mark.parametrize(
    ("name", "plays"),
    [
        *((who, who) for who in (*OFFERED, "mcts", "mcts:7")),
        *((who, HUMAN) for who in (HUMAN, "Ada", "Ada: the countess", "level:99", "perfect:1", "", ":", "guild:x")),
        *((who, None) for who in ("exec:./bot", "exec:", "python:this:x", "policy:this:x", "model:mockllm/model")),
    ],
)
def test_who_continues_under_a_saved_name(name: str, plays: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    player = stored_player(name)
    assert (player and str(player)) == plays
    assert capsys.readouterr().out == ""  # The module `this` prints when it is loaded.


def test_no_name_contains_a_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rook.py").touch()
    for who, name in {
        "exec:python3 rook.py --key 5": "rook.py",
        "exec:/usr/bin/python3 rook.py --key 5": "rook.py",
        "exec:./bots/rook --key 5": "rook",
        "exec:rook --key 5": "rook",
        "exec:/": "exec",
        "exec:'": "exec",
        "clumsy:key=5": "clumsy",
        "python:bots:rook": "python:bots:rook",
        "model:openai/gpt": "model:openai/gpt",
        **{who: who for who in (*OFFERED, HUMAN, "mcts")},
    }.items():
        assert shown_name(who) == name


def test_players_are_read_without_starting_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loud.py").write_text("raise SystemExit('loaded')")
    outside = ["exec:./bot -v", "python:loud:choose", "policy:loud:choose", "model:a/b"]
    texts = [*OFFERED, HUMAN, "mcts", "mcts:7", *outside]
    players = [read_player(text) for text in texts]
    assert [str(player) for player in players] == texts and len(set(players)) == len(texts)
    assert [read_player(str(player)) for player in players] == players
    assert [player.title for player in players] == [title_of(text) for text in texts]
    assert [str(player) for player in players if player.outside] == outside
    assert [str(player) for player in players if player.is_human] == [HUMAN]
    assert read_player("level:03") == read_player("level:3") and str(read_player("mcts:007")) == "mcts:7"
    assert isinstance(players[0], Player) and make_engine(players[0], 1)
    code = "import sys; from quintet.engines import read_player; [read_player(text) for text in sys.argv[1:]]; "
    code += "print([name for name in ('numpy', 'quintet.solve', 'subprocess', 'inspect_ai') if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code, *texts], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("gredy", "no player called 'gredy'. Did you mean 'greedy'?"),
        ("Perfect", "no player called 'Perfect'. Did you mean 'perfect'?"),
        ("perfect:1", "no player called 'perfect:1'. Did you mean 'perfect'?"),
        ("level5", "no player called 'level5'. Did you mean 'level:1 to level:10'?"),
        ("level", "no player called 'level'. Did you mean 'level:1 to level:10'?"),
        ("exec", "no player called 'exec'. Did you mean 'exec:COMMAND'?"),
        ("zzz", "no player called 'zzz': choose human, random, greedy, level:1 to level:10, mcts[:N], perfect, "),
        ("level:11", "choose a level from level:1 to level:10"),
        ("mcts:0", "mcts takes a number of rollouts from 1 to 1000000, such as mcts:200"),
        ("exec:", "name the program to run: exec:COMMAND"),
        ("exec:'", "missing quotation mark in"),
        ("python:bot", "name a module and a function in it: MODULE:FUNCTION"),
    ],
)
def test_an_unknown_player_is_told_what_to_do(text: str, advice: str) -> None:
    with pytest.raises(UnknownPlayer) as error:
        read_player(text)
    assert str(error.value).startswith(advice) and "\n" not in str(error.value)


def test_a_player_whose_extra_is_missing_is_one_line() -> None:
    hide = "import sys; sys.modules.update(dict.fromkeys(['numpy', 'gymnasium', 'inspect_ai'])); "
    ask = "sys.argv[1:] = ['play', 'gridlock', '--p2', '{}']; from quintet.cli import main; main()"
    for who, extra in (("policy:os:getcwd", "envs"), ("model:openai/gpt", "llm")):
        run = subprocess.run([sys.executable, "-c", hide + ask.format(who)], capture_output=True, text=True)
        assert run.returncode == 2 and run.stdout == "" and run.stderr.count("\n") == 1
        assert f"pip install 'quintet-games[{extra}]', or in a clone: pip install -e '.[{extra}]'" in run.stderr


@pytest.mark.parametrize(
    ("who", "code", "reason"),
    [
        ("guild:x", "import no_such_part", f"{BROKEN}: ModuleNotFoundError: No module named 'no_such_part'"),
        ("guild:x", "def make(detail, seed):\n    raise KeyError('a\\nb')", f"{BROKEN}: KeyError: 'a"),
        ("guild:x", "", f"{BROKEN}: AttributeError: module 'guild_of_bots' has no attribute 'make'"),
        ("perfect:x", "print('loaded')", "no player called 'perfect:x'"),
    ],
)
def test_a_package_whose_players_cannot_play_is_one_line(who: str, code: str, reason: str, tmp_path: Path) -> None:
    about = tmp_path / "guild_bots-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: guild-bots\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[quintet.players]\nguild = guild_of_bots:make\nperfect = guild_of_bots:make\n"
    )
    (tmp_path / "guild_of_bots.py").write_text(code)
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    words = [PROGRAM, "play", "gridlock", "--p2", who]
    run = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert run.returncode == 2 and run.stdout == "" and run.stderr.count("\n") == 1
    assert reason in run.stderr


def test_greedy_takes_most_and_wins_at_once() -> None:
    most = start(GAMES["grid-conquest"], "3x3")
    assert all(engine("greedy", seed).choose(most) == 1 << 4 for seed in range(10))
    one_short = read_position("point-capture XX../OO.. X target=5 values=1,1,4,3,1,1,2,2")
    assert all(engine("greedy", seed).choose(one_short) == 1 << 3 for seed in range(10))
    level = {engine("greedy", seed).choose(start(GAMES["adjacent-claim"], "2x2")) for seed in range(40)}
    assert level == {1, 2, 4, 8}


@every_game
@pytest.mark.parametrize("size", ["6", "2x3", "3x3"])
def test_greedy_never_misses_a_win_at_once(game: Game, size: str) -> None:
    """Wherever a small game can get to, by the rule book's plain reading: a win at once is chosen, and nothing else."""
    empties = [start(game, size)]
    if game.target:
        empties = [start(game, size, target=target, shuffle=target) for target in (5, 8, 11)]
    chances = 0
    for empty in empties:
        positions = {empty}
        while positions:
            wins = {position: wins_at_once(position) for position in positions}
            for position, winning in wins.items():
                chances += bool(winning)
                assert not winning or winning >= set(split(greedy_cells(position))), repr(position)
            positions = {position.play(move) for position in positions for move in position.moves}
    assert chances > 5


def wins_at_once(position: Position) -> set[int]:
    """The claims after which the game is over and won, by the rule book's plain reading."""
    board, found = position.board, set()
    for move in split(position.legal):
        naive = NAIVE[position.game.name](board.rows, board.cols, value_list(board), board.target)
        for player, cells in enumerate(position.claims, 1):
            for cell in map(index, split(cells)):
                naive.grid[cell // board.cols][cell % board.cols] = player
        naive.player = position.player
        naive.play(divmod(index(move), board.cols))
        if not naive.moves() and naive.winner() == position.player:
            found.add(move)
    return found


@every_game
def test_greedy_and_mcts_beat_random(game: Game) -> None:
    board = write_position(start(game))
    duels = schedule([("greedy", "random"), ("mcts:100", "random")], [board], 60, seed=5)
    points = tally([play(duel) for duel in duels])
    assert points["greedy", "random"][0] / 60 > 0.53
    assert points["mcts:100", "random"][0] / 60 > 0.7


def test_more_rollouts_are_stronger() -> None:
    assert score("mcts:200", "mcts:10", 100) > 0.55


@pytest.mark.skipif(not find_spec("numba"), reason="the compiled gear is an extra")
@every_game
def test_both_gears_play_the_same(game: Game) -> None:
    import numpy as np

    plain, fast = bind_rollouts(game, PLAIN), bind_rollouts(game, FAST)
    for size in (None, "4x5"):
        board = start(game, size).board
        for seed in range(1, 40):
            game_of = 0, 0, seed & 1, seed >> 1 & 1, seeded(seed), seeded(-seed)
            assert plain.simulate(board, *game_of) == fast.simulate(gear_board(board, FAST), *game_of)
        tree, other = [[0] * ROW for _ in range(102)], np.zeros((102, ROW), np.int64)
        plain.expand(board, tree, state := [0, 99], 0, 0, 0, PASS)
        plain.run_rollouts(board, tree, state, 100)
        fast.expand(gear_board(board, FAST), other, array := np.array([0, 99]), 0, 0, 0, PASS)
        fast.run_rollouts(gear_board(board, FAST), other, array, 100)
        assert other.tolist() == tree and array.tolist() == state


@every_game
def test_perfect_never_gives_away_what_it_has(game: Game) -> None:
    """Against everyone, from both sides: won games are won, and by no less than they were worth."""
    board = write_position(start(game))
    solver = Solver(game, start(game).board)
    others = ("random", "greedy", "mcts:20", "level:5", "level:9")
    duels = schedule([("perfect", other) for other in others], [board], 16, seed=11)
    won = 0
    for duel in duels:
        side = 1 + (duel.players[1] == "perfect")
        begun = opening(duel)
        number = solver.number(begun) * (1 if begun.player == side else -1)
        winner = play(duel).winner
        won += number > 0
        assert winner == side or number <= 0
        assert winner in (side, None) or number < 0
    assert won > 10


@every_game
def test_perfect_wins_soonest_or_by_most(game: Game) -> None:
    empty = start(game, "3x3")
    solver = Solver(game, empty.board)
    rng = random.Random(4)
    for _ in range(30):
        position = empty
        for _ in range(rng.randint(0, 3)):
            if position.moves:
                position = position.play(rng.choice(position.moves))
        if position.moves:
            number = solver.number(position)
            assert solver.after(position, engine("perfect").choose(position)) == number


@every_game
def test_without_a_limit_perfect_searches_on_the_spot(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    position = start(game, "3x3")
    best = best_choices(Solver(game, position.board), position)
    monkeypatch.setattr(Thread, "start", lambda thread: pytest.fail(f"{thread} was started"))
    assert Oracle(game, position.board).ask_within(best_choices, position, inf) == best
    assert engine("perfect").choose(position, inf) in best


@every_game
def test_a_lost_player_is_hard_to_punish(game: Game) -> None:
    """Told anew from the grades alone: no move of best value leaves fewer replies that win."""
    empty = start(game, "3x4")
    solver = Solver(game, empty.board)
    rng = random.Random(9)
    lost = 0
    while lost < 10:
        position = empty
        for _ in range(rng.randint(0, 4)):
            if position.moves:
                position = position.play(rng.choice(position.moves))
        grades = solver.grade(position)
        if len(grades) < 2 or max(grades.values()).low >= 0:
            continue
        lost += 1
        best = [move for move, value in grades.items() if value == max(grades.values())]
        wins = {move: sum(value.low > 0 for value in solver.grade(position.play(move)).values()) for move in best}
        chosen = best_choices(solver, position)
        assert set(chosen) <= set(best)
        assert {wins[move] for move in chosen} == {min(wins.values())}


def test_levels_are_in_order() -> None:
    """A small sample with a margin; `quintet arena --ladder` measures each step."""
    assert all(weak > strong for weak, strong in pairwise(MISS_RATES)) and MISS_RATES[-1] == 0
    assert len(LEVELS) == 10
    for weak, strong in (("level:1", "level:4"), ("level:4", "level:7"), ("level:7", "level:10")):
        assert 0.55 < score(strong, weak, 160) < 0.9
    assert score("random", "level:1", 100) > 0.5


@every_game
def test_the_highest_level_is_perfect(game: Game) -> None:
    for seed in range(5):
        first, second = (game_between(start(game), who, "random", seed).moves for who in ("level:10", "perfect"))
        assert first == second


@pytest.mark.parametrize("who", ["perfect", "level:10", "mcts:1000000"])
@pytest.mark.parametrize("size", ["8x8", "20x20"])
def test_big_boards_are_answered_in_time(who: str, size: str) -> None:
    position = start(GAMES["adjacent-claim"], size)
    begun = time.process_time()
    assert engine(who).choose(position, 0.5) in position.moves
    assert time.process_time() - begun < 20  # Far less than a million play-outs take, which nobody waits for.


class Broken:
    """An engine that gives up."""

    def choose(self, position: Position, seconds: float | None = None) -> int:
        raise EngineFault("it has left the room")

    def close(self) -> None:
        self.closed = True


def test_a_fault_ends_the_dialogue_as_a_loss(capsys: pytest.CaptureFixture[str]) -> None:
    match, broken = Match(start(GAMES["gridlock"])), Broken()
    autosave = Autosave(match, pytest.fail)
    Dialogue(match, (broken, engine("random")), sys.stdin, sys.stdout, autosave=autosave).run()
    autosave.close()
    assert "Player 1 forfeits: it has left the room. Player 2 wins the game!" in capsys.readouterr().out
    assert match.outcome and match.outcome.winner == 2 and broken.closed
    assert match.record().tags["Termination"] == "Player 1 forfeits: it has left the room"
    with Store() as store:
        assert [entry.result for entry in store.entries()] == ["0-1"]


@every_game
def test_play_seats_every_engine(game: Game) -> None:
    for first, second in (("greedy", "level:3"), ("perfect", "mcts:10")):
        run = quintet("play", game.name, "--p1", first, "--p2", second, "--seed", "3")
        assert run.returncode == 0 and run.stderr == "" and "unfinished" not in run.stdout


def test_the_page_tells_the_levels_as_they_are() -> None:
    page = (ROOT / "docs" / "ladder.md").read_text()
    *others, last = (f"{100 * rate:.3g} %" for rate in MISS_RATES)
    assert f"{', '.join(others)} and {last}" in " ".join(page.split())
    rows = re.findall(r"^\| level:(\d+) \| level:(\d+) \| \d+ \| ([\d.]+) % \|", page, re.MULTILINE)
    assert [(int(strong), int(weak)) for strong, weak, _ in rows] == [(n + 1, n) for n in range(1, 10)]
    assert all(55 <= float(share) <= 75 for _, _, share in rows)
