"""What the harness knows of the wire."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from feltrig.harness.wires.wire import LOOPBACK, Deferred, DeviceEnd, DriverEnd, Wire
from feltrig.protocols.schema import Mismatch, Text, Whole, key

if TYPE_CHECKING:
    from feltrig.emulators.relays.noise import Noise
    from feltrig.emulators.relays.relay import Relay
    from feltrig.harness.rig.model import DeviceConfig, Rig
    from feltrig.protocols.sniffing import Sniffer


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonLines:
    """A device that listens on a TCP port."""

    name: ClassVar[str] = "json-lines"
    host: str = key(Text(r"\S+", "a host name or address"), "where it listens", LOOPBACK)
    port: int = key(Whole(0, 65535), "its TCP port; 0 only when emulated", 0)


def _config(device: "DeviceConfig") -> JsonLines:
    assert isinstance(device.wire, JsonLines)
    return device.wire


def _channel(end: DriverEnd) -> Any:
    from feltrig_toy.json_wire.channel import JsonChannel

    host, _, port = end.address.rpartition(":")
    return JsonChannel(host, int(port), end.device.deadline, end.tap)


def _station(end: DeviceEnd) -> Any:
    from feltrig_toy.json_wire.station import JsonStation

    config = _config(end.device)
    return JsonStation(end.machine, config.host, config.port, end.clock)


def _check(_: "Rig", device: "DeviceConfig") -> Iterator[Mismatch]:
    if device.emulator is None and _config(device).port == 0:
        yield Mismatch(f"devices.{device.name}.port", "is missing; expected a TCP port")


def _relay(_: JsonLines, address: str, noise: "Noise") -> "Relay":
    from feltrig.emulators.relays.relay import TcpRelay

    host, _, port = address.rpartition(":")
    return TcpRelay(host, int(port), noise)


def _sniffer(*_: Any) -> "Sniffer":
    from feltrig.protocols.sniffing import OpaqueSniffer

    return OpaqueSniffer("lines of JSON")


def malformed(*_: Any) -> Iterable[Any]:
    return ()


def _cannot(*_: Any) -> Any:
    raise NotImplementedError("a recording of this wire is not replayed")


WIRE = Wire(
    name="json-lines",
    config=JsonLines,
    media=("stream",),
    where=lambda config: f"{config.host}:{config.port}",
    at=lambda config, where: replace(config, port=int(where.rpartition(":")[2])),
    check=_check,
    channel=_channel,
    station=_station,
    relay=_relay,
    unseen=lambda device, broker: True,
    sniffer=_sniffer,
    malformed=Deferred(f"{__name__}:malformed"),
    recognised=_cannot,
    verbatim=_cannot,
)
