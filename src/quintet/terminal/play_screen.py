"""The screen to play a game on."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Key
from textual.reactive import reactive
from textual.widgets import Footer, Input

from quintet.engines import EngineFault
from quintet.match import Match
from quintet.notation import InvalidMove, read_move, screen_label
from quintet.rules import Game, IllegalMove
from quintet.study.analysis import Analysis, headline
from quintet.study.coach import explain
from quintet.terminal.app_session import AppSession, engine_answer
from quintet.terminal.background import in_background
from quintet.terminal.background_analysis import BackgroundAnalysis
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.dialogs import ConfirmDialog
from quintet.terminal.move_line import MoveLine
from quintet.terminal.side_panel import SidePanel
from quintet.terminal.text_screens import GameScreen

PACE = 0.5
"""Seconds between the moves of two engines."""


class PlayScreen(GameScreen):
    """A board, two players, and a coach."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "values", "Values"),
        Binding("h", "hint", "Hint"),
        Binding("e", "explain", "Explain"),
        Binding("u", "undo", "Undo"),
        Binding("n", "again", "New"),
        Binding("g", "review", "Review"),
        Binding("r", "rules", "Rules"),
        Binding("l", "lesson", "Lesson", show=False),
        Binding("x", "resign", "Resign", show=False),
        Binding("m,slash", "type", "Type a move", show=False),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("escape", "back", "Back", key_display="esc"),
    ]

    over = reactive(False, layout=False, repaint=False, bindings=True)
    """Whether the game is over; that changes which keys are offered."""

    def __init__(self, session: AppSession) -> None:
        """Play a match."""
        super().__init__()
        self.session = session
        self.background_analysis = BackgroundAnalysis(self)
        self.values_wanted = self.explain_wanted = False
        self.analysis: Analysis | None = None
        self.ticket: object = None
        """The turn an engine is thinking about; `None` if none is."""

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.session.match

    def current_game(self) -> Game:
        """The game that is played."""
        return self.match.position.game

    @property
    def board(self) -> BoardWidget:
        """The board on the screen."""
        return self.query_one(BoardWidget)

    @property
    def side(self) -> SidePanel:
        """The panel beside the board."""
        return self.query_one(SidePanel)

    def compose(self) -> ComposeResult:
        """The board, the panel beside it, the line to type moves in, the keys."""
        with Horizontal(id="body"):
            yield BoardWidget(self.session.view(), id="board")
            yield SidePanel(id="side")
        yield MoveLine(id="line")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Start the game."""
        self.board.focus()
        self.follow()

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.background_analysis.drop()
        self.session.close()

    def on_resize(self) -> None:
        """Draw again: the cards are as wide as the panel."""
        self.call_after_refresh(self.show)

    # Showing.

    def follow(self) -> None:
        """Show the position after a change, and let an engine move if it is its turn."""
        self.analysis, self.explain_wanted = None, False
        self.say(self.session.fault)
        self.side.advise("")
        self.background_analysis.drop()
        self.ticket = None
        self.grade()
        if self.session.engine:
            if self.session.people or not self.match.moves or self.app.animation_level == "none":
                self.think()
            else:
                self.ticket = ticket = object()
                self.set_timer(PACE, lambda: self.think() if self.ticket is ticket else None)
        self.show()

    def show(self) -> None:
        """Draw everything from the view."""
        if not self.is_mounted:
            return
        view = self.session.view(self.analysis.moves if self.analysis and self.values_wanted else None)
        self.board.view = view
        self.side.show(view, thinking=self.ticket is not None, people=self.session.people)
        self.over = bool(view.result)

    def say(self, text: str) -> None:
        """Show a message to the player."""
        self.query_one(MoveLine).say(text)

    # Moves.

    @on(BoardWidget.Chosen)
    def claim(self, event: BoardWidget.Chosen) -> None:
        """Play the cell that was chosen on the board."""
        self.board.focus()
        self.attempt(1 << event.number)

    @on(Input.Submitted, "#typed")
    def read(self, event: Input.Submitted) -> None:
        """Play the move that was typed."""
        event.input.clear()
        if not event.value.strip():
            self.board.focus()
            return
        try:
            self.attempt(read_move(self.match.position, event.value, screen_label))
        except InvalidMove as error:
            self.say(str(error))

    def attempt(self, move: int) -> None:
        """Play a person's move if it is their turn and the move is legal."""
        if not self.is_persons_turn():
            return
        try:
            self.session.play(move)
        except IllegalMove as error:
            self.say(str(error))
        else:
            self.follow()

    def is_persons_turn(self) -> bool:
        """Whether a person is to move; if not, say why."""
        if self.match.outcome:
            self.say("The game is over. Press n for a new game or u to undo.")
        elif self.session.engine:
            self.say(f"It is Player {self.match.position.player}'s turn.")
        return not self.match.outcome and not self.session.engine

    def think(self) -> None:
        """Ask the engine whose turn it is, in the background."""
        engine, position = self.session.engine, self.match.position
        assert engine is not None
        self.ticket = ticket = object()
        in_background(self, lambda: engine_answer(engine, position), lambda answer: self.take(ticket, answer))

    def take(self, ticket: object, answer: int | EngineFault) -> None:
        """Play an engine's move, unless the game has moved on. An engine that fails loses the game."""
        if ticket is self.ticket:
            if isinstance(answer, int):
                self.session.play(answer)
            else:
                self.session.forfeit(str(answer))
            self.follow()
            if self.match.outcome and self.match.outcome.kind == "forfeit":
                self.say(f"{self.match.outcome.reason}.")

    # The coach.

    def action_values(self) -> None:
        """Show or hide the value of each move."""
        self.values_wanted = not self.values_wanted
        if not self.values_wanted:
            self.background_analysis.drop()
            self.side.advise("")
        self.grade()
        self.show()

    def action_explain(self) -> None:
        """Explain the position."""
        self.explain_wanted = True
        self.grade()
        self.show()

    def grade(self) -> None:
        """Find the values of the moves, if they are wanted."""
        if not (self.values_wanted or self.explain_wanted) or self.match.outcome:
            return
        if self.analysis and self.analysis.complete:
            self.use(self.analysis)
        else:
            self.side.advise("[$faint]Computing values…[/]")
            self.background_analysis.analyze(self.match.position, self.use)

    def use(self, analysis: Analysis) -> None:
        """Show values that were found, and say them in words."""
        self.analysis = analysis
        if self.explain_wanted:
            self.explain_wanted = False
            self.side.advise(explain(analysis, screen_label))
        else:
            stopped = "" if analysis.complete else "\n[$faint]Stopped early; the values shown are exact.[/]"
            self.side.advise(headline(analysis.position, analysis.value) + stopped)
        self.show()

    def action_hint(self) -> None:
        """Suggest a move."""
        self.side.advise("[$faint]Finding a good move…[/]")
        self.background_analysis.hint(self.match.position, self.suggest)

    def suggest(self, move: int, text: str) -> None:
        """Say why a move is good, and put the cursor on it."""
        self.side.advise(text)
        if move:
            self.board.cursor = move.bit_length() - 1

    def action_undo(self) -> None:
        """Undo the last move."""
        if self.session.undo():
            self.follow()
        else:
            self.say("Nothing to undo.")

    def action_resign(self) -> None:
        """Resign, after a confirmation."""

        def resign(sure: bool | None) -> None:
            if sure:
                self.session.resign()
                self.follow()

        if self.is_persons_turn():
            self.app.push_screen(ConfirmDialog("Resign this game?"), resign)

    def action_again(self) -> None:
        """Set up a new game."""
        self.leave("Leave this game and start a new one?")

    def action_back(self) -> None:
        """Go from the line to the board, or from the board to the screen before."""
        if self.board.has_focus:
            self.leave("Leave this game?")
        else:
            self.board.focus()

    def leave(self, question: str) -> None:
        """Leave, after a confirmation if a game is under way."""

        def go(sure: bool | None) -> None:
            if sure:
                self.dismiss()

        if self.match.moves and not self.match.outcome:
            self.app.push_screen(ConfirmDialog(question), go)
        else:
            self.dismiss()

    def action_type(self) -> None:
        """Go to the line that moves are typed in."""
        self.query_one(MoveLine).type()

    def on_key(self, event: Key) -> None:
        """Start typing a move when a digit is pressed."""
        if event.character and event.character.isdigit() and self.board.has_focus:
            self.query_one(MoveLine).type(event.character)

    def action_review(self) -> None:
        """Review the finished game."""
        from quintet.terminal.review_screen import ReviewScreen

        self.app.push_screen(ReviewScreen(self.match))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only the keys that make sense now."""
        over = self.match.outcome is not None
        return {"review": over, "values": not over, "hint": not over, "explain": not over}.get(action, True)
