"""The line dialogue: a game in the rule book's own words, between people and engines, on a terminal or a pipe."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from quintet.drawing.text import draw
from quintet.engines import Engine, EngineFault
from quintet.match import Match
from quintet.notation import InvalidMove, list_moves, middle_cell, read_move, sentence_label
from quintet.record import write_record
from quintet.rules import PASS, IllegalMove, Position
from quintet.session import Session
from quintet.store.keeper import Keeper
from quintet.terminal.console import Console

HELP = """\
Type a move as the prompt shows it, or one of these:
  help       this list
  rules      the rules of the game
  moves      what you may play
  board      the board again
  hint       a good move, and why
  explain    what every move is worth
  undo       take back the last claim
  resign     give up
  save FILE  keep the game as a record
  quit       leave the game"""

HINT_SECONDS = 5.0
"""How long the coach may think on a board that is too big to know."""

COLOURS = {1: "1;34", 2: "1;33"}


class Quit(Exception):
    """A player leaves the game."""


class Dialogue(Console):
    """One match played line by line."""

    def __init__(
        self,
        match: Match,
        engines: Sequence[Engine | None] = (None, None),
        source: TextIO = sys.stdin,
        sink: TextIO = sys.stdout,
        seconds: float | None = None,
        keeper: Keeper | None = None,
    ) -> None:
        """Set the players at a table; `None` is a person, who has all the time. A keeper keeps the match."""
        super().__init__(source, sink)
        self.match = match
        self.session = Session(match, engines, keeper)
        self.seconds = seconds
        self.words = match.position.game.words
        self.colour = sink.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.saved: set[Path] = set()

    def run(self) -> None:
        """Play until the game is over or the players leave."""
        self.say(self.words.welcome, end="\n")
        try:
            while not self.match.outcome:
                self.take_turn()
        except (Quit, EOFError, KeyboardInterrupt):
            self.write("\nThe game is left unfinished.\n")
            keeper = self.session.keeper
            if keeper and keeper.id and not keeper.failed and self.sink.isatty():
                self.write(f"It is kept: quintet resume {keeper.id} goes on with it.\n")
        else:
            self.announce_end()
        finally:
            self.session.close()

    def take_turn(self) -> None:
        """One move by the player to move."""
        position = self.match.position
        if position.must_pass:
            move: int | None = PASS
        elif self.session.engine:
            move = self.consult(self.session.engine, position)
        else:
            move = self.ask(position)
        if move is None:
            return
        gained = position.gain(move)
        self.match.play(move)
        self.session.keep()  # Before the screen says that it has happened.
        if move == PASS:
            self.say(self.words.passed, position, end="\n\n")
            return
        self.say(
            self.words.claimed,
            position,
            cell=sentence_label(position, move),
            captured=self.words.captured if gained.bit_count() > 1 else "",
            end="\n",
        )

    def consult(self, engine: Engine, position: Position) -> int | None:
        """A move from an engine; `None` when it failed, which ends the game."""
        try:
            return engine.choose(position, self.seconds)
        except EngineFault as fault:
            self.session.forfeit(str(fault))
            return None

    def ask(self, position: Position) -> int | None:
        """A move from the keyboard; `None` when a command came instead and the turn must begin anew."""
        self.say(self.words.turn, position)
        begun = 2 if position.mine else 1 if position.theirs else 0
        prompt = self.words.prompts[min(begun, len(self.words.prompts) - 1)]
        while True:
            line = self.read(self.fill(prompt, position)).strip()
            name, _, argument = line.partition(" ")
            command = getattr(self, f"do_{name[:10].lower()}", None)
            if command:
                if command(argument.strip()):
                    return None
                continue
            if not line:
                continue
            try:
                move = read_move(position, line)
                position.play(move)
                return move
            except (InvalidMove, IllegalMove) as error:
                self.write(f"Invalid move. {error}\n")
                self.say(self.words.possible, position, end="\n")
                prompt = self.words.again or self.words.prompts[-1]

    # Commands. Each is told what followed its name, and answers whether the turn begins anew.

    def do_help(self, argument: str) -> bool:
        """List the commands."""
        self.write(HELP + "\n")
        return False

    def do_rules(self, argument: str) -> bool:
        """Show the rules page."""
        self.write(self.match.position.game.manual)
        return False

    def do_moves(self, argument: str) -> bool:
        """List what may be played."""
        self.say(self.words.possible, end="\n")
        return False

    def do_board(self, argument: str) -> bool:
        """Draw the board again."""
        self.say("{board}\n")
        return False

    def do_hint(self, argument: str) -> bool:
        """Say a good move and why."""
        from quintet.study.coach import hint

        position = self.match.position
        _, sentence = hint(position, seconds=HINT_SECONDS)
        self.write(sentence + "\n")
        return False

    def do_explain(self, argument: str) -> bool:
        """Say what every move is worth."""
        from quintet.study.analysis import analyze, value_map
        from quintet.study.coach import explain

        position = self.match.position
        found = analyze(position, seconds=HINT_SECONDS)
        self.write(explain(found) + "\n")
        if found.complete:
            self.write(value_map(position, found.moves) + "\n")
        return False

    def do_undo(self, argument: str) -> bool:
        """Take back the last claim, and the engine's answer with it."""
        move = self.session.take_back()
        if move is None:
            self.write("There is nothing to take back.\n")
            return False
        self.session.keep()
        self.say(f"Took back {sentence_label(self.match.position, move)}.\n{{board}}\n")
        return True

    def do_resign(self, argument: str) -> bool:
        """Give up."""
        self.match.resign()
        self.session.keep()
        return True

    def do_save(self, argument: str) -> bool:
        """Write the record to a file, never over a file that was there before the game."""
        path = Path(argument)
        if not argument:
            self.write("Say where: save FILE\n")
            return False
        try:
            if path.exists() and path.resolve() not in self.saved:
                self.write(f"There is a file {path} already; choose another name.\n")
                return False
            path.write_text(write_record(self.match.record()), encoding="utf-8")
            self.saved.add(path.resolve())
            self.write(f"Saved to {path}.\n")
        except (OSError, ValueError) as error:
            self.write(f"Cannot save: {getattr(error, 'strerror', None) or error}.\n")
        return False

    def do_quit(self, argument: str) -> bool:
        """Leave."""
        raise Quit

    do_exit = do_quit

    # Words on the screen.

    def announce_end(self) -> None:
        """Say how the game ended."""
        outcome = self.match.outcome
        assert outcome is not None
        if outcome.kind == "resigned":
            self.write(f"Player {3 - (outcome.winner or 0)} resigns. Player {outcome.winner} wins the game!\n")
            return
        if outcome.kind == "forfeit":
            self.write(f"{outcome.reason.rstrip('.')}. Player {outcome.winner} wins the game!\n")
            return
        winner = outcome.winner or 0
        marks = "-XO"
        self.say(
            getattr(self.words, outcome.kind),
            winner=winner,
            winner_mark=marks[winner],
            loser=3 - winner,
            best=max(self.match.position.scores),
            end="\n",
        )

    def fill(self, template: str, position: Position | None = None, **facts: object) -> str:
        """A template with the facts of the match in it; the player's side is that of `position`."""
        now = self.match.position
        position = position or now
        return template.format(
            title=now.game.title,
            board=self.draw(now),
            player=position.player,
            mark="XO"[position.player - 1],
            other=position.other,
            other_mark="XO"[position.other - 1],
            moves=list_moves(now),
            example=now.label(middle_cell(now.board)),
            score1=now.scores[0],
            score2=now.scores[1],
            target=now.board.target,
            **facts,
        )

    def say(self, template: str, position: Position | None = None, end: str = "", **facts: object) -> None:
        """Print a template."""
        if template:
            self.write(self.fill(template, position, **facts) + end)

    def draw(self, position: Position) -> str:
        """The board, coloured on a terminal, with what the last move gained underlined."""
        last = 0
        if self.match.moves:
            last = self.match.positions[-2].gain(self.match.moves[-1])

        def paint(text: str, owner: int, cell: int) -> str:
            if not self.colour or not owner:
                return text
            return f"\x1b[{COLOURS[owner]}{';4' if cell & last else ''}m{text}\x1b[0m"

        return draw(position.game.style, position.board, position.game.corner, *position.claims, paint)
