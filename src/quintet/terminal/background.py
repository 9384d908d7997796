"""Work in the background of a screen, in threads that never keep the program from ending."""

from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

from textual.screen import Screen

Result = TypeVar("Result")


def in_background(screen: Screen[None], work: Callable[[], Result], show: Callable[[Result], None]) -> None:
    """Do work in a thread, then call `show` with the result in the screen's own thread, if the screen is still open.

    An error that the work does not handle ends the app, which shows it; otherwise the screen would wait forever.
    """

    def fail(error: Exception) -> None:
        raise error

    def run() -> None:
        # Textual raises this if the app has ended meanwhile and its loop is closed: nobody waits any more.
        with suppress(RuntimeError):
            try:
                result = work()
            except Exception as error:
                screen.call_later(fail, error)
            else:
                screen.call_later(show, result)

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
