"""Work that somebody may end at any time: Ctrl-C and SIGTERM cancel it, and it winds up in its own way. So does the end
of its terminal, where that is made a SIGTERM."""

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


def end_with_the_terminal() -> None:
    """Take the end of the terminal for a SIGTERM, unless it is to be ignored, as under nohup. Once: the shell and the
    system may both tell of it, and nobody is impatient."""

    def hang_up(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_IGN)
        signal.raise_signal(signal.SIGTERM)

    if signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
        signal.signal(signal.SIGHUP, hang_up)
