"""What a machine does while it works: it says that it is busy, answers what it must, refuses everything else without
doing anything, and leaves its work when it is reset.

A machine that has done its work before anybody can ask is not blamed for what could not be seen.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from time import monotonic

from feltrig.harness import demands
from feltrig.harness.devices.cases import EVERYWHERE, RESET, STATE, CommandCase, Work, demanded
from feltrig.harness.plan.conformance.last_token import last_token
from feltrig.harness.plan.conformance.probe import (
    again,
    changed,
    ended,
    everything,
    names,
    shown,
    tries,
    wrong_answer,
    wrong_events,
)
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.errors import Refused
from feltrig.protocols.messages import Reply, Request, Status
from feltrig.protocols.vocabulary import Error, State

ATTEMPTS = 3
"""How often a machine is told to work so that it can be caught at it."""

AT_WORK = 0.15
"""Seconds that an emulated device works; twice as long at each further attempt."""

COUNTING = 0.5
"""The same for one that may still do something after its work, which is short."""

LONGER = 1.25
"""By this factor the rig waits longer for what must not come than the work has taken."""

CLOSELY = 2.0
"""Seconds for which its end is looked for closely."""

LATER = 0.2
"""The part of its time after which a machine cannot be late with its last event."""

LEAST_WAIT, MOST_WAIT = 0.05, 120.0


@dataclass(slots=True)
class _Watch:
    """A machine that was told to work."""

    stage: Stage
    work: Work
    request: Request
    before: Status
    begun: float
    left_early: str | None = None
    """What was wrong if it said that it was at rest before its work had ended."""
    refused: Request | None = None
    """A command that it refused because it worked."""
    caught: bool = False
    overtaken: bool = False
    """Whether it obeyed a command that was meant to come during the work, because the work had just ended."""
    rested: Status | None = None
    """The status in which it was first seen at rest again."""

    async def at_work(self) -> bool:
        """Whether it is still at its work. A device that has its events and its state in two places gets a second
        look."""
        act = self.work.act
        for _ in range(2):
            batch = await everything(self.stage.prober, self.before.latest)
            happened = names(batch.events)
            last = act.maybe or act.events[-1]
            if batch.status.state is State.BUSY and last not in happened:
                self.caught = True
                return True
            if set(act.events) <= set(happened) or "faulted" in happened or "started" in happened:
                self.rested = batch.status
                return False
        state = batch.status.state.name.lower()
        self.left_early = f"{state} after {shown(happened)}, although its work has not ended"
        return False


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """Each work of the machine: other commands meanwhile, then a reset meanwhile, then once more in peace."""
    for work in stage.kind.works:
        seconds = 0.0
        async for tried, taken in _meanwhile(stage, work):
            seconds = max(seconds, taken)
            yield tried
        async for tried in _reset(stage, work, seconds):
            yield tried


async def _prepare(stage: Stage, work: Work) -> None:
    if work.prepare is not None:
        await work.prepare(stage.hands)


async def _begin(stage: Stage, work: Work) -> _Watch:
    prober = stage.prober
    before = await prober.rest()
    request = Request(work.act.command, work.act.values, prober.new_token())
    stage.testing(f"{work.act.command}", *demanded(stage.kind.demands, work.act))
    begun = monotonic()
    reply = await prober.send(request)
    if reply.error is not Error.OK:
        raise Refused(prober.name, request.command, reply.error.name.lower())
    return _Watch(stage, work, request, before, begun)


async def _meanwhile(stage: Stage, work: Work) -> AsyncIterator[tuple[Tried, float]]:
    """Every command while the machine works, and the events of the work as if nobody had asked."""
    act, prober = work.act, stage.prober
    left = [*work.meanwhile, *EVERYWHERE]
    caught = 0
    for attempt in range(ATTEMPTS):
        await _prepare(stage, work)
        with stage.slowed(work, (COUNTING if act.maybe else AT_WORK) * 2**attempt):
            watch = await _begin(stage, work)
            stage.testing(f"{act.command}: meanwhile", demands.BUSY, demands.ANSWERED_IN_ALL)
            while left and await watch.at_work():
                case = left[0]
                request = Request(case.command, case.values, prober.new_token())
                reply = await prober.send(request)
                if case.expected.startswith(STATE) and reply.error is Error.WRONG_STATE:
                    watch.refused = request
                if (kept := await last_token(prober, request, reply)) is not None:
                    yield kept, 0.0
                if not await watch.at_work():
                    if watch.left_early is not None:
                        early = f"{watch.left_early}; {case.command} had come before"
                        yield Tried(_what(act, case), early, (demands.BUSY, demands.REFUSED_CHANGES_NOTHING)), 0.0
                    watch.overtaken = reply.error is Error.OK and stage.prober.kind.commands[case.command].acts
                    break
                left.pop(0)
                yield _judged(stage, act, case, reply), 0.0
            if watch.caught:
                caught += 1
                yield await _same_token(watch), 0.0
            yield Tried(f"{act.command}: busy", watch.left_early, (demands.BUSY,)), 0.0
            stage.testing(f"{act.command}: its events", demands.EVENTS_IN_ORDER)
            batch = await ended(prober, watch.before.latest, act, CLOSELY)
            seconds = monotonic() - watch.begun
        if watch.overtaken:  # the work had ended when the command came, and what that began has events of its own
            await prober.rest()
            await prober.gather()
            if work.clean is not None:
                await work.clean(stage.hands)
            continue
        fault = wrong_events(act, batch.events)
        if act.maybe:
            yield await _nothing_more(stage, act, watch.rested or batch.status, seconds), 0.0
        ids = (demands.EVENTS_IN_ORDER, demands.REFUSED_CHANGES_NOTHING) if caught else (demands.EVENTS_IN_ORDER,)
        yield Tried(f"{act.command}: its events", fault, ids), seconds
        await prober.gather()
        if work.clean is not None:
            await work.clean(stage.hands)
        if watch.refused is not None:
            yield await _refusal_kept(stage, work, watch.refused), 0.0
        if not left:
            return
    note = f"done before anybody could ask: caught at work in {caught} of {ATTEMPTS} attempts"
    yield Tried(f"{act.command}: refused before", None, (demands.REFUSALS_KEPT,), note=note), 0.0
    for case in left:
        yield Tried(_what(act, case), None, _ids(stage, case), case.expected, note=note), 0.0


async def _nothing_more(stage: Stage, act: CommandCase, rested: Status, seconds: float) -> Tried:
    """A machine that rests has ended its work: what not every machine has does not come later."""
    if act.maybe not in names((await everything(stage.prober, rested.latest - len(act.events))).events):
        await asyncio.sleep(min(max(LATER * seconds, LEAST_WAIT), MOST_WAIT))
    late = names((await everything(stage.prober, rested.latest)).events)
    fault = f"{rested.state.name.lower()} before {shown(late)}, expected busy until then" if late else None
    return Tried(f"{act.command}: busy to the end", fault, (demands.BUSY,))


async def _same_token(watch: _Watch) -> Tried:
    """The command that it works on comes again, as it does when its answer was lost."""
    act = watch.work.act
    reply = await watch.stage.prober.send(watch.request)
    fault = None if reply == Reply() else f"answered {reply.error.name.lower()}, expected the same answer again"
    return Tried(f"{act.command}: repeated meanwhile", fault, (demands.SAME_ANSWER,))


async def _refusal_kept(stage: Stage, work: Work, request: Request) -> Tried:
    """What was refused while it worked comes again with its token when it would be obeyed."""
    if request.command == work.act.command:
        await _prepare(stage, work)
    prober = stage.prober
    before = await prober.rest()
    stage.testing(f"{request.command}: refused before", demands.REFUSALS_KEPT)
    reply = await prober.send(request)
    batch = await ended(prober, before.latest, CommandCase(request.command))
    acted = changed(before, batch.status, batch.events)
    fault = None
    if reply.error is not Error.WRONG_STATE:
        fault = f"answered {reply.error.name.lower()}, but wrong_state when the token came first"
    elif acted:
        fault = f"acted on a token that it had refused: {acted}"
    await prober.gather()
    if request.command == work.act.command and work.clean is not None:
        await work.clean(stage.hands)
    return Tried(f"{request.command}: refused before", fault, (demands.REFUSALS_KEPT,))


def _judged(stage: Stage, act: CommandCase, case: CommandCase, reply: Reply) -> Tried:
    fault = wrong_answer(case, reply)
    if fault is None and case.command == "status" and reply.values["state"] != State.BUSY:
        fault = f"status says state {reply.values['state']}, expected {int(State.BUSY)}, busy"
    return Tried(_what(act, case), fault, _ids(stage, case), case.expected, _plain(case))


def _ids(stage: Stage, case: CommandCase) -> tuple[str, ...]:
    ids = demanded(stage.kind.demands, case)
    return (*ids, demands.BUSY) if case.command == "status" else ids


def _what(act: CommandCase, case: CommandCase) -> str:
    return f"{case.command} while it works on {act.command}"


def _plain(case: CommandCase) -> dict[str, object]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in case.values.items()}


async def _reset(stage: Stage, work: Work, seconds: float) -> AsyncIterator[Tried]:
    """A reset ends the work without its events, and the machine works afterwards."""
    act, prober = work.act, stage.prober
    what = f"reset while it works on {act.command}"
    ids = (demands.RESET, demands.RESET_ENDS_WORK)
    for attempt in range(ATTEMPTS):
        await _prepare(stage, work)
        with stage.slowed(work, AT_WORK * 2**attempt):
            watch = await _begin(stage, work)
            at_work = await watch.at_work()
            stage.testing(what, *ids)
            request = Request("reset", {}, prober.new_token())
            reply = await prober.send(request)
            status = (await everything(prober, watch.before.latest)).status
            if reply.error is not Error.OK:
                yield Tried(what, f"answered {reply.error.name.lower()}, expected ok", ids)
                await prober.rest()
                break
            if at_work:
                wait = min(max(LONGER * seconds, LEAST_WAIT), MOST_WAIT) - (monotonic() - watch.begun)
                await asyncio.sleep(max(wait, LEAST_WAIT))
            batch = await everything(prober, watch.before.latest)
        happened = names(batch.events)
        begun = happened[: happened.index("cleared")] if "cleared" in happened else happened
        abandoned = begun != list(act.events) and begun != [*act.events, act.maybe]
        if not abandoned and attempt + 1 < ATTEMPTS:  # it was quicker
            await _tidy(stage, work)
            continue
        note = "" if abandoned else f"done before anybody could reset it, in {ATTEMPTS} attempts"
        yield Tried(what, _wrong_reset(act, happened), ids, note=note)
        fault = None if status.state is State.IDLE else f"in the state {status.state.name.lower()}, expected idle"
        yield Tried(f"{what}: state", fault, ids, note=note)
        async for tried in again(prober, RESET, request, reply):
            yield tried
        async for tried in again(prober, act, watch.request, Reply()):
            yield tried
        if stage.kind.after_reset is not None and abandoned:
            case = stage.kind.after_reset
            yield Tried(f"{what}: {case.command}", *await _answer(stage, case))
        break
    await _tidy(stage, work)
    await _prepare(stage, work)
    await prober.rest()
    await prober.gather()
    stage.testing(f"{act.command} after a reset", demands.RESET_ENDS_WORK)
    async for tried in tries(prober, stage.kind, act):
        yield tried
    await _tidy(stage, work)


async def _answer(stage: Stage, case: CommandCase) -> tuple[str | None, tuple[str, ...]]:
    reply = await stage.prober.send(Request(case.command, case.values, stage.prober.new_token()))
    return wrong_answer(case, reply), demanded(stage.kind.demands, case)


async def _tidy(stage: Stage, work: Work) -> None:
    await stage.prober.rest()
    await stage.prober.gather()
    if work.clean is not None:
        await work.clean(stage.hands)


def _wrong_reset(act: CommandCase, happened: list[str]) -> str | None:
    """What is wrong with the events from the beginning of the work on."""
    if "cleared" not in happened:
        return f"{shown(happened)}, expected cleared"
    at = happened.index("cleared")
    if happened[at + 1 :]:
        return f"{shown(happened[at + 1 :])} followed the reset, expected nothing but cleared"
    begun = [*act.events, *((act.maybe,) if act.maybe else ())]
    if happened[:at] != begun[:at]:
        return f"{shown(happened[:at])} before the reset, expected {shown(begun)} or the beginning of it"
    return None
