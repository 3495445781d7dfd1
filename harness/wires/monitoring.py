"""Watches the wires of a rig while any program uses its devices, emulated or real.

A serial line or a TCP port has room for one listener, so the program is given a place of ours, and all bytes are passed
on to the device's own. On MQTT the broker lets anybody listen, and nothing stands between.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import aiomqtt

from feltrig.emulators.relays.noise import Noise, Passage
from feltrig.emulators.relays.relay import Relay, SerialRelay, TcpRelay
from feltrig.harness.rig.loading import RigError
from feltrig.harness.rig.model import DeviceConfig, ModbusRtu, ModbusTcp, ModbusTls, Mqtt, Rig, Serial
from feltrig.harness.wires.emulated_rig import EmulatedRig
from feltrig.harness.wires.endpoints import Endpoint, number_of
from feltrig.harness.wires.relays import disturbed
from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.modbus.sniffer import rtu_sniffer, tcp_sniffer
from feltrig.protocols.mqtt.link import MqttLink, Server
from feltrig.protocols.mqtt.packets import Properties, Property, Publish
from feltrig.protocols.mqtt.sniffer import MqttSniffer
from feltrig.protocols.profiles.profile_traffic import ProfileSniffer, sniffer_for
from feltrig.protocols.serial.sniffer import SerialSniffer
from feltrig.protocols.sniffing import Broke, Message, Sniffer, is_outgoing
from feltrig.protocols.sniffing import Noise as NoMessage

DEADLINE = 5.0

Heard = Callable[[str, bool, bytes, list[Message]], None]
"""Told what passed: the device, whether it was going to it, the bytes, and the messages that they completed."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A rig whose wires are watched."""

    endpoints: tuple[Endpoint, ...]
    """Where programs find the devices."""
    broker: str | None
    made_up: bytes | None
    """The certificate by which the emulated ends of TLS are known; None without such ends."""
    unwatched: tuple[str, ...]
    """Devices whose traffic cannot be read: TLS hides it."""


@asynccontextmanager
async def monitored(rig: Rig, seed: int, heard: Heard, only: str | None = None) -> AsyncIterator[Watched]:
    """Serve what is emulated, and watch the device of a name, or all. Raises RigError."""
    if only is not None and only not in rig.devices:
        raise RigError(f"{rig.source}: there is no device {only!r} in it: expected one of {', '.join(rig.devices)}")
    async with AsyncExitStack() as stack:
        emulated = await stack.enter_async_context(EmulatedRig(rig, seed))
        met = await stack.enter_async_context(disturbed(rig, emulated, seed))
        lines: dict[str, _Line] = {}
        endpoints, unwatched = [], []
        for device in rig.devices.values():
            on_broker = isinstance(device.wire, Mqtt)
            where = _where(device, emulated) if on_broker else met.get(device.name) or _where(device, emulated)
            if only in (None, device.name):
                try:
                    if isinstance(device.wire, Mqtt):
                        await _listen(stack, device, device.wire, emulated, heard)
                    elif isinstance(device.wire, ModbusTls):
                        unwatched.append(device.name)
                    else:
                        if where not in lines:
                            lines[where] = line = _Line(heard)
                            line.where = await _relay(stack, device, where, line)
                        lines[where].add(device)
                        where = lines[where].where
                except LineLost as error:
                    raise RigError(f"{rig.source}: devices.{device.name}: {error}") from error
            by = met.get(device.name) if on_broker else None
            endpoints.append(Endpoint(device.name, device.kind, device.wire.name, where, number_of(device), by))
        broker = f"{emulated.broker.host}:{emulated.broker.port}" if emulated.broker else None
        yield Watched(tuple(endpoints), broker, emulated.made_up, tuple(unwatched))


class _Line(Noise):
    """Lets everything pass as it is, and listens for every device on the line. A relay asks it as it asks noise."""

    def __init__(self, heard: Heard) -> None:
        super().__init__((), 0)
        self.where = ""
        self._heard = heard
        self._ears: dict[str, Sniffer] = {}

    def add(self, device: DeviceConfig) -> None:
        """Listen for one more device."""
        self._ears[device.name] = _ear(device)

    def passes(self, outgoing: bool, chunk: bytes, now: float) -> Passage:
        """Let it pass. What makes no sense is told once, not for every device on the line."""
        for number, (name, sniffer) in enumerate(self._ears.items()):
            messages = sniffer.hear(outgoing, chunk)
            if number:
                messages = [message for message in messages if not isinstance(message, NoMessage)]
            if messages or len(self._ears) == 1:
                self._heard(name, outgoing, chunk, messages)
        return super().passes(outgoing, chunk, now)


def _ear(device: DeviceConfig) -> Sniffer:
    kind = KINDS[device.kind]
    if device.profile is not None:
        topic = device.wire.topic if isinstance(device.wire, Mqtt) else ""
        return sniffer_for(device.profile, device.wire.name, topic, number_of(device))
    match device.wire:
        case Serial(address=address):
            return SerialSniffer(kind, address)
        case ModbusRtu(unit=unit):
            return rtu_sniffer(kind, unit)
        case ModbusTcp(unit=unit) | ModbusTls(unit=unit):
            return tcp_sniffer(kind, unit)
        case Mqtt(topic=topic):
            return MqttSniffer(kind, topic)


def _where(device: DeviceConfig, emulated: EmulatedRig) -> str:
    place = emulated.endpoints.get(device.name)
    if place is not None:
        return place.where
    match device.wire:
        case Serial(port=port) | ModbusRtu(port=port):
            return port or ""
        case ModbusTcp(host=host, port=number) | ModbusTls(host=host, port=number):
            return f"{host}:{number}"
        case Mqtt(topic=topic):
            return topic


async def _relay(stack: AsyncExitStack, device: DeviceConfig, where: str, line: _Line) -> str:
    """Stand between; returns where the program finds the device."""
    relay: Relay
    if isinstance(device.wire, Serial | ModbusRtu):
        relay = SerialRelay(where, line, device.wire.baud)
    else:
        host, _, port = where.rpartition(":")
        relay = TcpRelay(host, int(port), line)
    stack.push_async_callback(relay.stop)
    return await relay.start()


async def _listen(stack: AsyncExitStack, device: DeviceConfig, wire: Mqtt, emulated: EmulatedRig, heard: Heard) -> None:
    """Subscribe to everything below the device's topic."""
    broker = emulated.broker
    assert broker is not None
    sniffer = _ear(device)

    def receive(message: aiomqtt.Message) -> None:
        correlation = getattr(message.properties, "CorrelationData", None)
        properties: Properties = {} if correlation is None else {Property.CORRELATION_DATA: correlation}
        topic, payload = message.topic.value, message.payload
        if isinstance(sniffer, MqttSniffer | ProfileSniffer):
            said = sniffer.on_topic(Publish(topic, payload, properties=properties))
        else:
            said = NoMessage(False, topic, payload)
        heard(device.name, is_outgoing(said), payload, [said])

    server = Server(broker.host, broker.port, wire.mqtt, broker.username, broker.password, emulated.broker_context())

    def lost() -> None:
        heard(device.name, False, b"", [Broke("the broker is gone")])

    link = MqttLink(server, DEADLINE, receive, lost)
    stack.push_async_callback(link.close)
    await link.open()
    await link.subscribe(f"{wire.topic}/#")
