"""Any program as a player, over the line protocol."""

import shlex

from quintet.engines import EngineFault, UnknownPlayer
from quintet.engines.child import Child
from quintet.notation import InvalidMove, read_move
from quintet.protocol import LONGEST_TIME, VERSION, quote, write_go, write_new, write_setup
from quintet.rules import Position

SECONDS = 5.0
"""What a program has for a move if nobody says."""
PATIENCE = 10.0
"""What it has for any other answer: some take long to start."""
MARGIN = 0.2
"""What the way there and back may take beyond the time that was announced."""
GRACE = 0.3
"""How long it may take to leave."""


class External:
    """A player that is another program. It starts with the first move, and anew after a fault."""

    def __init__(self, command: str, seconds: float = SECONDS, patience: float = PATIENCE) -> None:
        """Remember how to start it."""
        try:
            self.words = shlex.split(command)
        except ValueError:
            raise UnknownPlayer(f"a quotation mark is missing in {quote(command)}") from None
        if not self.words:
            raise UnknownPlayer("say which program is to play: exec:COMMAND")
        self.seconds = seconds
        self.patience = patience
        self.name = ""
        """What the program calls itself."""
        self.child: Child | None = None
        self.last: Position | None = None

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """The program's move, which is legal, or `EngineFault`."""
        limit = min(self.seconds if seconds is None else seconds, LONGEST_TIME)
        try:
            if self.child is None:
                self.child = Child(self.words)
                self.greet(self.child)
            if not continues(position, self.last):
                ask(self.child, write_new(position), "ok", self.patience)
            self.last = position
            ask(self.child, write_setup(position), "ok", self.patience)
            return read_answer(position, ask(self.child, write_go(position, limit), "move", limit, MARGIN))
        except BaseException:
            # Whatever went wrong, also in us: nobody knows any more which question its next answer is to.
            if self.child:
                self.child.kill()
            self.child = self.last = None
            raise

    def greet(self, child: Child) -> None:
        """Agree on the version, and learn the program's name."""
        version, _, name = ask(child, f"hello {VERSION}", "hello", self.patience).partition(" ")
        if version != str(VERSION):
            raise EngineFault(f"it speaks version {quote(version)} of the protocol, not {VERSION}")
        self.name = name.strip()

    def close(self) -> None:
        """Tell the program to quit, and see that it does."""
        if self.child:
            self.child.end("quit", GRACE)
        self.child = self.last = None


def ask(child: Child, command: str, expected: str, seconds: float, margin: float = 0) -> str:
    """What follows the expected word in the program's answer."""
    answer = child.ask(command, seconds, margin)
    word, _, rest = answer.strip().partition(" ")
    if word == "error":
        raise EngineFault(f"it answered {quote(answer)} to {quote(command)}")
    if word != expected:
        raise EngineFault(f"it answered {quote(answer)} to {quote(command)}, where {expected!r} was expected")
    return rest.strip()


def read_answer(position: Position, text: str) -> int:
    """The move a program chose."""
    try:
        move = read_move(position, text)
    except InvalidMove as error:
        raise EngineFault(f"it chose {quote(text)}, which is no move: {error}") from None
    if move not in position.moves:
        raise EngineFault(f"it chose {quote(text)}, which is not allowed: {position.refusal(move)}")
    return move


def continues(position: Position, last: Position | None) -> bool:
    """Whether a position can have come from another by play; the empty board always begins a game."""
    if last is None or (position.game, position.board) != (last.game, last.board):
        return False
    return bool(position.mine | position.theirs) and not any(
        before & ~now for before, now in zip(last.claims, position.claims, strict=True)
    )
