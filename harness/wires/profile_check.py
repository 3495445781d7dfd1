"""Tries a profile on its real wire, with a puppet for a device. Every command, refusal, event and state of the kind of
device goes across."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from feltrig.emulators.profiles.puppet import Puppet
from feltrig.harness.rig.keys import emulated_on
from feltrig.harness.wires import WIRES
from feltrig.harness.wires.site import RigSite
from feltrig.harness.wires.wire import DeviceEnd, DriverEnd
from feltrig.protocols.errors import WireError
from feltrig.protocols.kinds.shoe import STACK_SIZES
from feltrig.protocols.messages import Channel, Event, Reply, Request, Value, Values
from feltrig.protocols.profiles.dialogue import Dialogue, MessageForm
from feltrig.protocols.profiles.profile import Profile
from feltrig.protocols.profiles.registers import RegisterMap
from feltrig.protocols.vocabulary import Error, FaultCode, Field, Kind, State, Type

DEADLINE = 2.0
WAIT = 0.4
"""Seconds that a message which is sent at once may take to arrive; added to the rhythm of the device's reports."""

CARRIED, SUPPLIED, LACKING, WRONG = "carried", "supplied", "lacking", "wrong"

ARGUMENTS: Mapping[str, tuple[Values, ...]] = {
    "shake": ({"times": 3}, {"times": 1}),
    "shuffle": ({"deck": 1}, {"deck": 2}),
    "dispense": tuple({"size": size} for size in STACK_SIZES),
    "faces": ({"offset": 0, "limit": 60}, {"offset": 54, "limit": 1}),
    "challenge": ({"nonce": tuple(range(16))},),
}
"""Arguments that each command is tried with; one that is not listed is tried with a sample of each."""

FIELDS: Mapping[str, tuple[Values, ...]] = {
    "faulted": tuple({"fault": int(fault)} for fault in FaultCode if fault),
    "selected": tuple({"number": number} for number in range(1, 8)),
    "shaken": ({"times": 3}, {"times": 2}),
    "uncovered": ({"commanded": True}, {"commanded": False}),
    "rolled": (
        {"dice": (1, 2, 6), "flat": (1, 1, 1)},
        {"dice": (4, 4, 4), "flat": (1, 0, 1)},
        {"dice": (5, 3), "flat": (1, 1)},
    ),
    "shuffling": ({"deck": 1}, {"deck": 2}),
    "shuffled": ({"deck": 1}, {"deck": 2}),
    "counted": (
        {"deck": 1, "count": 54, "correct": True},
        {"deck": 1, "count": 53, "correct": False},
        {"deck": 1, "count": 55, "correct": False},
        {"deck": 2, "count": 54, "correct": True},
    ),
    "dispensed": tuple({"stack": stack, "size": size} for stack, size in enumerate(STACK_SIZES, 1)),
    "scanned": ({"count": 0}, {"count": 54}),
}
"""Fields that each event is tried with; one that is not listed is tried with a sample of each."""


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one part of the vocabulary: `carried`, `supplied` in the device's place, `lacking`, or `wrong`."""

    what: str
    outcome: str
    detail: str = ""


async def check_profile(profile: Profile) -> list[Row]:
    """Try everything; a row for each command, event and state. A wire that fails altogether is one wrong row."""
    puppet = Puppet(profile.kind)
    try:
        async with _wired(profile, puppet) as channel:
            return [row async for row in _Trial(profile, puppet, channel).rows()]
    except (WireError, OSError) as error:
        return [Row("the wire", WRONG, str(error))]


@asynccontextmanager
async def _wired(profile: Profile, puppet: Puppet) -> AsyncIterator[Channel]:
    """The puppet served on the first wire that the profile is for, and the driver's end of it."""
    wire = WIRES[profile.wires()[0]]
    device = replace(emulated_on(wire.name, profile.kind.name, "device"), profile=profile, deadline=DEADLINE)
    site = RigSite(None)
    async with AsyncExitStack() as stack:
        if wire.on_broker:
            await site.serve_broker(stack)
        station = wire.station(DeviceEnd(site, device, puppet, time.monotonic, bytes))
        stack.push_async_callback(station.stop)
        address = await station.start()
        if wire.on_broker:
            assert site.broker_address is not None
            address = site.broker_address
        channel = wire.channel(DriverEnd(site, device, address, address, lambda outgoing, data: None))
        stack.push_async_callback(channel.close)
        await channel.open()
        yield channel


class _Trial:
    def __init__(self, profile: Profile, puppet: Puppet, channel: Channel) -> None:
        self._profile = profile
        self._kind = profile.kind
        self._puppet = puppet
        self._channel = channel
        self._lacks = set(profile.lacks())
        self._assumed = profile.talk.assumed()
        talk = profile.talk
        self._period = max((s.every for s in talk.says), default=0.0) if isinstance(talk, Dialogue) else 0.0

    async def rows(self) -> AsyncIterator[Row]:
        yield await self._identify()
        # the first look is where the driver's end starts from; asked in a state without a word, the device is silent
        self._puppet.state = next(filter(self._answerable, State), State.IDLE)
        await self._channel.request(Request("status"))
        for name in self._kind.commands:
            if name not in ("identify", "status", "events"):
                yield await self._command(name)
        yield await self._refusals()
        for name in self._kind.events:
            yield await self._event(name)
        yield await self._states()
        outcome, how = (SUPPLIED, "numbered by the driver's end") if "numbers" in self._lacks else (CARRIED, "")
        yield Row("event numbers", outcome, how)

    async def _identify(self) -> Row:
        reply = await self._channel.request(Request("identify"))
        said = self._profile.talk.identity()
        wrong = [name for name in said if not _same(reply.values.get(name), getattr(self._puppet.identity, name))]
        if wrong:
            return Row("identify", WRONG, f"{wrong[0]} came as {reply.values.get(wrong[0])!r}")
        rest = "by the label: " + ", ".join(name for name in self._profile.label if name not in said)
        return Row("identify", CARRIED if said else SUPPLIED, rest if len(said) < len(self._profile.label) else "")

    async def _command(self, name: str) -> Row:
        what, command = f"command {name}", self._kind.commands[name]
        self._puppet.replies[name] = expected = Reply(Error.OK, {f.name: _sample(f) for f in command.reply})
        passed, unsaid = 0, []
        for values in _arguments(self._kind, name):
            self._puppet.told.clear()
            reply = await self._channel.request(Request(name, values))
            if reply.error is Error.UNKNOWN_COMMAND:
                return Row(what, LACKING)
            if name not in self._profile.talk.carried_commands():
                return Row(what, SUPPLIED, "from the last report")
            if reply.error is Error.BAD_ARGUMENT and not self._puppet.told:
                unsaid.append(_shown(values))
                continue
            told = await self._told()
            if told != [(name, dict(values))]:
                came = ", ".join(f"{command} {_shown(given)}" for command, given in told) or "nothing at all"
                return Row(what, WRONG, f"{_shown(values)} came as {came}")
            if reply != expected:
                return Row(what, WRONG, f"answered {reply.error.name.lower()} {_shown(reply.values)}")
            passed += 1
        return Row(what, CARRIED if passed else WRONG, f"not {', '.join(unsaid)}" if unsaid else "")

    async def _told(self) -> list[tuple[str, Values]]:
        """What the machine was told. A command that is not answered may still be on its way."""
        async for _ in self._looks(WAIT):
            if self._puppet.told:
                break
        return self._puppet.told

    async def _looks(self, seconds: float) -> AsyncIterator[None]:
        """A look after the other until the seconds have passed; the wire has time in between."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        yield
        while (left := until - loop.time()) > 0:
            await self._channel.idle(min(left, 0.02))
            yield

    async def _refusals(self) -> Row:
        """Each error as the refusal of a command that the wire carries, as far as the wire has words for it."""
        name = next((n for n in sorted(self._profile.talk.carried_commands()) if self._kind.commands[n].acts), None)
        if name is None:
            return Row("refusals", LACKING)
        unsaid = []
        for error in Error:
            if error in (Error.OK, Error.MALFORMED):
                continue
            if not _sayable(self._profile, name, error):
                unsaid.append(error.name.lower())
                continue
            self._puppet.replies[name] = Reply(error)
            reply = await self._channel.request(Request(name, _arguments(self._kind, name)[0]))
            if reply.error is not error:
                return Row("refusals", WRONG, f"{error.name.lower()} came as {reply.error.name.lower()}")
        self._puppet.replies.pop(name, None)
        detail = f"not {', '.join(unsaid)}" if unsaid else ""
        return Row("refusals", LACKING if len(unsaid) == len(Error) - 2 else CARRIED, detail)

    async def _event(self, name: str) -> Row:
        what = f"event {name}"
        if name not in self._profile.talk.events():
            return Row(what, LACKING)
        if name == "started":
            return Row(what, CARRIED, "when it starts; not tried")
        passed, unsaid = 0, []
        for values in _fields(self._kind, name):
            latest = await self._ready_for(name)
            self._let_happen(name, values)
            event = await self._next(latest)
            if event is None:
                unsaid.append(_shown(values))
                continue
            came = {key: value for key, value in event.values.items() if f"{name}.{key}" not in self._assumed}
            sent = {key: value for key, value in values.items() if f"{name}.{key}" not in self._assumed}
            if event.name != name or came != sent:
                return Row(what, WRONG, f"{_shown(values)} came as {event.name} {_shown(event.values)}")
            passed += 1
        assumed = [field for field in self._kind.events[name].fields if f"{name}.{field.name}" in self._assumed]
        details = [f"not {', '.join(unsaid)}"] if unsaid else []
        details += [f"{field.name} is assumed" for field in assumed]
        return Row(what, CARRIED if passed else WRONG, "; ".join(details))

    async def _ready_for(self, name: str) -> int:
        """The latest event, when the device is such that this one can be next: a flag that is to fall must be up."""
        latest = (await self._channel.events(0)).status.latest
        edges = self._profile.talk.edges.values() if isinstance(self._profile.talk, RegisterMap) else ()
        for edge in edges:
            opposite = {edge.rises: edge.falls, edge.falls: edge.rises}.get(name)
            if opposite is not None:
                self._let_happen(opposite, _fields(self._kind, opposite)[0])
                await self._next(latest)
        return (await self._channel.events(0)).status.latest

    def _let_happen(self, name: str, values: Values) -> None:
        if name == "faulted":
            self._puppet.state, self._puppet.fault = State.FAULT, FaultCode(int(str(values["fault"])))
        elif name == "cleared":
            self._puppet.state, self._puppet.fault = State.IDLE, FaultCode.NONE
        self._puppet.emit(name, values)

    async def _next(self, latest: int) -> Event | None:
        """The first event after a number; None when none comes in time."""
        async for _ in self._looks(WAIT + self._period):
            if events := (await self._channel.events(latest)).events:
                return events[0]
        return None

    async def _states(self) -> Row:
        """Which states the wire has words for, if it reports the state as such."""
        talk = self._profile.talk
        asked = self._status_answer() is not None
        if isinstance(talk, Dialogue) and not asked and not any(saying.status for saying in talk.says):
            followed = talk.reports_state()
            return Row("state", SUPPLIED if followed else LACKING, "from the events" if followed else "")
        unsaid = []
        for state in (State.READY, State.BUSY, State.LOCKED, State.IDLE):
            self._puppet.state, self._puppet.fault = state, FaultCode.NONE
            if not await (self._answers(state) if asked else self._shows(state)):
                unsaid.append(state.name.lower())
        return Row("state", CARRIED if len(unsaid) < 4 else WRONG, f"not {', '.join(unsaid)}" if unsaid else "")

    def _status_answer(self) -> MessageForm | None:
        """The message in which the device says its state when it is asked; None when there is none."""
        talk = self._profile.talk
        form = talk.commands.get("status") if isinstance(talk, Dialogue) else None
        answer = None if form is None else form.answer
        return answer if answer is not None and "state" in answer.pattern.names else None

    def _answerable(self, state: State) -> bool:
        """Whether the device has words for a state when it is asked, as far as it is asked."""
        answer = self._status_answer()
        if answer is None:
            return True
        try:
            answer.write({"token": 1, "state": int(state), "fault": int(FaultCode.NONE)})
        except ValueError:
            return False
        return True

    async def _answers(self, state: State) -> bool:
        if not self._answerable(state):
            return False
        return (await self._channel.request(Request("status"))).values.get("state") == state

    async def _shows(self, state: State) -> bool:
        async for _ in self._looks(WAIT + self._period):
            if (await self._channel.events(0)).status.state is state:
                return True
        return False


def _same(came: object, whole: str) -> bool:
    """Whether a text came as it is, or as much of it as its message has room for."""
    return isinstance(came, str) and came != "" and whole.startswith(came)


def _sayable(profile: Profile, name: str, error: Error) -> bool:
    try:
        if isinstance(profile.talk, Dialogue):
            refused = profile.talk.commands[name].refused
            if refused is None:
                return False
            refused.write({**_arguments(profile.kind, name)[0], "token": 1, "error": int(error)})
        else:
            result = profile.talk.commands[name].result
            if result is None:
                return False
            result.write(int(error))
    except ValueError:
        return False
    return True


def _arguments(kind: Kind, command: str) -> tuple[Values, ...]:
    return ARGUMENTS.get(command, ({field.name: _sample(field) for field in kind.commands[command].args},))


def _fields(kind: Kind, event: str) -> tuple[Values, ...]:
    return FIELDS.get(event, ({field.name: _sample(field) for field in kind.events[event].fields},))


def _sample(field: Field) -> Value:
    samples: Mapping[Type, Any] = {Type.BOOL: True, Type.BYTES: (1, 2, 3), Type.TEXT: "text"}
    return 32 * (7,) if field.name == "proof" else samples.get(field.type, 5)


def _shown(values: Values) -> str:
    words = {
        name: FaultCode(value).name.lower()
        for name, value in values.items()
        if name == "fault" and value in set(FaultCode)
    }
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    return " ".join(f"{name} {value}" for name, value in {**plain, **words}.items()) or "nothing"
