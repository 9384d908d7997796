"""Work that is carried to a thread in loads: who gets what, what fails, and who no longer waits."""

import threading
from functools import partial

import anyio
import pytest
from anyio.lowlevel import checkpoint

from quintet.llm import errands
from quintet.llm.errands import LOAD, Errand, carry, in_thread, send

pytestmark = pytest.mark.anyio

MANY = 3 * LOAD + 5


@pytest.fixture
def anyio_backend() -> str:
    """The one that Inspect uses."""
    return "asyncio"


async def test_everybody_gets_what_they_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """In loads, one after another, and not where the games go on."""
    found: dict[int, int] = {}
    sizes: list[int] = []
    busy = threading.Lock()

    def counted(load: list[Errand]) -> None:
        sizes.append(len(load))
        carry(load)

    def square(number: int) -> int:
        assert threading.current_thread() is not threading.main_thread() and busy.acquire(blocking=False)
        busy.release()
        return number * number

    async def want(number: int) -> None:
        found[number] = await in_thread(partial(square, number))

    monkeypatch.setattr(errands, "carry", counted)
    async with anyio.create_task_group() as group:
        for number in range(MANY):
            group.start_soon(want, number)
    assert found == {number: number * number for number in range(MANY)}
    assert sizes == [LOAD, LOAD, LOAD, 5]


async def test_a_fault_reaches_only_the_one_it_concerns() -> None:
    found: dict[int, str] = {}

    async def want(number: int) -> None:
        try:
            found[number] = str(await in_thread(partial(divmod, 12, number)))
        except ZeroDivisionError:
            found[number] = "fault"

    async with anyio.create_task_group() as group:
        for number in (0, 3, 4, 0):
            group.start_soon(want, number)
    assert found == {0: "fault", 3: "(4, 0)", 4: "(3, 0)"}


@pytest.mark.parametrize("first", [True, False])
async def test_who_is_gone_holds_up_nobody(first: bool) -> None:
    """The one that goes for all goes on for the others; work that nobody waits for any more is left undone."""
    free = threading.Event()
    done: list[str] = []
    scope = anyio.CancelScope()

    async def leave(name: str) -> None:
        with scope:
            await in_thread(partial(done.append, name))

    async def stay(name: str) -> None:
        await in_thread(partial(done.append, name))

    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            group.start_soon(in_thread, partial(free.wait, 30))
            await checkpoint()
            await checkpoint()  # That one is on its way: the next load waits for it.
            wishes = [(leave, "gone"), (stay, "there")]
            for work, name in wishes if first else reversed(wishes):
                group.start_soon(work, name)
            await checkpoint()
            scope.cancel()
            await checkpoint()
            free.set()
    assert done == (["gone", "there"] if first else ["there"])


async def test_what_is_sent_goes_along_with_the_next() -> None:
    """Some of it with each, so that nobody waits long for it; what fails there is not theirs."""
    done: list[int] = []
    send(partial(divmod, 1, 0))
    for number in range(LOAD):
        send(partial(done.append, number))
    await checkpoint()
    assert not done
    assert await in_thread(partial(divmod, 7, 2)) == (3, 1)
    assert done == list(range(LOAD - 1))
    assert await in_thread(partial(divmod, 9, 2)) == (4, 1)
    assert done == list(range(LOAD))


def test_a_loop_that_ended_in_between_leaves_nothing_behind() -> None:
    async def forget() -> None:
        send(partial(pytest.fail, "not here"))

    anyio.run(forget)
    assert anyio.run(in_thread, partial(divmod, 7, 2)) == (3, 1)
