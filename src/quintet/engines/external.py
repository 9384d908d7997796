"""Any program as a player, over the line protocol."""

from quintet.engines import EngineFault
from quintet.engines.child import Child
from quintet.engines.door import read_answer
from quintet.engines.kinds import split_command
from quintet.protocol import LONGEST_TIME, VERSION, write_go, write_new, write_setup
from quintet.rules import Position
from quintet.safe_text import quote

SECONDS = 5.0
"""The time for a move if none is given."""
PATIENCE = 10.0
"""The time for any other answer: some programs take long to start."""
MARGIN = 0.2
"""What the pipes may take beyond the time that the program was given."""
GRACE = 0.3
"""The time to exit after `quit`."""


class External:
    """A player that is another program. It is started for the first move, and again after a fault."""

    def __init__(self, command: str, seconds: float = SECONDS, patience: float = PATIENCE) -> None:
        """Remember how to start it."""
        self.words = split_command(command)
        self.seconds = seconds
        self.patience = patience
        self.name = ""
        """What the program calls itself."""
        self.child: Child | None = None
        self.last: Position | None = None

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """The program's move, or `EngineFault`."""
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
            # Whatever went wrong, in us too: it is not known any more which question its next answer is to.
            if self.child:
                self.child.kill()
            self.child = self.last = None
            raise

    def greet(self, child: Child) -> None:
        """Check the version of the protocol, and learn the program's name."""
        version, _, name = ask(child, f"hello {VERSION}", "hello", self.patience).partition(" ")
        if version != str(VERSION):
            raise EngineFault(f"it speaks version {quote(version)} of the protocol, not {VERSION}")
        self.name = name.strip()

    def close(self) -> None:
        """Tell the program to quit, and make sure that it does."""
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


def continues(position: Position, last: Position | None) -> bool:
    """Whether a position can have come from another by play; the empty board always begins a game."""
    if last is None or (position.game, position.board) != (last.game, last.board):
        return False
    return bool(position.mine | position.theirs) and not any(
        before & ~now for before, now in zip(last.claims, position.claims, strict=True)
    )
