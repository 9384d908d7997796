"""Games of text: prompts and answers, exact grades, any number at once."""

import asyncio
import doctest
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

import quintet.text
from boards import every_game
from minimax import minimax
from quintet.engines import UnknownPlayer
from quintet.errors import InvalidArgument
from quintet.games import GAMES
from quintet.notation import read_position
from quintet.options import start
from quintet.rules import Game, IllegalMove, Position, play_all
from quintet.solve import oracle
from quintet.solve.regret import regret
from quintet.text import PromptOptions, TextGame, TextTurn, Unsolved, find_openings, random_games
from quintet.text.openings import first_image, is_critical


def play(game: TextGame, seed: int = 0) -> TextGame:
    """Random moves to the end."""
    rng = random.Random(seed)
    while not game.over:
        game.answer(f"{game.prompt[-20:]}\nMOVE: {rng.choice(game.labels)}")
    return game


def test_the_example_is_true() -> None:
    tried = doctest.testmod(quintet.text)
    assert tried.attempted > 2 and tried.failed == 0


def test_it_needs_nothing_else() -> None:
    code = "import quintet.text, sys; print({'inspect_ai', 'numpy', 'pydantic', 'fastapi'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


@every_game
@pytest.mark.parametrize("player", [1, 2])
def test_grades_are_what_playing_everything_out_gives(game: Game, player: int) -> None:
    for seed in range(4):
        played = play(TextGame(game, "3x3", player=player, seed=seed), seed)
        assert played.turns or player == 2
        for turn in played.turns:
            assert turn.move is not None and turn.after is not None and turn.position.player == player
            best, after = minimax(turn.position)[0], -minimax(turn.position.play(turn.move))[0]
            signs = [(number > 0) - (number < 0) for number in (best, after)]
            assert turn.regret == (signs[0] - signs[1]) / 2
            assert turn.label in turn.best or turn.before > turn.after
        outcome = played.outcome
        assert outcome and played.points == (0.5 if outcome.winner is None else float(outcome.winner == player))


@every_game
def test_perfect_answers_give_nothing_away(game: Game) -> None:
    for player in (1, 2):
        played = TextGame(game, opponent="perfect", player=player)
        value = None
        while not played.over:
            turn = played.answer(f"MOVE: {played.grade('', None).best[0]}")
            assert turn and turn.regret == 0 and turn.margin_loss in (0, None)
            value = value or turn.before
        assert value and played.points == {"win": 1, "draw": 0.5, "loss": 0}[str(value.outcome)] and played.regret == 0


def test_an_answer_without_a_legal_move_is_sent_back_and_then_loses() -> None:
    game = TextGame("gridlock", "3x3", options=PromptOptions(retries=1))
    assert game.answer("I pass") is None and "No move could be read" in game.correction and not game.turns
    turn = game.answer("MOVE: 9 9")
    assert turn and (turn.move, turn.after, turn.answers, turn.label) == (None, None, 2, "")
    assert turn.regret == 1 and game.over and game.points == 0 and game.outcome
    assert game.outcome.reason == "Player 1 forfeits: no move could be read"
    for ask in (lambda: game.prompt, lambda: game.answer("MOVE: 1 1")):
        with pytest.raises(InvalidArgument, match="the game is over"):
            ask()
    assert game.labels == []


def test_it_starts_where_it_is_told() -> None:
    position = read_position("gridlock X../.../..O X")
    game = TextGame(position, moves=[1 << 4], player=2, opponent="greedy")
    assert game.position == position.play(1 << 4) and game.position.player == 2 and "O" in game.prompt
    passes = TextGame(read_position("adjacent-claim XO./OO./... X"), opponent="random")
    assert passes.turns == [] and passes.moves[0] == 0, "a forced pass asks nobody"


class Wrong:
    """An opponent that never gives a legal move."""

    def choose(self, position: Position, seconds: float | None = None) -> int:
        return 0

    def close(self) -> None:
        """It holds nothing."""


def test_an_opponent_without_a_legal_move_loses() -> None:
    game = TextGame("gridlock", "3x3", opponent=Wrong(), player=2)
    assert game.over and game.points == 1 and game.turns == []


def test_bad_arguments_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidArgument, match="the player is 1 or 2"):
        TextGame("gridlock", player=3)
    with pytest.raises(UnknownPlayer, match="must be an engine"):
        TextGame("gridlock", opponent="human")
    with pytest.raises(InvalidArgument, match="leave out size"):
        TextGame(start("gridlock"), size="9x9")
    for options in ({"sizes": ()}, {"opponents": "random"}, {"sizes": "13"}, {"distance": 0}):
        with pytest.raises(InvalidArgument):
            next(random_games("isolation", **options))
    with pytest.raises(InvalidArgument, match="1 opening or more"):
        find_openings(start("isolation"), 0, 0)


def test_a_board_that_cannot_be_solved_is_refused_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "SOLVE_SECONDS", 0.1)
    large = start("gridlock", "8x8")
    for ask in (
        lambda: TextGame(large).answer("MOVE: 1 1"),
        lambda: find_openings(large, 2, 0),
        lambda: regret(large, 1),
        lambda: next(random_games("gridlock", sizes=("8x8",), distance=60)),
    ):
        with pytest.raises(Unsolved, match="choose a smaller board"):
            ask()


def record(game: TextGame) -> tuple[list[TextTurn], list[int], float]:
    """Everything that came of a game."""
    return game.turns, game.moves, game.points


@every_game
def test_many_at_once_are_as_one_after_another(game: Game) -> None:
    """From threads on a short switch interval, and turn by turn in one event loop."""

    def games() -> list[TextGame]:
        return list(islice(random_games(game, ("3x3", "2x4"), ("random", "greedy", "level:3"), seed=3), 256))

    expected = [record(play(one, seed)) for seed, one in enumerate(games())]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(16) as pool:
            assert [record(one) for one in pool.map(play, games(), range(256))] == expected
    finally:
        sys.setswitchinterval(before)

    async def turn_by_turn(one: TextGame, seed: int) -> TextGame:
        rng = random.Random(seed)
        while not one.over:
            await asyncio.sleep(0)
            one.answer(f"{one.prompt[-20:]}\nMOVE: {rng.choice(one.labels)}")
        return one

    async def together() -> list[TextGame]:
        return await asyncio.gather(*(turn_by_turn(one, seed) for seed, one in enumerate(games())))

    assert [record(one) for one in asyncio.run(together())] == expected


def test_thousands_of_turns_a_second_once_warm() -> None:
    """256 games at once on the rule books' boards; time of the processor, because other programs may run too."""

    def games() -> list[TextGame]:
        of_each = (islice(random_games(game, opponents=("random", "level:3"), seed=5), 64) for game in GAMES.values())
        return [one for some in of_each for one in some][:256]

    expected = [record(play(one, seed)) for seed, one in enumerate(games())]
    waiting = games()
    begun = time.process_time()
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(play, waiting, range(256)))
    seconds = time.process_time() - begun
    assert [record(one) for one in found] == expected
    assert sum(len(one.turns) for one in found) / seconds > 2_000


@every_game
def test_a_stage_near_the_end_has_something_at_stake(game: Game) -> None:
    for one in islice(random_games(game, ("4x4", None), distance=3, seed=1), 40):
        assert is_critical(one.position) and not one.turns
        rest = one.position.board.cells - (one.position.mine | one.position.theirs).bit_count()
        assert game.name != "adjacent-claim" or rest <= 3, "where a board is filled, the distance is seen"
    with pytest.raises(InvalidArgument, match="1: no position 3 moves or less before the end has something at stake"):
        next(random_games(game, ("1x1",), distance=3))


@every_game
def test_openings_differ_up_to_symmetry(game: Game) -> None:
    empty = start(game)
    openings = find_openings(empty, 20, 1)
    positions = [play_all(empty, moves) for moves in openings]
    assert len({first_image(position) for position in positions}) == 20 and all(map(is_critical, positions))
    assert sum(position.player == 1 for position in positions) == 10
    assert openings == find_openings(empty, 20, 1) != find_openings(empty, 20, 2)


@every_game
def test_moves_have_numbers(game: Game) -> None:
    position = start(game, "3x4")
    for move in [*position.moves, *([0] if game.passes else [])]:
        assert position.move(position.action(move)) == move
    with pytest.raises(IllegalMove, match=f"numbers from 0 to {11 + game.passes}"):
        position.move(13)
