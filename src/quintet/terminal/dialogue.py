"""A game played line by line, in the words of its rule book, on a terminal or a pipe."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from quintet.drawing.text import draw
from quintet.engines import Engine
from quintet.files import write_file
from quintet.match import Match
from quintet.notation import InvalidMove, list_moves, middle_cell, read_move, sentence_label
from quintet.record import write_record
from quintet.rules import PASS, IllegalMove, Position
from quintet.safe_text import escape
from quintet.session import Session
from quintet.store.autosave import Autosave
from quintet.terminal.console import Console

HELP = """\
Type a move as the prompt shows it, or one of these:
  help       show this list
  rules      show the rules of the game
  moves      list the legal moves
  board      show the board
  hint       show a good move, and why
  explain    explain the position and show the value of each move
  undo       undo your last move
  resign     resign the game
  save FILE  write the game record to FILE
  quit       leave the game"""

HINT_SECONDS = 5.0
"""Time limit for hints and explanations."""

COLOURS = {1: "1;34", 2: "1;33"}


class Quit(Exception):
    """A player leaves the game."""


class Dialogue(Console):
    """The dialogue of one match."""

    def __init__(
        self,
        match: Match,
        engines: Sequence[Engine | None] = (None, None),
        source: TextIO = sys.stdin,
        sink: TextIO = sys.stdout,
        seconds: float | None = None,
        autosave: Autosave | None = None,
    ) -> None:
        """Take the players; `None` is a person. Engines have `seconds` for a move; `autosave` saves the match."""
        super().__init__(source, sink)
        self.match = match
        self.session = Session(match, engines, autosave)
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
            autosave = self.session.autosave
            if autosave and autosave.id and not autosave.failed and self.sink.isatty():
                self.write(f"Saved. Continue with: quintet resume {autosave.id}\n")
        else:
            self.announce_end()
        finally:
            self.session.close()

    def take_turn(self) -> None:
        """Let the player to move make a move."""
        position = self.match.position
        if position.must_pass:
            move: int | None = PASS
        elif self.session.engine:
            move = self.session.engine_move(self.seconds)
        else:
            move = self.ask(position)
        if move is None:
            return
        gained = position.gain(move)
        self.match.play(move)
        self.session.save()  # Before the screen says that it has happened.
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

    def ask(self, position: Position) -> int | None:
        """A move from the keyboard; `None` if a command changed the game, so that the turn starts again."""
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

    # Commands. Each gets what followed its name, and returns whether the turn starts again.

    def do_help(self, argument: str) -> bool:
        """List the commands."""
        self.write(HELP + "\n")
        return False

    def do_rules(self, argument: str) -> bool:
        """Show the rules."""
        self.write(self.match.position.game.manual)
        return False

    def do_moves(self, argument: str) -> bool:
        """List the legal moves."""
        self.say(self.words.possible, end="\n")
        return False

    def do_board(self, argument: str) -> bool:
        """Show the board."""
        self.say("{board}\n")
        return False

    def do_hint(self, argument: str) -> bool:
        """Show a good move, and why."""
        from quintet.study.coach import hint

        position = self.match.position
        _, sentence = hint(position, seconds=HINT_SECONDS)
        self.write(sentence + "\n")
        return False

    def do_explain(self, argument: str) -> bool:
        """Explain the position and show the value of each move."""
        from quintet.study.analysis import analyze, value_map
        from quintet.study.coach import explain

        position = self.match.position
        found = analyze(position, seconds=HINT_SECONDS)
        self.write(explain(found) + "\n")
        if found.complete:
            self.write(value_map(found) + "\n")
        return False

    def do_undo(self, argument: str) -> bool:
        """Undo a person's last move, and the engine's answer to it."""
        move = self.session.take_back()
        if move is None:
            self.write("Nothing to undo.\n")
            return False
        self.session.save()
        self.say(f"Undone: {sentence_label(self.match.position, move)}.\n{{board}}\n")
        return True

    def do_resign(self, argument: str) -> bool:
        """Resign."""
        self.match.resign()
        self.session.save()
        return True

    def do_save(self, argument: str) -> bool:
        """Write the record to a file. A file that was not written by this game is never replaced."""
        path = Path(argument)
        if not argument:
            self.write("Name a file: save FILE\n")
            return False
        try:
            if path.exists() and path.resolve() not in self.saved:
                self.write(f"{path} already exists; choose another name.\n")
                return False
            write_file(path, write_record(self.match.record()))
            self.saved.add(path.resolve())
            self.write(f"Saved to {path}.\n")
        except (OSError, ValueError) as error:
            self.write(f"Cannot save: {getattr(error, 'strerror', None) or error}.\n")
        return False

    def do_quit(self, argument: str) -> bool:
        """Leave."""
        raise Quit

    do_exit = do_quit

    # Texts.

    def announce_end(self) -> None:
        """Announce the result."""
        outcome = self.match.outcome
        assert outcome is not None
        if outcome.kind == "resigned":
            self.write(f"Player {3 - (outcome.winner or 0)} resigns. Player {outcome.winner} wins the game!\n")
            return
        if outcome.kind == "forfeit":
            self.write(f"{escape(outcome.reason).rstrip('.')}. Player {outcome.winner} wins the game!\n")
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
        """A template filled in; `position` decides who the player is."""
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
        """The board, on a terminal in colour, with the cells that the last move gained underlined."""
        last = 0
        if self.match.moves:
            last = self.match.positions[-2].gain(self.match.moves[-1])

        def paint(text: str, owner: int, cell: int) -> str:
            if not self.colour or not owner:
                return text
            return f"\x1b[{COLOURS[owner]}{';4' if cell & last else ''}m{text}\x1b[0m"

        return draw(position.game.style, position.board, position.game.corner, *position.claims, paint)
