"""The error that the server answers a refused request with."""

from quintet.errors import QuintetError


class ApiError(QuintetError):
    """A request that the server refuses: an HTTP status and one line that says why."""

    def __init__(self, http_status: int, message: str, reason: str | None = None) -> None:
        """Refuse with a status; it is counted by its `reason`, if it has one."""
        super().__init__(message)
        self.http_status = http_status
        self.reason = reason
