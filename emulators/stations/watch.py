"""Looks at a machine whenever something is due, and every tenth of a second: a hand may have touched it."""

import asyncio
from collections.abc import Callable

from feltrig.emulators.machine import Machine

LOOK_EVERY = 0.1
SHORTEST = 0.001
"""Seconds between two looks at least: a machine that is always due must not keep the loop from its other work."""


class Watch:
    """Calls `news` with the time, on the running event loop, until stopped."""

    def __init__(self, machine: Machine, clock: Callable[[], float], news: Callable[[float], None]) -> None:
        self._machine = machine
        self._clock = clock
        self._news = news
        self._timer: asyncio.TimerHandle | None = None
        self._on = False

    def look(self) -> None:
        """Look now, and again when more is due."""
        self.stop()
        self._on = True
        now = self._clock()
        self._machine.advance(now)
        self._news(now)
        if not self._on:  # the news could not be told, and nobody is there
            return
        due = self._machine.due()
        wait = LOOK_EVERY if due is None else min(max(due - now, SHORTEST), LOOK_EVERY)
        self._timer = asyncio.get_running_loop().call_later(wait, self.look)

    def stop(self) -> None:
        """Look no more. May be called twice, and by `news`."""
        self._on = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
