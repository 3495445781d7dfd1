"""The emulated side of a rig: a bench with cards, a model of each emulated device, and the stations that serve them."""

import asyncio
import os
import random
import ssl
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from feltrig.emulators.bench import Bench
from feltrig.emulators.machine import Machine, Station
from feltrig.emulators.models import MODELS
from feltrig.emulators.models.device import Device, emulated
from feltrig.emulators.models.misbehaviour import Misbehaviour
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.line_port import MakePort
from feltrig.emulators.stations.modbus_station import ModbusRtuStation, ModbusTcpStation, Responder
from feltrig.emulators.stations.pty_port import PtyPort
from feltrig.emulators.stations.rfc2217_port import Rfc2217Port
from feltrig.emulators.stations.serial_station import SerialStation
from feltrig.emulators.stations.tcp_serial_port import TcpSerialPort
from feltrig.engine.games import GAMES
from feltrig.harness.rig.loading import RigError
from feltrig.harness.rig.model import (
    BrokerConfig,
    DeviceConfig,
    EmbeddedBroker,
    EmulatorConfig,
    ModbusRtu,
    ModbusTcp,
    ModbusTls,
    Mqtt,
    Rig,
    Serial,
)
from feltrig.harness.rig.tls import client_context, refused, server_context
from feltrig.harness.table.firmware import digest, read_image
from feltrig.harness.wires.endpoints import Endpoint, number_of
from feltrig.harness.wires.usercode import FAILURES, Breakdown, Guarded, failure, find
from feltrig.protocols.errors import LineLost, NotAdmitted
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Identity

if TYPE_CHECKING:
    from feltrig.emulators.certificates import Authority

LOOPBACK = "127.0.0.1"

LineStation = SerialStation | ModbusRtuStation | ModbusTcpStation
"""A station that can serve several machines, told apart by address or unit."""


class _SharedLine(NamedTuple):
    station: LineStation
    where: str


class EmulatedRig:
    """Serves the emulated devices of a rig while it is entered. Raises Breakdown on leaving if a function of the user's
    failed; the task that entered is cancelled when that happens, and so leaves at once."""

    def __init__(self, rig: Rig, seed: int) -> None:
        self._rig = rig
        self._seed = seed
        self._stack = AsyncExitStack()
        self.bench = Bench()
        self.machines: dict[str, Device[Any]] = {}
        self.served: dict[str, Machine] = {}
        """The machines as their stations have them; time is let pass here, where a function of the user's may fail."""
        self.endpoints: dict[str, Endpoint] = {}
        self._lines: dict[str, _SharedLine] = {}
        self.broker = rig.broker
        self._deck_size = len(GAMES[rig.game.name].cards)
        self._task: asyncio.Task[Any] | None = None
        self._breakdown: Breakdown | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.current_task()
        try:
            if any(isinstance(d.wire, Mqtt) for d in self._rig.devices.values()):
                await self._serve_broker(self.broker or BrokerConfig(LOOPBACK, 0, embedded=EmbeddedBroker()))
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
        if self._breakdown is not None:
            if self._task is not None and kind is asyncio.CancelledError:
                self._task.uncancel()
            raise self._breakdown

    @cached_property
    def authority(self) -> "Authority":
        """Issues the certificates of those emulated ends of TLS that were given none."""
        from feltrig.emulators.certificates import Authority  # noqa: PLC0415 - slow to import, and few rigs need it

        return Authority()

    @property
    def made_up(self) -> bytes | None:
        """The authority's own certificate in PEM, if it has issued any."""
        return self.authority.pem if "authority" in vars(self) else None

    def broker_context(self) -> ssl.SSLContext | None:
        """TLS for whoever connects to the broker; None without. Raises RigError."""
        if self.broker is None or not self.broker.tls:
            return None
        embedded = self.broker.embedded
        made_up = embedded is not None and embedded.certificate is None
        return client_context(self._rig, "broker", self.broker, self.authority if made_up else None)

    async def _serve_broker(self, config: BrokerConfig) -> None:
        """Start the broker, unless it is one that runs already."""
        if config.embedded is None:
            return
        from feltrig.emulators.broker import Broker  # noqa: PLC0415 - only rigs with MQTT wait for it

        context = None
        if config.tls:
            context = server_context(self._rig, "broker.embedded", config.embedded, config.host, self.authority)
        users = None if config.username is None else {config.username: config.password or ""}
        broker = Broker(config.host, config.port, users, context)
        self._stack.push_async_callback(broker.stop)
        try:
            port = await broker.start()
        except OSError as error:
            said = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
            raise RigError(f"{self._rig.source}: broker.embedded: {config.host}:{config.port}: {said}") from error
        self.broker = replace(config, port=port)

    async def _serve(self, device: DeviceConfig, emulator: EmulatorConfig) -> None:
        machine = self._model(device, emulator)
        self._load_firmware(machine, device, emulator)
        machine.advance(time.monotonic())  # its clock starts here, and with it the time of its faults
        self.machines[device.name] = machine
        served: Machine = machine
        if emulator.mechanics is not None:
            served = Guarded(machine, partial(self._broke_down, device, emulator.mechanics))
        self.served[device.name] = served
        line = self._lines.get(emulator.line or "")
        if line is not None:
            number, misbehave = number_of(device) or 0, Misbehaviour(machine.board)
            if isinstance(line.station, SerialStation):
                line.station.add(served, number, misbehave)
            else:
                line.station.add(_on_registers(device, served), number, misbehave)
            where = line.where
        else:
            station = self._station(device, emulator, served)
            self._stack.push_async_callback(station.stop)
            try:
                where = await station.start()
            except NotAdmitted as error:
                raise refused(self._rig, device, error) from error
            except (OSError, LineLost) as error:
                raise RigError(f"{self._key(device)}: cannot be served: {_why(device, error)}") from error
            if emulator.line is not None and isinstance(station, LineStation):
                self._lines[emulator.line] = _SharedLine(station, where)
        self.endpoints[device.name] = Endpoint(device.name, device.kind, device.wire.name, where, number_of(device))

    def _model(self, device: DeviceConfig, emulator: EmulatorConfig) -> Device[Any]:
        model = MODELS[device.kind]
        setup = Setup(
            device.name,
            self._device_seed(device, emulator),
            emulator.speed,
            emulator.faults,
            _identity(device, emulator),
            bench=self.bench,
            decks=self._rig.game.decks,
            deck_size=lambda: self._deck_size,
            settings={key.name: getattr(emulator, key.name) for key in model.keys},
        )
        if emulator.mechanics is None:
            return model.build(setup)
        try:
            function = find(emulator.mechanics, Path(self._rig.source).parent, device.kind)
        except ValueError as error:
            raise RigError(f"{self._key(device)}.emulator.mechanics: {error}") from error
        try:
            return model.build(replace(setup, mechanics=function))
        except FAILURES as error:  # dice lie in the shaker from the start
            raise RigError(self._failure(device, emulator.mechanics, error)) from error

    def expect(self, cards: int) -> None:
        """Let a whole deck have so many cards from now on."""
        self._deck_size = cards

    def reseed(self, seed: str) -> None:
        """Let every device draw from new streams; one with a seed of its own in the rig file keeps to that."""
        for name, machine in self.machines.items():
            emulator = self._rig.devices[name].emulator
            own = seed if emulator is None or emulator.seed is None else f"{emulator.seed} {seed.partition(' ')[2]}"
            machine.board.reseed(own)

    def memory(self) -> dict[str, Any]:
        """What the devices remember beyond what is seen of them: how far their faults have come."""
        return {name: machine.board.memory for name, machine in self.machines.items() if machine.board.memory}

    def restore(self, memory: Mapping[str, Any]) -> None:
        """Let them go on where they were."""
        for name, counts in memory.items():
            self.machines[name].board.memory = counts

    def _load_firmware(self, machine: Device[Any], device: DeviceConfig, emulator: EmulatorConfig) -> None:
        """Give the device the image of the file. One whose digest is given too says that, true or not."""
        if emulator.identity.image is not None:
            key = f"devices.{device.name}.emulator.identity.image"
            machine.image = read_image(self._rig, key, emulator.identity.image)
            if emulator.identity.digest is None:
                machine.identity = replace(machine.identity, digest=digest(machine.image))

    def _broke_down(self, device: DeviceConfig, mechanics: str, error: BaseException) -> None:
        if self._breakdown is None and self._task is not None:
            self._breakdown = Breakdown(device.name, self._failure(device, mechanics, error))
            self._task.cancel()

    def _failure(self, device: DeviceConfig, mechanics: str, error: BaseException) -> str:
        return f"{self._key(device)}.emulator.mechanics: {failure(mechanics, error)}"

    def _key(self, device: DeviceConfig) -> str:
        return f"{self._rig.source}: devices.{device.name}"

    def _device_seed(self, device: DeviceConfig, emulator: EmulatorConfig) -> int:
        """The device's own seed, or one that follows from the run's."""
        if emulator.seed is not None:
            return emulator.seed
        return random.Random(f"{self._seed} {device.name}").getrandbits(63)

    def _station(self, device: DeviceConfig, emulator: EmulatorConfig, machine: Machine) -> Station:
        misbehave = Misbehaviour(self.machines[device.name].board)
        clock, profile = time.monotonic, device.profile
        slave = _on_registers(device, machine)
        match device.wire:
            case Serial() if profile is not None:
                from feltrig.emulators.profiles.serial import serial_station  # noqa: PLC0415 - few rigs have profiles

                return serial_station(profile, machine, clock, misbehave, _port(emulator))
            case Serial(address=address):
                return SerialStation(machine, address, clock=clock, misbehave=misbehave, port=_port(emulator))
            case ModbusRtu(unit=unit):
                return ModbusRtuStation(slave, unit, clock=clock, misbehave=misbehave, port=_port(emulator))
            case ModbusTcp(port=port, unit=unit, host=host):
                return ModbusTcpStation(slave, unit, host or LOOPBACK, port, clock=clock, misbehave=misbehave)
            case ModbusTls(port=port, unit=unit, host=host):
                where, host = f"devices.{device.name}.emulator", host or LOOPBACK
                context = server_context(self._rig, where, emulator, host, self.authority)
                return ModbusTcpStation(slave, unit, host, port, clock=clock, misbehave=misbehave, tls=context)
            case Mqtt(topic=topic, mqtt=version) if profile is not None:
                assert self.broker is not None
                from feltrig.emulators.profiles.mqtt import mqtt_station  # noqa: PLC0415 - few rigs have profiles
                from feltrig.protocols.mqtt.link import Server  # noqa: PLC0415 - only rigs with MQTT wait for it

                broker = self.broker
                server = Server(
                    broker.host, broker.port, version, broker.username, broker.password, self.broker_context()
                )
                return mqtt_station(profile, machine, topic, server, clock, misbehave)
            case Mqtt(topic=topic, mqtt=version):
                assert self.broker is not None
                from feltrig.emulators.stations.mqtt_station import MqttStation  # noqa: PLC0415 - only rigs with MQTT wait for it

                return MqttStation(
                    machine,
                    topic,
                    self.broker.host,
                    self.broker.port,
                    version=version,
                    username=self.broker.username,
                    password=self.broker.password,
                    tls=self.broker_context(),
                    clock=clock,
                    misbehave=misbehave,
                )


def _on_registers(device: DeviceConfig, machine: Machine) -> Machine | Responder:
    """The machine, behind the registers of its profile if that describes any."""
    if device.profile is None or device.profile.wire != "modbus":
        return machine
    from feltrig.emulators.profiles.registers import on_registers  # noqa: PLC0415 - few rigs have profiles

    return on_registers(device.profile, machine)


def _port(emulator: EmulatorConfig) -> MakePort:
    """What a serial port of an emulated device is made of."""
    match emulator.serve:
        case "tcp":
            return partial(TcpSerialPort, port=emulator.listen or 0)
        case "rfc2217":
            return partial(Rfc2217Port, port=emulator.listen or 0)
    return PtyPort


def _why(device: DeviceConfig, error: OSError | LineLost) -> str:
    """Why a station did not start, and where."""
    if isinstance(error, LineLost):
        return str(error)
    # asyncio's own words for a port in use repeat the address as a tuple.
    said = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
    match device.wire:
        case ModbusTcp(host=host, port=port) | ModbusTls(host=host, port=port):
            return f"{host or LOOPBACK}:{port}: {said}"
    listen = device.emulator.listen if device.emulator is not None else None
    return said if listen is None else f"{LOOPBACK}:{listen}: {said}"


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
