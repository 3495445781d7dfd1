"""The emulated side of a rig: a bench with cards, a model of each emulated device, and the stations that serve them."""

import random
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from feltrig.emulators import faults, mechanics, reader, rng, shaker, shoe, shuffler
from feltrig.emulators.bench import Bench
from feltrig.emulators.broker import Broker
from feltrig.emulators.device import Device, emulated
from feltrig.emulators.machine import Station
from feltrig.emulators.modbus_station import ModbusRtuStation, ModbusTcpStation
from feltrig.emulators.mqtt_station import MqttStation
from feltrig.emulators.serial_station import SerialStation
from feltrig.harness.rigconfig import (
    BrokerConfig,
    DeviceConfig,
    EmulatorConfig,
    ModbusRtu,
    ModbusTcp,
    Mqtt,
    Rig,
    Serial,
)
from feltrig.harness.rigfile import RigError
from feltrig.protocols.messages import Identity
from feltrig.protocols.vocabulary import KINDS

LOOPBACK = "127.0.0.1"

MODELS: Mapping[str, Callable[..., Device[Any]]] = {
    "rng": rng.rng,
    "shaker": shaker.shaker,
    "shuffler": shuffler.shuffler,
    "shoe": shoe.shoe,
    "reader": reader.reader,
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where an emulated device is served."""

    name: str
    kind: str
    wire: str
    where: str
    """A port's path, `host:port`, or a topic."""


class EmulatedRig:
    """Serves the emulated devices of a rig while it is entered."""

    def __init__(self, rig: Rig, seed: int) -> None:
        self._rig = rig
        self._seed = seed
        self._stack = AsyncExitStack()
        self.bench = Bench()
        self.machines: dict[str, Device[Any]] = {}
        self.places: dict[str, Place] = {}
        self.broker = rig.broker

    async def __aenter__(self) -> Self:
        try:
            if self.broker is None and any(isinstance(d.wire, Mqtt) for d in self._rig.devices.values()):
                broker = Broker(LOOPBACK)
                self._stack.push_async_callback(broker.stop)
                self.broker = BrokerConfig(LOOPBACK, await broker.start())
            for device in self._rig.devices.values():
                if device.emulator is not None:
                    await self._serve(device, device.emulator)
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    async def _serve(self, device: DeviceConfig, emulator: EmulatorConfig) -> None:
        machine = self._model(device, emulator)
        self.machines[device.name] = machine
        station = self._station(device, emulator, machine)
        self._stack.push_async_callback(station.stop)
        try:
            where = await station.start()
        except OSError as error:
            raise RigError(f"{self._rig.source}: devices.{device.name}: cannot be served: {error.strerror}") from error
        self.places[device.name] = Place(device.name, device.kind, device.wire.name, where)

    def _model(self, device: DeviceConfig, emulator: EmulatorConfig) -> Device[Any]:
        more: dict[str, Any] = {}
        if device.kind in ("shuffler", "shoe", "reader"):
            more["bench"] = self.bench
        if device.kind == "shuffler":
            more |= {"decks": self._rig.game.decks, "counts": emulator.counts, "feeds": None}
            if emulator.feeds is not None:
                more["feeds"] = f"{emulator.feeds}.well"
        if emulator.mechanics is not None:
            try:
                more["mechanics"] = mechanics.load(emulator.mechanics)
            except ValueError as error:
                key = f"devices.{device.name}.emulator.mechanics"
                raise RigError(f"{self._rig.source}: {key}: {error}") from error
        return MODELS[device.kind](
            device.name,
            self._device_seed(device, emulator),
            speed=emulator.speed,
            faults=emulator.faults,
            identity=_identity(device, emulator),
            **more,
        )

    def _device_seed(self, device: DeviceConfig, emulator: EmulatorConfig) -> int:
        """The device's own seed, or one that follows from the run's."""
        if emulator.seed is not None:
            return emulator.seed
        return random.Random(f"{self._seed} {device.name}").getrandbits(63)

    def _station(self, device: DeviceConfig, emulator: EmulatorConfig, machine: Device[Any]) -> Station:
        misbehave = faults.misbehaviour(device.kind, emulator.faults, self._device_seed(device, emulator))
        clock = time.monotonic
        match device.wire:
            case Serial(address=address):
                return SerialStation(machine, address, clock=clock, misbehave=misbehave)
            case ModbusRtu(unit=unit):
                return ModbusRtuStation(machine, unit, clock=clock, misbehave=misbehave)
            case ModbusTcp(port=port, unit=unit, host=host):
                return ModbusTcpStation(machine, unit, host or LOOPBACK, port, clock=clock, misbehave=misbehave)
            case Mqtt(topic=topic, mqtt=version):
                assert self.broker is not None
                return MqttStation(
                    machine,
                    topic,
                    self.broker.host,
                    self.broker.port,
                    version=version,
                    username=self.broker.username,
                    password=self.broker.password,
                    clock=clock,
                    misbehave=misbehave,
                )


def _identity(device: DeviceConfig, emulator: EmulatorConfig) -> Identity:
    made_up = emulated(KINDS[device.kind], device.name)
    said = emulator.identity
    return Identity(
        kind=device.kind,
        vendor=said.vendor or made_up.vendor,
        model=said.model or made_up.model,
        serial=said.serial or made_up.serial,
        firmware=said.firmware or made_up.firmware,
        digest=said.digest or made_up.digest,
    )
