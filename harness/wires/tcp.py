"""What the wires on TCP have in common: how an address is written, and how a connection is disturbed and replayed."""

from typing import TYPE_CHECKING

from feltrig.emulators.relays.noise import Noise
from feltrig.harness.wires.wire import Recorded, Verbatim

if TYPE_CHECKING:
    from feltrig.emulators.relays.relay import Relay


def host_and_port(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host, int(port)


def relay(_: object, address: str, noise: Noise) -> "Relay":
    """Noise in front of a server."""
    from feltrig.emulators.relays.relay import TcpRelay

    return TcpRelay(*host_and_port(address), noise)


def verbatim(recorded: Recorded) -> Verbatim:
    """The recorded bytes on a connection."""
    from feltrig.emulators.replay.bytes_station import RecordedTcp

    return RecordedTcp(recorded.name, recorded.passed, recorded.report, recorded.speed, recorded.starts)
