"""The screen a game is played on."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key
from textual.markup import escape
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.widgets import Footer, Input, Label, Static

from quintet.engines import EngineFault
from quintet.engines.kinds import title_of
from quintet.match import Match
from quintet.notation import InvalidMove, read_move
from quintet.rules import IllegalMove
from quintet.solve.oracle import Oracle
from quintet.study.analysis import Analysis, headline
from quintet.study.coach import explain, hint
from quintet.terminal.analyst import SECONDS, Analyst
from quintet.terminal.app_session import AppSession
from quintet.terminal.background import in_background
from quintet.terminal.board import BoardView
from quintet.terminal.pages import HelpPage, RulesPage, Sure
from quintet.view import View

PACE = 0.5
"""Seconds between two moves of engines among themselves."""


class Card(Static):
    """One player: mark, name, score, whose turn it is."""

    def show(self, view: View, player: int, thinking: bool) -> None:
        """Write the card."""
        target = f"/{view.target}" if view.target else ""
        score = f"{view.scores[player - 1]}{target}"
        width = max(16, self.content_size.width or 22)
        name = f"{' XO'[player]}  Player {player}"
        note = "thinking…" if thinking else escape(title_of(view.names[player - 1]))
        if view.winner == player:
            note = f"{note} · wins!"
        self.update(f"[b]{name}{score:>{width - len(name)}}[/b]\n   {note}")
        self.set_class(view.player == player or view.winner == player, "turn")


class PlayScreen(Screen[None]):
    """A board, two players, and a coach."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "values", "Values"),
        Binding("h", "hint", "Hint"),
        Binding("e", "explain", "Explain"),
        Binding("u", "undo", "Undo"),
        Binding("n", "again", "New"),
        Binding("g", "review", "Review"),
        Binding("r", "rules", "Rules"),
        Binding("x", "resign", "Resign", show=False),
        Binding("m,slash", "type", "Type a move", show=False),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("escape", "back", "Back", key_display="esc"),
    ]

    over = reactive(False, layout=False, repaint=False, bindings=True)
    """Whether the game is over; other keys are offered then."""

    class Answer(Message):
        """An engine has chosen, or failed."""

        def __init__(self, ticket: object, answer: int | EngineFault) -> None:
            """Remember for which turn."""
            super().__init__()
            self.ticket, self.answer = ticket, answer

    class Graded(Message):
        """Values have been found."""

        def __init__(self, analysis: Analysis) -> None:
            """Carry them."""
            super().__init__()
            self.analysis = analysis

    class Told(Message):
        """The coach has said something."""

        def __init__(self, ply: int, text: str, move: int | None = None) -> None:
            """Remember about which position."""
            super().__init__()
            self.ply, self.text, self.move = ply, text, move

    def __init__(self, session: AppSession) -> None:
        """Sit down at a table."""
        super().__init__()
        self.session = session
        self.analyst = Analyst(self)
        self.values_wanted = False
        self.explain_wanted = False
        self.analysis: Analysis | None = None
        self.ticket: object = None
        """The turn an engine is thinking about; `None` when none is."""

    @property
    def match(self) -> Match:
        """The match at the table."""
        return self.session.match

    @property
    def board(self) -> BoardView:
        """The board on the screen."""
        return self.query_one(BoardView)

    def compose(self) -> ComposeResult:
        """The board, the players beside it, the line to type moves in, the keys."""
        with Horizontal(id="body"):
            yield BoardView(self.session.view(), id="board")
            with Vertical(id="side"):
                yield Label(id="title")
                yield Card(id="one", classes="card one")
                yield Card(id="two", classes="card two")
                yield Static(id="status")
                with VerticalScroll(id="story", can_focus=False):
                    yield Static(id="moves")
                with VerticalScroll(id="coach", can_focus=False):
                    yield Static(id="advice")
        with Horizontal(id="line"):
            yield Label("Move", id="prompt")
            yield Input(compact=True, id="typed", placeholder="/", max_length=80, select_on_focus=False)
            yield Label(id="message", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Begin."""
        self.board.focus()
        self.follow()

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.analyst.drop()
        self.session.close()

    def on_resize(self) -> None:
        """Cards are as wide as the panel."""
        self.call_after_refresh(self.show)

    # What is seen.

    def follow(self) -> None:
        """Show the position after a change, and let whoever is next begin."""
        self.analysis = self.analyst.known(self.match.position) if self.values_wanted or self.explain_wanted else None
        self.explain_wanted = False
        self.say(self.session.fault)
        self.advise("")
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
        graded = self.analysis if self.values_wanted else None
        view = self.session.view(graded.moves if graded else None)
        self.board.view = view
        self.query_one("#title", Label).update(f"[b]{view.title}[/b] {view.size}")
        for player, id in ((1, "#one"), (2, "#two")):
            self.query_one(id, Card).show(view, player, bool(self.ticket) and view.player == player)
        status = self.query_one("#status", Static)
        status.update(escape(view.status))
        status.set_class(bool(view.result), "over")
        self.show_moves(view)
        self.over = bool(view.result)

    def show_moves(self, view: View) -> None:
        """The moves so far in two columns."""
        lines: list[list[tuple[int, str]]] = []
        for turn in view.history:
            if lines and len(lines[-1]) == 1 and lines[-1][0][0] < turn[0]:
                lines[-1].append(turn)
            else:
                lines.append([turn])
        rows = []
        for number, line in enumerate(lines, 1):
            words = "".join(f"[{'$one' if player == 1 else '$two'}]{label:<7}[/]" for player, label in line)
            indent = " " * 7 if line[0][0] == 2 else ""
            rows.append(f"[$faint]{number:>3}[/]  {indent}{words}")
        self.query_one("#moves", Static).update("\n".join(rows))
        self.query_one("#story", VerticalScroll).scroll_end(animate=False)

    def say(self, text: str) -> None:
        """A line to the player."""
        self.query_one("#message", Label).update(text)

    def advise(self, text: str) -> None:
        """Words of the coach."""
        self.query_one("#advice", Static).update(text)
        self.query_one("#coach").set_class(bool(text), "talking")

    # Moves.

    @on(BoardView.Chosen)
    def claim(self, event: BoardView.Chosen) -> None:
        """A cell was chosen on the board."""
        self.board.focus()
        self.attempt(1 << event.number)

    @on(Input.Submitted, "#typed")
    def read(self, event: Input.Submitted) -> None:
        """A move was typed."""
        event.input.clear()
        if not event.value.strip():
            self.board.focus()
            return
        try:
            self.attempt(read_move(self.match.position, event.value))
        except InvalidMove as error:
            self.say(str(error))

    def attempt(self, move: int) -> None:
        """Play a person's move if it is their turn and the rules allow it."""
        if self.match.outcome:
            self.say("The game is over: n begins a new one, u takes back.")
        elif self.session.engine:
            self.say(f"It is Player {self.match.position.player}'s turn.")
        else:
            try:
                self.session.play(move)
            except IllegalMove as error:
                self.say(str(error))
            else:
                self.follow()

    def think(self) -> None:
        """Let the engine whose turn it is choose, in the background."""
        engine, position = self.session.engine, self.match.position
        assert engine is not None
        self.ticket = ticket = object()

        def work() -> Message:
            try:
                return self.Answer(ticket, engine.choose(position))
            except EngineFault as fault:
                return self.Answer(ticket, fault)

        in_background(self, work)

    @on(Answer)
    def answered(self, event: Answer) -> None:
        """Play what the engine chose, unless the players have moved on since."""
        if event.ticket is not self.ticket:
            return
        answer = event.answer
        if isinstance(answer, int):
            try:
                self.session.play(answer)
            except IllegalMove as error:
                answer = EngineFault(str(error))
        if isinstance(answer, EngineFault):
            self.session.forfeit(str(answer))
            self.follow()
            self.say(f"{self.match.outcome.reason}." if self.match.outcome else "")
            return
        self.follow()

    # Commands.

    def action_values(self) -> None:
        """Show or hide what every move is worth."""
        self.values_wanted = not self.values_wanted
        if not self.values_wanted:
            self.analyst.drop()
            self.advise("")
        self.grade()
        self.show()

    def grade(self) -> None:
        """Find the values of the moves where they are wanted."""
        if not (self.values_wanted or self.explain_wanted) or self.match.outcome:
            return
        found = self.analyst.known(self.match.position)
        if found:
            self.use(found)
        else:
            self.advise("[$faint]Working out the values…[/]")
            self.analyst.ask(self.match.position, self.Graded)

    @on(Graded)
    def graded(self, event: Graded) -> None:
        """Show values that have come."""
        if event.analysis.position == self.match.position:
            self.use(event.analysis)
            self.show()

    def use(self, analysis: Analysis) -> None:
        """Show values, and say them if that was asked for."""
        self.analysis = analysis
        if self.explain_wanted:
            self.explain_wanted = False
            self.advise(explain(analysis))
            return
        text = headline(analysis.position, analysis.value)
        if not analysis.complete:
            text += "\n[$faint]Not every move could be valued in time.[/]"
        self.advise(text)

    def action_explain(self) -> None:
        """Say what the moves are worth and why."""
        if self.match.outcome:
            self.say("The game is over.")
            return
        self.explain_wanted = True
        self.grade()
        self.show()

    def action_hint(self) -> None:
        """Suggest a move."""
        if self.match.outcome:
            self.say("The game is over.")
            return
        position, ply = self.match.position, self.match.ply
        self.advise("[$faint]Looking for a good move…[/]")

        def work(oracle: Oracle) -> Message:
            move, text = hint(position, oracle, SECONDS)
            return self.Told(ply, text, move)

        self.analyst.borrow(position, work)

    @on(Told)
    def told(self, event: Told) -> None:
        """Show what the coach said, and point at the move."""
        if event.ply == self.match.ply:
            self.advise(event.text)
            if event.move:
                self.board.cursor = event.move.bit_length() - 1

    def action_undo(self) -> None:
        """Take back."""
        if self.session.undo():
            self.follow()
        else:
            self.say("There is nothing to take back.")

    def action_resign(self) -> None:
        """Give up, when sure."""
        if self.match.outcome:
            self.say("The game is over.")
        elif self.session.engine:
            self.say(f"It is Player {self.match.position.player}'s turn.")
        else:
            player = self.match.position.player
            self.app.push_screen(Sure(f"Player {player}, do you give up?"), self.resign)

    def resign(self, sure: bool | None) -> None:
        """Give up."""
        if sure:
            self.session.resign()
            self.follow()

    def action_again(self) -> None:
        """Set up another game."""
        self.leave("Leave this game and begin a new one?")

    def action_back(self) -> None:
        """From the line to the board; from the board to where one came from."""
        if self.board.has_focus:
            self.leave("Leave this game?")
        else:
            self.board.focus()

    def leave(self, question: str) -> None:
        """Go, when sure."""

        def go(sure: bool | None) -> None:
            if sure:
                self.dismiss()

        if self.match.moves and not self.match.outcome:
            self.app.push_screen(Sure(question), go)
        else:
            self.dismiss()

    def action_type(self) -> None:
        """Go to the line that moves are typed in."""
        self.query_one("#typed", Input).focus()

    def on_key(self, event: Key) -> None:
        """A digit begins a move typed in full."""
        if event.character and event.character.isdigit() and self.board.has_focus:
            typed = self.query_one("#typed", Input)
            typed.focus()
            typed.insert_text_at_cursor(event.character)

    def action_rules(self) -> None:
        """Show the rules."""
        self.app.push_screen(RulesPage(self.match.position.game))

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(HelpPage())

    def action_review(self) -> None:
        """Look at the finished game again."""
        from quintet.terminal.review_screen import ReviewScreen

        self.app.push_screen(ReviewScreen(self.match))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what makes sense now."""
        if action == "review":
            return self.match.outcome is not None
        if action in ("values", "hint", "explain"):
            return self.match.outcome is None
        return True
