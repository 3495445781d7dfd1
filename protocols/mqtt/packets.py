"""The packets of MQTT 3.1.1 and 5, without their bytes.

Section numbers in the comments are those of the OASIS standard, version 5.0, unless 3.1.1 is named.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from types import MappingProxyType

V311 = 4
V5 = 5
"""The protocol levels, as CONNECT carries them."""


class PacketType(IntEnum):
    """The high nibble of the first byte (2.1.2)."""

    CONNECT = 1
    CONNACK = 2
    PUBLISH = 3
    PUBACK = 4
    PUBREC = 5
    PUBREL = 6
    PUBCOMP = 7
    SUBSCRIBE = 8
    SUBACK = 9
    UNSUBSCRIBE = 10
    UNSUBACK = 11
    PINGREQ = 12
    PINGRESP = 13
    DISCONNECT = 14
    AUTH = 15


class Reason(IntEnum):
    """The reason codes of MQTT 5 that the embedded broker gives or understands (2.4)."""

    SUCCESS = 0x00
    DISCONNECT_WITH_WILL = 0x04
    NO_SUBSCRIPTION_EXISTED = 0x11
    MALFORMED_PACKET = 0x81
    PROTOCOL_ERROR = 0x82
    UNSUPPORTED_VERSION = 0x84
    CLIENT_ID_NOT_VALID = 0x85
    NOT_AUTHORIZED = 0x87
    SERVER_SHUTTING_DOWN = 0x8B
    BAD_AUTHENTICATION_METHOD = 0x8C
    KEEP_ALIVE_TIMEOUT = 0x8D
    SESSION_TAKEN_OVER = 0x8E
    TOPIC_FILTER_INVALID = 0x8F
    TOPIC_NAME_INVALID = 0x90
    PACKET_TOO_LARGE = 0x95
    QUOTA_EXCEEDED = 0x97
    SHARED_SUBSCRIPTIONS_NOT_SUPPORTED = 0x9E


class Property(IntEnum):
    """The properties of MQTT 5 (2.2.2.2)."""

    PAYLOAD_FORMAT = 0x01
    MESSAGE_EXPIRY = 0x02
    CONTENT_TYPE = 0x03
    RESPONSE_TOPIC = 0x08
    CORRELATION_DATA = 0x09
    SUBSCRIPTION_IDENTIFIER = 0x0B
    SESSION_EXPIRY = 0x11
    ASSIGNED_CLIENT_ID = 0x12
    SERVER_KEEP_ALIVE = 0x13
    AUTHENTICATION_METHOD = 0x15
    AUTHENTICATION_DATA = 0x16
    REQUEST_PROBLEM_INFORMATION = 0x17
    WILL_DELAY = 0x18
    REQUEST_RESPONSE_INFORMATION = 0x19
    RESPONSE_INFORMATION = 0x1A
    SERVER_REFERENCE = 0x1C
    REASON_STRING = 0x1F
    RECEIVE_MAXIMUM = 0x21
    TOPIC_ALIAS_MAXIMUM = 0x22
    TOPIC_ALIAS = 0x23
    MAXIMUM_QOS = 0x24
    RETAIN_AVAILABLE = 0x25
    USER_PROPERTY = 0x26
    MAXIMUM_PACKET_SIZE = 0x27
    WILDCARD_SUBSCRIPTION_AVAILABLE = 0x28
    SUBSCRIPTION_IDENTIFIER_AVAILABLE = 0x29
    SHARED_SUBSCRIPTION_AVAILABLE = 0x2A


FORWARDED = frozenset((0x01, 0x02, 0x03, 0x08, 0x09, 0x26))
"""The properties of a message that go with it to the subscribers (3.3.2.3)."""

PropertyValue = int | str | bytes | tuple[tuple[str, str], ...]
Properties = Mapping[int, PropertyValue]
NO_PROPERTIES: Properties = MappingProxyType({})


class Malformed(Exception):
    """The peer sent what the standard forbids; the connection must be closed with this reason."""

    def __init__(self, what: str, reason: Reason = Reason.MALFORMED_PACKET) -> None:
        super().__init__(what)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Publish:
    """A message, from a client or to one. `mid` is its packet identifier, 0 at QoS 0."""

    topic: str
    payload: bytes
    qos: int = 0
    retain: bool = False
    dup: bool = False
    mid: int = 0
    properties: Properties = field(default_factory=lambda: NO_PROPERTIES)

    @property
    def correlation(self) -> bytes | None:
        """By which the answer to a request is known (3.3.2.3.6); None without."""
        correlation = self.properties.get(Property.CORRELATION_DATA)
        return correlation if isinstance(correlation, bytes) else None


@dataclass(frozen=True, slots=True)
class Connect:
    """A client introduces itself."""

    version: int
    client_id: str
    clean: bool = True
    keep_alive: int = 0
    username: str | None = None
    password: bytes | None = None
    will: Publish | None = None
    properties: Properties = field(default_factory=lambda: NO_PROPERTIES)


@dataclass(frozen=True, slots=True)
class Connack:
    """The broker's welcome, or its refusal: a return code of 3.1.1 or a reason of MQTT 5."""

    code: int
    session_present: bool = False
    properties: Properties = field(default_factory=lambda: NO_PROPERTIES)


@dataclass(frozen=True, slots=True)
class Ack:
    """One of PUBACK, PUBREC, PUBREL, PUBCOMP."""

    type: PacketType
    mid: int
    reason: int = Reason.SUCCESS


@dataclass(frozen=True, slots=True)
class Subscription:
    """A topic filter and how the client wants the messages that match it."""

    pattern: str
    qos: int = 0
    no_local: bool = False
    retain_as_published: bool = False
    retain_handling: int = 0


@dataclass(frozen=True, slots=True)
class Subscribe:
    """A client asks for messages."""

    mid: int
    subscriptions: tuple[Subscription, ...]


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """A client no longer wants messages."""

    mid: int
    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FilterAck:
    """SUBACK or UNSUBACK: one code per filter."""

    type: PacketType
    mid: int
    codes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ping:
    """PINGREQ or PINGRESP."""

    type: PacketType


@dataclass(frozen=True, slots=True)
class Disconnect:
    """The end of a connection. Only MQTT 5 gives a reason, and only there may a broker send it."""

    reason: int = Reason.SUCCESS
    properties: Properties = field(default_factory=lambda: NO_PROPERTIES)


FromClient = Connect | Publish | Ack | Subscribe | Unsubscribe | Ping | Disconnect
ToClient = Connack | Publish | Ack | FilterAck | Ping | Disconnect
