"""Tries a profile on the machine itself: asks what the profile can ask, and shows what nobody could read.

Two ends that are made from one description share its mistakes. Only the machine proves a profile.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from feltrig.errors import RigError
from feltrig.harness.rig import loading as rigfile
from feltrig.harness.rig.model import Rig
from feltrig.harness.wires import WIRES, wire_of
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.profile_check import ARGUMENTS
from feltrig.harness.wires.traffic import words
from feltrig.harness.wires.wire import DriverEnd
from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, WireError
from feltrig.protocols.messages import AttentiveChannel, Channel, Reply, Request, Unread, Value, Values
from feltrig.protocols.profiles.dialogue import Dialogue
from feltrig.protocols.profiles.message_channel import SETTLE, MessageChannel
from feltrig.protocols.profiles.profile import Profile
from feltrig.protocols.sniffing import Message
from feltrig.protocols.vocabulary import Error, FaultCode, State

NAME = "machine"
ANSWERED, REFUSED, UNANSWERED, UNREAD, HEARD = "answered", "refused", "not answered", "not read", "heard"
BAD = (UNANSWERED, UNREAD)
"""What keeps a profile from being proved by the machine."""

OnMessage = Callable[[bool, bytes, str], None]
"""Told what passed: whether it went to the machine, the bytes that completed it, and how it was read."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one question to the machine, or of what it said."""

    what: str
    outcome: str
    detail: str = ""


def machine_rig(profile: Profile, file: str, where: Mapping[str, Any], broker: str | None) -> Rig:
    """A rig with the machine alone, where the options say it is. Raises RigError."""
    given = {name: value for name, value in where.items() if value is not None}
    if "host" in given and str(given.get("port", "")).isdecimal():
        given["port"] = int(given["port"])
    suited = [name for name in profile.wires() if set(given) <= {each.name for each in fields(WIRES[name].config)}]
    if not suited:
        options = sorted({f"--{each.name}" for name in profile.wires() for each in fields(WIRES[name].config)})
        wrong = ", ".join(f"--{name}" for name in given)
        raise RigError(f"{wrong}: not for a profile of wire {profile.wire}, which has {', '.join(options)}")
    lines = ["feltrig = 1", f'name = "{NAME}"', f"[devices.{NAME}]", f"profile = {json.dumps(file)}"]
    lines.append(f'wire = "{suited[0]}"')
    lines += [f"{name} = {json.dumps(value)}" for name, value in given.items()]
    if broker is not None:
        host, _, port = broker.rpartition(":") if broker.rpartition(":")[2].isdecimal() else (broker, "", "")
        lines += ["[broker]", f"host = {json.dumps(host)}", *([f"port = {port}"] if port else [])]
    return rigfile.loads("\n".join(lines), "profile check", to_play=False)


async def check_machine(
    rig: Rig, listen: float, act: bool, on_message: OnMessage = lambda *_: None
) -> AsyncIterator[Finding]:
    """Ask the machine everything that the profile can ask; with `act`, also give it the commands that make it move.
    Raises RigError when it cannot be reached."""
    device = rig.devices[NAME]
    assert device.profile is not None
    wire = wire_of(device)
    async with EmulatedRig(rig, 0) as emulated:
        address = emulated.address(device)
        sniffer = wire.sniffer(device.profile.kind, device.profile, emulated.where(device), wire.number(device))

        def tap(outgoing: bool, data: bytes) -> None:
            messages: list[Message] = sniffer.hear(outgoing, data)
            for message in messages:
                on_message(outgoing, data, words(message))

        channel = wire.channel(DriverEnd(emulated.site, device, address, address, tap))
        try:
            await channel.open()
        except LineLost as error:
            raise RigError(f"{rig.source}: {error}") from error
        try:
            async for finding in _Talk(device.profile, channel).findings(listen, act):
                yield finding
        finally:
            await channel.close()


class _Talk:
    def __init__(self, profile: Profile, channel: Channel) -> None:
        self._profile = profile
        self._kind = profile.kind
        self._channel = channel
        self._seen = 0

    async def findings(self, listen: float, act: bool) -> AsyncIterator[Finding]:
        await asyncio.sleep(listen)
        for name, command in self._kind.commands.items():
            if name not in self._profile.talk.carried_commands() or name == "events":
                continue
            if command.acts and not act:
                yield Finding(f"command {name}", "not tried", "it makes the machine act; --act tries it")
                continue
            yield await self._ask(name)
            async for heard in self._heard(listen if command.acts else 0.0):
                yield heard
        async for heard in self._heard(listen):
            yield heard
        for unread in self._unread():
            yield Finding(unread.why, UNREAD, unread.shown)

    async def _ask(self, name: str) -> Finding:
        values = ARGUMENTS.get(name, ({},))[0]
        try:
            reply = await self._request(Request(name, values, 1))
        except (NoAnswer, Garbage) as error:
            await asyncio.sleep(SETTLE)
            return Finding(f"command {name}", UNANSWERED, str(error))
        except WireError as error:
            return Finding(f"command {name}", UNANSWERED, str(error))
        if reply.error is not Error.OK:
            return Finding(f"command {name}", REFUSED, reply.error.name.lower().replace("_", " "))
        form = self._profile.talk.commands.get(name) if isinstance(self._profile.talk, Dialogue) else None
        if form is not None and form.answer is None and form.answered_by is None:
            return Finding(f"command {name}", ANSWERED, "its protocol has no answer to it")
        own = self._profile.talk.identity() if name == "identify" else set(reply.values)
        said = {key: value for key, value in reply.values.items() if key in own}
        return Finding(f"command {name}", ANSWERED, _given(said))

    async def _request(self, request: Request) -> Reply:
        if isinstance(self._channel, MessageChannel):
            return await self._channel.attempt(request)
        return await self._channel.request(request)

    async def _heard(self, seconds: float) -> AsyncIterator[Finding]:
        """What the machine reports within a time."""
        await asyncio.sleep(seconds)
        try:
            batch = await self._channel.events(self._seen)
        except WireError as error:
            yield Finding("reports", UNANSWERED, str(error))
            return
        for event in batch.events:
            self._seen = event.number
            yield Finding(f"event {event.name}", HEARD, _given(event.values))

    def _unread(self) -> list[Unread]:
        return self._channel.unread if isinstance(self._channel, AttentiveChannel) else []


CODES: Mapping[str, type[State | FaultCode]] = {"state": State, "fault": FaultCode}


def _given(values: Values) -> str:
    return ", ".join(
        f"{name} {_shown(name, value)}" for name, value in values.items() if name not in ("oldest", "latest")
    )


def _shown(name: str, value: Value) -> str:
    if name in CODES and isinstance(value, int):
        return CODES[name](value).name.lower()
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
