"""Proofs of whole games: against playing everything out, between the gears, and against a search that is wrong."""

import dataclasses
import random
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from boards import every_game
from minimax import minimax
from naive import HOLE, NAIVE, Naive
from quintet.board import Board, place_values
from quintet.games import GAMES
from quintet.gears import FAST, PLAIN, bind
from quintet.gears.arrays import bind_rules
from quintet.match import Match
from quintet.notation import read_position
from quintet.options import start
from quintet.rules import Game, Position
from quintet.solve import stages
from quintet.solve import verify as module
from quintet.solve.position_keys import POSITION_KEYS
from quintet.solve.positions import TooLarge
from quintet.solve.searcher import Searcher, images_of, search_names
from quintet.solve.solver import Solver
from quintet.solve.theories.generic import MOST
from quintet.solve.verify import Disproved, Proof, verify

SIZES = ("1", "2", "7", "2x3", "3x3")

uncounted = pytest.mark.no_cover  # Counting branches makes it slow, and others run the same ones.
every_gear = pytest.mark.parametrize("gear", [PLAIN, FAST])


def positions_after(empty: Position) -> set[Position]:
    """Every position that can come up, as the player to move sees it."""
    found, left = {empty}, [empty]
    for position in left:
        after = {dataclasses.replace(position.play(move), player=1) for move in position.moves} - found
        found |= after
        left += after
    return found


def number(position: Position) -> int:
    """The value that playing everything out gives."""
    margin, plies = minimax(position)
    return margin if position.game.territory else margin * (1000 - plies)


@every_game
@pytest.mark.parametrize("size", SIZES)
def test_a_proof_finds_what_playing_everything_out_gives(game: Game, size: str) -> None:
    empty = start(game, size, target=7, shuffle=3) if game.target else start(game, size)
    proof = verify(empty, PLAIN)
    assert proof.value.low == proof.value.high == number(empty)
    assert proof.compared == proof.positions == proof.wins + proof.losses + proof.draws
    # Under a name without a kind of its own, a game is walked position by position.
    stranger = dataclasses.replace(game, name="stranger", future="cells")
    strange = verify(dataclasses.replace(empty, game=stranger), PLAIN)
    numbers = [number(position) for position in positions_after(empty)]
    assert (strange.positions, strange.wins, strange.draws) == (
        len(numbers),
        sum(number > 0 for number in numbers),
        numbers.count(0),
    )
    assert strange.value == proof.value
    assert proof.positions <= strange.positions


def played_out(naive: Naive, territory: bool, known: dict[str, int]) -> int:
    """The value of a position for the player to move, by the rule book's plain reading."""
    name = f"{naive.player} {naive.grid}"
    if name not in known:
        player, grid = naive.player, [row[:] for row in naive.grid]
        found = []
        for move in naive.moves():
            naive.play(move)
            after = played_out(naive, territory, known)
            found.append(-after if territory or after == 0 else -after + (1 if after > 0 else -1))
            naive.player, naive.grid = player, [row[:] for row in grid]
        ahead = len(naive.cells_of(player)) - len(naive.cells_of(3 - player)) if territory else -MOST
        known[name] = max(found, default=ahead)
    return known[name]


def every_set_up(empty: Position) -> Iterator[tuple[Position, int]]:
    """Every way to claim cells of a board, also those that no game leads to, and the value."""
    board, known = empty.board, dict[str, int]()
    for owners in product(*((0, 1, 2) if board.full >> i & 1 else (HOLE,) for i in range(board.area))):
        naive = NAIVE[empty.game.name](board.rows, board.cols, place_values(board), board.target)
        naive.grid = [list(owners[i : i + board.cols]) for i in range(0, board.area, board.cols)]
        mine, theirs = (sum(1 << i for i, owner in enumerate(owners) if owner == player) for player in (1, 2))
        position = dataclasses.replace(empty, mine=mine, theirs=theirs)
        if not board.target or (position.scores[0] < board.target >= position.scores[1]):
            yield position, played_out(naive, empty.game.territory, known)


@uncounted
@every_game
@pytest.mark.parametrize("size", ["1", "2", "7", "2x3", "4x2", "3x3-A1-B2"])
def test_positions_with_the_same_key_have_the_same_value_by_the_rule_books(game: Game, size: str) -> None:
    """The keys of the proof and those of the search's table, in every set-up of a small board, played out naively."""
    empty = start(game, size, target=7, shuffle=3) if game.target else start(game, size)
    board, images, names = empty.board, images_of(empty.board), bind(search_names(game))
    rules, position_key = bind_rules(game), POSITION_KEYS[game.future]
    proved, searched = dict[object, int](), dict[object, int]()
    set_ups = list(every_set_up(empty))
    for position, value in set_ups:
        mine, theirs = position.mine, position.theirs
        settled = 0 if position_key.whole else mine.bit_count() - theirs.bit_count()
        key = int(position_key.function(rules, board, np.array([mine]), np.array([theirs]))[0])
        assert proved.setdefault(((mine | theirs).bit_count(), key), value - settled) == value - settled, repr(position)
        *_, features, settled = names["view"](board, images, mine, theirs, 0, 0)
        left = names["shift"](value, -settled)
        assert searched.setdefault(names["key"](board, images, features), left) == left, repr(position)
    assert len(searched) < len(set_ups) or board.cells < 3


@every_game
@pytest.mark.parametrize("size", ["5", "2x3", "3x3", "3x3-B2"])
def test_keys_are_checked_by_walking_without_them(game: Game, size: str) -> None:
    empty = start(game, size, target=9, shuffle=3) if game.target else start(game, size)
    proof = verify(empty, PLAIN, keys=True)
    assert proof.keys_checked == len(positions_after(empty)) >= proof.positions
    assert verify(empty, PLAIN) == proof._replace(keys_checked=None)


@pytest.mark.parametrize(("name", "future"), [("gridlock", "claimed"), ("isolation", "values")])
def test_a_wrong_key_is_found_out(name: str, future: str) -> None:
    game = dataclasses.replace(GAMES[name], future=future)
    with pytest.raises(Disproved, match=f"the key is wrong: {name} [XO./]+ [XO] has another value than "):
        verify(start(game, "2x3"), PLAIN, keys=True)


@uncounted
@every_game
def test_gears_agree(game: Game) -> None:
    empty = start(game, "3x3")
    assert verify(empty, FAST) == verify(empty, PLAIN)


@uncounted
@every_game
def test_gears_agree_wherever_a_proof_begins(game: Game) -> None:
    """From empty boards and after random moves, also where the theory knows the value without a search."""
    rng = random.Random(game.name)
    known = 0
    # Lines of nine values and more need another compilation, and boards of fewer then the first one again.
    for size in (*map(str, range(1, 12)), "2x2", "2x3", "3x3", "3x3"):
        target = rng.randint(1, 15)
        empty = start(game, size, target=target, shuffle=rng.randint(1, 99)) if game.target else start(game, size)
        match = Match(empty)
        for stop in {0, rng.randint(1, 6)}:
            while match.position.moves and match.ply < stop:
                match.play(rng.choice(match.position.moves))
            position = match.position
            known += Solver(game, position.board, PLAIN).limits(position).exact
            assert verify(position, FAST) == verify(position, PLAIN), repr(position)
    assert known > 1


@uncounted
@pytest.mark.parametrize(
    ("name", "positions", "checksum"),
    [
        ("grid-conquest", 32_798, "45bc00d258a35117"),
        ("isolation", 3_756, "059723dfd7d056b0"),
        ("gridlock", 67_747, "b02344d4a84b3834"),
        ("point-capture", 9_619, "4c4067057e1eb81d"),
    ],
)
def test_rule_book_sizes(name: str, positions: int, checksum: str) -> None:
    proof = verify(start(GAMES[name]))
    assert (proof.positions, proof.compared, proof.before_passes, proof.checksum) == (
        positions,
        positions,
        None,
        checksum,
    )


@uncounted
def test_passes_lead_to_positions_of_their_own() -> None:
    proof = verify(start(GAMES["adjacent-claim"], "4x4"))
    assert (proof.positions, proof.before_passes) == (49_069, 43_941)


@pytest.mark.parametrize(
    "text",
    ["gridlock ..X./.O../.... X", "adjacent-claim XOO...X O", "adjacent-claim OX..... O", "adjacent-claim XO..... X"],
)
def test_a_proof_may_begin_anywhere_at_a_pass_too(text: str) -> None:
    later = dataclasses.replace(read_position(text), player=1)
    proof = verify(later)
    assert proof.value.low == number(later)
    assert proof.positions == len(positions_after(later))


def test_of_many_positions_the_plain_gear_compares_an_even_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = start(GAMES["gridlock"], "3x4")
    whole = verify(empty, PLAIN)
    monkeypatch.setattr(module, "ALL", 1_000)
    monkeypatch.setattr(module, "SAMPLE", 100)
    assert verify(empty, PLAIN) == whole._replace(compared=100)


@every_gear
def test_a_wrong_search_is_found_out(gear: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Mistaken(Solver):
        """Searches by the rules of another game."""

        def __init__(self, game: Game, board: Board, gear: str, memory: int) -> None:
            super().__init__(GAMES["isolation"], board, gear, memory)

    monkeypatch.setattr(module, "Solver", Mistaken)
    with pytest.raises(Disproved, match=r"the search is wrong: the value of gridlock [XO./]{11} [XO] is "):
        verify(start(GAMES["gridlock"], "3x3"), gear)


@pytest.mark.parametrize("error", [-2, 2])
def test_one_value_too_high_or_too_low_is_found_out(error: int, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slip(Solver):
        """Is wrong about the empty board alone."""

        def __init__(self, game: Game, board: Board, gear: str, memory: int) -> None:
            super().__init__(game, board, gear, memory)
            assert isinstance(self.searcher, Searcher)
            right = self.searcher.search
            self.searcher.search = lambda *question: right(*question) + error * (question[3] == question[4] == 0)

    monkeypatch.setattr(module, "Solver", Slip)
    with pytest.raises(Disproved, match=r"adjacent-claim \.\.\./\.\.\. X is "):
        verify(start(GAMES["adjacent-claim"], "2x3"), PLAIN)


def test_large_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match="limited to 31 cells; this board has 36"):
        verify(start(GAMES["adjacent-claim"], "6x6"))
    monkeypatch.setattr(stages, "MOST_POSITIONS", 1_000)
    with pytest.raises(TooLarge, match=r"in memory is limited to 1,000 positions; .*--folder"):
        verify(start(GAMES["adjacent-claim"], "4x4"))


def test_progress_is_told_stage_by_stage() -> None:
    told: list[tuple[str, float, int]] = []
    proof = verify(start(GAMES["isolation"]), progress=lambda *report: told.append(report))
    assert isinstance(proof, Proof)
    last = {stage: (share, positions) for stage, share, positions in told}
    assert list(last) == ["positions", "values", "checksum", "search"]
    assert {positions for _, positions in last.values()} == {proof.positions}
    assert all(0 <= share <= 1 for _, share, _ in told)
    assert last["values"][0] == last["search"][0] == 1
