"""The bytes that all MQTT packets are made of: where a packet ends, numbers, strings and properties. No I/O.

Section numbers in the comments are those of the OASIS standard, version 5.0.
"""

import struct
from collections.abc import Container
from enum import IntEnum
from typing import NamedTuple

from feltrig.protocols.mqtt.packets import NO_PROPERTIES, Malformed, Properties, Property, PropertyValue, Reason

LONGEST = (1 << 28) - 1
"""Bytes of the longest body that MQTT knows (1.5.5)."""

LARGEST = 1 << 20
"""No packet of a device is larger: what claims to be is noise."""


class Frame(NamedTuple):
    """One whole packet, not yet read."""

    type: int
    flags: int
    body: bytes
    raw: bytes


def bounds(stream: bytes | bytearray, start: int, limit: int) -> tuple[int, int] | None:
    """Where the body of the packet at an offset begins and ends; None while it is not all there. Raises Malformed when
    its length is impossible or above the limit."""
    size = shift = 0
    for at in range(start + 1, min(start + 5, len(stream))):
        size |= (stream[at] & 0x7F) << shift
        shift += 7
        if stream[at] < 0x80:
            if size > limit:
                raise Malformed(f"a packet of {size} bytes", Reason.PACKET_TOO_LARGE)
            end = at + 1 + size
            return (at + 1, end) if end <= len(stream) else None
    if shift == 28:
        raise Malformed("a length of more than four bytes")
    return None


class Deframer:
    """Cuts a stream into packets, for a bystander. After an impossible length there is no way back into step: all that
    came goes."""

    def __init__(self) -> None:
        self._rest = b""

    @property
    def waiting(self) -> int:
        return len(self._rest)

    def receive(self, data: bytes) -> list[Frame]:
        stream, start = self._rest + data, 0
        frames = []
        try:
            while (found := bounds(stream, start, LARGEST)) is not None:
                body, end = found
                first = stream[start]
                frames.append(Frame(first >> 4, first & 0x0F, stream[body:end], stream[start:end]))
                start = end
        except Malformed:
            start = len(stream)
        self._rest = stream[start:]
        return frames


def prefixed(data: bytes) -> bytes:
    """A string behind its length (1.5.4, 1.5.6)."""
    return len(data).to_bytes(2, "big") + data


def varint(value: int) -> bytes:
    """A number of variable length (1.5.5)."""
    if value < 0x80:
        return bytes((value,))
    digits = bytearray()
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    digits.append(value)
    return bytes(digits)


class _Form(IntEnum):
    U8 = 0
    U16 = 1
    U32 = 2
    VARINT = 3
    TEXT = 4
    BINARY = 5


_FORMS = {
    **dict.fromkeys((0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2A), _Form.U8),
    **dict.fromkeys((0x13, 0x21, 0x22, 0x23), _Form.U16),
    **dict.fromkeys((0x02, 0x11, 0x18, 0x27), _Form.U32),
    **dict.fromkeys((0x0B,), _Form.VARINT),
    **dict.fromkeys((0x03, 0x08, 0x12, 0x15, 0x1A, 0x1C, 0x1F), _Form.TEXT),
    **dict.fromkeys((0x09, 0x16), _Form.BINARY),
}
"""How each property is written, but for the pairs of the user."""


class Cursor:
    """Reads the fields of one packet in order. What is not there, or not as it must be, is Malformed."""

    __slots__ = ("at", "data")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, size: int) -> bytes:
        piece = self.data[self.at : self.at + size]
        if len(piece) != size:
            raise Malformed("a field that ends beyond its packet")
        self.at += size
        return piece

    def u8(self) -> int:
        return self.take(1)[0]

    def u16(self) -> int:
        return int.from_bytes(self.take(2), "big")

    def u32(self) -> int:
        return int.from_bytes(self.take(4), "big")

    def varint(self) -> int:
        value = 0
        for shift in (0, 7, 14, 21):
            byte = self.u8()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise Malformed("a length of more than four bytes")

    def binary(self) -> bytes:
        return self.take(self.u16())

    def text(self) -> str:
        try:
            text = self.binary().decode()
        except UnicodeDecodeError as error:
            raise Malformed("text that is not UTF-8") from error
        if "\0" in text:  # 1.5.4
            raise Malformed("text with a null character")
        return text

    def rest(self) -> bytes:
        rest = self.data[self.at :]
        self.at = len(self.data)
        return rest

    def end(self) -> None:
        if self.at != len(self.data):
            raise Malformed("bytes after the last field")

    def properties(self, place: str, allowed: Container[int]) -> Properties:
        size = self.varint()
        if not size:
            return NO_PROPERTIES
        inner = Cursor(self.take(size))
        found: dict[int, PropertyValue] = {}
        pairs: list[tuple[str, str]] = []
        while inner.at < size:
            key = inner.varint()
            if key not in allowed:
                raise Malformed(f"property {key:#04x} in {place}")
            if key == Property.USER_PROPERTY:
                pairs.append((inner.text(), inner.text()))
                continue
            value = inner.value(_FORMS[key])
            if key in found and key != Property.SUBSCRIPTION_IDENTIFIER:  # one for each that matches (3.3.2.3.8)
                raise Malformed(f"property {key:#04x} twice", Reason.PROTOCOL_ERROR)
            found[key] = value
        if pairs:
            found[Property.USER_PROPERTY] = tuple(pairs)
        return found

    def value(self, form: _Form) -> int | str | bytes:
        match form:
            case _Form.U8:
                return self.u8()
            case _Form.U16:
                return self.u16()
            case _Form.U32:
                return self.u32()
            case _Form.VARINT:
                return self.varint()
            case _Form.TEXT:
                return self.text()
            case _Form.BINARY:
                return self.binary()


def encode_properties(properties: Properties) -> bytes:
    """Properties behind their length (2.2.2)."""
    if not properties:
        return b"\0"
    body = b"".join(_encode_property(key, value) for key, value in properties.items())
    return varint(len(body)) + body


_WIDTHS = {_Form.U8: ">BB", _Form.U16: ">BH", _Form.U32: ">BI"}


def _encode_property(key: int, value: PropertyValue) -> bytes:
    match value:
        case int():
            return struct.pack(_WIDTHS[_FORMS[key]], key, value)
        case str():
            return bytes((key,)) + prefixed(value.encode())
        case bytes():
            return bytes((key,)) + prefixed(value)
        case tuple():
            key_byte = bytes((key,))
            return b"".join(key_byte + prefixed(a.encode()) + prefixed(b.encode()) for a, b in value)
