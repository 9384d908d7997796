"""Boards too big to be solved: what theories estimate, and the player that looks ahead by it."""

import random
from collections.abc import Iterator
from math import inf

import pytest

from quintet.board import move_cells, popcount, split, symmetries
from quintet.engines import make_engine
from quintet.engines.deepening import Deepening, bind_theory, has_estimate
from quintet.engines.kinds import MISS_RATES
from quintet.engines.level import Level
from quintet.engines.mcts import Mcts
from quintet.engines.perfect import Perfect, best_choices, strong_player
from quintet.engines.traps import Traps
from quintet.games import GAMES
from quintet.gears import PLAIN
from quintet.notation import read_move, read_position
from quintet.options import start
from quintet.rules import PASS, Position
from quintet.solve.oracle import oracle_of
from quintet.solve.solver import Solver

ESTIMATED = ("adjacent-claim", "grid-conquest", "gridlock")


def random_positions(name: str, size: str, number: int) -> Iterator[Position]:
    """Positions after some random moves."""
    rng = random.Random(f"{name} {size}")
    for _ in range(number):
        position = start(name, size)
        for _ in range(rng.randint(0, position.board.cells // 2)):
            if position.moves:
                position = position.play(rng.choice(position.moves))
        yield position


def estimate_of(position: Position, mine: int, theirs: int) -> int:
    """What the game's theory says of two sets of cells."""
    theory = bind_theory(position.game)
    *_, features, settled = theory.view(position.board, (), mine, theirs, 0, 0)
    return theory.estimate(position.board, features) + settled * theory.TERRITORY


def play_against(other: str, name: str, size: str, side: int, seed: int, estimates: int) -> int | None:
    """The winner of a game in which one side looks ahead."""
    position = start(name, size)
    seats = {side: Deepening(estimates, seed), 3 - side: make_engine(other, seed)}
    while not position.outcome:
        engine = seats[position.player]
        assert engine
        position = position.play(PASS if position.must_pass else engine.choose(position))
    return position.outcome.winner


@pytest.mark.parametrize("name", ESTIMATED)
def test_estimates_are_the_same_in_every_image(name: str) -> None:
    """A mirrored board is worth the same; Grid Conquest follows one line, which may be another one there."""
    for position in random_positions(name, "6x7", 40):
        for symmetry in symmetries(position.board):
            images = move_cells(position.mine, symmetry), move_cells(position.theirs, symmetry)
            ours, found = estimate_of(position, position.mine, position.theirs), estimate_of(position, *images)
            assert ours == found or (name == "grid-conquest" and (ours - found) % 2 == 0)


@pytest.mark.parametrize("name", ["adjacent-claim", "gridlock"])
def test_what_is_good_for_one_player_is_bad_for_the_other(name: str) -> None:
    for position in random_positions(name, "6x7", 40):
        ours = estimate_of(position, position.mine, position.theirs)
        assert ours == -estimate_of(position, position.theirs, position.mine)


@pytest.mark.parametrize("name", GAMES)
def test_the_end_of_a_game_is_estimated_right(name: str) -> None:
    """Nothing is open any more: the margin is what it is, and whoever has lost a race is not ahead."""
    for position in random_positions(name, "4x4", 10):
        while position.moves:
            position = position.play(position.moves[0])
        scores = position.scores if position.player == 1 else position.scores[::-1]
        found = estimate_of(position, position.mine, position.theirs)
        assert found == scores[0] - scores[1] if position.game.territory else found <= 0


def test_the_centre_is_the_first_claim() -> None:
    """A player without cells does best far from the opponent's reach."""
    for size, centre in (("9x9", [40]), ("20x20", [189, 190, 209, 210])):
        position = start("adjacent-claim", size)
        after = {move: -estimate_of(position, 0, move) for move in position.moves}
        assert [move for move in after if after[move] == max(after.values())] == [1 << cell for cell in centre]
        assert after[1] == min(after.values())


@pytest.mark.parametrize(
    ("name", "size", "side", "estimates"),
    [
        ("adjacent-claim", "9x9", 1, 600),
        ("adjacent-claim", "8x8", 2, 600),
        ("gridlock", "8x9", 1, 400),
        ("gridlock", "8x9", 2, 400),
    ],
)
def test_looking_ahead_beats_greed(name: str, size: str, side: int, estimates: int) -> None:
    winners = [play_against("greedy", name, size, side, seed, estimates) for seed in range(3)]
    assert winners.count(side) >= 2, winners


@pytest.mark.parametrize("name", ESTIMATED)
def test_counted_work_can_be_repeated(name: str) -> None:
    empty = start(name, "8x8")
    position = empty.play(empty.moves[9])
    chosen = [Deepening(300, seed).choose(position) for seed in (1, 1, 2, 3, 4, 5, 6)]
    assert chosen[0] == chosen[1] and position.allows(chosen[2])


@pytest.mark.parametrize("name", ESTIMATED)
def test_it_looks_at_the_clock_at_every_estimate(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that runs a millisecond at every look."""
    looks = iter(range(10**6))
    monkeypatch.setattr("quintet.engines.deepening.now", lambda: next(looks) / 1000)
    position = start(name, "20x20").play(1 << 210)
    assert position.allows(Deepening(seed=1).choose(position, 0.05))
    assert next(looks) <= 53


def test_without_time_it_plays_what_comes_first() -> None:
    position = start("grid-conquest", "8x8").play(1 << 27)
    engine = Deepening(seed=1)
    assert all(position.gain(engine.choose(position, 0)).bit_count() == 5 for _ in range(20))
    assert engine.depth == 0
    assert engine.choose(position, 0, 1 << 63) == 1 << 63 and engine.choose(position, 0, 1 << 27) == PASS


def test_a_game_without_estimates_is_played_out() -> None:
    assert [name for name in GAMES if has_estimate(GAMES[name])] == list(ESTIMATED)
    assert isinstance(strong_player(GAMES["isolation"], 1), Mcts)
    assert isinstance(strong_player(GAMES["gridlock"], 1), Deepening)


def test_perfect_says_whether_its_move_is_proved() -> None:
    engine = Perfect(1)
    engine.choose(start("adjacent-claim", "3x3"))
    assert engine.proved
    engine.choose(start("adjacent-claim", "12x12"), 0.02)
    assert not engine.proved


def test_a_level_on_a_big_board_misses_as_often_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly every cell tempts there, which must not make every level a random player."""
    position = start("adjacent-claim", "12x12").play(1 << 65).play(1 << 66)
    best = position.legal & -position.legal
    monkeypatch.setattr(Perfect, "best", lambda *_: best)
    for level in (3, 8, 9, 10):
        engine = Level(level, level)
        missed = sum(engine.choose(position) != best for _ in range(1000))
        assert missed / 1000 <= MISS_RATES[level - 1] + 0.05


def position_after(size: str, line: str) -> Position:
    """An Adjacent Claim position after some moves."""
    position = start("adjacent-claim", size)
    for word in line.split():
        position = position.play(read_move(position, word))
    return position


def test_a_quiet_move_sets_the_best_trap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Along a wall both players only answer each other, as greed does too; it does not see what a quiet move plans."""
    monkeypatch.setattr("quintet.engines.traps.DEEPEST", 3)
    for size, line, quiet in (("6x6", "C3 C4", "C2"), ("8x8", "E5 E4", "E6"), ("12x12", "G6 G7", "G5")):
        position = position_after(size, line)
        assert list(Traps(position, inf).best(position.moves)) == [read_move(position, quiet)]
        assert not Traps(position, 0).best(position.moves), "there is no time"


@pytest.mark.parametrize("line", ["E5 E4", "E5 E4 E6 D4", "E5 E4 E6 F4 F5 G4"])
def test_perfect_sets_traps_on_boards_too_big_to_solve(line: str) -> None:
    position, engine = position_after("8x8", line), Perfect(1)
    for seconds in (0.0, 0.1):
        assert position.allows(engine.choose(position, seconds))
    if line == "E5 E4":
        assert engine.proved, "every move keeps the draw"


def test_a_proved_draw_is_left_only_for_a_clear_lead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exactly one move is proved to draw; another one looks about as good, but not clearly better than a draw."""
    monkeypatch.setattr("quintet.engines.traps.DEEPEST", 1)
    corners = "adjacent-claim ......XX/......../......../......../......../......../......../.OO..... X"
    for text in (corners, corners.translate(str.maketrans("XO", "OX"))):
        position = read_position(text)
        known = oracle_of(position).ask(Solver.outlook, position)
        [draw] = [move for move, value in known.items() if value.low >= 0]

        def choose(others: int, position: Position = position, draw: int = draw) -> tuple[int, bool]:
            engine, player = Perfect(1), Deepening(1_000, 1)
            moves = engine.look_for_trap(position, player, draw, others, lambda _: 10.0)
            assert player.depth >= 5 or not others
            return moves, engine.proved

        assert choose(position.legal) == choose(0) == (draw, True)
        with monkeypatch.context() as changed:
            changed.setattr("quintet.engines.perfect.AHEAD", -1.0)  # Any estimate is a clear lead.
            moves, proved = choose(position.legal)
            assert moves & ~draw and not proved
            changed.setattr("quintet.engines.perfect.FAR", 60)
            assert choose(position.legal) == (draw, True), "it did not look far enough"


def test_a_trap_gives_nothing_away() -> None:
    """In positions that are lost or drawn the move has the best value of all."""
    tried = 0
    for position in random_positions("adjacent-claim", "4x7", 40):
        oracle, engine = oracle_of(position, PLAIN), Perfect(1)
        number = oracle.number(position) if popcount(position.mine | position.theirs) > 8 else 1
        if number <= 0 and position.legal:
            best = oracle.ask(best_choices, position)
            moves = engine.choose_trap(position, oracle, best, lambda _: 0.02)
            assert all(-oracle.number(position.play(move)) == number for move in split(moves)) and moves
            assert engine.choose_trap(position, oracle, best, lambda _: 0.0) == sum(best), "there is no time"
            tried += 1
    assert tried > 5


def test_moves_that_look_as_good_as_the_best_are_asked_for() -> None:
    position = position_after("8x8", "E5 E4 E6 D4")
    engine = Deepening(2000, 1)
    best = engine.choose(position)
    few, more = engine.level(0, 10), engine.level(100, 10)
    assert best in few and set(few) < set(more)
