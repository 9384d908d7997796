"""Work beside a screen, in threads that never keep the program from ending."""

from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread

from textual.message import Message
from textual.screen import Screen


def in_background(screen: Screen[None], work: Callable[[], Message | None]) -> None:
    """Do work in a thread, and send the screen the message that it gives, if any.

    What the work foresees to go wrong it says in its message. Any other error ends the app, which shows it; caught
    here, it would leave the screen waiting for ever.
    """

    def fail(error: Exception) -> None:
        raise error

    def run() -> None:
        # Textual raises this if the app has gone meanwhile and its loop is closed: nobody waits for the work any more.
        with suppress(RuntimeError):
            try:
                message = work()
            except Exception as error:
                screen.call_later(fail, error)
            else:
                if message:
                    screen.post_message(message)

    Thread(target=copy_context().run, args=(run,), daemon=True).start()
