"""A device without power, and its starts: what it still knows, what it has forgotten, and that no start is like an
earlier one.

A device can keep its numbers or begin again at 1; a device that begins again has forgotten its tokens.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from feltrig.harness import demands
from feltrig.harness.devices.cases import FAULT, CommandCase, demanded
from feltrig.harness.devices.failures import CannotBeDone
from feltrig.harness.plan.conformance.power import cut_at_work, power_off, power_on
from feltrig.harness.plan.conformance.probe import ended, everything, names, shown, wrong_answer
from feltrig.harness.plan.conformance.scenes.events import EVENTS
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.errors import Refused
from feltrig.protocols.messages import Request, Status
from feltrig.protocols.vocabulary import Error, FaultCode, State

WORDS = (demands.STARTED, demands.NUMBERS_GO_ON, demands.NUMBERS_FROM_1, demands.STARTS_IDLE)
USED = 65_500
"""The number of the latest event that an emulated device has behind it before a start: soon it needs a third byte."""
PAST = 65_540

AT_WORK = 0.1
"""Seconds that an emulated device works; its power is cut meanwhile."""


@dataclass(slots=True)
class _Starts:
    """The starts so far, with the first outcomes after each."""

    stage: Stage
    outcomes: list[Any] = field(default_factory=list)

    async def restart(
        self,
        when: str,
        before: Status,
        begun: tuple[str, ...] = (),
        used: Status | None = None,
        *,
        mended: bool = False,
    ) -> AsyncIterator[Tried]:
        """Give the power back, and look at what the device says. `before` is how it stood; since then events of what
        it had `begun` may have come. `used` is how it stands if it was made older without power. Where hands have
        `mended` what was wrong, it has nothing to report."""
        stage = self.stage
        expected = State.LOCKED if before.state is State.LOCKED else State.IDLE
        stage.testing(f"start {when}", *WORDS)
        status = await power_on(stage)
        if used is not None and status.latest < used.latest:  # what stands around the device counts by itself
            used = None
        before = used or before
        goes_on = status.latest >= before.latest
        batch = await everything(stage.prober, before.latest if goes_on else 0)
        happened = names(batch.events)
        early = happened.index("started") if goes_on and "started" in happened else 0
        ids = (demands.NUMBERS_GO_ON,) if goes_on else (demands.NUMBERS_FROM_1,)
        numbers = [event.number for event in batch.events]
        first = before.latest + 1 if goes_on else 1
        fault = None
        if numbers[:1] not in ([first], []):
            fault = f"the first event is {numbers[:1]}, expected {first}: event {before.latest} was the latest before"
        yield Tried(f"numbers after a start {when}", fault, (*ids, demands.NUMBERS_GO_ON, demands.NUMBERS_FROM_1))
        first_new = happened[early : early + 1] == ["started"] and happened[:early] == list(begun[:early])
        fault = None if first_new else f"{shown(happened)} after the start, expected started first"
        yield Tried(f"started {when}", fault, (demands.STARTED,))
        more = [name for name in happened[early + 1 :] if name != "faulted"]
        fault = f"{shown(more)} followed started" if more else None
        yield Tried(f"work that was under way, {when}", fault, (demands.WORK_ABANDONED,))
        found = status.state is State.FAULT and "faulted" in happened  # it has found something wrong
        fault = "faulted followed started, although hands have removed the cause" if found and mended else None
        if not found and (status.state is not expected or status.fault is not FaultCode.NONE):
            said = f"{status.state.name.lower()} with fault {status.fault.name.lower()}"
            fault = f"{said} after the start, expected {expected.name.lower()} without a fault"
        locked = (stage.kind.locked.requirement,) if stage.kind.locked and expected is State.LOCKED else ()
        yield Tried(f"state after a start {when}", fault, (*locked, demands.STARTS_IDLE))
        await stage.prober.open()
        if found:
            await stage.hands.recover()
        for case in stage.kind.after_start:
            reply = await stage.prober.send(Request(case.command, case.values, stage.prober.new_token()))
            yield Tried(f"{case.command} after a start {when}", wrong_answer(case, reply), _ids(stage, case))

    async def look(self) -> None:
        """Take the first outcomes after this start."""
        if self.stage.kind.first_outcomes is not None:
            self.outcomes.append(await self.stage.kind.first_outcomes.take(self.stage.hands))

    def alike(self) -> Tried | None:
        outcomes = self.stage.kind.first_outcomes
        if outcomes is None:
            return None
        same = [
            (one + 1, two + 1)
            for two in range(len(self.outcomes))
            for one in range(two)
            if self.outcomes[one] == self.outcomes[two]
        ]
        fault = f"the first {outcomes.what} after starts {same[0][0]} and {same[0][1]} are the same" if same else None
        return Tried(f"first {outcomes.what} of {len(self.outcomes)} starts", fault, (outcomes.requirement,))


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """Starts from rest, in the middle of a work, in the state fault, and once more; a device that can be locked is so
    then."""
    starts = _Starts(stage)
    try:
        async for tried in _cycles(stage, starts):
            yield tried
    except CannotBeDone as cannot:
        outcomes = stage.kind.first_outcomes
        own = [] if outcomes is None else [outcomes.requirement]
        own += [each for case in stage.kind.after_start for each in _ids(stage, case)]
        own += [stage.kind.locked.requirement] if stage.kind.locked else []
        yield Tried("power", None, (*WORDS, demands.WORK_ABANDONED, *own), untested=str(cannot))


async def _cycles(stage: Stage, starts: _Starts) -> AsyncIterator[Tried]:
    prober = stage.prober
    token = Request("reset", {}, prober.new_token())
    await prober.send(token)
    before = await prober.rest()
    await power_off(stage)
    async for tried in starts.restart("from rest", before):
        yield tried
    if (await prober.status()).latest < before.latest:
        yield await _forgotten(stage, token)
    await starts.look()

    async for tried in _at_work(stage, starts):
        yield tried
    await starts.look()

    async for tried in _in_fault(stage, starts):
        yield tried

    if stage.kind.locked is not None:
        await prober.call(stage.kind.locked.command)
    before = await prober.rest()
    await power_off(stage)
    async for tried in starts.restart("again", before, used=_use(stage, before)):
        yield tried
    if stage.kind.locked is not None:
        await prober.call(stage.kind.locked.undo)
    yield await _past(stage, before.latest)
    await starts.look()
    if (compared := starts.alike()) is not None:
        yield compared
    await _fill(stage)


async def _at_work(stage: Stage, starts: _Starts) -> AsyncIterator[Tried]:
    """The power is cut while the device works."""
    if not stage.kind.works:
        return
    work, prober = stage.kind.works[0], stage.prober
    if work.prepare is not None:
        await work.prepare(stage.hands)
    before = await prober.rest()
    request = Request(work.act.command, work.act.values, prober.new_token())
    stage.testing(f"power cut during {work.act.command}", demands.WORK_ABANDONED)
    when, begun = "in the middle of a work", (*work.act.events, *filter(None, [work.act.maybe]))
    try:
        with stage.slowed(work, AT_WORK):
            reply = await cut_at_work(stage, request, AT_WORK)
        if reply.error is not Error.OK:
            raise Refused(prober.name, work.act.command, reply.error.name.lower())
    except CannotBeDone as cannot:
        yield Tried(stage.what, None, stage.ids, untested=str(cannot), during=work.act.command)
        when, begun, before = "from rest once more", (), await prober.rest()
        await power_off(stage)
    async for tried in starts.restart(when, before, begun):  # a quick machine has done all that it had begun
        yield tried
    if work.clean is not None:
        await work.clean(stage.hands)
    if work.prepare is not None:
        await work.prepare(stage.hands)
    stage.testing(f"{work.act.command} after a start", *demanded(stage.kind.demands, work.act))
    since = (await prober.rest()).latest
    await prober.call(work.act.command, **work.act.values)
    batch = await ended(prober, since, work.act)
    fault = None if work.act.complete(names(batch.events)) else f"{shown(names(batch.events))} followed"
    yield Tried(f"{work.act.command} after a start", fault, (*demanded(stage.kind.demands, work.act), *WORDS[:1]))
    await prober.gather()
    if work.clean is not None:
        await work.clean(stage.hands)


async def _in_fault(stage: Stage, starts: _Starts) -> AsyncIterator[Tried]:
    """The device has a fault when its power goes. Hands remove the cause, so it has no fault when it starts."""
    cases = next((cases for cases in stage.kind.states if cases.state == FAULT), None)
    if cases is None or cases.enter is None or cases.mend is None:
        return
    stage.testing("a fault before a start", *cases.requirements)
    try:
        wrong = await cases.enter(stage.hands)
    except CannotBeDone as cannot:
        yield Tried(stage.what, None, (demands.STARTS_IDLE,), untested=str(cannot))
        return
    before = await stage.prober.rest()
    await stage.prober.gather()
    await cases.mend(stage.hands)
    if wrong is not None:
        yield Tried(stage.what, wrong, cases.requirements)
        await stage.prober.call("reset")
        return
    await power_off(stage)
    async for tried in starts.restart("in the state fault", before, mended=True):
        yield tried
    await stage.prober.call("reset")  # so that the next start can be told from this one if numbers begin at 1
    await stage.prober.gather()


async def _forgotten(stage: Stage, request: Request) -> Tried:
    """A device that numbers from 1 again has forgotten its tokens too: one of before acts again."""
    prober = stage.prober
    before = await prober.rest()
    reply = await prober.send(request)
    after = await prober.rest()
    await prober.gather()
    acted = reply.error is Error.OK and after.latest == before.latest + 1
    fault = None if acted else "numbers begin at 1 again, but a token of before the start is not new"
    return Tried("tokens after a start", fault, (demands.NUMBERS_FROM_1,))


def _use(stage: Stage, before: Status) -> Status | None:
    """Let an emulated device that keeps its numbers have many events behind it, as a machine has after years."""
    machine = stage.context.wired.emulated.machines.get(stage.device.name)
    if machine is None or not machine.board.keeps_memory or before.latest >= USED:
        return None
    machine.board.use(USED)
    return Status(before.state, before.fault, USED, USED)


async def _fill(stage: Stage) -> None:
    """Make so many events that the memory is full again: a device can keep its numbers and lose its events."""
    for _ in range(EVENTS):
        status = await stage.prober.rest()
        if status.latest - status.oldest + 1 >= min(EVENTS, status.latest):
            break
        await stage.prober.call("reset")
    await stage.prober.gather()


async def _past(stage: Stage, reached: int) -> Tried:
    """Numbers that need more than two bytes, on a device that can be brought there."""
    prober, ids = stage.prober, (demands.NUMBERS, demands.OLDEST_AND_LATEST)
    stage.testing("numbers past 65,535", *ids)
    before = (await prober.rest()).latest
    if not USED <= before < PAST:
        seen = f"numbers up to {max(before, reached)} were seen"
        return Tried("numbers past 65,535", None, ids, note=seen if before < PAST else "")
    first = before
    while before < PAST:
        await prober.call("reset")
        latest = (await prober.rest()).latest
        if latest != before + 1:
            return Tried("numbers past 65,535", f"after event {before} and a reset the latest is {latest}", ids)
        before = latest
    numbers = [event.number for event in (await everything(prober, first)).events]
    fault = None if numbers == list(range(first + 1, PAST + 1)) else f"events after {first} are not numbered by one"
    await prober.gather()
    return Tried("numbers past 65,535", fault, ids)


def _ids(stage: Stage, case: CommandCase) -> tuple[str, ...]:
    return demanded(stage.kind.demands, case)
