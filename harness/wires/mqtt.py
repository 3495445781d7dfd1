"""The wire `mqtt`: topics on the rig's broker, by the open protocol (docs/mqtt.md) or a profile of its own."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

from feltrig.emulators.machine import Station
from feltrig.harness.devices import DEVICES
from feltrig.harness.rig.model import BrokerConfig, DeviceConfig, Rig
from feltrig.harness.scene import Scene
from feltrig.harness.wires import tcp
from feltrig.harness.wires.relays import alters
from feltrig.harness.wires.wire import (
    Complain,
    Deferred,
    DeviceEnd,
    Dissector,
    DriverEnd,
    Heard,
    Recorded,
    Verbatim,
    Watcher,
    Wire,
)
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Channel
from feltrig.protocols.schema import Choice, Mismatch, Scope, Text, key, shown
from feltrig.protocols.sniffing import Sniffer
from feltrig.protocols.vocabulary import Kind

if TYPE_CHECKING:
    import aiomqtt

    from feltrig.harness.wires.site import RigSite
    from feltrig.protocols.framed import Framed
    from feltrig.protocols.mqtt.link import Server
    from feltrig.protocols.profiles.profile import Profile

NAME = "mqtt"
_SCENES = "feltrig.harness.plan.conformance"
TOPIC_ROOT = "feltrig"
TOPIC = Text(r"[^/$+#\x00-\x1f\x7f][^+#\x00-\x1f\x7f]{0,255}(?<!/)", "a topic without wildcards or outer slashes")
DEADLINE = 5.0
"""Seconds in which the broker must answer whoever listens."""
ARRIVAL = 60.0
"""Seconds in which a real device must come to a broker that the rig has started."""


def _topic(scope: Scope) -> str:
    return f"{TOPIC_ROOT}/{scope['table']}/{scope['name']}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mqtt:
    """A device below a topic."""

    name: ClassVar[str] = NAME
    topic: str = key(TOPIC, f"the start of its topics; without it, `{TOPIC_ROOT}/<table>/<name>`", computed=_topic)
    mqtt: Literal["5", "3.1.1"] = key(Choice(("5", "3.1.1")), "version of the protocol", "5")


def _config(device: DeviceConfig) -> Mqtt:
    assert isinstance(device.wire, Mqtt)
    return device.wire


def _check(rig: Rig, device: DeviceConfig) -> Iterator[Mismatch]:
    if device.emulator is None and rig.broker is None:
        yield Mismatch("broker", f"is missing; expected a table, since {device.name} is a real device on mqtt")


def _clash(one: DeviceConfig, other: DeviceConfig) -> Mismatch | None:
    if not isinstance(one.wire, Mqtt):
        return None
    first, second = one.wire.topic, _config(other).topic
    if not f"{first}/".startswith(f"{second}/") and not f"{second}/".startswith(f"{first}/"):
        return None
    return Mismatch(f"devices.{other.name}.topic", f"{shown(second)} clashes with {shown(first)} of {one.name}")


def _server(site: "RigSite", config: Mqtt, address: str | None = None) -> "Server":
    """The broker, or what stands in front of it at an address; the certificate is the broker's own all the same."""
    from feltrig.protocols.mqtt.link import Server

    broker = site.broker
    assert broker is not None
    host, port = (broker.host, broker.port) if address is None else tcp.host_and_port(address)
    return Server(host, port, config.mqtt, broker.username, broker.password, site.broker_context(), broker.host)


def _channel(end: DriverEnd) -> Channel:
    device, config = end.device, _config(end.device)
    server = _server(end.site, config, end.address)
    if device.profile is not None:
        from feltrig.protocols.profiles.mqtt_line import mqtt_channel

        return mqtt_channel(device.profile, config.topic, server, device.deadline, end.tap)
    from feltrig.protocols.mqtt.channel import MqttChannel

    arrival = ARRIVAL if device.emulator is None and end.site.served is not None else 0.0
    return MqttChannel(KINDS[device.kind], config.topic, server, deadline=device.deadline, tap=end.tap, arrival=arrival)


def _station(end: DeviceEnd) -> Station:
    device, config = end.device, _config(end.device)
    server = _server(end.site, config)
    if device.profile is not None:
        from feltrig.emulators.profiles.mqtt import mqtt_station

        return mqtt_station(device.profile, end.machine, config.topic, server, end.clock, end.misbehave)
    from feltrig.emulators.stations.mqtt_station import MqttStation

    return MqttStation(end.machine, config.topic, server, clock=end.clock, misbehave=end.misbehave, powered=end.powered)


def _unseen(device: DeviceConfig, broker: BrokerConfig | None) -> bool:
    """MQTT leaves it to TCP or TLS to carry the right bytes."""
    return alters(device) and not (broker is not None and broker.tls)


def _sniffer(kind: Kind, profile: "Profile | None", where: str, number: int | None) -> Sniffer:
    if profile is not None:
        from feltrig.protocols.profiles.profile_traffic import ProfileSniffer

        return ProfileSniffer(profile, where)
    from feltrig.protocols.mqtt.sniffer import MqttSniffer

    return MqttSniffer(kind, where)


async def _overhear(stack: AsyncExitStack, site: "RigSite", device: DeviceConfig, heard: Heard) -> None:
    """Subscribe to everything below the device's topic: the broker lets anybody listen."""
    from feltrig.protocols.mqtt.link import MqttLink
    from feltrig.protocols.mqtt.packets import Properties, Property, Publish
    from feltrig.protocols.mqtt.sniffer import MqttSniffer
    from feltrig.protocols.profiles.profile_traffic import ProfileSniffer
    from feltrig.protocols.sniffing import Broke, is_outgoing

    config = _config(device)
    sniffer = _sniffer(KINDS[device.kind], device.profile, config.topic, None)
    assert isinstance(sniffer, MqttSniffer | ProfileSniffer)

    def receive(message: "aiomqtt.Message") -> None:
        correlation = getattr(message.properties, "CorrelationData", None)
        properties: Properties = {} if correlation is None else {Property.CORRELATION_DATA: correlation}
        said = sniffer.on_topic(Publish(message.topic.value, message.payload, properties=properties))
        heard(device.name, is_outgoing(said), message.payload, [said])

    def lost() -> None:
        heard(device.name, False, b"", [Broke("the broker is gone")])

    link = MqttLink(_server(site, config), DEADLINE, receive, lost)
    stack.push_async_callback(link.close)
    await link.open()
    await link.subscribe(f"{config.topic}/#")


def _watcher(site: "RigSite", device: DeviceConfig, complain: Complain) -> Watcher:
    from feltrig.protocols.mqtt.bystander import Bystander

    config = _config(device)
    ends = DEVICES[device.kind].operations
    return Bystander(KINDS[device.kind], config.topic, _server(site, config), DEADLINE, ends, complain)


def _framed(_: bool) -> "Framed":
    from feltrig.protocols.mqtt.sniffer import framed

    return framed()


def _recognised(sniffer: Sniffer, where: str) -> Mqtt:
    from feltrig.protocols.mqtt.packets import V5
    from feltrig.protocols.mqtt.sniffer import MqttSniffer

    assert isinstance(sniffer, MqttSniffer)
    return Mqtt(topic=where, mqtt="5" if sniffer.version == V5 else "3.1.1")


def _verbatim(recorded: Recorded) -> Verbatim:
    from feltrig.emulators.replay.topics_station import RecordedTopics
    from feltrig.protocols.mqtt.link import Server

    assert recorded.broker is not None
    server = Server(recorded.broker.host, recorded.broker.port)
    told = (recorded.name, recorded.passed, recorded.report, recorded.speed, recorded.starts)
    return RecordedTopics(*told, topic=recorded.where, server=server)


def _ids(*numbers: int) -> tuple[str, ...]:
    return tuple(f"MQT-{number}" for number in numbers)


WIRE = Wire(
    name=NAME,
    config=Mqtt,
    media=("stream", "broker"),
    on_broker=True,
    where=lambda config: config.topic,
    at=lambda config, where: replace(config, topic=where),
    check=_check,
    clash=_clash,
    channel=_channel,
    station=_station,
    relay=tcp.relay,
    unseen=_unseen,
    sniffer=_sniffer,
    framed=_framed,
    dissector=Dissector("mqtt", 1883),
    overhear=_overhear,
    watcher=_watcher,
    malformed=Deferred("feltrig.protocols.mqtt.malformed:malformed"),
    scenes=(
        Scene(
            "requests",
            f"{_SCENES}.requests:play",
            _ids(5, 16, 31, 32, 33, 38, 41, 43, 44, 50, 53),
            basis="seen",
        ),
        Scene(
            "publications",
            f"{_SCENES}.publications:play",
            _ids(*range(1, 6), *range(7, 16), *range(17, 22), *range(31, 39), 42, 51, 52),
            basis="seen",
        ),
        Scene(
            "presence at the broker",
            f"{_SCENES}.presence:play",
            _ids(3, 5, 6, 12, 13, *range(22, 30), 39, 40),
            basis="seen",
        ),
    ),
    recognised=_recognised,
    verbatim=_verbatim,
    byte_exact=False,
    pushes=True,
)
