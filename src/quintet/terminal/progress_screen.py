"""The screen of one's own progress: accuracy, mistakes by kind, puzzles, and who was beaten."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Label, Static

from quintet.engines.characters import CHARACTERS
from quintet.language import percent, tr
from quintet.store.database import StoreFault
from quintet.store.finished import FinishedGame, beaten_levels, finished_games
from quintet.store.puzzle_results import puzzle_results
from quintet.study.progress import (
    MOST_GAMES,
    Count,
    PlayedGame,
    ProgressReport,
    PuzzleCount,
    SolvedRow,
    beaten_text,
    played_game,
    progress_report,
)
from quintet.study.reviews import review
from quintet.terminal.background import in_background
from quintet.terminal.keys_footer import KeysFooter

if TYPE_CHECKING:
    from quintet.store.matches import Store
    from quintet.terminal.app import QuintetApp

SECONDS = 5.0
"""Time limit of a review; what is not graded by then is not counted."""
BAR, NAME = 24, 18
"""Columns of the longest bar and of a name."""
BLOCKS = " ▁▂▃▄▅▆▇█"


class Found(NamedTuple):
    """What the store knows."""

    games: list[FinishedGame]
    beaten: dict[str, list[int]]
    puzzles: list[PuzzleCount]


def look_up(store: "Store") -> Found | str:
    """What the store knows, or why it cannot be read."""
    try:
        tried: Counter[tuple[str, int]] = Counter()
        solved: Counter[tuple[str, int]] = Counter()
        for one in puzzle_results(store):
            tried[one.game, one.rating] += 1
            solved[one.game, one.rating] += bool(one.solved)
        counts = [PuzzleCount(*kind, number, solved[kind]) for kind, number in tried.items()]
        return Found(finished_games(store, MOST_GAMES), beaten_levels(store), counts)
    except StoreFault as fault:
        return str(fault)


def rate(store: "Store", game: FinishedGame) -> PlayedGame | None:
    """How well the person played a saved game; `None` if it cannot be read."""
    try:
        return played_game(review(store.load(game.id), seconds=SECONDS), game.player, game.when)
    except StoreFault:
        return None


class ProgressScreen(Screen[None]):
    """The figures, filled while the saved games are reviewed in the background."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "app.help", "Help", key_display="?"),
        Binding("escape", "app.pop_screen", "Back", key_display="esc"),
    ]

    def __init__(self) -> None:
        """Begin with nothing known."""
        super().__init__()
        self.found = Found([], {}, [])
        self.waiting: list[FinishedGame] = []

    @property
    def quintet(self) -> "QuintetApp":
        """The app, which has the store and remembers what was reviewed."""
        return cast("QuintetApp", self.app)

    def compose(self) -> ComposeResult:
        """The text and the keys."""
        with VerticalScroll(id="page"):
            yield Label(Content.styled(tr("Progress"), "bold"), id="title")
            yield Static(id="state", markup=False)
            yield Static(id="figures")
        yield KeysFooter()

    def on_mount(self) -> None:
        """Look up the saved games in the background."""
        self.query_one("#page").focus()
        store = self.quintet.store
        if store is None:
            self.say(self.quintet.store_fault or tr("Saved games are not available."))
        else:
            in_background(self, lambda: look_up(store), self.use)

    def use(self, found: Found | str) -> None:
        """Show what the store knows, and review the games one after the other."""
        if isinstance(found, str):
            self.say(found)
            return
        self.found = found
        self.waiting = [game for game in found.games if game not in self.quintet.played]
        self.next_game()

    def next_game(self, done: tuple[FinishedGame, PlayedGame | None] | None = None) -> None:
        """Show what is known so far, and review the next game."""
        played, store = self.quintet.played, self.quintet.store
        if done:
            played[done[0]] = done[1]
        known = [rated for game in self.found.games if (rated := played.get(game))]
        self.query_one("#figures", Static).update(
            figures(progress_report(known, self.found.puzzles), self.found.beaten)
        )
        all = len(self.found.games)
        self.say(tr("Reviewing your games: {done} of {all}", done=all - len(self.waiting) + 1, all=all))
        if not self.waiting or store is None:
            self.say("" if all else tr("Play a game and your accuracy appears here."))
            return
        game = self.waiting.pop()
        in_background(self, lambda: (game, rate(store, game)), self.next_game)

    def say(self, text: str) -> None:
        """Show a message above the figures."""
        self.query_one("#state", Static).update(text)


def figures(report: ProgressReport, beaten: dict[str, list[int]]) -> Content:
    """All of it as text."""
    levels = sorted({level for found in beaten.values() for level in found})
    parts = [totals(report)]
    if report.points:
        shares = [point.recent for point in report.points]
        parts.append(headed(tr("Accuracy over time"), Content.styled(curve(shares), "$one")))
    if report.judged:
        parts.append(headed(tr("Mistakes by size"), fault_bars(report.sizes)))
        parts.append(headed(tr("Mistakes by phase of the game"), fault_bars(report.phases)))
        parts.append(headed(tr("What the mistakes were"), fault_bars(report.kinds)))
        rows = [(row.title, row.accuracy or 0.0, percent(row.accuracy or 0)) for row in report.games]
        parts.append(headed(tr("By game"), bars(rows, "$one")))
    if report.tried:
        parts.append(headed(tr("Puzzles by game"), solved_bars(report.puzzles)))
        parts.append(headed(tr("Puzzles by difficulty"), solved_bars(report.ratings)))
    else:
        parts.append(headed(tr("Puzzles"), Content(tr("Solve a puzzle and your results appear here."))))
    faces = "  ".join(CHARACTERS[level - 1].glyph for level in levels)
    said = beaten_text(levels) or tr("Each opponent you beat gets a tick.")
    parts.append(headed(tr("Opponents"), Content(f"{said}\n{faces}".strip())))
    return Content("\n\n").join(parts)


def totals(report: ProgressReport) -> Content:
    """The main numbers in one line."""
    accuracy = "–" if report.accuracy is None else percent(report.accuracy)
    puzzles = tr("Puzzles solved: {solved} of {tried}", solved=report.solved, tried=report.tried)
    numbers = [
        tr("Games: {count}", count=report.played),
        tr("Won: {count}", count=report.won),
        tr("Accuracy: {accuracy}", accuracy=accuracy),
        *([puzzles] if report.tried else []),
    ]
    return Content("   ".join(numbers))


def headed(title: str, content: Content) -> Content:
    """A part with its title."""
    return Content.styled(f"{title}\n", "bold") + content


def curve(shares: Sequence[float], longest: int = 60) -> str:
    """The latest shares as blocks, each as high as it is large."""
    return "".join(BLOCKS[max(1, round(share * (len(BLOCKS) - 1)))] for share in shares[-longest:])


def bars(rows: Sequence[tuple[str, float, str]], colour: str) -> Content:
    """A line for each row: its name, a bar as long as its share, and the number."""
    lines = []
    for title, share, text in rows:
        bar = "█" * round(share * BAR)
        lines.append(Content(f"{title:<{NAME}}") + Content.styled(f"{bar:<{BAR}} ", colour) + Content(text))
    return Content("\n").join(lines)


def fault_bars(rows: Sequence[Count]) -> Content:
    """Faults of each kind."""
    most = max(1, *(row.count for row in rows))
    return bars([(row.title, row.count / most, str(row.count)) for row in rows], "$error")


def solved_bars(rows: Sequence[SolvedRow]) -> Content:
    """Puzzles of each kind."""
    return bars(
        [
            (row.title, row.solved / row.tried, tr("{solved} of {tried}", solved=row.solved, tried=row.tried))
            for row in rows
        ],
        "$success",
    )
