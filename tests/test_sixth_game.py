"""A game the house has never seen, brought by an installed package: everything works with it, and no file changes.

The tests of the house that are run for every registered game are run for it too, in a process where the package of
`docs/examples/col` is installed. Left out are those that compare with data or with a second reading of the rules that
were written for the house's own games; and of the long suites all but the tests that show the most.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from boards import every_game
from quintet import games
from quintet.board import Board, make_board
from quintet.engines.greedy import Greedy
from quintet.errors import QuintetError
from quintet.games import add_installed_games
from quintet.gears.arrays import bind_rules
from quintet.rules import Game, Position, UnusableRules, check_rules
from quintet.solve.solver import Solver

Rule = Callable[[Board, int, int], int]

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "docs" / "examples" / "col"
PROGRAM = str(Path(sys.executable).with_name("quintet"))
SUITES = {
    "rules and values": "conformance notation lesson view effects png surface solve verify values dataset text",
    "dialogue, coach, store, programs": (
        "line coach analysis reviews store puzzles::test_own_mistakes_become_puzzles protocol::test_whole_games"
    ),
    "environments": "gymnasium pettingzoo openspiel batch jax",
    "app, assistants, models": (
        "app::test_a_whole_game_against_an_engine app_lesson mcp::test_whole_games_over_http "
        "llm_prompt llm_answer llm_scores"
    ),
    "table and page": (
        "web_table browser_games::test_a_whole_game_by_clicks_from_the_setting_up_to_the_result "
        "browser_games::test_a_whole_game_by_keys"
    ),
}
"""Files of tests, or single tests of them."""
OWN_DATA = (
    "not rule_books and not transcript and not golden and not same_positions and not explains_itself "
    "and not gives_nothing_away and not data"
)
SERVED = "not site-"
"""Our package alone runs in a browser, without the packages of others."""
LONG = "not (promises and 4x5) and not (pgxs and 3x4) and not 6x6 and not legacy and not typing and not huge"
"""What takes long and shows little that a quicker test beside it does not."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the package is installed, as an installer leaves it: its module and its metadata."""
    folder = tmp_path_factory.mktemp("site")
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    (folder / "col.py").write_text((EXAMPLE / "col.py").read_text())
    metadata = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    points = project["entry-points"]["quintet.games"]
    (metadata / "entry_points.txt").write_text(
        "\n".join(["[quintet.games]", *(f"{key} = {value}" for key, value in points.items())])
    )
    path = os.pathsep.join(map(str, (folder, ROOT / "tests", ROOT / "src")))
    return os.environ | {"PYTHONPATH": path, "QUINTET_ONLY": "col"}


def broken_site(installed: dict[str, str], tmp_path: Path, text: str) -> Path:
    """A folder of installed packages in which the game's module holds this text."""
    site = tmp_path / "site"
    shutil.copytree(installed["PYTHONPATH"].split(os.pathsep)[0], site, ignore=shutil.ignore_patterns("__pycache__"))
    (site / "col.py").write_text(text)
    return site


def register_installed_games(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process find the packages there, as far as the registry goes; the test's end undoes it."""
    monkeypatch.syspath_prepend(site)
    monkeypatch.setattr(games, "GAMES", games.GAMES.copy())
    try:
        add_installed_games()
    finally:
        sys.modules.pop("col", None)


@pytest.mark.no_cover  # They run in processes of their own.
@pytest.mark.parametrize("suites", SUITES.values(), ids=SUITES)
def test_the_tests_of_the_house_hold_for_it(installed: dict[str, str], suites: str) -> None:
    chosen = [name.partition("::") for name in suites.split()]
    tests = [str(ROOT / "tests" / f"test_{file}.py{colons}{test}") for file, colons, test in chosen]
    words = ["-q", "-p", "only_game", "-p", "no:cacheprovider", "-k", f"{OWN_DATA} and {LONG} and {SERVED}"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *tests],
        env=installed,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout[-3000:]
    assert "[100%]" in run.stdout


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("games", "col             4x4   "),
        ("rules col", "# Col"),
        ("solve col", "With best play Player 2 wins in 12 moves."),
        ("play col --p1 perfect --p2 level:3 --seed 1", "wins the game!"),
        ("perft col 3", "2688"),  # 16 x 15 pairs of own cells but the 48 next to each other, times 14 cells between.
        ("arena --game col --players random,greedy --games 2 --jobs 1", "greedy"),
        ("puzzle --day 2026-11-15", "Player"),
    ],
)
def test_the_commands_know_it(installed: dict[str, str], command: str, said: str) -> None:
    run = subprocess.run(
        [PROGRAM, *command.split()], env=installed, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert (run.returncode, run.stderr) == (0, "") and said in run.stdout


def test_it_is_registered_beside_the_others(installed: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    before = games.GAMES.copy()
    register_installed_games(Path(installed["PYTHONPATH"].split(os.pathsep)[0]), monkeypatch)
    assert list(games.GAMES) == [*before, "col"]


def test_a_game_that_greed_plays_well_has_no_puzzles(installed: dict[str, str]) -> None:
    run = subprocess.run([PROGRAM, "puzzle", "col"], env=installed, capture_output=True, text=True)
    said = "quintet: no puzzle was found in 400 random games of col 4x4\n"
    assert (run.returncode, run.stdout, run.stderr) == (1, "", said)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("GAME = 5", "it is not a Game record"),
        ("raise OSError('the disk is gone')", "the disk is gone"),
        ("from quintet.games.gridlock import GAME", "there is already a game called gridlock"),
        (
            "from quintet.rules import Game\n"
            "def make(limit): return lambda board, mine, theirs: board.full & ~(mine | theirs) & limit\n"
            "GAME = Game(name='odd', rows=2, cols=2, corner='A1', legal=make(3))",
            "the rule legal of odd uses limit of a function around it",
        ),
        (
            "from quintet.rules import Game\n"
            "def helper(board): return board.full\n"
            "def legal(board, mine, theirs): return helper(board) & ~(mine | theirs)\n"
            "GAME = Game(name='odd', rows=2, cols=2, corner='A1', legal=legal)",
            "the rule legal of odd uses helper, which is not in quintet.board",
        ),
    ],
)
def test_what_cannot_be_used_is_left_out(
    installed: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    site, before = broken_site(installed, tmp_path, text), games.GAMES.copy()
    with pytest.warns(RuntimeWarning, match=f"the game col of col:GAME is skipped: {reason}"):
        register_installed_games(site, monkeypatch)
    assert before == games.GAMES


def test_the_program_says_so_in_a_line(installed: dict[str, str], tmp_path: Path) -> None:
    path = str(broken_site(installed, tmp_path, "GAME = 5"))
    run = subprocess.run([PROGRAM, "games"], env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True)
    assert run.returncode == 0 and "col  " not in run.stdout and "gridlock" in run.stdout
    assert "it is not a Game record" in run.stderr and "Traceback" not in run.stderr


@every_game
def test_our_own_rules_would_be_accepted_from_another_package(game: Game) -> None:
    """They call each other, and what `quintet.board` offers, and nothing else."""
    check_rules(game)


def free_variable(board: Board, limit: int = 1) -> Rule:
    """A rule that closes over a variable of the function that made it."""
    return lambda board, mine, theirs: board.full & ~(mine | theirs) * limit


class Methods:
    """A rule that is a method."""

    def legal(self, board: Board, mine: int, theirs: int) -> int:
        """Any cell."""
        return board.full & ~(mine | theirs)


@pytest.mark.parametrize(
    ("legal", "reason"),
    [
        (free_variable(make_board(2, 2)), "uses limit of a function around it"),
        (Methods().legal, "is a method"),
        (partial(Methods.legal, Methods()), "is a partial"),
        (max, "is a builtin_function_or_method"),
        (Methods, "is a type"),
    ],
    ids=["closure", "method", "partial", "builtin", "class"],
)
def test_rules_that_no_gear_could_run_are_refused_with_a_reason(legal: Rule, reason: str) -> None:
    game = Game(name="odd", rows=2, cols=2, corner="A1", legal=legal)
    position = Position(game, make_board(2, 2))
    for use in (
        lambda: check_rules(game),
        lambda: Solver(game, position.board),
        lambda: Greedy(1).choose(position),
        lambda: bind_rules(game),
    ):
        with pytest.raises(UnusableRules, match=f"^the rule legal of odd {reason}") as refused:
            use()
        assert "\n" not in str(refused.value) and isinstance(refused.value, QuintetError)


def test_a_comprehension_in_a_rule_is_looked_into() -> None:
    def legal(board: Board, mine: int, theirs: int) -> int:
        return sum(1 << PROGRAM.index(i) for i in "ab")

    with pytest.raises(UnusableRules, match="uses PROGRAM, which is not in quintet"):
        check_rules(Game(name="odd", rows=2, cols=2, corner="A1", legal=legal))
