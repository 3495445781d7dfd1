"""Files in the format pcapng, whose packets are frames that Wireshark decodes by the name of a dissector.

The link type is 252: each packet names its dissector, the two ends and their ports. Only so does Wireshark know which
end asks, and to which connection an answer belongs.
"""

import struct
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

SECTION, INTERFACE, PACKET = 0x0A0D0D0A, 1, 6
UPPER_PDU = 252
NAME, RESOLUTION, COMMENT, FLAGS, PROGRAM = 2, 9, 1, 2, 4
MICROSECONDS = b"\x06"
INWARD, OUTWARD = 1, 2

DISSECTOR, FROM_IP, TO_IP, PORTS, FROM_PORT, TO_PORT = 12, 20, 21, 24, 25, 26
TCP = 2
CLIENT_PORT = 49152


class Capture:
    """Writes packets to a file, each as of one interface."""

    def __init__(self, file: BinaryIO, program: str) -> None:
        self._file = file
        self._interfaces: dict[str, int] = {}
        head = struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)
        self._block(SECTION, head + _options((PROGRAM, program.encode())))

    def packet(
        self, interface: str, time: str, outgoing: bool, dissector: tuple[str, int], data: bytes, comment: str
    ) -> None:
        """Write one packet, and its interface before its first. A dissector has a name, and the port of who answers."""
        number = self._interfaces.get(interface)
        if number is None:
            number = self._interfaces[interface] = len(self._interfaces)
            head = struct.pack("<HHI", UPPER_PDU, 0, 0)
            self._block(INTERFACE, head + _options((NAME, interface.encode()), (RESOLUTION, MICROSECONDS)))
        body = b"".join(_tags(*dissector, number, outgoing)) + data
        since = _microseconds(time)
        head = struct.pack("<IIIII", number, since >> 32, since & 0xFFFF_FFFF, len(body), len(body))
        direction = struct.pack("<I", OUTWARD if outgoing else INWARD)
        self._block(PACKET, head + _padded(body) + _options((COMMENT, comment.encode()), (FLAGS, direction)))

    def _block(self, kind: int, body: bytes) -> None:
        length = struct.pack("<I", len(body) + 12)
        self._file.write(struct.pack("<I", kind) + length + body + length)


def _tags(dissector: str, port: int, number: int, outgoing: bool) -> Iterator[bytes]:
    """What stands before the bytes of a frame. The addresses are made up: 127.0.0.1 for the rig, another for each
    device."""
    rig = bytes((127, 0, 0, 1)), CLIENT_PORT + number
    device = (0x7F00_0002 + number).to_bytes(4, "big"), port
    (source, source_port), (target, target_port) = (rig, device) if outgoing else (device, rig)
    yield _tag(DISSECTOR, _padded(dissector.encode()))
    yield _tag(FROM_IP, source)
    yield _tag(TO_IP, target)
    yield _tag(PORTS, struct.pack(">I", TCP))
    yield _tag(FROM_PORT, struct.pack(">I", source_port))
    yield _tag(TO_PORT, struct.pack(">I", target_port))
    yield _tag(0, b"")


def _tag(tag: int, value: bytes) -> bytes:
    return struct.pack(">HH", tag, len(value)) + value


def _options(*options: tuple[int, bytes]) -> bytes:
    found = [struct.pack("<HH", code, len(value)) + _padded(value) for code, value in options]
    return b"".join(found) + struct.pack("<HH", 0, 0)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)


def _microseconds(time: str) -> int:
    """Since 1970, of a time of day as the journal has it."""
    moment = datetime.fromisoformat(time)
    return int(moment.replace(microsecond=0).timestamp()) * 1_000_000 + moment.microsecond
