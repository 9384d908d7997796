"""Less work beside a run of many games: garbage is looked for less often, and Inspect's steps are not traced."""

import gc
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

from inspect_ai._util.constants import TRACE

SELDOM = 2_000_000
"""Objects between two looks for garbage: so many take about 150 MB if all are garbage."""


@contextmanager
def sparing() -> Iterator[None]:
    """Look for garbage seldom, and trace no step: both are work for every answer, and a model waits for it.

    Logs grow and stay, so looking through them for garbage again and again is a third of the work. Inspect traces each
    of its own steps, in a file; whoever wants that sets a level for it.
    """
    before, disabled = gc.get_threshold(), logging.root.manager.disable
    frozen = gc.get_freeze_count()
    gc.freeze()
    gc.set_threshold(SELDOM, *before[1:])
    if not {"INSPECT_TRACE_LEVEL", "INSPECT_LOG_LEVEL"} & os.environ.keys():
        logging.disable(TRACE)
    try:
        yield
    finally:
        logging.disable(disabled)
        gc.set_threshold(*before)
        if not frozen:  # Else it would be somebody else's.
            gc.unfreeze()
