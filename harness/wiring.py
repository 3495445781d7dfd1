"""A rig with its wires plugged in: a driver for each device, and whoever has hands at the table."""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass

from feltrig.engine.cards import deck
from feltrig.harness.driver import Driver, identity_record
from feltrig.harness.emulation import EmulatedRig
from feltrig.harness.journal import Journal
from feltrig.harness.operator import BenchOperator, Operator
from feltrig.harness.rigconfig import DeviceConfig, ModbusRtu, ModbusTcp, Mqtt, Rig, Serial
from feltrig.harness.rigfile import RigError
from feltrig.harness.sessions import COMPARTMENTS
from feltrig.harness.technician import Ask, Technician
from feltrig.protocols.errors import LineLost
from feltrig.protocols.messages import Channel, Tap
from feltrig.protocols.modbus_channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.mqtt_channel import MqttChannel
from feltrig.protocols.serial_channel import SerialChannel
from feltrig.protocols.vocabulary import KINDS

HANDLE_CARDS = ("shuffler", "shoe", "reader")


@dataclass(frozen=True, slots=True)
class WiredRig:
    """Drivers by kind of device, the operator, and the emulated side (its machines and bench)."""

    devices: Mapping[str, Driver]
    operator: Operator
    emulated: EmulatedRig


@asynccontextmanager
async def wire(rig: Rig, journal: Journal, seed: int, ask: Ask) -> AsyncIterator[WiredRig]:
    """Serve what is emulated, open every wire, and record who answers. `ask` prompts a technician on hardware."""
    async with AsyncExitStack() as stack:
        emulated = await stack.enter_async_context(EmulatedRig(rig, seed))
        operator = _operator(rig, emulated, seed, ask)
        devices: dict[str, Driver] = {}
        for device in rig.devices.values():
            channel = _channel(device, emulated, journal.tap(device.name))
            driver = Driver(device.name, KINDS[device.kind], channel, journal, device.patience)
            stack.push_async_callback(driver.close)
            try:
                await channel.open()
            except LineLost as error:
                raise RigError(f"{rig.source}: devices.{device.name}: {error}") from error
            devices[device.kind] = driver
            await driver.open()
            _record(journal, device, emulated, driver)
        yield WiredRig(devices, operator, emulated)


def _operator(rig: Rig, emulated: EmulatedRig, seed: int, ask: Ask) -> Operator:
    handlers = [d for d in rig.devices.values() if d.kind in HANDLE_CARDS]
    real = [d.name for d in handlers if d.emulator is None]
    if not real:
        feeding = rig.device("shuffler")
        feeds = feeding is not None and feeding.emulator is not None and feeding.emulator.feeds is not None
        machines = {d.kind: d.name for d in handlers}
        return BenchOperator(
            emulated.bench, machines, COMPARTMENTS, deck(jokers=2), feeds, random.Random(f"operator {seed}")
        )
    if len(real) < len(handlers):
        pretended = ", ".join(d.name for d in handlers if d.emulator is not None)
        raise RigError(
            f"{rig.source}: devices: real cards of {', '.join(real)} cannot go into the emulated {pretended}"
        )
    return Technician(ask)


def _channel(device: DeviceConfig, emulated: EmulatedRig, tap: Tap) -> Channel:
    kind = KINDS[device.kind]
    place = emulated.places.get(device.name)
    match device.wire:
        case Serial(port=port, baud=baud, address=address):
            return SerialChannel(kind, place.where if place else _given(port), address, baud, device.deadline, tap)
        case ModbusRtu(port=port, baud=baud, unit=unit):
            return ModbusRtuChannel(kind, place.where if place else _given(port), unit, baud, device.deadline, tap)
        case ModbusTcp(host=host, port=tcp_port, unit=unit):
            if place is not None:
                host, _, number = place.where.rpartition(":")
                tcp_port = int(number)
            return ModbusTcpChannel(kind, _given(host), tcp_port, unit, device.deadline, tap)
        case Mqtt(topic=topic, mqtt=version):
            broker = emulated.broker
            assert broker is not None
            return MqttChannel(
                kind,
                topic,
                broker.host,
                broker.port,
                version=version,
                deadline=device.deadline,
                username=broker.username,
                password=broker.password,
                tap=tap,
            )


def _given(value: str | None) -> str:
    """What the rig file's checks have made sure of: a real device says where it is."""
    assert value is not None
    return value


def _record(journal: Journal, device: DeviceConfig, emulated: EmulatedRig, driver: Driver) -> None:
    assert driver.identity is not None
    place = emulated.places.get(device.name)
    journal.append(
        "device",
        {
            "name": device.name,
            "kind": device.kind,
            "wire": device.wire.name,
            "emulated": place is not None,
            "where": place.where if place else _where(device),
            "identity": identity_record(driver.identity),
            "submitted": {key: value for key, value in asdict(device.identity).items() if value is not None},
        },
    )


def _where(device: DeviceConfig) -> str:
    match device.wire:
        case Serial(port=port) | ModbusRtu(port=port):
            return _given(port)
        case ModbusTcp(host=host, port=number):
            return f"{host}:{number}"
        case Mqtt(topic=topic):
            return topic
