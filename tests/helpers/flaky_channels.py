"""Channels to a device whose line fails."""

import asyncio

from feltrig.harness.journal import reader as journals
from feltrig.protocols.errors import LineLost
from feltrig.protocols.messages import Event, EventBatch, Reply, Status
from feltrig.protocols.vocabulary import FaultCode, State


class Flaky:
    """A channel that fails as it is told, one failure for each question or opening, and remembers what it was asked."""

    def __init__(self, *failures, openings=()):
        self.failures = list(failures)
        self.openings = list(openings)
        self.tokens = []
        self.after = []
        self.opened = 0

    async def open(self):
        self.opened += 1
        self._fail(self.openings)

    async def close(self): ...

    async def request(self, request):
        self.tokens.append(request.token)
        self._fail(self.failures)
        return Reply()

    async def events(self, after):
        self.after.append(after)
        self._fail(self.failures)
        events = (Event(after + 1, "covered"),) if after < 3 else ()
        return EventBatch(Status(State.IDLE, FaultCode.NONE, 1, 3), events)

    async def idle(self, seconds):
        await asyncio.sleep(0)

    @staticmethod
    def _fail(failures):
        failure = failures.pop(0) if failures else None
        if failure is not None:
            raise failure


def noted(journal, *kinds):
    journal.flush()
    return [(r.kind, r.data) for r in journals.read(journal.path).records if r.kind in kinds]


class Held(Flaky):
    """Its answers wait until they are let go; then the line is lost, once for each who waits."""

    def __init__(self):
        super().__init__()
        self.lost = asyncio.Event()

    async def request(self, request):
        if not self.lost.is_set():
            await self.lost.wait()
            raise LineLost("gone")
        return await super().request(request)
