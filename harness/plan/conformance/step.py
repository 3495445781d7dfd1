"""Protocol conformance of the device under test: every command in every state that can be reached without harm, and
then malformed messages. The device must refuse what is illegal as documented, must not act on it, and must answer
`status` afterwards. What it has done it must not do again when the command is repeated with its token.

Conformance has journal records of its own: a refusal that was provoked is not a fault.
"""

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.cases import ANY, MALFORMED, OK, CommandCase, StateCases, ends_in
from feltrig.harness.devices.failures import Faulted
from feltrig.harness.devices.values import bytes_of
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
from feltrig.harness.rig.model import DeviceConfig
from feltrig.harness.table.driver import Driver
from feltrig.harness.wires import wire_of
from feltrig.harness.wires.wire import Look
from feltrig.protocols.challenge import PROOF_SIZE
from feltrig.protocols.errors import Refused, WireError
from feltrig.protocols.exchange import TRIES
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.malformed import MalformedMessage
from feltrig.protocols.messages import Status, Values
from feltrig.protocols.vocabulary import State


def conformance(kind: str, device: DeviceConfig, taken: Collection[int] = ()) -> Fixed:
    """The step: one segment for each state, one for malformed messages, one for each look that the wire has. `taken`
    are the addresses of the rig's devices."""

    def segments() -> Iterator[Segment]:
        for cases in DEVICES[kind].states:
            probes = [
                [case.command, case.expected, _plain(case), case.until, dict(case.reply or {})] for case in cases.tried
            ]
            yield segment(cases.state, {"probes": probes}, partial(_try_state, device=device, cases=cases))
        if not device.noise:
            messages = tuple(wire_of(device).malformed.load()(KINDS[kind], taken))
            names = [message.name for message in messages]
            yield segment(MALFORMED, {"messages": names}, partial(_send_malformed, device=device, messages=messages))
            for what, look in wire_of(device).looks.items():
                yield segment(what, {}, partial(_look_at, device=device, what=what, look=look.load()))

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
    driver = context.wired.devices[device.kind]
    prober = await _prober(context, driver)
    not_reached = await cases.enter(context.hands(device.kind, prober)) if cases.enter is not None else None
    if not_reached is not None:
        _record(context, driver, cases.state, "the way there", not_reached)
    for case in () if not_reached else cases.tried:
        fault = await _try(prober, case)
        _record(context, driver, cases.state, case.command, fault, case.expected, _plain(case))
    await driver.open()  # behind the events of the probes


async def _send_malformed(context: RunContext, device: DeviceConfig, messages: Sequence[MalformedMessage]) -> None:
    """Send malformed messages. A device that no longer answers afterwards ends the run; that goes on record first."""
    driver = context.wired.devices[device.kind]
    prober = await _prober(context, driver)
    for message in messages:
        before = await prober.status()
        expected, wrong = await _provoke(prober, message)
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
        _record(context, driver, MALFORMED, message.name, "; ".join(faults) or None, _shown(expected))
        if mute is not None:
            raise mute
    await driver.open()


async def _look_at(context: RunContext, device: DeviceConfig, what: str, look: Look) -> None:
    driver = context.wired.devices[device.kind]
    prober = await _prober(context, driver)
    for thing, fault in (await look(prober, context.journal)).items():
        _record(context, driver, what, thing, fault)
    await driver.open()


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


async def _try(driver: Driver, case: CommandCase) -> str | None:
    """What was wrong with the answer, or with what the device did; None when all was well."""
    before = await driver.status()
    try:
        reply, answered = await driver.call(case.command, **(case.values or {})), OK
    except Refused as refusal:
        reply, answered = {}, refusal.error
    wrong = answered == OK if case.expected == ANY else answered != case.expected
    if wrong:
        await driver.pending()
        return f"answered {answered}, expected {case.expected}"
    if case.until is not None and answered == OK:
        taken = await _taken_while_busy(driver, case)
        end = await driver.until(case.until)
        if taken is not None and end.number > taken:  # else the first work had ended before, and made room
            await driver.rest()
            await driver.pending()
            return "accepted again while busy"
    acted = await _acted(driver, before)
    if answered != OK and acted:
        return f"refused, but acted on it: {acted}"
    ends = ends_in(DEVICES[driver.kind.name].leaves, case.command, before.state)
    if answered == OK and (after := (await driver.status()).state) not in ends:
        return f"in the state {after.name.lower()} afterwards, expected {' or '.join(s.name.lower() for s in ends)}"
    if any(reply[name] != value for name, value in (case.reply or {}).items()):
        return f"answered {dict(reply)}, expected {dict(case.reply or {})}"
    if case.command == "challenge" and answered == OK and len(bytes_of(reply["proof"])) != PROOF_SIZE:
        return f"a proof of {len(bytes_of(reply['proof']))} bytes"
    return await _repeated(driver, reply) if case.until is not None and answered == OK else None


async def _repeated(driver: Driver, reply: Values) -> str | None:
    """What was wrong when the last command came once more with its own token, as it does when an answer was lost."""
    before = await driver.status()
    assert driver.done is not None
    try:
        same = await driver.repeat(driver.done) == reply
    except Refused as refusal:
        return f"a repeat with the same token was answered {refusal.error}, expected the same answer again"
    if acted := await _acted(driver, before):
        return f"a repeat with the same token was acted on: {acted}"
    return None if same else "a repeat with the same token was answered differently"


async def _taken_while_busy(driver: Driver, case: CommandCase) -> int | None:
    """The number of the latest event if the device has accepted the same command again while busy; None if it was not
    busy, or refused. A quick device is never caught."""
    if (await driver.status()).state is not State.BUSY:
        return None
    try:
        await driver.call(case.command, **(case.values or {}))
    except Refused:
        return None
    after = await driver.status()
    return after.latest if after.state is State.BUSY else None


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


def _record(
    context: RunContext,
    driver: Driver,
    state: str,
    command: str,
    fault: str | None,
    expected: str = OK,
    values: Mapping[str, Any] | None = None,
) -> None:
    context.journal.append(Probed(driver.name, state, command, values or {}, expected, fault))


def _plain(case: CommandCase) -> dict[str, Any]:
    return {k: list(v) if isinstance(v, tuple) else v for k, v in (case.values or {}).items()}
