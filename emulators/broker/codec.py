"""The bytes of MQTT packets, as a broker reads and writes them: bytes in, packets out, and back. No I/O.

Section numbers in the comments are those of the OASIS standard, version 5.0, unless 3.1.1 is named.
"""

import struct
from collections.abc import Iterator, Mapping
from enum import IntEnum

from feltrig.emulators.broker.packets import (
    FORWARDED,
    NO_PROPERTIES,
    V5,
    V311,
    Ack,
    Connack,
    Connect,
    Disconnect,
    FilterAck,
    FromClient,
    Malformed,
    PacketType,
    Ping,
    Properties,
    Property,
    PropertyValue,
    Publish,
    Reason,
    Subscribe,
    Subscription,
    ToClient,
    Unsubscribe,
)


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

_ALLOWED: Mapping[str, frozenset[int]] = {
    "CONNECT": frozenset((0x11, 0x15, 0x16, 0x17, 0x19, 0x21, 0x22, 0x26, 0x27)),
    "will": FORWARDED | {0x18},
    "PUBLISH": FORWARDED | {0x23},
    "ack": frozenset((0x1F, 0x26)),
    "SUBSCRIBE": frozenset((0x0B, 0x26)),
    "UNSUBSCRIBE": frozenset((0x26,)),
    "DISCONNECT": frozenset((0x11, 0x1C, 0x1F, 0x26)),
}
"""What a client may put where."""


class Decoder:
    """Cuts a client's byte stream into packets; learns the version from CONNECT."""

    def __init__(self, limit: int) -> None:
        self.version = V311
        self._limit = limit
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[FromClient]:
        """The packets that are complete now. Raises Malformed; nothing may be fed after that."""
        buffer = self._buffer
        buffer += data
        start = 0
        try:
            while (frame := self._frame(start)) is not None:
                body, end = frame
                first = buffer[start]
                start = end
                yield self._decode(first, body)
        finally:
            del buffer[:start]

    def _frame(self, start: int) -> tuple[bytes, int] | None:
        buffer = self._buffer
        size = shift = 0
        for at in range(start + 1, min(start + 5, len(buffer))):
            size |= (buffer[at] & 0x7F) << shift
            shift += 7
            if buffer[at] < 0x80:
                if size > self._limit:
                    raise Malformed(f"a packet of {size} bytes", Reason.PACKET_TOO_LARGE)
                end = at + 1 + size
                return (bytes(buffer[at + 1 : end]), end) if end <= len(buffer) else None
        if shift == 28:
            raise Malformed("a length of more than four bytes")
        return None

    def _decode(self, first: int, body: bytes) -> FromClient:
        kind, flags = first >> 4, first & 0x0F
        if kind == PacketType.PUBLISH:
            return _decode_publish(flags, body, self.version)
        if flags != (2 if kind in (PacketType.PUBREL, PacketType.SUBSCRIBE, PacketType.UNSUBSCRIBE) else 0):
            raise Malformed(f"flags {flags:04b} in a packet of type {kind}")
        match kind:
            case PacketType.PUBACK | PacketType.PUBREC | PacketType.PUBREL | PacketType.PUBCOMP:
                return _decode_ack(PacketType(kind), body, self.version)
            case PacketType.CONNECT:
                connect = _decode_connect(body)
                self.version = connect.version
                return connect
            case PacketType.SUBSCRIBE:
                return _decode_subscribe(body, self.version)
            case PacketType.UNSUBSCRIBE:
                return _decode_unsubscribe(body, self.version)
            case PacketType.PINGREQ:
                _Cursor(body).end()
                return Ping(PacketType.PINGREQ)
            case PacketType.DISCONNECT:
                return _decode_disconnect(body, self.version)
        raise Malformed(f"a packet of type {kind} from a client", Reason.PROTOCOL_ERROR)


class _Cursor:
    """Reads the fields of one packet in order."""

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

    def properties(self, place: str) -> Properties:
        size = self.varint()
        if not size:
            return NO_PROPERTIES
        inner = _Cursor(self.take(size))
        allowed = _ALLOWED[place]
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
            if key in found:
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


def _decode_publish(flags: int, body: bytes, version: int) -> Publish:
    qos = flags >> 1 & 3
    if qos == 3:
        raise Malformed("QoS 3")
    cursor = _Cursor(body)
    topic = cursor.text()
    mid = _mid(cursor) if qos else 0
    properties = cursor.properties("PUBLISH") if version == V5 else NO_PROPERTIES
    if Property.TOPIC_ALIAS in properties:  # our CONNACK leaves the alias maximum at 0 (3.2.2.3.8)
        raise Malformed("a topic alias, which this broker does not offer", Reason.PROTOCOL_ERROR)
    check_topic(topic)
    response = properties.get(Property.RESPONSE_TOPIC)
    if isinstance(response, str):
        check_topic(response)
    return Publish(topic, cursor.rest(), qos, bool(flags & 1), bool(flags & 8), mid, properties)


def check_topic(topic: str) -> None:
    """Raise Malformed unless one can publish to it (4.7.1, 4.7.3)."""
    if not topic or "+" in topic or "#" in topic:
        raise Malformed(f"topic {topic!r}", Reason.TOPIC_NAME_INVALID)


def _mid(cursor: _Cursor) -> int:
    mid = cursor.u16()
    if not mid:
        raise Malformed("packet identifier 0", Reason.PROTOCOL_ERROR)
    return mid


def _decode_ack(kind: PacketType, body: bytes, version: int) -> Ack:
    cursor = _Cursor(body)
    mid = _mid(cursor)
    reason: int = Reason.SUCCESS
    if version == V5 and len(body) > 2:
        reason = cursor.u8()
        if len(body) > 3:
            cursor.properties("ack")
    cursor.end()
    return Ack(kind, mid, reason)


def _decode_connect(body: bytes) -> Connect:
    cursor = _Cursor(body)
    name, version = cursor.binary(), cursor.u8()
    if name != b"MQTT" or version not in (V311, V5):
        raise Malformed(f"protocol {name!r}, level {version}", Reason.UNSUPPORTED_VERSION)
    flags = cursor.u8()
    will_flag, will_qos, will_retain = flags & 0x04, flags >> 3 & 3, bool(flags & 0x20)
    if flags & 1 or will_qos == 3 or (not will_flag and (will_qos or will_retain)):
        raise Malformed(f"connect flags {flags:08b}")
    if version == V311 and flags & 0xC0 == 0x40:  # 3.1.1: 3.1.2.9
        raise Malformed("a password without a user name")
    keep_alive = cursor.u16()
    properties = cursor.properties("CONNECT") if version == V5 else NO_PROPERTIES
    if properties.get(Property.RECEIVE_MAXIMUM) == 0 or properties.get(Property.MAXIMUM_PACKET_SIZE) == 0:
        raise Malformed("a limit of 0", Reason.PROTOCOL_ERROR)
    client_id = cursor.text()
    will = None
    if will_flag:
        will_properties = cursor.properties("will") if version == V5 else NO_PROPERTIES
        topic = cursor.text()
        check_topic(topic)
        will = Publish(topic, cursor.binary(), will_qos, will_retain, properties=will_properties)
    username = cursor.text() if flags & 0x80 else None
    password = cursor.binary() if flags & 0x40 else None
    cursor.end()
    return Connect(version, client_id, bool(flags & 2), keep_alive, username, password, will, properties)


def _decode_subscribe(body: bytes, version: int) -> Subscribe:
    cursor = _Cursor(body)
    mid = _mid(cursor)
    properties = cursor.properties("SUBSCRIBE") if version == V5 else NO_PROPERTIES
    if Property.SUBSCRIPTION_IDENTIFIER in properties:  # our CONNACK says that there are none (3.2.2.3.12)
        raise Malformed("a subscription identifier, which this broker does not offer", Reason.PROTOCOL_ERROR)
    subscriptions = []
    while cursor.at < len(body):
        pattern, options = cursor.text(), cursor.u8()
        qos, handling = options & 3, options >> 4 & 3
        if qos == 3 or handling == 3 or options & (0xC0 if version == V5 else 0xFC):
            raise Malformed(f"subscription options {options:08b}")
        subscriptions.append(Subscription(pattern, qos, bool(options & 4), bool(options & 8), handling))
    if not subscriptions:
        raise Malformed("a subscription to nothing", Reason.PROTOCOL_ERROR)
    return Subscribe(mid, tuple(subscriptions))


def _decode_unsubscribe(body: bytes, version: int) -> Unsubscribe:
    cursor = _Cursor(body)
    mid = _mid(cursor)
    if version == V5:
        cursor.properties("UNSUBSCRIBE")
    patterns = []
    while cursor.at < len(body):
        patterns.append(cursor.text())
    if not patterns:
        raise Malformed("an end of no subscription", Reason.PROTOCOL_ERROR)
    return Unsubscribe(mid, tuple(patterns))


def _decode_disconnect(body: bytes, version: int) -> Disconnect:
    cursor = _Cursor(body)
    reason: int = Reason.SUCCESS
    properties = NO_PROPERTIES
    if version == V5 and body:
        reason = cursor.u8()
        if len(body) > 1:
            properties = cursor.properties("DISCONNECT")
    cursor.end()
    return Disconnect(reason, properties)


def encode(packet: ToClient, version: int) -> bytes:
    """The bytes of a packet for a client that speaks this version."""
    match packet:
        case Publish():
            return _encode_publish(packet, version)
        case Ack(kind, mid, reason):
            flags = 2 if kind is PacketType.PUBREL else 0
            tail = bytes((reason,)) if version == V5 and reason else b""
            return _packet(kind << 4 | flags, mid.to_bytes(2, "big") + tail)
        case Connack(code, present, properties):
            tail = _encode_properties(properties) if version == V5 else b""
            return _packet(PacketType.CONNACK << 4, bytes((present, code)) + tail)
        case FilterAck(kind, mid, codes):
            body = mid.to_bytes(2, "big") + (b"\0" if version == V5 else b"")
            # 3.1.1 acknowledges an UNSUBSCRIBE without codes
            return _packet(kind << 4, body if kind is PacketType.UNSUBACK and version == V311 else body + bytes(codes))
        case Ping(kind):
            return bytes((kind << 4, 0))
        case Disconnect(reason, _):
            return _packet(PacketType.DISCONNECT << 4, bytes((reason,)) if version == V5 else b"")


def _encode_publish(publish: Publish, version: int) -> bytes:
    first = PacketType.PUBLISH << 4 | publish.dup << 3 | publish.qos << 1 | publish.retain
    topic = publish.topic.encode()
    parts = [len(topic).to_bytes(2, "big"), topic]
    if publish.qos:
        parts.append(publish.mid.to_bytes(2, "big"))
    if version == V5:
        parts.append(_encode_properties(publish.properties))
    parts.append(publish.payload)
    return _packet(first, b"".join(parts))


def _packet(first: int, body: bytes) -> bytes:
    return bytes((first,)) + _varint(len(body)) + body


def _varint(value: int) -> bytes:
    if value < 0x80:
        return bytes((value,))
    digits = bytearray()
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    digits.append(value)
    return bytes(digits)


def _encode_properties(properties: Properties) -> bytes:
    if not properties:
        return b"\0"
    body = b"".join(_encode_property(key, value) for key, value in properties.items())
    return _varint(len(body)) + body


_WIDTHS = {_Form.U8: ">BB", _Form.U16: ">BH", _Form.U32: ">BI"}


def _encode_property(key: int, value: PropertyValue) -> bytes:
    match value:
        case int():
            return struct.pack(_WIDTHS[_FORMS[key]], key, value)
        case str():
            return bytes((key,)) + _prefixed(value.encode())
        case bytes():
            return bytes((key,)) + _prefixed(value)
        case tuple():
            key_byte = bytes((key,))
            return b"".join(key_byte + _prefixed(a.encode()) + _prefixed(b.encode()) for a, b in value)


def _prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data
