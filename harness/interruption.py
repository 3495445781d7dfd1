"""Work that somebody may end at any time: Ctrl-C and SIGTERM cancel it, and it winds up in its own way."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def until_interrupted(work: Coroutine[Any, Any, T]) -> T | None:
    """Run to the end and return the result; None when it was interrupted and has none. A second signal ends all."""

    async def supervised() -> T | None:
        loop = asyncio.get_running_loop()
        task = loop.create_task(work)

        def interrupt(number: int, _frame: object) -> None:
            signal.signal(number, signal.SIG_DFL)
            # Not at once: work that is just returning its result would lose it.
            loop.call_soon_threadsafe(task.cancel)

        before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            await asyncio.wait((task,))
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return None if task.cancelled() else task.result()

    return asyncio.run(supervised())
