"""The events that a device keeps: how they are numbered, how many there are, and how it gives them when asked."""

from collections.abc import AsyncIterator, Sequence
from time import monotonic

from feltrig.harness import demands
from feltrig.harness.plan.conformance.probe import everything
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.messages import Event, Status

EVENTS = 64
"""The least that a device must keep."""

PAST = 300
"""The number that is passed, so that one that is kept in a byte shows."""

MOST_SECONDS = 60.0
"""How long a slow machine is reset to get there."""

BEYOND = (1, 2, 255, 256, 1 << 16)
"""How far beyond the latest event a question goes."""


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """Make events, and ask for them in every way."""
    yield await _numbers(stage)
    yield await _kept(stage)
    async for tried in _asked(stage):
        yield tried
    yield await _oldest(stage)


async def _numbers(stage: Stage) -> Tried:
    """Resets until the numbers are past a byte; each makes one event, numbered one higher."""
    prober, ids = stage.prober, (demands.NUMBERS, demands.OLDEST_AND_LATEST)
    stage.testing("numbers", *ids)
    give_up = monotonic() + MOST_SECONDS
    before = (await prober.rest()).latest
    least = before + EVENTS + 1
    while before < max(PAST, least) and (monotonic() < give_up or before < least):
        await prober.call("reset")
        latest = (await prober.rest()).latest
        if latest != before + 1:
            return Tried("numbers", f"after event {before} and a reset the latest is {latest}", ids)
        before = latest
    note = "" if before >= PAST else f"numbers up to {before} were seen"
    return Tried("numbers", None, ids, note=note)


async def _kept(stage: Stage) -> Tried:
    """More events were made than must be kept, so that a smaller memory shows."""
    prober, ids = stage.prober, (demands.EVENTS_KEPT,)
    stage.testing("memory", *ids)
    status = await prober.rest()
    first = status.latest - EVENTS + 1
    if not 1 <= status.oldest <= status.latest:
        fault = f"events {status.oldest} to {status.latest} are reported as kept, but events are numbered from 1"
        return Tried("memory", fault, (demands.NUMBERS, demands.OLDEST_AND_LATEST))
    if status.oldest > first:
        fault = f"events {status.oldest} to {status.latest} are reported as kept; expected the last {EVENTS}"
        return Tried("memory", fault, ids)
    events = await prober.recalled(max(first - 1, 0))
    others = [event for event in events if event.name != "cleared"]
    if others:
        fault = f"event {others[0].number} was the cleared of a reset, and now it is {others[0].name}"
        return Tried("memory", fault, (demands.EVENTS_STAY,))
    numbers = {event.number for event in events}
    missing = set(range(first, status.latest + 1)) - numbers
    lost = f"event {min(missing)} is missing, although it is one of the last {EVENTS}" if missing else None
    return Tried("memory", lost, ids)


async def _asked(stage: Stage) -> AsyncIterator[Tried]:
    """The events after any number."""
    prober = stage.prober
    status = await prober.rest()
    latest = status.latest
    back = (latest - 1, latest - 2, latest - 7, latest - EVENTS, latest - EVENTS // 2)
    for after in (max(number, 0) for number in back):
        stage.testing(f"events after {after}", demands.EVENTS_AFTER)
        first = await everything(prober, after)
        fault = _wrong_numbers(first.events, after + 1, latest)
        yield Tried("events after a number", fault, (demands.EVENTS_AFTER,))
        yield Tried("status with events", _differs(first.status, status), (demands.OLDEST_AND_LATEST, demands.STATUS))
        again = await everything(prober, after)
        fault = None if again.events == first.events else "the same events were given differently when asked again"
        yield Tried("the same events again", fault, (demands.EVENTS_STAY,))
    for after in (latest, *(min(latest + far, 0xFFFF_FFFF) for far in BEYOND), 0xFFFF_FFFF):
        stage.testing(f"events after {after}", demands.NO_EVENTS_AFTER)
        batch = await prober.fetch(after)
        fault = f"event {batch.events[0].number} was given after {after}" if batch.events else None
        yield Tried("no events after the latest", fault, (demands.NO_EVENTS_AFTER,))
        yield Tried("status without events", _differs(batch.status, status), (demands.OLDEST_AND_LATEST,))


async def _oldest(stage: Stage) -> Tried:
    """Asked for all events, the device begins with the oldest that it says it has."""
    prober, ids = stage.prober, (demands.EVENTS_AFTER, demands.OLDEST_AND_LATEST)
    stage.testing("the oldest event", *ids)
    status = await prober.rest()
    for after in dict.fromkeys((0, max(status.oldest - 2, 0), status.oldest - 1)):
        batch = await prober.fetch(after)
        given = batch.events[0].number if batch.events else None
        if given != status.oldest:
            fault = f"asked after {after}, event {given} came first, but status says that the oldest is {status.oldest}"
            return Tried("the oldest event", fault, ids)
    return Tried("the oldest event", None, ids)


def _wrong_numbers(events: Sequence[Event], first: int, last: int) -> str | None:
    numbers = [event.number for event in events]
    if numbers == list(range(first, last + 1)):
        return None
    return f"events {numbers[:3]}… to {numbers[-1:]} were given, expected {first} to {last} without a gap"


def _differs(one: Status, other: Status) -> str | None:
    return None if one == other else f"{_shown(one)}, and status says {_shown(other)}"


def _shown(status: Status) -> str:
    return f"{status.state.name.lower()}, fault {status.fault.name.lower()}, events {status.oldest} to {status.latest}"
