"""Jobs run in batches on a thread: who gets which result, what fails, and who was cancelled."""

import threading
from functools import partial

import anyio
import pytest
from anyio.lowlevel import checkpoint

from quintet.llm import batching
from quintet.llm.batching import BATCH, Runnable, run_batch, run_batched, run_in_background

pytestmark = pytest.mark.anyio

MANY = 3 * BATCH + 5


@pytest.fixture
def anyio_backend() -> str:
    """The one that Inspect uses."""
    return "asyncio"


async def test_every_caller_gets_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """In batches, one after another, and not on the main thread."""
    found: dict[int, int] = {}
    sizes: list[int] = []
    busy = threading.Lock()

    def counted(jobs: list[Runnable]) -> None:
        sizes.append(len(jobs))
        run_batch(jobs)

    def square(number: int) -> int:
        assert threading.current_thread() is not threading.main_thread() and busy.acquire(blocking=False)
        busy.release()
        return number * number

    async def want(number: int) -> None:
        found[number] = await run_batched(partial(square, number))

    monkeypatch.setattr(batching, "run_batch", counted)
    async with anyio.create_task_group() as group:
        for number in range(MANY):
            group.start_soon(want, number)
    assert found == {number: number * number for number in range(MANY)}
    assert sizes == [BATCH, BATCH, BATCH, 5]


async def test_a_fault_reaches_only_the_one_it_concerns() -> None:
    found: dict[int, str] = {}

    async def want(number: int) -> None:
        try:
            found[number] = str(await run_batched(partial(divmod, 12, number)))
        except ZeroDivisionError:
            found[number] = "fault"

    async with anyio.create_task_group() as group:
        for number in (0, 3, 4, 0):
            group.start_soon(want, number)
    assert found == {0: "fault", 3: "(4, 0)", 4: "(3, 0)"}


@pytest.mark.parametrize("first", [True, False])
async def test_a_cancelled_caller_holds_up_nobody(first: bool) -> None:
    """The caller that starts a batch finishes it for the others; a job that nobody waits for is not run."""
    free = threading.Event()
    done: list[str] = []
    scope = anyio.CancelScope()

    async def leave(name: str) -> None:
        with scope:
            await run_batched(partial(done.append, name))

    async def stay(name: str) -> None:
        await run_batched(partial(done.append, name))

    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            group.start_soon(run_batched, partial(free.wait, 30))
            await checkpoint()
            await checkpoint()  # That one is running: the next batch waits for it.
            callers = [(leave, "gone"), (stay, "there")]
            for work, name in callers if first else reversed(callers):
                group.start_soon(work, name)
            await checkpoint()
            scope.cancel()
            await checkpoint()
            free.set()
    assert done == (["gone", "there"] if first else ["there"])


async def test_background_jobs_run_with_the_next_batch() -> None:
    """Some with each batch, so that nobody waits long; a failure there does not reach the callers."""
    done: list[int] = []
    run_in_background(partial(divmod, 1, 0))
    for number in range(BATCH):
        run_in_background(partial(done.append, number))
    await checkpoint()
    assert not done
    assert await run_batched(partial(divmod, 7, 2)) == (3, 1)
    assert done == list(range(BATCH - 1))
    assert await run_batched(partial(divmod, 9, 2)) == (4, 1)
    assert done == list(range(BATCH))


def test_a_loop_that_ended_in_between_leaves_nothing_behind() -> None:
    async def forget() -> None:
        run_in_background(partial(pytest.fail, "not here"))

    anyio.run(forget)
    assert anyio.run(run_batched, partial(divmod, 7, 2)) == (3, 1)
