"""The coach beside a game: what every move is worth, what the position means, and hints, found in the background."""

from collections.abc import Callable

from textual.screen import Screen

from quintet.match import Match
from quintet.notation import screen_label
from quintet.solve.value import Value
from quintet.study.analysis import Analysis, headline
from quintet.study.coach import explain
from quintet.terminal.background_analysis import BackgroundAnalysis


class CoachPanel:
    """What the coach was asked, and what is known of the position."""

    def __init__(self, screen: Screen[None], advise: Callable[[str], None], show: Callable[[], None]) -> None:
        """Say texts with `advise`, and call `show` when there are values to draw."""
        self.background_analysis = BackgroundAnalysis(screen)
        self.advise = advise
        self.show = show
        self.values_wanted = self.explain_wanted = False
        self.analysis: Analysis | None = None

    @property
    def values(self) -> dict[int, Value] | None:
        """The values to draw on the board, if they are wanted and known."""
        return self.analysis.moves if self.analysis and self.values_wanted else None

    def follow(self, match: Match) -> None:
        """Forget what was said about the position before."""
        self.analysis, self.explain_wanted = None, False
        self.advise("")
        self.background_analysis.drop()
        self.grade(match)

    def toggle_values(self, match: Match) -> None:
        """Show or hide the value of each move."""
        self.values_wanted = not self.values_wanted
        if not self.values_wanted:
            self.background_analysis.drop()
            self.advise("")
        self.grade(match)
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
            self.advise("[$faint]Computing values…[/]")
            self.background_analysis.analyze(match.position, self.use)

    def use(self, analysis: Analysis) -> None:
        """Show values that were found, and say them in words."""
        self.analysis = analysis
        if self.explain_wanted:
            self.explain_wanted = False
            self.advise(explain(analysis, screen_label))
        else:
            stopped = "" if analysis.complete else "\n[$faint]Stopped early; the values shown are exact.[/]"
            self.advise(headline(analysis.position, analysis.value) + stopped)
        self.show()

    def hint(self, match: Match, point: Callable[[int], None]) -> None:
        """Suggest a move and say why, and call `point` with it."""

        def suggest(move: int, text: str) -> None:
            self.advise(text)
            if move:
                point(move)

        self.advise("[$faint]Finding a good move…[/]")
        self.background_analysis.hint(match.position, suggest)
