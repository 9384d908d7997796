"""A time limit that a search keeps by itself."""

from quintet.solve.clock import now


class Alarm(int):
    """A number that is false until a time of the clock."""

    until: float

    def __new__(cls, until: float) -> "Alarm":
        """Set the alarm."""
        made = super().__new__(cls, 1)
        made.until = until
        return made

    def __bool__(self) -> bool:
        """Whether the time has come."""
        return now() >= self.until
