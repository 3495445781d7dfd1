"""A rig with its wires plugged in: a driver for each device, and whoever has hands at the table."""

import random
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from feltrig.emulators.relays.noise import NOISES, STREAMS
from feltrig.engine.games import GAMES
from feltrig.harness.devices import DEVICES
from feltrig.harness.devices.hands import Operator
from feltrig.harness.journal.journal import Journal
from feltrig.harness.rig.loading import RigError
from feltrig.harness.rig.model import DeviceConfig, ModbusRtu, ModbusTcp, ModbusTls, Mqtt, Rig, Serial
from feltrig.harness.rig.tls import client_context, refused
from feltrig.harness.table.bench_operator import BenchOperator
from feltrig.harness.table.driver import Driver, identity_record
from feltrig.harness.table.firmware import challenge, read_image, submitted
from feltrig.harness.table.technician import Ask, Technician
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.relays import relay_for
from feltrig.protocols.errors import LineLost, NotAdmitted
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.lines.line import SharedPort
from feltrig.protocols.messages import Channel, Tap
from feltrig.protocols.modbus.channel import ModbusRtuChannel, ModbusTcpChannel
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.serial.channel import SerialChannel

if TYPE_CHECKING:
    from feltrig.protocols.profiles.profile import Profile


@dataclass(frozen=True, slots=True)
class WiredRig:
    """Drivers by kind of device, the operator, and the emulated side (its machines and bench)."""

    devices: Mapping[str, Driver]
    operator: Operator
    emulated: EmulatedRig

    def use_cards(self, codes: tuple[int, ...]) -> None:
        """Let new decks on an emulated bench have these cards, and an emulated shuffler expect as many."""
        if isinstance(self.operator, BenchOperator):
            self.operator.codes = codes
            self.emulated.expect(len(codes))

    def reseed(self, seed: str) -> None:
        """Let everything that is emulated draw from new streams."""
        self.emulated.reseed(seed)
        if isinstance(self.operator, BenchOperator):
            self.operator.reseed(seed)


@asynccontextmanager
async def wire(
    rig: Rig, journal: Journal, seed: int, ask: Ask, *, operator: Operator | None = None
) -> AsyncIterator[WiredRig]:
    """Serve what is emulated, open every wire, and record who answers. `ask` prompts a technician on hardware; an
    `operator` of one's own takes the place of both the technician and the script of the bench."""
    async with AsyncExitStack() as stack:
        emulated = await stack.enter_async_context(EmulatedRig(rig, seed))
        operator = operator or _operator(rig, emulated, seed, ask)
        devices: dict[str, Driver] = {}
        shared = _shared_ports(rig, emulated)
        for device in rig.devices.values():
            image = _image(rig, device)
            said = submitted(rig, device.name, device.identity, image)
            try:
                address = await stack.enter_async_context(_noisy(device, emulated, seed, journal))
                channel = _channel(rig, device, address, shared, emulated, journal.tap(device.name))
                await _open(channel, device)
            except LineLost as error:
                raise refused(rig, device, error) from error
            stack.push_async_callback(channel.close)
            driver = Driver(device.name, KINDS[device.kind], channel, journal, device.patience, device.reconnect)
            devices[device.kind] = driver
            try:
                await driver.open()
            except NotAdmitted as error:  # TLS 1.3 tells it only now
                raise refused(rig, device, error) from error
            _record(journal, device, said, emulated, driver)
            if image is not None and not _lacks(device, "command challenge"):
                await challenge(driver, image, journal)
        yield WiredRig(devices, operator, emulated)


def _lacks(device: DeviceConfig, what: str) -> bool:
    return device.profile is not None and what in device.profile.lacks()


def attended(rig: Rig) -> bool:
    """Whether a technician's hands move the cards, told by prompts."""
    return any(d.emulator is None for d in rig.devices.values() if DEVICES[d.kind].handles_cards)


def _operator(rig: Rig, emulated: EmulatedRig, seed: int, ask: Ask) -> Operator:
    handlers = [d for d in rig.devices.values() if DEVICES[d.kind].handles_cards]
    real = [d.name for d in handlers if d.emulator is None]
    if not real:
        fed = {d.kind: d.emulator.feeds for d in handlers if d.emulator is not None}
        feeds = {kind: rig.devices[name].kind for kind, name in fed.items() if name is not None}
        machines = {d.kind: d.name for d in handlers}
        return BenchOperator(
            emulated.bench,
            machines,
            GAMES[rig.game.name].cards,
            feeds,
            random.Random(f"operator {seed}"),
        )
    if len(real) < len(handlers):
        pretended = ", ".join(d.name for d in handlers if d.emulator is not None)
        raise RigError(
            f"{rig.source}: devices: real cards of {', '.join(real)} cannot go into the emulated {pretended}"
        )
    return Technician(ask)


def _address(device: DeviceConfig, emulated: EmulatedRig) -> str:
    """What the driver opens: the path of a port, or the `host:port` of a device or of the broker."""
    if isinstance(device.wire, Mqtt):
        assert emulated.broker is not None
        return f"{emulated.broker.host}:{emulated.broker.port}"
    place = emulated.endpoints.get(device.name)
    return place.where if place else _where(device)


@asynccontextmanager
async def _noisy(device: DeviceConfig, emulated: EmulatedRig, seed: int, journal: Journal) -> AsyncIterator[str]:
    """Where the driver finds a device: behind a relay if there is noise. What noise is in force, and in the end how
    often each sort has struck, goes on record."""
    address = _address(device, emulated)
    if not device.noise:
        yield address
        return
    relay = relay_for(device, address, seed)
    # TLS lets no changed byte through
    broker = emulated.broker
    sealed = isinstance(device.wire, ModbusTls) or (isinstance(device.wire, Mqtt) and broker is not None and broker.tls)
    altered = any(NOISES[disturbance.what].alters for disturbance in device.noise)
    # by a profile a command that comes twice runs twice, and what was said on a deaf line is not said again
    profiled = device.profile is not None
    deaf = device.wire.name == "serial" and any(disturbance.what == "half_open" for disturbance in device.noise)
    unseen = (altered and not sealed and (profiled or device.wire.name in STREAMS)) or (profiled and deaf)
    where = await relay.start()
    try:
        journal.append(
            "noise",
            {
                "device": device.name,
                "where": where,
                "unseen": unseen,
                "disturbances": [asdict(d) for d in device.noise],
            },
        )
        yield where
    finally:
        await relay.stop()
        journal.append("struck", {"device": device.name, "times": dict(relay.struck)})


async def _open(channel: Channel, device: DeviceConfig) -> None:
    """Open a channel. Noise may strike that too: then the driver finds the line lost, and opens it again."""
    try:
        await channel.open()
    except LineLost as error:
        if isinstance(error, NotAdmitted) or not device.noise:
            raise


def _shared_ports(rig: Rig, emulated: EmulatedRig) -> Mapping[str, SharedPort]:
    """The serial ports that several devices have in common, by their names."""
    users: dict[str, list[Serial | ModbusRtu]] = {}
    for device in rig.devices.values():
        if isinstance(device.wire, Serial | ModbusRtu):
            users.setdefault(_address(device, emulated), []).append(device.wire)
    return {name: SharedPort(name, wires[0].baud) for name, wires in users.items() if len(wires) > 1}


def _image(rig: Rig, device: DeviceConfig) -> bytes | None:
    """The firmware image that was submitted."""
    name = device.identity.image
    return None if name is None else read_image(rig, f"devices.{device.name}.identity.image", name)


def _channel(
    rig: Rig, device: DeviceConfig, address: str, shared: Mapping[str, SharedPort], emulated: EmulatedRig, tap: Tap
) -> Channel:
    kind = KINDS[device.kind]
    port = shared.get(address, address)
    if device.profile is not None:
        return _profile_channel(rig, device, device.profile, address, port, emulated, tap)
    match device.wire:
        case Serial(baud=baud, address=number):
            return SerialChannel(kind, port, number, baud, device.deadline, tap)
        case ModbusRtu(baud=baud, unit=unit):
            return ModbusRtuChannel(kind, port, unit, baud, device.deadline, tap)
        case ModbusTcp(unit=unit):
            return ModbusTcpChannel(kind, *_host_and_port(address), unit, device.deadline, tap)
        case ModbusTls(unit=unit, host=host):
            context, where = _context(rig, device, device.wire, emulated), _host_and_port(address)
            return ModbusTcpChannel(kind, *where, unit, device.deadline, tap, tls=context, server_name=host)
        case Mqtt(topic=topic, mqtt=version):
            broker = emulated.broker
            assert broker is not None
            return MqttChannel(
                kind,
                topic,
                *_host_and_port(address),
                version=version,
                deadline=device.deadline,
                username=broker.username,
                password=broker.password,
                tls=emulated.broker_context(),
                server_name=broker.host,
                tap=tap,
            )


def _profile_channel(
    rig: Rig,
    device: DeviceConfig,
    profile: "Profile",
    address: str,
    port: str | SharedPort,
    emulated: EmulatedRig,
    tap: Tap,
) -> Channel:
    """The driver's end of a device that talks by a profile. Few rigs have one, and imports take a while."""
    deadline = device.deadline
    match device.wire:
        case Serial(baud=baud):
            from feltrig.protocols.profiles.serial_line import serial_channel  # noqa: PLC0415

            return serial_channel(profile, address, baud, deadline, tap)
        case Mqtt(topic=topic, mqtt=version):
            from feltrig.protocols.mqtt.link import Server  # noqa: PLC0415
            from feltrig.protocols.profiles.mqtt_line import mqtt_channel  # noqa: PLC0415

            broker, where = emulated.broker, _host_and_port(address)
            assert broker is not None
            context = emulated.broker_context()
            server = Server(*where, version, broker.username, broker.password, context, broker.host)
            return mqtt_channel(profile, topic, server, deadline, tap)
    from feltrig.protocols.profiles.register_channel import rtu_channel, tcp_channel  # noqa: PLC0415

    match device.wire:
        case ModbusRtu(baud=baud, unit=unit):
            return rtu_channel(profile, port, unit, baud, deadline, tap)
        case ModbusTcp(unit=unit):
            return tcp_channel(profile, *_host_and_port(address), unit, deadline, tap)
        case ModbusTls(unit=unit, host=host):
            context, where = _context(rig, device, device.wire, emulated), _host_and_port(address)
            return tcp_channel(profile, *where, unit, deadline, tap, tls=context, server_name=host)


def _context(rig: Rig, device: DeviceConfig, wire: ModbusTls, emulated: EmulatedRig) -> ssl.SSLContext:
    """The rig's end of TLS; it knows the certificate that was made for an emulator."""
    made_up = device.emulator is not None and device.emulator.certificate is None
    return client_context(rig, f"devices.{device.name}", wire, emulated.authority if made_up else None)


def _host_and_port(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host, int(port)


def _given(value: str | None) -> str:
    """What the rig file's checks have made sure of: a real device says where it is."""
    assert value is not None
    return value


def _record(
    journal: Journal, device: DeviceConfig, said: Mapping[str, str], emulated: EmulatedRig, driver: Driver
) -> None:
    assert driver.identity is not None
    place = emulated.endpoints.get(device.name)
    journal.append(
        "device",
        {
            "name": device.name,
            "kind": device.kind,
            "wire": device.wire.name,
            "emulated": place is not None,
            "where": place.where if place else _where(device),
            "identity": identity_record(driver.identity),
            "submitted": dict(said),
            **({} if device.profile is None else {"profile": device.profile.record()}),
        },
    )


def _where(device: DeviceConfig) -> str:
    match device.wire:
        case Serial(port=port) | ModbusRtu(port=port):
            return _given(port)
        case ModbusTcp(host=host, port=number) | ModbusTls(host=host, port=number):
            return f"{host}:{number}"
        case Mqtt(topic=topic):
            return topic
