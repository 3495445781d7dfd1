"""A connection that is lost and comes back: nothing is forgotten, nothing is done twice, and work goes on."""

from collections.abc import AsyncIterator, Awaitable, Callable
from time import monotonic

from feltrig.harness import demands
from feltrig.harness.devices.cases import CommandCase, demanded
from feltrig.harness.plan.conformance.probe import changed, ended, wrong_events
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.errors import Refused
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.vocabulary import Error

AT_WORK = 0.1
"""Seconds that an emulated device works, so that the line is lost meanwhile."""

IDS = (demands.LINE_LOST,)


Lose = Callable[[], Awaitable[None]]
"""Loses the connection and waits until there is one again."""


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """The rig's own connection is lost."""
    async for tried in lost(stage, stage.reconnect):
        yield tried


async def lost(stage: Stage, lose: Lose) -> AsyncIterator[Tried]:
    """At rest, and while the device works."""
    async for tried in _at_rest(stage, lose):
        yield tried
    for work in stage.kind.works[:1]:
        if work.prepare is not None:
            await work.prepare(stage.hands)
        prober, act = stage.prober, work.act
        before = await prober.rest()
        request = Request(act.command, act.values, prober.new_token())
        stage.testing(f"line lost during {act.command}", *demanded(stage.kind.demands, act))
        with stage.slowed(work, AT_WORK):
            reply = await prober.send(request)
            if reply.error is not Error.OK:
                raise Refused(prober.name, act.command, reply.error.name.lower())
            stage.testing(f"line lost during {act.command}", *IDS)
            await lose()
            batch = await ended(prober, before.latest, act)
        yield Tried(f"line lost during {act.command}: events", wrong_events(act, batch.events), IDS)
        yield await _same(stage, request, reply, f"line lost during {act.command}: token")
        if work.clean is not None:
            await work.clean(stage.hands)


async def _at_rest(stage: Stage, lose: Lose) -> AsyncIterator[Tried]:
    prober = stage.prober
    request = Request("reset", {}, prober.new_token())
    reply = await prober.send(request)
    before, events = await prober.rest(), (await prober.fetch(max((await prober.rest()).latest - 3, 0))).events
    begun = monotonic()
    stage.testing("line lost at rest", *IDS)
    await lose()
    after = await prober.status()
    fault = None if after == before else f"{after} after {monotonic() - begun:.2f} s without a line, {before} before"
    yield Tried("line lost at rest: status", fault, IDS)
    same = (await prober.fetch(max(after.latest - 3, 0))).events
    yield Tried("line lost at rest: events", None if same == events else "the last events are others", IDS)
    yield await _same(stage, request, reply, "line lost at rest: token")


async def _same(stage: Stage, request: Request, reply: Reply, what: str) -> Tried:
    """The last command comes again on the new connection, as it does when the line took its answer away."""
    prober = stage.prober
    before = await prober.rest()
    again = await prober.send(request)
    batch = await ended(prober, before.latest, CommandCase(request.command))
    await prober.gather()
    acted = changed(before, batch.status, batch.events)
    fault = f"acted on again: {acted}" if acted else None
    if again != reply:
        fault = f"answered {again.error.name.lower()}, expected the same answer again"
    return Tried(what, fault, (*IDS, demands.NOT_TWICE, demands.SAME_ANSWER))
