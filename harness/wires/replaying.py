"""Serves a recorded run: each device on its own kind of wire, answering as it did; nothing physical is needed."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from feltrig.emulators.machine import Station
from feltrig.emulators.replay.machine import RecordedMachine, StrictClock
from feltrig.emulators.replay.script import Report
from feltrig.emulators.replay.session import session
from feltrig.errors import RigError
from feltrig.harness.rig.keys import emulated_on
from feltrig.harness.rig.model import BrokerConfig, DeviceConfig, Rig
from feltrig.harness.table.replayed_operator import ReplayedOperator
from feltrig.harness.wires import WIRES, wire_of
from feltrig.harness.wires import recording as recordings
from feltrig.harness.wires.endpoints import Endpoint
from feltrig.harness.wires.recording import RecordedDevice, Recording
from feltrig.harness.wires.site import RigSite
from feltrig.harness.wires.wire import DeviceEnd, Listening, Recorded, Verbatim, Wire


def replay_wire(name: str) -> Wire[Any]:
    """The wire on which a recording from a wire is served."""
    return WIRES[WIRES[name].replayed_as or name]


class ReplayedRig:
    """Serves recorded devices while it is entered: decoded, or with `raw` as they spoke, as are always those with
    a profile of their own. `speed` scales the recorded times; 0 is as fast as possible. With `hands`, these switch the
    devices off and on where that was recorded; else their power goes and comes by itself."""

    def __init__(
        self,
        devices: Sequence[RecordedDevice],
        report: Report,
        *,
        raw: bool = False,
        speed: float = 1.0,
        hands: bool = False,
    ) -> None:
        self._devices = devices
        self._report = report
        self._raw = raw
        self._speed = speed
        self._hands = hands
        self._stack = AsyncExitStack()
        self._told: list[RecordedMachine | Verbatim] = []
        self._site = RigSite(None)
        self.endpoints: dict[str, Endpoint] = {}

    @property
    def broker(self) -> BrokerConfig | None:
        """The broker, as one that runs already; None if no device was recorded on one."""
        return None if self._site.broker is None else replace(self._site.broker, embedded=None)

    @property
    def deviations(self) -> list[str]:
        """Where the sessions left the recording."""
        return [line for told in self._told for line in told.deviations]

    @property
    def left(self) -> dict[str, int]:
        """Commands of the recording that have not come, by device; of those that have any."""
        machines = zip(self.endpoints, self._told, strict=True)
        return {name: told.left for name, told in machines if isinstance(told, RecordedMachine) and told.left}

    def powered(self, kind: str) -> bool:
        """Whether the device of this kind has power."""
        now = time.monotonic()
        return all(
            told.has_power(now) if isinstance(told, RecordedMachine) else told.powered for told in self._of_kind(kind)
        )

    def power_off(self, kind: str) -> None:
        """Hands switch the device of this kind off."""
        for told in self._of_kind(kind):
            if isinstance(told, RecordedMachine):  # else it says nothing before it is switched on again
                told.power_off(time.monotonic())

    def cut_power_at_work(self, kind: str) -> None:
        """Hands are ready to switch the device of this kind off while it works."""
        for told in self._of_kind(kind):
            if isinstance(told, RecordedMachine):
                told.cut_power_at_work()

    def power_on(self, kind: str) -> None:
        """Hands switch the device of this kind on."""
        for told in self._of_kind(kind):
            if isinstance(told, RecordedMachine):
                told.power_on(time.monotonic())
            else:
                told.power_on()

    async def __aenter__(self) -> Self:
        try:
            for device in self._devices:
                wire = replay_wire(device.wire)
                if wire.on_broker and self.broker is None:
                    broker = await self._site.serve_broker(self._stack)
                    assert broker is not None
                    broker.on_subscribe = self._listened
                station, number = self._station(device, wire)
                self._stack.push_async_callback(station.stop)
                where = await station.start()
                self.endpoints[device.name] = Endpoint(device.name, device.kind.name, wire.name, where, number)
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def _station(self, device: RecordedDevice, wire: Wire[Any]) -> tuple[Station, int | None]:
        if device.profile is not None or (self._raw and wire.byte_exact):
            passed = [(chunk.at, chunk.outgoing, chunk.data) for chunk in device.chunks if chunk.data]
            starts = tuple(chunk.at for chunk in device.chunks if chunk.switched) if self._hands else ()
            told = wire.verbatim(
                Recorded(device.name, passed, self._report, self._speed, device.where, self.broker, starts)
            )
            self._told.append(told)
            return told, None
        sniffer = device.sniffer()
        messages = [
            (chunk.at, message) for chunk, message in device.messages(sniffer) if not chunk.came_back or wire.comes_back
        ]
        said = session(device.kind, messages)
        machine = RecordedMachine(
            device.name,
            device.kind,
            device.identity,
            said,
            self._report,
            pushes=wire.pushes,
            speed=self._speed,
            hands=self._hands,
        )
        self._told.append(machine)
        config = emulated_on(wire.name, device.kind.name, device.name)
        config = replace(config, wire=wire.recognised(sniffer, device.where))
        clock = StrictClock(time.monotonic)
        end = DeviceEnd(self._site, config, machine, clock, machine.spoil, powered=lambda: machine.powered)
        return wire.station(end), wire.number(config)

    def _of_kind(self, kind: str) -> list[RecordedMachine | Verbatim]:
        return [told for device, told in zip(self._devices, self._told, strict=True) if device.kind.name == kind]

    def _listened(self, pattern: str) -> None:
        for told in self._told:
            if isinstance(told, Listening):
                told.listened(pattern)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A recorded run that is being served, and what it takes to play it again: `wire(rig, journal, seed, ask,
    operator=operator)`, or `run(rig, rounds, seed, …, operator=operator)`."""

    rig: Rig
    """The rig file's rig, its devices where the recorded ones are served."""
    seed: int
    rounds: int
    drills: bool
    operator: ReplayedOperator
    served: ReplayedRig

    @property
    def deviations(self) -> list[str]:
        """Where the driver left the recording; empty when all that was asked had been asked before."""
        return self.served.deviations


@asynccontextmanager
async def replayed(
    folder: Path, rig: Rig, *, report: Report = lambda line: None, raw: bool = False, speed: float = 1.0
) -> AsyncIterator[Replayed]:
    """Serve the run in a folder to the rig that it was recorded with. Raises RigError when they do not fit."""
    recording = recordings.load(folder)
    async with ReplayedRig(list(recording.devices.values()), report, raw=raw, speed=speed, hands=True) as served:
        pointed = _pointed(rig, recording, served)
        operator = ReplayedOperator(served, recording.buttons, recording.spins, recording.refused)
        yield Replayed(pointed, recording.seed, recording.rounds, recording.drilled, operator, served)


def _pointed(rig: Rig, recording: Recording, served: ReplayedRig) -> Rig:
    """The rig with its devices where the recorded ones are served. Noise on its wires is in the recording already."""
    devices = {}
    for device in rig.devices.values():
        place = served.endpoints.get(device.name)
        wire = replay_wire(device.wire.name).name
        if place is None or (place.kind, place.wire) != (device.kind, wire):
            found = f"a {place.kind} on {place.wire}" if place else "none of that name"
            raise RigError(f"{rig.source}: devices.{device.name}: {recording.folder} has {found}")
        powered = partial(served.powered, device.kind)
        devices[device.name] = replace(_at(device, place, recording.devices[device.name]), replayed=powered)
    return replace(rig, devices=devices, broker=served.broker)


def _at(device: DeviceConfig, place: Endpoint, recorded: RecordedDevice) -> DeviceConfig:
    # A challenge with a new nonce has no recorded answer; that is what a nonce is for.
    identity = replace(device.identity, image=None, digest=device.identity.digest or recorded.digest)
    wire = wire_of(device).at(device.wire, place.where)
    return replace(device, wire=wire, emulator=None, noise=(), identity=identity)
