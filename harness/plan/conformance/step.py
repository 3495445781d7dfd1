"""Protocol conformance of the device under test: every command in every state that can be reached without harm, then
malformed messages, then scenes. The device must refuse what is illegal as documented, must not act on it, and must
answer `status` afterwards.

Conformance has journal records of its own: a refusal that was provoked is not a fault.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any, cast

from feltrig.harness import demands
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.cases import FAULT, MALFORMED, StateCases, demanded
from feltrig.harness.devices.failures import DEVICE_FAILURES, CannotBeDone, Faulted
from feltrig.harness.journal.records import (
    Body,
    Called,
    EventSeen,
    ProbeCalled,
    Probed,
    ProbeEventSeen,
    ProbeReplied,
    Replied,
)
from feltrig.harness.journal.writer import Journal
from feltrig.harness.plan.checkpoints import Fixed, RunContext, Segment
from feltrig.harness.plan.conformance.probe import Irregular, names, shown, tries
from feltrig.harness.plan.conformance.scenes import scenes_of
from feltrig.harness.plan.conformance.stage import Stage
from feltrig.harness.rig.model import DeviceConfig
from feltrig.harness.scene import Run, Scene, Tried
from feltrig.harness.table.driver import Driver
from feltrig.harness.wires import wire_of
from feltrig.protocols.errors import WireError
from feltrig.protocols.exchange import TRIES
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.malformed import MalformedMessage
from feltrig.protocols.messages import Request, Status, Values
from feltrig.protocols.vocabulary import Error, State


def conformance(kind: str, device: DeviceConfig, taken: Collection[int] = ()) -> Fixed:
    """The step: one segment for each state, one for malformed messages, one for each scene. `taken` are the addresses
    of the rig's devices."""

    def segments() -> Iterator[Segment]:
        scenes = () if device.noise else scenes_of(kind, wire_of(device))
        yield from (scened(scene) for scene in scenes if scene.first)
        for cases in DEVICES[kind].fitted(device.stack_sizes).states:
            probes = [
                [case.command, case.expected, _plain(case.values), list(case.events), dict(case.reply)]
                for case in cases.tried
            ]
            yield segment(cases.state, {"probes": probes}, partial(_try_state, device=device, cases=cases))
        if not device.noise:
            messages = tuple(wire_of(device).malformed.load()(KINDS[kind], taken))
            names = [message.name for message in messages]
            yield segment(MALFORMED, {"messages": names}, partial(_send_malformed, device=device, messages=messages))
        yield from (scened(scene) for scene in scenes if not scene.first)

    def scened(scene: Scene) -> Segment:
        tests = {"requirements": list(scene.requirements)}
        return segment(scene.name, tests, partial(play_scene, device=device, scene=scene, taken=taken))

    def segment(state: str, tried: dict[str, Any], run: Callable[[RunContext], Awaitable[None]]) -> Segment:
        definition = {"conformance": kind, "device": device.name, "state": state, **tried}
        return Segment(f"conformance: {state}", definition, run)

    return Fixed("conformance", segments())


async def _prober(context: RunContext, driver: Driver) -> Driver:
    """A driver on the same channel, with tokens of its own: the device remembers those of the rounds."""
    prober = driver.apart(cast("Journal", ScratchJournal(context.journal)))
    await prober.open()
    return prober


async def _try_state(context: RunContext, device: DeviceConfig, cases: StateCases) -> None:
    async def play(stage: Stage) -> AsyncIterator[Tried]:
        if cases.enter is not None:
            stage.testing("the way there", *cases.requirements)
            not_reached = await cases.enter(stage.hands)
            yield Tried("the way there", not_reached, cases.requirements)
            if not_reached is not None:
                return
            await stage.prober.rest()
            late = names(await stage.prober.gather())
            if cases.state == FAULT:
                fault = f"{shown(late)} came although it has stopped" if late else None
                yield Tried("no other event than faulted", fault, (demands.FAULTED,))
        for case in cases.tried:
            stage.testing(case.command, *demanded(stage.kind.demands, case))
            async for tried in tries(stage.prober, stage.kind, case):
                yield tried
        strays = names(await stage.prober.gather())
        unasked = f"{shown(strays)} came without a reason" if strays else None
        yield Tried("no other event", unasked, (demands.NO_OTHER_EVENT,))
        if cases.state == FAULT:
            state = (await stage.prober.status()).state
            left = None if state is State.FAULT else f"{state.name.lower()}, although nobody has reset it"
            yield Tried("still in the state fault", left, (demands.FAULT_STAYS,))

    await _play(context, device, cases.state, play)


async def _send_malformed(context: RunContext, device: DeviceConfig, messages: Sequence[MalformedMessage]) -> None:
    """Send malformed messages. A device that no longer answers afterwards ends the run; that goes on record first."""
    driver = context.wired.devices[device.kind]
    prober = await _prober(context, driver)
    for message in messages:
        before = await prober.status()
        expected, wrong = await _provoke(prober, message)
        token = prober.last_token
        faults = [] if wrong is None else [wrong]
        mute: WireError | None = None
        try:
            if acted := await _acted(prober, before):
                faults.append(f"acted on: {acted}")
        except Faulted as stopped:
            faults.append(f"acted on: fault {stopped.fault.name.lower()}")
        except WireError as error:
            faults.append(f"status is not answered afterwards: {error}")
            mute = error
        fault = "; ".join(faults) or None
        tried = Tried(message.name, fault, message.requirements, _shown(expected))
        _record(context, driver, MALFORMED, tried)
        if mute is not None:
            raise mute
        if not message.remembered:
            _record(context, driver, MALFORMED, await _still_new(prober, message, token))
    await driver.open()


async def _still_new(prober: Driver, message: MalformedMessage, token: int) -> Tried:
    """The token of a message that was not taken for a command is still new: a reset by it is carried out."""
    before = await prober.rest()
    reply = await prober.send(Request("reset", {}, token))
    after = await prober.rest()
    await prober.gather()
    fault = None
    if reply.error is not Error.OK:
        fault = f"a reset by the same token was answered {reply.error.name.lower()}, expected ok"
    elif after.latest != before.latest + 1:
        fault = "a reset by the same token was not carried out"
    return Tried(f"{message.name}: its token", fault, (demands.STILL_NEW,))


async def play_scene(context: RunContext, device: DeviceConfig, scene: Scene, taken: Collection[int]) -> None:
    """Play a scene; all that it tried goes on record."""
    await _play(context, device, scene.name, scene.load(), scene.requirements, taken)


async def _play(
    context: RunContext,
    device: DeviceConfig,
    name: str,
    play: Run,
    requirements: tuple[str, ...] = (),
    taken: Collection[int] = (),
) -> None:
    """Whatever goes wrong goes on record with the ids that were being tested, before it ends the run. A device that
    does not answer at all is not blamed: its wire may be cut. Nor is one that does not answer through noise."""
    driver = context.wired.devices[device.kind]
    latest = (await driver.rest()).latest
    if driver.found is not None and driver.seen == driver.found.latest < latest:  # it was left in peace since then
        strays = shown(names(await driver.gather()))
        _record(context, driver, name, Tried("before", f"{strays} came without a reason", (demands.NO_OTHER_EVENT,)))
    stage = Stage(context, device, await _prober(context, driver), taken)
    try:
        async for tried in play(stage):
            _record(context, driver, name, tried, requirements)
    except (*DEVICE_FAILURES, WireError) as error:
        if not isinstance(error, WireError) or (not device.noise and await _answers(driver)):
            ids = error.requirements if isinstance(error, Irregular) else stage.ids
            _record(context, driver, name, Tried(stage.what or name, str(error), ids), requirements)
        raise
    except CannotBeDone as cannot:
        tried = Tried(stage.what or name, None, stage.ids, untested=str(cannot))
        _record(context, driver, name, tried, requirements)
    await driver.open()  # behind the events of the probes


def _record(context: RunContext, driver: Driver, state: str, tried: Tried, requirements: tuple[str, ...] = ()) -> None:
    context.journal.append(
        Probed(
            device=driver.name,
            state=state,
            command=tried.what,
            values=tried.values,
            expected=tried.expected,
            fault=tried.fault,
            requirements=tried.requirements or requirements,
            note=tried.note,
            untested=tried.untested,
            during=tried.during,
        )
    )


async def _answers(driver: Driver) -> bool:
    try:
        await driver.channel.request(Request("status"))
    except WireError:
        return False
    return True


async def _provoke(driver: Driver, message: MalformedMessage) -> tuple[bytes, str | None]:
    """The expected answer, and what was wrong with the answer. Like any request, the message is sent again when an
    expected answer does not come; a late answer to an earlier try is accepted too."""
    expected = b""
    late: list[bytes] = []
    for _ in range(TRIES):
        try:
            expected, heard = await driver.provoke(message)
        except WireError as error:
            return expected, str(error)
        if heard in (expected, *late):
            return expected, None
        if heard:
            return expected, f"answered {_shown(heard)}, expected {_shown(expected)}"
        late.append(expected)
    return expected, f"no answer, expected {_shown(expected)}"


def _shown(message: bytes) -> str:
    """Text as it is, other bytes in hex."""
    if not message:
        return "silence"
    return message.decode() if message.isascii() and message.decode().isprintable() else message.hex(" ")


async def _acted(driver: Driver, before: Status) -> str | None:
    """What the device has done since it had this status; None when nothing."""
    after = await driver.rest()  # a count may follow the shuffle
    events = [event.name for event in await driver.pending()]
    if events or (after.state, after.latest) != (before.state, before.latest):
        return ", ".join(events) or after.state.name.lower()
    return None


class ScratchJournal:
    """A journal in which the calls, replies and events of a driver have kinds of their own; troubles keep theirs."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def append(self, body: Body) -> int:
        """Write a record."""
        match body:
            case Called(device, command, values):
                body = ProbeCalled(device, command, values)
            case Replied(device, command, error, values):
                body = ProbeReplied(device, command, error, values)
            case EventSeen(device, number, event, values):
                body = ProbeEventSeen(device, number, event, values)
        return self._journal.append(body)


def _plain(values: Values) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
