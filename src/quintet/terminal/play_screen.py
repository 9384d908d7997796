"""The screen to play a game on."""

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.events import Key
from textual.widgets import Input

from quintet.board import index
from quintet.effects import claim_effect, forbidding
from quintet.engines import EngineFault
from quintet.language import tr
from quintet.match import Match
from quintet.notation import InvalidMove, read_move, screen_label
from quintet.rules import Game, IllegalMove
from quintet.terminal.app_session import AppSession
from quintet.terminal.board_painter import Preview
from quintet.terminal.board_widget import BoardWidget
from quintet.terminal.coach_panel import CoachPanel
from quintet.terminal.keys_footer import KeysFooter
from quintet.terminal.move_line import MoveLine
from quintet.terminal.pacing import Pacing
from quintet.terminal.side_panel import SidePanel
from quintet.terminal.text_screens import GameScreen

if TYPE_CHECKING:
    from quintet.terminal.app import QuintetApp

WATCHED = 2
"""How much slower two engines play each other, so that somebody can watch them."""


class PlayScreen(GameScreen):
    """A board, two players, and a coach."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "values", "Values"),
        Binding("h", "hint", "Hint"),
        Binding("e", "explain", "Explain"),
        Binding("o", "parts", "Parts", show=False),
        Binding("p", "pause", "Pause"),
        Binding("s", "step", "Step"),
        Binding("plus,equals_sign", "speed(0.5)", "Faster", key_display="+"),
        Binding("minus", "speed(2)", "Slower", key_display="-"),
        Binding("a", "play_again(False)", "Rematch"),
        Binding("plus,equals_sign", "play_again(True)", "Next level", key_display="+"),
        Binding("g", "review", "Review"),
        Binding("u", "undo", "Undo"),
        Binding("n", "again", "New"),
        Binding("r", "rules", "Rules"),
        Binding("l", "lesson", "Lesson", show=False),
        Binding("x", "resign", "Resign", show=False),
        Binding("m,slash", "type", "Type a move", show=False),
        Binding("question_mark", "app.help", "Help", key_display="?"),
        Binding("escape", "back", "Back", key_display="esc"),
    ]

    def __init__(self, session: AppSession) -> None:
        """Play a match."""
        super().__init__()
        self.session = session
        self.coach = CoachPanel(self, lambda text: self.side.advise(text), self.show)

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

    @cached_property
    def pacing(self) -> Pacing:
        """Asks the engines."""
        pace = cast("QuintetApp", self.app).pace
        return Pacing(self, pace if self.session.people else WATCHED * pace, self.take)

    def compose(self) -> ComposeResult:
        """The board, the panel beside it, the line to type moves in, the keys."""
        with Horizontal(id="body"):
            yield BoardWidget(self.session.view(), id="board")
            yield SidePanel(id="side")
        yield MoveLine(id="line")
        yield KeysFooter()

    def on_mount(self) -> None:
        """Start the game."""
        self.board.focus()
        self.follow()

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.coach.background_analysis.drop()
        self.pacing.drop()
        self.session.close()

    def on_resize(self) -> None:
        """Draw again: the cards are as wide as the panel."""
        self.call_after_refresh(self.show)

    # Showing.

    def follow(self) -> None:
        """Show the position after a change, and let an engine move if it is its turn."""
        self.say(self.session.fault)
        self.coach.follow(self.match)
        self.pacing.drop()
        if self.session.engine:
            self.pacing.ask(self.session.engine, self.match.position)
        self.show()

    def show(self) -> None:
        """Draw everything from the view."""
        if not self.is_mounted:
            return
        view = self.session.view(self.coach.values, self.coach.parts)
        self.board.view = view
        self.board.open = bool(self.session.people) and not view.result
        self.query_one(MoveLine).finish(self.session.result(), view.winner)
        self.refresh_bindings()
        self.point()

    @on(BoardWidget.Pointed)
    def point(self) -> None:
        """Show what claiming the cell under the cursor would do, if a person can claim it."""
        position, cell = self.match.position, 1 << self.board.cursor
        claim = None
        if not self.match.outcome and not self.session.engine and position.allows(cell):
            claim = claim_effect(position, cell)
            self.board.preview = Preview(int(claim.captured or "0", 16), int(claim.closed_opponent or "0", 16))
        else:
            self.board.preview = None
        thinking = tr("paused") if self.pacing.paused else tr("thinking…") if self.pacing.waiting else ""
        self.side.show(self.session.view(), thinking, self.session.people, self.current_game(), claim)

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
            self.board.show_forbidding(forbidding(self.match.position, move))
        else:
            self.follow()

    def is_persons_turn(self) -> bool:
        """Whether a person is to move; if not, say why."""
        if self.match.outcome:
            self.say(tr("The game is over. Press n for a new game or u to undo."))
        elif self.session.engine:
            self.say(tr("It is Player {player}'s turn.", player=self.match.position.player))
        return not self.match.outcome and not self.session.engine

    def take(self, answer: int | EngineFault) -> None:
        """Play an engine's move. An engine that fails loses the game."""
        if isinstance(answer, int):
            self.session.play(answer)
        else:
            self.session.forfeit(str(answer))
        self.follow()

    # Two engines.

    def action_pause(self) -> None:
        """Pause the game of two engines, or continue it."""
        self.pacing.pause()
        self.show()

    def action_step(self) -> None:
        """Show one more move of two engines, then pause."""
        if not self.pacing.paused:
            self.pacing.pause()
        self.pacing.step()
        self.show()

    def action_speed(self, factor: float) -> None:
        """Let the engines play faster or slower."""
        self.pacing.change(factor)
        self.say(tr("Engines move every {seconds} seconds.", seconds=f"{self.pacing.seconds:.2g}"))

    def action_values(self) -> None:
        """Show or hide the value of each move."""
        self.say("")  # A long message would cover what the coach says.
        self.coach.toggle_values(self.match)

    def action_parts(self) -> None:
        """Show or hide the parts of the open cells."""
        self.coach.toggle_parts(self.match)

    def action_explain(self) -> None:
        """Explain the position."""
        self.say("")
        self.coach.explain(self.match)

    def action_hint(self) -> None:
        """Suggest a move, and put the cursor on it."""
        self.say("")
        self.coach.hint(self.match, lambda move: setattr(self.board, "cursor", index(move)))

    def action_undo(self) -> None:
        """Undo the last move."""
        if self.session.undo():
            self.follow()

    def action_resign(self) -> None:
        """Resign, after a confirmation."""

        def resign() -> None:
            self.session.resign()
            self.follow()

        if self.is_persons_turn():
            self.confirm(tr("Resign this game?"), resign)

    def action_play_again(self, harder: bool) -> None:
        """Play on the same board again: with the same players, or against the next level."""
        players = self.session.next_level if harder else self.session.players
        if players:
            self.app.switch_screen(PlayScreen(self.session.begin(players, cast("QuintetApp", self.app).seed)))

    def action_again(self) -> None:
        """Set up a new game."""
        self.leave(tr("Leave this game and start a new one?"))

    def action_back(self) -> None:
        """Go from the line to the board, or from the board to the screen before."""
        if self.board.has_focus:
            self.leave(tr("Leave this game?"))
        else:
            self.board.focus()

    def leave(self, question: str) -> None:
        """Leave, after a confirmation if a game is under way."""
        if self.match.moves and not self.match.outcome:
            self.confirm(question, self.dismiss)
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
        over, watched = self.match.outcome is not None, not self.session.people
        offered = dict.fromkeys(("resign", "type", "hint", "explain"), not over and not watched)
        offered |= dict.fromkeys(("pause", "step", "speed"), watched and not over)
        offered |= {
            "values": not over,
            "parts": not over,
            "review": over,
            "play_again": over and (parameters == (False,) or self.session.next_level is not None),
            "undo": over or (bool(self.match.moves) and not watched),
        }
        return offered.get(action, True)
