"""MQTT packets to bytes and back, for a broker, a client and whoever listens between them. No I/O.

Section numbers in the comments are those of the OASIS standard, version 5.0, unless 3.1.1 is named.
"""

from collections.abc import Iterator, Mapping

from feltrig.protocols.mqtt.frame import Cursor, bounds, encode_properties, varint
from feltrig.protocols.mqtt.packets import (
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
    Property,
    Publish,
    Reason,
    Subscribe,
    Subscription,
    ToClient,
    Unsubscribe,
)

FROM_BROKER = "PUBLISH of a broker"

ALLOWED: Mapping[str, frozenset[int]] = {
    "CONNECT": frozenset((0x11, 0x15, 0x16, 0x17, 0x19, 0x21, 0x22, 0x26, 0x27)),
    "will": FORWARDED | {0x18},
    "PUBLISH": FORWARDED | {0x23},
    FROM_BROKER: FORWARDED | {0x0B, 0x23},
    "ack": frozenset((0x1F, 0x26)),
    "SUBSCRIBE": frozenset((0x0B, 0x26)),
    "UNSUBSCRIBE": frozenset((0x26,)),
    "DISCONNECT": frozenset((0x11, 0x1C, 0x1F, 0x26)),
}
"""The properties that may stand in a packet of a client, and in a message of a broker."""


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
            while (found := bounds(buffer, start, self._limit)) is not None:
                first, (body, end) = buffer[start], found
                start = end
                yield self._decode(first, bytes(buffer[body:end]))
        finally:
            del buffer[:start]

    def _decode(self, first: int, body: bytes) -> FromClient:
        kind, flags = first >> 4, first & 0x0F
        if kind == PacketType.PUBLISH:
            return decode_publish(flags, body, self.version)
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
                Cursor(body).end()
                return Ping(PacketType.PINGREQ)
            case PacketType.DISCONNECT:
                return _decode_disconnect(body, self.version)
        raise Malformed(f"a packet of type {kind} from a client", Reason.PROTOCOL_ERROR)


def decode_publish(flags: int, body: bytes, version: int, place: str = "PUBLISH") -> Publish:
    """A message from a client, or from a broker. Raises Malformed."""
    qos = flags >> 1 & 3
    if qos == 3:
        raise Malformed("QoS 3")
    cursor = Cursor(body)
    topic = cursor.text()
    mid = _mid(cursor) if qos else 0
    properties = cursor.properties(place, ALLOWED[place]) if version == V5 else NO_PROPERTIES
    if Property.TOPIC_ALIAS in properties:  # neither our CONNECT nor our CONNACK offers any (3.1.2.11.5, 3.2.2.3.8)
        raise Malformed("a topic alias, which was not offered", Reason.PROTOCOL_ERROR)
    check_topic(topic)
    response = properties.get(Property.RESPONSE_TOPIC)
    if isinstance(response, str):
        check_topic(response)
    return Publish(topic, cursor.rest(), qos, bool(flags & 1), bool(flags & 8), mid, properties)


def check_topic(topic: str) -> None:
    """Raise Malformed unless one can publish to it (4.7.1, 4.7.3)."""
    if not topic or "+" in topic or "#" in topic:
        raise Malformed(f"topic {topic!r}", Reason.TOPIC_NAME_INVALID)


def _mid(cursor: Cursor) -> int:
    mid = cursor.u16()
    if not mid:
        raise Malformed("packet identifier 0", Reason.PROTOCOL_ERROR)
    return mid


def _decode_ack(kind: PacketType, body: bytes, version: int) -> Ack:
    cursor = Cursor(body)
    mid = _mid(cursor)
    reason: int = Reason.SUCCESS
    if version == V5 and len(body) > 2:
        reason = cursor.u8()
        if len(body) > 3:
            cursor.properties("ack", ALLOWED["ack"])
    cursor.end()
    return Ack(kind, mid, reason)


def connect_version(body: bytes) -> int:
    """The protocol level in a CONNECT, which stands behind the protocol's name (3.1.2). Raises Malformed."""
    cursor = Cursor(body)
    cursor.binary()
    return cursor.u8()


def _decode_connect(body: bytes) -> Connect:
    cursor = Cursor(body)
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
    properties = cursor.properties("CONNECT", ALLOWED["CONNECT"]) if version == V5 else NO_PROPERTIES
    if properties.get(Property.RECEIVE_MAXIMUM) == 0 or properties.get(Property.MAXIMUM_PACKET_SIZE) == 0:
        raise Malformed("a limit of 0", Reason.PROTOCOL_ERROR)
    client_id = cursor.text()
    will = None
    if will_flag:
        will_properties = cursor.properties("will", ALLOWED["will"]) if version == V5 else NO_PROPERTIES
        topic = cursor.text()
        check_topic(topic)
        will = Publish(topic, cursor.binary(), will_qos, will_retain, properties=will_properties)
    username = cursor.text() if flags & 0x80 else None
    password = cursor.binary() if flags & 0x40 else None
    cursor.end()
    return Connect(version, client_id, bool(flags & 2), keep_alive, username, password, will, properties)


def _decode_subscribe(body: bytes, version: int) -> Subscribe:
    cursor = Cursor(body)
    mid = _mid(cursor)
    properties = cursor.properties("SUBSCRIBE", ALLOWED["SUBSCRIBE"]) if version == V5 else NO_PROPERTIES
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
        raise Malformed("a SUBSCRIBE without a topic filter", Reason.PROTOCOL_ERROR)
    return Subscribe(mid, tuple(subscriptions))


def _decode_unsubscribe(body: bytes, version: int) -> Unsubscribe:
    cursor = Cursor(body)
    mid = _mid(cursor)
    if version == V5:
        cursor.properties("UNSUBSCRIBE", ALLOWED["UNSUBSCRIBE"])
    patterns = []
    while cursor.at < len(body):
        patterns.append(cursor.text())
    if not patterns:
        raise Malformed("an UNSUBSCRIBE without a topic filter", Reason.PROTOCOL_ERROR)
    return Unsubscribe(mid, tuple(patterns))


def _decode_disconnect(body: bytes, version: int) -> Disconnect:
    cursor = Cursor(body)
    reason: int = Reason.SUCCESS
    properties = NO_PROPERTIES
    if version == V5 and body:
        reason = cursor.u8()
        if len(body) > 1:
            properties = cursor.properties("DISCONNECT", ALLOWED["DISCONNECT"])
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
            tail = encode_properties(properties) if version == V5 else b""
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
        parts.append(encode_properties(publish.properties))
    parts.append(publish.payload)
    return _packet(first, b"".join(parts))


def _packet(first: int, body: bytes) -> bytes:
    return bytes((first,)) + varint(len(body)) + body
