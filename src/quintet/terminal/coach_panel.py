"""The coach beside a game: what every move is worth, what the position means, and hints, found in the background."""

from collections.abc import Callable, Sequence

from textual.screen import Screen

from quintet.gears import PLAIN
from quintet.language import tr
from quintet.match import Match
from quintet.notation import screen_label
from quintet.solve.oracle import oracle_of
from quintet.study.analysis import Analysis, Part, analyze, headline
from quintet.study.coach import explain, parts_of
from quintet.terminal.background_analysis import BackgroundAnalysis


def faint(text: str) -> str:
    """A text in pale letters, as markup."""
    return f"[$faint]{text}[/]"


class CoachPanel:
    """What the coach was asked, and what is known of the position."""

    def __init__(self, screen: Screen[None], advise: Callable[[str], None], show: Callable[[], None]) -> None:
        """Say texts with `advise`, and call `show` when there are values to draw."""
        self.background_analysis = BackgroundAnalysis(screen)
        self.advise = advise
        self.show = show
        self.values_wanted = self.explain_wanted = self.parts_wanted = False
        self.analysis: Analysis | None = None

    @property
    def values(self) -> Analysis | None:
        """The values to draw on the board, if they are wanted and known."""
        return self.analysis if self.values_wanted else None

    @property
    def parts(self) -> Sequence[Part]:
        """The parts of the open cells to colour on the board, if they are wanted and known."""
        return self.analysis.parts if self.analysis and self.parts_wanted else ()

    def follow(self, match: Match) -> None:
        """Forget what was said about the position before."""
        self.analysis, self.explain_wanted = None, False
        self.advise("")
        self.background_analysis.drop()
        self.parts_wanted = False
        self.grade(match)

    def toggle_values(self, match: Match) -> None:
        """Show or hide the value of each move."""
        self.values_wanted = not self.values_wanted
        if not self.values_wanted:
            self.background_analysis.drop()
            self.advise("")
        self.grade(match)
        self.show()

    def toggle_parts(self, match: Match) -> None:
        """Show or hide the parts of the open cells that do not affect each other."""
        self.parts_wanted = not self.parts_wanted
        if self.parts_wanted:
            position = match.position
            self.analysis = self.analysis or analyze(position, oracle_of(position, PLAIN), 0)
            one, none = tr("The open cells are one part."), tr("This game has no independent parts.")
            self.advise(parts_of(self.analysis) or (one if self.analysis.parts else none))
        self.show()

    def explain(self, match: Match) -> None:
        """Explain the position."""
        self.explain_wanted = True
        self.grade(match)
        self.show()

    def grade(self, match: Match) -> None:
        """Find the values of the moves, if they are wanted."""
        if not (self.values_wanted or self.explain_wanted) or match.outcome:
            return
        if self.analysis and self.analysis.complete:
            self.use(self.analysis)
        else:
            self.advise(faint(tr("Computing values…")))
            self.background_analysis.analyze(match.position, self.use)

    def use(self, analysis: Analysis) -> None:
        """Show values that were found, and say them in words."""
        self.analysis = analysis
        if self.explain_wanted:
            self.explain_wanted = False
            self.advise(explain(analysis, screen_label))
        else:
            text = headline(analysis.position, analysis.value)
            if not analysis.complete:
                text += "\n" + faint(tr("Stopped early; ~ marks estimates, other values are exact."))
            self.advise(text)
        self.show()

    def hint(self, match: Match, point: Callable[[int], None]) -> None:
        """Suggest a move and say why, and call `point` with it."""

        def suggest(move: int, text: str) -> None:
            self.advise(text)
            if move:
                point(move)

        self.advise(faint(tr("Finding a good move…")))
        self.background_analysis.hint(match.position, suggest)
