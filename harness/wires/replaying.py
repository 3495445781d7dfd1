"""Serves a recorded run: each device on its own kind of wire, answering as it did; nothing physical is needed."""

import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from feltrig.emulators.broker import Broker
from feltrig.emulators.machine import Station
from feltrig.emulators.replay.bytes_station import RecordedPty, RecordedTcp
from feltrig.emulators.replay.machine import RecordedMachine, StrictClock, session
from feltrig.emulators.replay.script import Report
from feltrig.emulators.replay.topics_station import RecordedTopics
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.harness.rig.loading import RigError
from feltrig.harness.rig.model import (
    BrokerConfig,
    DeviceConfig,
    ModbusRtu,
    ModbusTcp,
    ModbusTls,
    Mqtt,
    Rig,
    Serial,
    Wire,
)
from feltrig.harness.table.replayed_operator import Rerun
from feltrig.harness.wires import recording as recordings
from feltrig.harness.wires.emulated_rig import LOOPBACK
from feltrig.harness.wires.endpoints import Endpoint
from feltrig.harness.wires.recording import RecordedDevice, Recording
from feltrig.protocols.modbus.sniffer import ModbusSniffer
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.mqtt.packets import V5
from feltrig.protocols.mqtt.sniffer import MqttSniffer
from feltrig.protocols.serial.sniffer import SerialSniffer

SERVED_ON = {"modbus-tls": "modbus-tcp"}
"""TLS is not in a recording, only what it carried."""

BYTE_WIRES = ("serial", "modbus-rtu", "modbus-tcp", "modbus-tls")
"""Wires that can be replayed byte for byte. On MQTT a broker stands between: there it is message for message, and only
for a profile, since the calls of the open profile are told from each other by random numbers."""

COME_BACK = ("modbus-tcp", "modbus-tls")
"""Wires on which a station that drops the line can be reached again at the same place. On the others, a line that was
lost and came back is replayed as an answer that was lost."""

Verbatim = RecordedPty | RecordedTcp | RecordedTopics
"""A device that says what was recorded, undecoded."""


class ReplayedRig:
    """Serves recorded devices while it is entered: decoded, or with `raw` as they spoke, as are always those with
    a profile of their own. `speed` scales the recorded times; 0 is as fast as can be."""

    def __init__(
        self, devices: Sequence[RecordedDevice], report: Report, *, raw: bool = False, speed: float = 1.0
    ) -> None:
        self._devices = devices
        self._report = report
        self._raw = raw
        self._speed = speed
        self._stack = AsyncExitStack()
        self._told: list[RecordedMachine | Verbatim] = []
        self._numbers: dict[str, int] = {}
        self.endpoints: dict[str, Endpoint] = {}
        self.broker: BrokerConfig | None = None

    @property
    def deviations(self) -> list[str]:
        """Where the sessions left the recording."""
        return [line for told in self._told for line in told.deviations]

    @property
    def left(self) -> dict[str, int]:
        """Commands of the recording that have not come, by device; of those that have any."""
        machines = zip(self.endpoints, self._told, strict=True)
        return {name: told.left for name, told in machines if isinstance(told, RecordedMachine) and told.left}

    async def __aenter__(self) -> Self:
        try:
            for device in self._devices:
                station = await self._station(device)
                self._stack.push_async_callback(station.stop)
                where = await station.start()
                served_on = SERVED_ON.get(device.wire, device.wire)
                number = self._numbers.get(device.name)
                self.endpoints[device.name] = Endpoint(device.name, device.kind.name, served_on, where, number)
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def _station(self, device: RecordedDevice) -> Station:
        if device.profile is not None or (self._raw and device.wire in BYTE_WIRES):
            told = await self._verbatim(device)
            self._told.append(told)
            return told
        sniffer = device.sniffer()
        messages = [
            (chunk.at, message)
            for chunk, message in device.messages(sniffer)
            if not chunk.came_back or device.wire in COME_BACK
        ]
        machine = RecordedMachine(
            device.name,
            device.kind,
            device.identity,
            session(device.kind, messages),
            self._report,
            pushes=isinstance(sniffer, MqttSniffer),
            speed=self._speed,
        )
        self._told.append(machine)
        clock, spoil = StrictClock(time.monotonic), machine.spoil
        match sniffer:
            case SerialSniffer(address=address):
                self._numbers[device.name] = number = 1 if address is None else address
                return SerialStation(machine, number, clock, spoil)
            case ModbusSniffer(unit=unit):
                self._numbers[device.name] = number = unit or 1
                if device.wire == "modbus-rtu":
                    return ModbusRtuStation(machine, number, clock, spoil)
                return ModbusTcpStation(machine, number, LOOPBACK, 0, clock, spoil)
            case MqttSniffer(version=version):
                broker = await self._the_broker()
                return MqttStation(
                    machine,
                    device.where,
                    broker.host,
                    broker.port,
                    version="5" if version == V5 else "3.1.1",
                    clock=clock,
                    misbehave=spoil,
                )
        raise TypeError(f"{device.name}: {sniffer!r} is no sniffer of {device.wire}")

    async def _verbatim(self, device: RecordedDevice) -> Verbatim:
        passed = [(chunk.at, chunk.outgoing, chunk.data) for chunk in device.chunks if chunk.data]
        told = (device.name, passed, self._report, self._speed)
        if device.wire == "mqtt":
            broker = await self._the_broker()
            return RecordedTopics(*told, topic=device.where, server=Server(broker.host, broker.port))
        return RecordedTcp(*told) if SERVED_ON.get(device.wire, device.wire) == "modbus-tcp" else RecordedPty(*told)

    async def _the_broker(self) -> BrokerConfig:
        if self.broker is None:
            broker = Broker(LOOPBACK)
            broker.on_subscribe = self._listened
            self._stack.push_async_callback(broker.stop)
            self.broker = BrokerConfig(LOOPBACK, await broker.start())
        return self.broker

    def _listened(self, pattern: str) -> None:
        for told in self._told:
            if isinstance(told, RecordedTopics):
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
    operator: Rerun
    served: ReplayedRig

    @property
    def deviations(self) -> list[str]:
        """Where the session left the recording; empty when all that was asked had been asked before."""
        return self.served.deviations


@asynccontextmanager
async def replayed(
    folder: Path, rig: Rig, *, report: Report = lambda line: None, raw: bool = False, speed: float = 1.0
) -> AsyncIterator[Replayed]:
    """Serve the run in a folder to the rig that it was recorded with. Raises RigError when they do not fit."""
    recording = recordings.load(folder)
    async with ReplayedRig(list(recording.devices.values()), report, raw=raw, speed=speed) as served:
        pointed = _pointed(rig, recording, served.endpoints, served.broker)
        operator = Rerun(recording.buttons, recording.spins)
        yield Replayed(pointed, recording.seed, recording.rounds, recording.drilled, operator, served)


def _pointed(rig: Rig, recording: Recording, endpoints: Mapping[str, Endpoint], broker: BrokerConfig | None) -> Rig:
    """The rig with its devices where the recorded ones are served. Noise on its wires is in the recording already."""
    devices = {}
    for device in rig.devices.values():
        place = endpoints.get(device.name)
        wire = SERVED_ON.get(device.wire.name, device.wire.name)
        if place is None or (place.kind, place.wire) != (device.kind, wire):
            found = f"a {place.kind} on {place.wire}" if place else "none of that name"
            raise RigError(f"{rig.source}: devices.{device.name}: {recording.folder} has {found}")
        devices[device.name] = _at(device, place, recording.devices[device.name])
    return replace(rig, devices=devices, broker=broker)


def _at(device: DeviceConfig, place: Endpoint, recorded: RecordedDevice) -> DeviceConfig:
    def at(wire: Wire) -> Wire:
        match wire:
            case Serial() | ModbusRtu():
                return replace(wire, port=place.where)
            case ModbusTcp(unit=unit) | ModbusTls(unit=unit):
                host, _, port = place.where.rpartition(":")
                return ModbusTcp(host, int(port), unit)
            case Mqtt():
                return replace(wire, topic=place.where)

    # A challenge with a new nonce has no recorded answer; that is what a nonce is for.
    identity = replace(device.identity, image=None, digest=device.identity.digest or recorded.digest)
    return replace(device, wire=at(device.wire), emulator=None, noise=(), identity=identity)
