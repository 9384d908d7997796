"""The program: `quintet`, or as a module `python -m quintet`."""

import os
import signal

INTERRUPTED = 130
"""The exit status after Ctrl-C, as in shells."""


def interrupt(*_: object) -> None:
    """End at once. An exception could come at a bad time and leave a traceback."""
    os.write(2, b"\nquintet: interrupted\n")
    os._exit(INTERRUPTED)


def main() -> None:
    """Load the commands and run one. Ctrl-C never shows a traceback, not even while modules are loaded or unloaded."""
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # Else it is ignored, and stays so.
    if usual:
        signal.signal(signal.SIGINT, interrupt)
    from quintet.cli import main as run

    try:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except KeyboardInterrupt:
        interrupt()
    finally:
        if usual:
            signal.signal(signal.SIGINT, interrupt)


if __name__ == "__main__":
    main()
