"""Tries one command on a device: its answer, what follows, the state in the end, and the same command once more."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from time import monotonic

from feltrig.harness import demands
from feltrig.harness.devices.cases import CommandCase, demanded, ends_in
from feltrig.harness.devices.device import DeviceKind
from feltrig.harness.devices.failures import Stalled
from feltrig.harness.devices.values import bytes_of
from feltrig.harness.plan.conformance.last_token import last_token
from feltrig.harness.scene import Tried
from feltrig.harness.table.driver import FIRST_LOOK, LONGEST_PAUSE, MOST_EVENTS, Driver
from feltrig.protocols.challenge import PROOF_SIZE
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status
from feltrig.protocols.vocabulary import Error, FaultCode, State

SHOWN = 8


class Irregular(Stalled):
    """The events of a device make no sense, so that nothing more can be tried with it."""

    def __init__(self, device: str, what: str, ids: tuple[str, ...]) -> None:
        super().__init__(device, "order in its events", f"because {what}", ids)


async def everything(driver: Driver, after: int) -> EventBatch:
    """The status, and all events after a number that there were then. Raises Irregular."""
    batch = await driver.fetch(after)
    events = list(batch.events)
    if events and events[-1].number > batch.status.latest:
        what = f"it gave event {events[-1].number} and said that {batch.status.latest} is the latest"
        raise Irregular(driver.name, what, (demands.OLDEST_AND_LATEST,))
    while events and events[-1].number < batch.status.latest:
        more = (await driver.fetch(events[-1].number)).events
        if not more or more[-1].number <= events[-1].number or len(events) > MOST_EVENTS:  # it never ends
            break
        events += more
    numbers = [event.number for event in events]
    for one, two in pairwise(numbers):
        if two != one + 1:
            what = f"event {two} was given after event {one}"
            raise Irregular(driver.name, what, (demands.EVENTS_AFTER, demands.NUMBERS))
    return EventBatch(batch.status, tuple(event for event in events if event.number <= batch.status.latest))


def names(events: Sequence[Event]) -> list[str]:
    return [event.name for event in events]


def shown(events: Sequence[str]) -> str:
    """In words; of many only the last ones."""
    more = f"… {len(events) - SHOWN} events, then " if len(events) > SHOWN else ""
    return more + ", ".join(events[-SHOWN:]) or "no event"


async def ended(driver: Driver, after: int, case: CommandCase, closely: float = 0.0) -> EventBatch:
    """What a command has led to once the device is at rest and its events are there, or a fault. Raises Stalled. For
    `closely` so many seconds it is looked at without a longer pause."""
    give_up = monotonic() + driver.patience
    watched = monotonic() + closely
    pause = FIRST_LOOK
    while True:
        batch = await everything(driver, after)
        happened = names(batch.events)
        over = set(case.events) <= set(happened) or "faulted" in happened or "started" in happened
        if over and batch.status.state is not State.BUSY:
            return batch
        if monotonic() > give_up:
            missing = [name for name in case.events if name not in happened]
            expected = f"event {missing[0]}" if missing else "end of its work"
            raise Stalled(driver.name, expected, f"within {driver.patience:g} s")
        await asyncio.sleep(pause)
        if monotonic() > watched:
            pause = min(2 * pause, LONGEST_PAUSE)


def wrong_answer(case: CommandCase, reply: Reply) -> str | None:
    """What is wrong with an answer; None when nothing is."""
    answered = reply.error.name.lower()
    if answered not in case.allowed:
        return f"answered {answered}, expected {case.expected}"
    if reply.error is Error.OK:
        if any(reply.values[name] != value for name, value in case.reply.items()):
            return f"answered {dict(reply.values)}, expected {dict(case.reply)}"
        if case.command == "challenge" and len(bytes_of(reply.values["proof"])) != PROOF_SIZE:
            return f"a proof of {len(bytes_of(reply.values['proof']))} bytes"
    return None


def wrong_events(case: CommandCase, events: Sequence[Event]) -> str | None:
    happened = names(events)
    if case.complete(happened):
        return None
    expected = shown(case.events) + (f" and perhaps {case.maybe}" if case.maybe else "")
    return f"{shown(happened)} followed, expected {expected}"


def changed(before: Status, after: Status, events: Sequence[Event]) -> str | None:
    """What a device has done that should have done nothing."""
    if events:
        return shown(names(events))
    if after.latest != before.latest:
        return f"event {after.latest} is the latest, before it was {before.latest}"
    if (after.state, after.fault) != (before.state, before.fault):
        return after.state.name.lower()
    return None


async def tries(driver: Driver, kind: DeviceKind, case: CommandCase) -> AsyncIterator[Tried]:
    """Give a command to a device at rest; everything that is to be said about it."""
    before = await driver.rest()
    if before.latest != driver.seen:
        strays = shown(names(await driver.gather()))
        yield _tried(case, "before", f"{strays} came without a reason", (demands.NO_OTHER_EVENT,))
    request = Request(case.command, case.values, driver.new_token())
    reply = await driver.send(request)
    wrong = wrong_answer(case, reply)
    said = reply.error.name.lower()
    unknown = (demands.VOCABULARY,) if reply.error is Error.UNKNOWN_COMMAND else ()
    yield _tried(case, "", wrong, (*unknown, *demanded(kind.demands, case)))
    if (kept := await last_token(driver, request, reply)) is not None:
        yield kept
    if said not in case.allowed:  # it may have begun to work
        await driver.rest()
        await driver.gather()
        return
    if reply.error is not Error.OK:
        batch = await ended(driver, before.latest, CommandCase(case.command))
        acted = changed(before, batch.status, batch.events)
        fault = f"refused, but acted on it: {acted}" if acted else None
        yield _tried(case, "refused", fault, (demands.REFUSED_CHANGES_NOTHING,))
        await driver.gather()
        return
    batch = await ended(driver, before.latest, case)
    acts = driver.kind.commands[case.command].acts
    row = demanded(kind.demands, case)
    if acts:
        yield _events(case, batch.events, row)
        ends = ends_in(kind.leaves, case.command, before.state)
        states = " or ".join(state.name.lower() for state in ends)
        after = batch.status.state
        fault = None if after in ends else f"in the state {after.name.lower()} afterwards, expected {states}"
        yield _tried(case, "state", fault, (*row, demands.STATUS))
        left = batch.status.fault if after is not State.FAULT else FaultCode.NONE
        fault = f"{after.name.lower()} with fault {left.name.lower()}" if left is not FaultCode.NONE else None
        yield _tried(case, "no fault", fault, (demands.FAULT_IN_STATUS,))
        async for tried in again(driver, case, request, reply):
            yield tried
    elif acted := changed(before, batch.status, batch.events):
        yield _tried(case, "answered", f"acted on it: {acted}", (demands.NO_OTHER_EVENT,))
    await driver.gather()


def _events(case: CommandCase, events: Sequence[Event], row: tuple[str, ...]) -> Tried:
    """Whether the right events followed. If one more came, that is its own failure."""
    fault = wrong_events(case, events)
    more = fault is not None and set(case.events) <= set(names(events))
    first = (demands.NO_OTHER_EVENT,) if more else ()
    return _tried(case, "events", fault, (*first, *row, demands.EVENTS_IN_ORDER))


async def again(driver: Driver, case: CommandCase, request: Request, reply: Reply) -> AsyncIterator[Tried]:
    """The same command with the same token, as it comes when an answer was lost."""
    before = await driver.rest()
    same = await driver.send(request)
    fault = None
    if same != reply:
        fault = f"a repeat with the same token was answered {same.error.name.lower()}, expected the same answer again"
    yield _tried(case, "repeated", fault, (demands.SAME_ANSWER,))
    batch = await ended(driver, before.latest, CommandCase(case.command))
    acted = changed(before, batch.status, batch.events)
    fault = f"a repeat with the same token was acted on: {acted}" if acted else None
    yield _tried(case, "not done twice", fault, (demands.NOT_TWICE,))


def _tried(case: CommandCase, what: str, fault: str | None, ids: tuple[str, ...]) -> Tried:
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in case.values.items()}
    return Tried(f"{case.command}: {what}" if what else case.command, fault, ids, case.expected, plain)
