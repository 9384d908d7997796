"""The one door to an engine: ask it for a move, and get a legal one or `EngineFault`."""

from contextvars import copy_context
from math import inf
from operator import index
from queue import Empty, SimpleQueue
from threading import Thread

from quintet.engines import Engine, EngineFault
from quintet.notation import InvalidMove, read_move
from quintet.protocol import quote
from quintet.rules import PASS, Position

PLUGIN_SECONDS = 60.0
"""What a plug-in has for a move if nobody says: some compile a network first."""
MARGIN = 1.0
"""What a plug-in may take beyond the time that was announced to it."""


def ask_engine(engine: Engine, position: Position, seconds: float | None = None) -> int:
    """An engine's legal move, asked for within a number of seconds. `EngineFault` is all it raises, but for Ctrl-C.

    A forced pass is not asked for. An engine that does not keep its time is waited for in a thread, which cannot be
    ended: code that is not trusted plays as `exec:COMMAND`, in a process of its own.
    """
    if position.must_pass:
        return PASS
    answer = choose(engine, position, seconds) if keeps_time(engine) else choose_in_time(engine, position, seconds)
    return read_answer(position, answer)


def keeps_time(engine: Engine) -> bool:
    """Whether an engine says of itself that it answers in the time it is given."""
    return bool(getattr(engine, "keeps_time", False))


def choose(engine: Engine, position: Position, seconds: float | None) -> object:
    """Whatever an engine answers."""
    try:
        return engine.choose(position, seconds)
    except (EngineFault, KeyboardInterrupt):
        raise
    except BaseException as error:  # Plug-ins fail in any way, `sys.exit()` included; none may end a tournament.
        raise EngineFault(f"it failed with {type(error).__name__}: {quote(str(error))}") from None


def choose_in_time(engine: Engine, position: Position, seconds: float | None) -> object:
    """Whatever an engine answers, if it does before its time is up."""
    limit = PLUGIN_SECONDS if seconds is None else seconds + MARGIN
    answers: SimpleQueue[object] = SimpleQueue()

    def work() -> None:
        try:
            answers.put(choose(engine, position, seconds))
        except BaseException as error:
            answers.put(error)

    Thread(target=copy_context().run, args=(work,), daemon=True, name="plug-in player").start()
    try:
        answer = answers.get(timeout=None if limit == inf else limit)
    except Empty:
        raise EngineFault(f"it gave no answer within {limit:.3g} s") from None
    if isinstance(answer, EngineFault):
        raise answer
    if isinstance(answer, BaseException):
        raise EngineFault(f"it failed with {type(answer).__name__}: {quote(str(answer))}")
    return answer


def read_answer(position: Position, answer: object) -> int:
    """The legal move that an answer names, as a number or as the rule book writes it."""
    try:
        move = read_move(position, answer) if isinstance(answer, str) else index(answer)  # type: ignore[arg-type]
    except InvalidMove as error:
        raise EngineFault(f"it chose {quote(str(answer))}, which is not a move: {error}") from None
    except Exception:
        raise EngineFault(f"it chose {quote(safe_repr(answer))}, which is not a move") from None
    if not position.allows(move):
        raise EngineFault(f"it chose {quote(written(position, move))}, which is not legal: {position.refusal(move)}")
    return move


def written(position: Position, move: int) -> str:
    """A move as the rule book writes it, if it is a cell of the board; else the number."""
    is_cell = move >= 0 and move & -move == move and not move & ~position.board.full
    return position.label(move) if is_cell else str(move)


def safe_repr(answer: object) -> str:
    """What an answer looks like, even if it cannot be printed."""
    try:
        return repr(answer)
    except Exception:
        return f"a {type(answer).__name__} that cannot be printed"


def close_engine(engine: Engine) -> None:
    """Let an engine give back what it holds. A plug-in that fails at it has played already, so that is ignored."""
    try:
        engine.close()
    except KeyboardInterrupt:
        raise
    except BaseException:
        pass
