"""A line that is lost, comes back, or stays away."""

import asyncio

import pytest

from feltrig.harness.journal import reader as journals
from feltrig.harness.table.driver import Driver
from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds.shaker import SHAKER
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


@pytest.fixture
def drive(journal):
    return lambda channel, reconnect=5.0: Driver("shaker", SHAKER, channel, journal, 5.0, reconnect)


def noted(journal, *kinds):
    journal.flush()
    return [(r.kind, r.data) for r in journals.read(journal.path).records if r.kind in kinds]


async def test_a_line_that_is_lost_again_while_it_is_opened_is_one_loss(journal, drive):
    channel = Flaky(LineLost("gone"), LineLost("again"), openings=[LineLost("not yet"), None, LineLost("not yet")])
    await drive(channel).call("cover")
    assert channel.opened == 4
    assert [kind for kind, _ in noted(journal, "trouble", "recovered")] == ["trouble", "recovered"]


async def test_a_line_that_stays_away_is_given_up_in_time(journal, drive):
    channel = Flaky(LineLost("gone"), openings=[LineLost("away")] * 1000)
    with pytest.raises(LineLost, match="away"):
        await drive(channel, 0.2).call("cover")
    assert 1 < channel.opened < 20
    assert [data["detail"] for _, data in noted(journal, "trouble", "recovered")] == ["gone"]


async def test_without_time_to_reconnect_a_lost_line_is_reported_at_once(journal, drive):
    channel = Flaky(LineLost("gone"))
    with pytest.raises(LineLost):
        await drive(channel, 0.0).call("cover")
    assert channel.opened == 0


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


async def test_a_line_that_two_tasks_lose_is_opened_once(drive):
    channel = Held()
    driver = drive(channel)
    calls = [asyncio.create_task(driver.call(command)) for command in ("cover", "status")]
    await asyncio.sleep(0)
    channel.lost.set()
    await asyncio.gather(*calls)
    assert channel.opened == 1
    assert len(channel.tokens) == 2
