"""How a device uses tokens: what it has answered it answers again in the same way, and does nothing twice.

Most of this is tried with `reset`, which every device obeys in every state and which leaves an event behind.
"""

import random
from collections.abc import AsyncIterator, Iterator

from feltrig.harness import demands
from feltrig.harness.devices.cases import CommandCase, LaterRight
from feltrig.harness.plan.conformance.probe import changed, ended
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.scene import Tried
from feltrig.protocols.messages import Reply, Request
from feltrig.protocols.vocabulary import Error

TOKENS = 8
"""How many a device must remember."""

QUESTIONS = 3
"""Commands that do not act between two that do: a device that remembered their tokens too would forget the others."""

DONE = Reply()


async def play(stage: Stage) -> AsyncIterator[Tried]:
    """Everything about tokens that holds on every wire."""
    async for tried in _eight(stage):
        yield tried
    async for tried in _whole(stage):
        yield tried
    async for tried in _other_command(stage):
        yield tried
    async for tried in _asks_only(stage):
        yield tried
    async for tried in _quiet(stage):
        yield tried
    for case in stage.kind.later_right:
        yield await _later_right(stage, case)
    async for tried in _bad_argument(stage):
        yield tried


async def _acted(stage: Stage, request: Request) -> tuple[Reply, str | None]:
    """The answer to a command, and what the device did."""
    before = await stage.prober.rest()
    reply = await stage.prober.send(request)
    batch = await ended(stage.prober, before.latest, CommandCase(request.command))
    await stage.prober.gather()
    return reply, changed(before, batch.status, batch.events)


async def _reset(stage: Stage, token: int) -> str | None:
    """What was wrong with a reset by a token that is new."""
    before = await stage.prober.rest()
    reply = await stage.prober.send(Request("reset", {}, token))
    if reply.error is not Error.OK:
        return f"token {token:#010x} is new, but reset was answered {reply.error.name.lower()}"
    after = await stage.prober.rest()
    await stage.prober.gather()
    return None if after.latest == before.latest + 1 else f"token {token:#010x} is new, but reset was not carried out"


async def _again(stage: Stage, request: Request, first: Reply, when: str) -> Iterator[Tried]:
    """A token that must be remembered."""
    stage.testing(f"{request.command}: {when}", demands.SAME_ANSWER, demands.NOT_TWICE)
    reply, acted = await _acted(stage, request)
    said, expected = reply.error.name.lower(), first.error.name.lower()
    fault = None if reply == first else f"answered {said}, expected {expected} as before"
    done = f"acted on again: {acted}" if acted else None
    return iter(
        (
            Tried(f"{request.command}: {when}: answer", fault, (demands.SAME_ANSWER,)),
            Tried(f"{request.command}: {when}: not done twice", done, (demands.NOT_TWICE,)),
        )
    )


async def _eight(stage: Stage) -> AsyncIterator[Tried]:
    """The last eight tokens are remembered, whatever was asked between."""
    prober = stage.prober
    requests = [Request("reset", {}, prober.new_token()) for _ in range(TOKENS)]
    for request in requests:
        stage.testing("reset", demands.RESET)
        yield Tried("reset by a new token", await _reset(stage, request.token), (demands.RESET,))
        for _ in range(QUESTIONS):
            await prober.call("status")
            await prober.call("identify")
    ids = (demands.EIGHT_TOKENS, demands.SAME_ANSWER, demands.NOT_TWICE)
    for place, request in enumerate(requests):
        stage.testing("repeats", *ids)
        reply, acted = await _acted(stage, request)
        fault = None if reply == DONE else f"answered {reply.error.name.lower()}, expected the same answer again"
        if acted:
            fault = f"acted on again: {acted}"
        yield Tried(f"a token again after {TOKENS - 1 - place} other commands", fault, ids)


async def _whole(stage: Stage) -> AsyncIterator[Tried]:
    """A token is a whole number of 32 bits: those that differ in any byte are different. They are drawn by chance, as a
    device may remember the tokens of an earlier run."""
    chance = random.SystemRandom()
    first = chance.randrange(1, 1 << 31)
    tokens = [first, *(first ^ chance.randrange(1, 256) << shift for shift in (0, 8, 16)), first | 1 << 31]
    tokens += [0xFFFF_FF00 + chance.randrange(256), 0x8000_0000 + chance.randrange(1 << 16)]
    for token in dict.fromkeys(tokens):
        stage.testing("a token that differs in one byte", demands.RESET)
        yield Tried(
            "a token that differs in one byte", await _reset(stage, token), (demands.RESET, demands.SAME_ANSWER)
        )
    for tried in await _again(stage, Request("reset", {}, tokens[-2]), DONE, "a high token again"):
        yield tried


async def _other_command(stage: Stage) -> AsyncIterator[Tried]:
    """A remembered token with another command that acts is answered as before, and nothing is done."""
    prober, ids = stage.prober, (demands.OTHER_COMMAND,)
    for work in stage.kind.works[:1]:
        if work.prepare is not None:
            await work.prepare(stage.hands)
        token = prober.new_token()
        stage.testing("reset", demands.RESET)
        yield Tried("reset by a new token", await _reset(stage, token), (demands.RESET,))
        stage.testing(f"{work.act.command} with the token of a reset", *ids)
        reply, acted = await _acted(stage, Request(work.act.command, work.act.values, token))
        fault = None if reply == DONE else f"answered {reply.error.name.lower()}, expected ok as for the reset"
        if acted:
            fault = f"acted on: {acted}"
        yield Tried(f"{work.act.command} with the token of a reset", fault, ids)
        if work.clean is not None:
            await work.clean(stage.hands)


async def _asks_only(stage: Stage) -> AsyncIterator[Tried]:
    """A command that does not act is answered anew, whatever its token, and uses no token up."""
    prober = stage.prober
    token, ids = prober.new_token(), (demands.ANSWERED_ANEW,)
    stage.testing("status with a token", *ids)
    first = await prober.send(Request("status", {}, token))
    yield Tried("reset with the token of a question", await _reset(stage, token), ids)
    second = await prober.send(Request("status", {}, token))
    latest = "latest"
    missing = {first.error, second.error} != {Error.OK} or first.values[latest] == second.values[latest]
    fault = "answered as before the reset" if missing else None
    yield Tried("status asked again after a reset", fault, ids)


async def _quiet(stage: Stage) -> AsyncIterator[Tried]:
    """A command without an event: only the state shows whether the device acted again."""
    quiet, prober = stage.kind.quiet, stage.prober
    if quiet is None:
        return
    request = Request(quiet.command, {}, prober.new_token())
    stage.testing(quiet.command, demands.SAME_ANSWER)
    first = await prober.send(request)
    await (prober.call(quiet.undo) if quiet.undone is None else prober.perform(quiet.undo, quiet.undone))
    for tried in await _again(stage, request, first, f"after {quiet.undo}"):
        yield tried


async def _later_right(stage: Stage, case: LaterRight) -> Tried:
    """A refusal is remembered, even if the command would be obeyed now."""
    prober, refused = stage.prober, case.case
    what, ids = f"{refused.command}: refused before", (demands.REFUSALS_KEPT,)
    stage.testing(what, *ids)
    await case.before(stage.hands)
    request = Request(refused.command, refused.values, prober.new_token())
    first = await prober.send(request)
    await case.after(stage.hands)
    reply, acted = await _acted(stage, request)
    fault = None
    if first.error is Error.OK:
        fault = f"answered ok, expected {refused.expected}"
    elif reply.error is not first.error:
        fault = f"answered {reply.error.name.lower()}, but {first.error.name.lower()} when the token came first"
    elif acted:
        fault = f"acted on a token that it had refused: {acted}"
    if case.clean is not None:
        await case.clean(stage.hands)
    return Tried(what, fault, ids)


async def _bad_argument(stage: Stage) -> AsyncIterator[Tried]:
    """A value out of range is remembered too: the right value by the same token changes nothing."""
    for work, wrong in stage.kind.bad_arguments:
        if work.prepare is not None:
            await work.prepare(stage.hands)
        act, prober = work.act, stage.prober
        what, ids = f"{act.command}: a bad argument before", (demands.REFUSALS_KEPT, demands.OTHER_COMMAND)
        stage.testing(what, *ids)
        token = prober.new_token()
        first = await prober.send(Request(act.command, wrong, token))
        reply, acted = await _acted(stage, Request(act.command, act.values, token))
        fault = None
        if reply.error is not first.error:
            fault = f"answered {reply.error.name.lower()}, but {first.error.name.lower()} when the token came first"
        elif acted:
            fault = f"acted on a token that it had refused: {acted}"
        yield Tried(what, fault, ids)
        if work.clean is not None:
            await work.clean(stage.hands)
