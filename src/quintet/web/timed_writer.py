"""The writer with a watch: how long changes wait until they are stored, for the operator."""

import asyncio
import time

from quintet.store.database import Database
from quintet.store.writer import Job, Writer
from quintet.web.metrics import WRITES


class TimedWriter(Writer):
    """A writer that measures the seconds from each change to its being stored."""

    def __init__(self, database: Database, loop: asyncio.AbstractEventLoop) -> None:
        """Start the thread."""
        super().__init__(database, loop)
        self.asked: dict[asyncio.Future[bool], float] = {}
        """When the changes that are not stored yet were asked for, the oldest first."""

    def write(self, job: Job) -> asyncio.Future[bool]:
        """Write a change, and measure it."""
        future = super().write(job)
        self.asked[future] = time.monotonic()
        future.add_done_callback(self.finish)
        return future

    def finish(self, future: asyncio.Future[bool]) -> None:
        """Count the seconds of a change that was stored."""
        asked = self.asked.pop(future)
        if not future.cancelled() and not future.exception() and future.result():
            WRITES.observe(time.monotonic() - asked)

    @property
    def oldest(self) -> float:
        """The seconds that the oldest change has waited; 0 if none waits."""
        return time.monotonic() - next(iter(self.asked.values())) if self.asked else 0.0
