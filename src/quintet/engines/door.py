"""The one door to an engine: ask it for a move, and get a legal one or `EngineFault`."""

import logging
from functools import cache
from operator import index
from typing import SupportsIndex

from quintet.engines import Engine, EngineFault
from quintet.notation import InvalidMove, read_move
from quintet.rules import PASS, Position
from quintet.safe_text import quote

log = logging.getLogger("quintet")


def ask_engine(engine: Engine, position: Position, seconds: float | None = None) -> int:
    """An engine's legal move, asked for within a number of seconds. It raises nothing but `EngineFault`.

    A forced pass is not asked for. What interrupts the program itself, such as Ctrl-C, passes through.
    """
    if position.must_pass:
        return PASS
    try:
        move = read_answer(position, engine.choose(position, seconds))
    except EngineFault:
        raise
    except (Exception, SystemExit) as error:  # An engine may fail in any way; it must not end a tournament.
        raise as_fault(error) from error
    if not position.allows(move):
        raise EngineFault(f"it chose {label(position, move)}, which is not a legal move: {position.refusal(move)}")
    return move


def close_engine(engine: Engine) -> None:
    """Let an engine give back what it holds. It has played already: if that fails, it is said and no more."""
    try:
        engine.close()
    except (Exception, SystemExit) as error:
        complain(type(engine).__name__, str(as_fault(error)))


@cache
def complain(name: str, reason: str) -> None:
    """Say once that an engine could not be closed."""
    log.warning("quintet: %s could not be closed: %s", name, reason)


def read_answer(position: Position, answer: object) -> int:
    """The move that an answer names, as a number or as the rule book writes it, legal or not."""
    if type(answer) is int:
        return answer
    try:
        if isinstance(answer, str):
            return read_move(position, answer)
        if isinstance(answer, SupportsIndex) and not isinstance(answer, bool):
            return index(answer)
    except InvalidMove as error:
        raise EngineFault(f"it chose {quote(str(answer))}, which is not a move: {error}") from None
    except Exception:  # Somebody else's `__index__`.
        pass
    raise EngineFault(f"it chose {quote(shown(answer))}, which is not a move")


def label(position: Position, move: int) -> str:
    """A move as the rule book writes it, if it is one; else the number."""
    if move == PASS or (move > 0 and move & -move == move and not move & ~position.board.full):
        return quote(position.label(move))
    return str(move) if move.bit_length() <= 64 else f"a number of {move.bit_length()} bits"


def shown(answer: object) -> str:
    """What an answer looks like, even if it cannot be printed."""
    try:
        return repr(answer)
    except Exception:  # Somebody else's `__repr__`.
        return f"{type(answer).__name__} object"


def as_fault(error: BaseException) -> EngineFault:
    """Any error as the fault of an engine."""
    try:
        text = str(error)
    except Exception:  # Somebody else's `__str__`.
        text = ""
    return EngineFault(f"it failed with {type(error).__name__}" + (f": {quote(text)}" if text else ""))
