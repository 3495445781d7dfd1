"""MQTT packets as a bystander sees them, in either direction: what they are, and what PUBLISH carries.

Section numbers in the comments are those of the OASIS standard, version 5.0.
"""

from dataclasses import dataclass
from typing import NamedTuple

LARGEST = 1 << 20
"""No packet of a device is larger: what claims to be is noise."""

V5 = 5

NAMES = (
    *("reserved", "CONNECT", "CONNACK", "PUBLISH", "PUBACK", "PUBREC", "PUBREL", "PUBCOMP"),
    *("SUBSCRIBE", "SUBACK", "UNSUBSCRIBE", "UNSUBACK", "PINGREQ", "PINGRESP", "DISCONNECT", "AUTH"),
)
"""The types of packets by their number (2.1.2)."""

CONNECT, PUBLISH = 1, 3

RESPONSE_TOPIC, CORRELATION_DATA = 0x08, 0x09

_FIXED = {0x01: 1, 0x17: 1, 0x19: 1, 0x24: 1, 0x25: 1, 0x28: 1, 0x29: 1, 0x2A: 1}
_FIXED |= {0x13: 2, 0x21: 2, 0x22: 2, 0x23: 2, 0x02: 4, 0x11: 4, 0x18: 4, 0x27: 4}
_PREFIXED = {0x03: 1, 0x08: 1, 0x09: 1, 0x12: 1, 0x15: 1, 0x16: 1, 0x1A: 1, 0x1C: 1, 0x1F: 1, 0x26: 2}
"""How properties are written: so many bytes, or so many strings behind their lengths (2.2.2.2)."""


class Packet(NamedTuple):
    """One whole packet."""

    type: int
    flags: int
    body: bytes
    raw: bytes


@dataclass(frozen=True, slots=True)
class Published:
    """A message on a topic, and how its answer is to be addressed."""

    topic: str
    payload: bytes
    response_topic: str | None = None
    correlation: bytes | None = None
    retained: bool = False
    """Whether it had been said before anybody listened."""


class PacketDeframer:
    """Cuts a stream into packets. There is no way back into step: after an impossible length all that came goes."""

    def __init__(self) -> None:
        self._rest = b""

    @property
    def waiting(self) -> int:
        """Bytes that are no packet yet."""
        return len(self._rest)

    def receive(self, data: bytes) -> list[Packet]:
        """The packets that these bytes complete."""
        stream, start = self._rest + data, 0
        packets = []
        while start < len(stream):
            try:
                size, body = _varint(stream, start + 1)
            except IndexError:
                break
            except ValueError:
                start = len(stream)
                break
            end = body + size
            if end > len(stream):
                break
            first = stream[start]
            packets.append(Packet(first >> 4, first & 0x0F, stream[body:end], stream[start:end]))
            start = end
        self._rest = stream[start:]
        return packets


def version_of(connect: Packet) -> int:
    """The protocol level in a CONNECT, behind the protocol's name (3.1.2). Raises ValueError."""
    _, end = _prefixed(connect.body, 0)
    if end >= len(connect.body):
        raise ValueError("CONNECT without a version")
    return connect.body[end]


def published(packet: Packet, version: int) -> Published:
    """The message of a PUBLISH (3.3). Raises ValueError."""
    body = packet.body
    name, at = _prefixed(body, 0)
    topic = name.decode()
    if packet.flags & 0b0110:
        at += 2
    properties: dict[int, bytes] = {}
    if version >= V5:
        try:
            size, at = _varint(body, at)
        except IndexError:
            raise ValueError("PUBLISH without properties") from None
        properties = _properties(body[at : at + size])
        at += size
    if at > len(body):
        raise ValueError("PUBLISH breaks off")
    response = properties.get(RESPONSE_TOPIC)
    return Published(
        topic,
        body[at:],
        response.decode() if response else None,
        properties.get(CORRELATION_DATA),
        retained=bool(packet.flags & 1),
    )


def _properties(data: bytes) -> dict[int, bytes]:
    """The properties that are one string, by their number."""
    found: dict[int, bytes] = {}
    at = 0
    while at < len(data):
        key = data[at]
        at += 1
        if key in _FIXED:
            at += _FIXED[key]
        elif key in _PREFIXED:
            for _ in range(_PREFIXED[key]):
                found[key], at = _prefixed(data, at)
        elif key == 0x0B:
            try:
                _, at = _varint(data, at)
            except IndexError:
                raise ValueError("a property breaks off") from None
        else:
            raise ValueError(f"property {key:#04x}")
    return found


def _prefixed(data: bytes, at: int) -> tuple[bytes, int]:
    """A string behind its length, and where it ends."""
    start = at + 2
    end = start + int.from_bytes(data[at:start], "big")
    if start > len(data) or end > len(data):
        raise ValueError("a string breaks off")
    return data[start:end], end


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length (1.5.5), and where it ends. IndexError: not all of it is there yet."""
    value = 0
    for shift in (0, 7, 14, 21):
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            if value > LARGEST:
                break
            return value, at
    raise ValueError("a length beyond all measure")
