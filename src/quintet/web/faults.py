"""How faults of the database and refused requests are counted, logged and answered: everywhere in the same way."""

import logging

from quintet.language import later, tr
from quintet.store.database import DamagedMatch, StoreFault, UnknownOutcome
from quintet.web.api_error import ApiError
from quintet.web.metrics import FAULTS, REFUSED

MAX_REMEMBERED = 1_000
"""Damaged matches that are remembered, so that each is logged once."""
TOO_MANY = 429
"""The status of a request beyond a rate limit; the limit counts it."""
NOT_RESPONDING = later("The database is not responding; try again later.")

log = logging.getLogger("quintet.web")
damaged: set[str] = set()
"""What was logged about damaged matches: whoever has the link of one could fill the log."""


def report(fault: StoreFault | ApiError) -> None:
    """Log a fault, and count it if it is one of the store. A damaged match is logged once."""
    text, event = str(fault), "database"
    if isinstance(fault, DamagedMatch):
        if text in damaged:
            return
        if len(damaged) >= MAX_REMEMBERED:
            damaged.clear()
        damaged.add(text)
        event = "damaged_match"
    elif isinstance(fault, UnknownOutcome):
        event = "unknown_outcome"
    if isinstance(fault, StoreFault):
        FAULTS.labels("database").inc()
    log.error("%s", text, extra={"event": event})


def explain(fault: StoreFault, otherwise: str = NOT_RESPONDING) -> str:
    """What a client is told about a fault: never its text, which names the database."""
    return tr("This match is damaged in the database.") if isinstance(fault, DamagedMatch) else tr(otherwise)


def count_refusal(status: int, reason: str | None = None) -> None:
    """Count a request or a message that was refused as invalid, by its HTTP status if there is no better reason."""
    if 400 <= status < 500 and status != TOO_MANY:
        REFUSED.labels(reason or str(status)).inc()


def count_error(error: ApiError) -> None:
    """Count a request or a message that an `ApiError` refused."""
    count_refusal(error.http_status, error.reason)
