"""What the wires on a serial port have in common: its keys in a rig file, how it is served, shared and disturbed."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from feltrig.emulators.relays.noise import Noise
from feltrig.harness.rig.model import DeviceConfig, Rig
from feltrig.harness.rig.shapes import TCP_PORT, ServedLine
from feltrig.harness.wires.wire import LOOPBACK, Recorded, Verbatim, Wire
from feltrig.protocols.schema import Choice, Mismatch, Scope, Text, Whole, key

if TYPE_CHECKING:
    from feltrig.emulators.relays.relay import Relay
    from feltrig.emulators.stations.line_port import MakePort
    from feltrig.protocols.lines.line import SharedPort
    from feltrig.protocols.profiles.profile import Profile

USUAL_BAUD = 115_200
BAUD = Whole(300, 4_000_000)
PORT = Text(
    r"(socket|rfc2217)://(\[[0-9A-Fa-f:]+\]|[^\s/:\x00-\x1f]{1,253}):[0-9]{1,5}|(?!\w+://)[^\x00-\x1f\x7f]{1,4096}",
    "the path of a serial port, socket://host:port or rfc2217://host:port",
)


def _baud(scope: Scope) -> int:
    profile: Profile | None = scope["profile"]  # type: ignore[assignment]
    return USUAL_BAUD if profile is None or profile.serial is None else profile.serial.baud


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPort:
    """What a rig file says about a device on any of these wires."""

    port: str | None = key(PORT, "the serial port; may be left out when emulated", None)
    """None only when the device is emulated."""
    baud: int = key(BAUD, f"bits per second; without it the profile's, or {USUAL_BAUD}", computed=_baud)


@dataclass(frozen=True, slots=True)
class ServedPort(ServedLine):
    """The port of an emulated device."""

    serve: str = key(
        Choice(("pty", "tcp", "rfc2217")), "its port: a pseudo-terminal, bare bytes over TCP, or RFC 2217", "pty"
    )
    listen: int | None = key(
        TCP_PORT,
        "the TCP port of `tcp` and `rfc2217`; any free one without it",
        None,
        when={"serve": ("tcp", "rfc2217")},
    )


def where(config: OnPort) -> str:
    """A real device has a port: the rig file's checks made sure of it."""
    assert config.port is not None
    return config.port


def _port(device: DeviceConfig) -> str | None:
    assert isinstance(device.wire, OnPort)
    return device.wire.port


def _served(device: DeviceConfig) -> ServedPort | None:
    served = None if device.emulator is None else device.emulator.served
    assert served is None or isinstance(served, ServedPort)
    return served


def line(device: DeviceConfig) -> str | None:
    """The line of a device: emulated ones name it, and real ones on one line have the same port."""
    served = _served(device)
    return _port(device) if served is None else served.line


def listens(device: DeviceConfig) -> str | None:
    """Where the port will be on TCP, if the rig file says so."""
    served = _served(device)
    return None if served is None or served.listen is None else f"{LOOPBACK}:{served.listen}"


def check(_: Rig, device: DeviceConfig) -> Iterator[Mismatch]:
    """A real device must have a port."""
    if device.emulator is None and _port(device) is None:
        why = f"is missing; expected the path of a serial port, since {device.name} is not emulated"
        yield Mismatch(f"devices.{device.name}.port", why)


def make_port(device: DeviceConfig) -> "MakePort":
    """What the port of an emulated device is made of."""
    served = _served(device) or ServedPort()
    if served.serve == "tcp":
        from feltrig.emulators.stations.tcp_serial_port import TcpSerialPort

        return partial(TcpSerialPort, port=served.listen or 0)
    if served.serve == "rfc2217":
        from feltrig.emulators.stations.rfc2217_port import Rfc2217Port

        return partial(Rfc2217Port, port=served.listen or 0)
    from feltrig.emulators.stations.pty_port import PtyPort

    return PtyPort


def share(config: OnPort, address: str) -> "SharedPort":
    """One port for several channels."""
    from feltrig.protocols.lines.line import SharedPort

    return SharedPort(address, config.baud)


def relay(config: OnPort, address: str, noise: Noise) -> "Relay":
    """Noise in front of a port."""
    from feltrig.emulators.relays.relay import SerialRelay

    return SerialRelay(address, noise, config.baud)


def verbatim(recorded: Recorded) -> Verbatim:
    """The recorded bytes on a pseudo-terminal."""
    from feltrig.emulators.replay.bytes_station import RecordedPty

    return RecordedPty(recorded.name, recorded.passed, recorded.report, recorded.speed, recorded.starts)


_record: type[Wire[Any]] = Wire
on_port = partial(
    _record,
    served=ServedPort,
    media=("line",),
    where=where,
    at=lambda config, where: replace(config, port=where),
    listens=listens,
    line=line,
    agreed=("baud", "serve", "listen"),
    share=share,
    relay=relay,
    verbatim=verbatim,
)
"""The record of a wire on a serial port, but for what is said on it."""
