"""The wire `serial`: frames on a serial line, by the open protocol (docs/serial.md) or a profile of its own."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from feltrig.emulators.machine import Station
from feltrig.harness.rig.model import BrokerConfig, DeviceConfig, Rig
from feltrig.harness.scene import Scene
from feltrig.harness.wires import serial_port
from feltrig.harness.wires.relays import alters
from feltrig.harness.wires.wire import Deferred, DeviceEnd, Dissector, DriverEnd
from feltrig.protocols.kinds import KINDS
from feltrig.protocols.messages import Channel
from feltrig.protocols.schema import Mismatch, Whole, key
from feltrig.protocols.sniffing import Sniffer
from feltrig.protocols.vocabulary import Kind

if TYPE_CHECKING:
    from feltrig.emulators.stations.serial_station import SerialStation
    from feltrig.protocols.framed import Framed
    from feltrig.protocols.profiles.profile import Profile

NAME = "serial"


@dataclass(frozen=True, slots=True, kw_only=True)
class Serial(serial_port.OnPort):
    """A device on a serial line."""

    name: ClassVar[str] = NAME
    address: int = key(Whole(0, 254), "address on the line", 1)


def _config(device: DeviceConfig) -> Serial:
    assert isinstance(device.wire, Serial)
    return device.wire


def _number(device: DeviceConfig) -> int | None:
    """The messages of a profile carry no address."""
    return _config(device).address if device.profile is None else None


def _check(rig: Rig, device: DeviceConfig) -> Iterator[Mismatch]:
    yield from serial_port.check(rig, device)
    if device.profile is not None and device.emulator is not None and serial_port.line(device) is not None:
        key = f"devices.{device.name}.emulator.line"
        yield Mismatch(key, "does not go with a profile: its messages carry no address")


def _channel(end: DriverEnd) -> Channel:
    device, config = end.device, _config(end.device)
    if device.profile is not None:
        from feltrig.protocols.profiles.serial_line import serial_channel

        return serial_channel(device.profile, end.address, config.baud, device.deadline, end.tap)
    from feltrig.protocols.serial.channel import SerialChannel

    return SerialChannel(KINDS[device.kind], end.port, config.address, config.baud, device.deadline, end.tap)


def _station(end: DeviceEnd) -> Station:
    device, port = end.device, end.port(serial_port.make_port(end.device))
    if device.profile is not None:
        from feltrig.emulators.profiles.serial import serial_station

        return serial_station(device.profile, end.machine, end.clock, end.misbehave, port)
    from feltrig.emulators.stations.serial_station import SerialStation

    return SerialStation(end.machine, _config(device).address, end.clock, end.misbehave, port)


def _join(station: "SerialStation", end: DeviceEnd) -> None:
    station.add(end.machine, _config(end.device).address, end.misbehave)


def _unseen(device: DeviceConfig, _: BrokerConfig | None) -> bool:
    """Frames of the open protocol have a checksum. By a profile a command that comes twice runs twice, and what was
    said on a deaf line is not said again."""
    deaf = any(disturbance.what == "half_open" for disturbance in device.noise)
    return device.profile is not None and (alters(device) or deaf)


def _sniffer(kind: Kind, profile: "Profile | None", where: str, number: int | None) -> Sniffer:
    if profile is not None:
        from feltrig.protocols.profiles.profile_traffic import ProfileSniffer

        return ProfileSniffer(profile)
    from feltrig.protocols.serial.sniffer import SerialSniffer

    return SerialSniffer(kind, number)


def _framed(by_profile: bool) -> "Framed":
    from feltrig.protocols.framed import Unframed
    from feltrig.protocols.serial.sniffer import framed

    return Unframed() if by_profile else framed()


def _recognised(sniffer: Sniffer, _: str) -> Serial:
    from feltrig.protocols.serial.sniffer import SerialSniffer

    assert isinstance(sniffer, SerialSniffer)
    return Serial(baud=serial_port.USUAL_BAUD, address=1 if sniffer.address is None else sniffer.address)


WIRE = serial_port.on_port(
    name=NAME,
    config=Serial,
    numbered="address",
    number=_number,
    check=_check,
    channel=_channel,
    station=_station,
    join=_join,
    unseen=_unseen,
    sniffer=_sniffer,
    framed=_framed,
    dissector=Dissector("feltrig_{kind}"),
    malformed=Deferred("feltrig.protocols.serial.malformed:malformed"),
    scenes=(
        Scene(
            "the line",
            "feltrig.harness.plan.conformance.serial_line:play",
            (
                *("SER-4", "SER-5", "SER-6", "SER-7", "SER-8", "SER-9", "SER-10", "SER-11", "SER-12", "SER-13"),
                *("SER-14", "SER-15", "SER-16", "SER-17", "SER-18", "SER-19", "SER-20", "SER-21", "SER-22", "SER-23"),
                *("SER-24", "SER-25", "SER-31", "SER-33", "SER-35", "DEV-2", "DEV-11", "DEV-12", "DEV-14", "DEV-97"),
            ),
            first=True,
            basis="seen",
        ),
    ),
    recognised=_recognised,
)
