"""What the service says no with."""


class Refused(Exception):
    """A request that cannot be granted: an HTTP status and one clear line."""

    def __init__(self, status: int, message: str) -> None:
        """Remember the status."""
        super().__init__(message)
        self.status = status
