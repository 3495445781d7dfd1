"""What every kind of device can be told and can say, as data. Wires only carry it; models only act on it.

A card on the wire is one byte: rank + 13 * suit, ranks 2..A as 0..12, suits clubs, diamonds, hearts, spades as 0..3,
the jokers 52 and 53; bit 7 is set when the card lies face up.
"""

from dataclasses import dataclass
from enum import Enum, IntEnum

FACE_UP = 0x80
"""The bit that marks a card lying face up."""


class Type(Enum):
    """How a field is carried. Lists are bounded by what one frame or register block can hold."""

    U8 = "u8"
    U16 = "u16"
    U32 = "u32"
    BOOL = "bool"
    BYTES = "bytes"
    """A list of small numbers: cards, dice, or plain bytes."""
    TEXT = "text"


class State(IntEnum):
    """The state of a device, the same five for every kind."""

    IDLE = 0
    BUSY = 1
    READY = 2
    FAULT = 3
    LOCKED = 4


class FaultCode(IntEnum):
    """Why a device is in the state FAULT."""

    NONE = 0
    JAM = 1
    STOPPED = 2
    INCOMPLETE = 3
    COUNT = 4
    SENSOR = 5


class Error(IntEnum):
    """Why a device refused a request."""

    OK = 0
    UNKNOWN_COMMAND = 1
    BAD_ARGUMENT = 2
    WRONG_STATE = 3
    EMPTY = 4
    MALFORMED = 5


@dataclass(frozen=True, slots=True)
class Field:
    """One named value of a command, reply or event."""

    name: str
    type: Type
    doc: str


@dataclass(frozen=True, slots=True)
class Command:
    """A request that a device understands. One that `acts` is run once, however often its token arrives."""

    name: str
    code: int
    doc: str
    args: tuple[Field, ...] = ()
    reply: tuple[Field, ...] = ()
    acts: bool = False


@dataclass(frozen=True, slots=True)
class EventType:
    """A kind of event that a device numbers and keeps until its memory is full."""

    name: str
    code: int
    doc: str
    fields: tuple[Field, ...] = ()


class Kind:
    """One kind of device: its commands and events, by name and by code."""

    def __init__(
        self, name: str, code: int, doc: str, commands: tuple[Command, ...], events: tuple[EventType, ...]
    ) -> None:
        self.name = name
        self.code = code
        self.doc = doc
        self.commands = {c.name: c for c in (*COMMON, *commands)}
        self.events = {e.name: e for e in (*COMMON_EVENTS, *events)}
        self.command_of = {c.code: c for c in self.commands.values()}
        self.event_of = {e.code: e for e in self.events.values()}

    def __repr__(self) -> str:
        return f"Kind({self.name!r})"


COMMON = (
    Command(
        "identify",
        0x01,
        "who the device is",
        reply=(
            Field("kind", Type.U8, "code of the kind of device"),
            Field("vendor", Type.TEXT, "who made it"),
            Field("model", Type.TEXT, "what the vendor calls it"),
            Field("serial", Type.TEXT, "serial number"),
            Field("firmware", Type.TEXT, "firmware version"),
            Field("digest", Type.TEXT, "SHA-256 of the firmware image, in hex"),
        ),
    ),
    Command(
        "status",
        0x02,
        "what the device is doing, and which events it holds",
        reply=(
            Field("state", Type.U8, "see State"),
            Field("fault", Type.U8, "see Fault"),
            Field("oldest", Type.U32, "number of the oldest event still held, 0 if there is none"),
            Field("latest", Type.U32, "number of the latest event, 0 if there is none"),
        ),
    ),
    Command("events", 0x03, "the events after a number", args=(Field("after", Type.U32, "last number already seen"),)),
    Command("reset", 0x04, "leave the state FAULT after the cause was removed, and whatever was under way", acts=True),
    Command(
        "challenge",
        0x05,
        "prove that it holds its firmware image",
        args=(Field("nonce", Type.BYTES, "16 to 32 bytes that were never used before"),),
        reply=(Field("proof", Type.BYTES, "32 bytes: HMAC-SHA-256 of the firmware image, with the nonce as the key"),),
    ),
)
"""Every device understands these. The reply to `events` is a batch: the status, then as many events as fit."""

COMMON_EVENTS = (
    EventType("started", 0x01, "the device has started; it is number 1 unless the device still has its earlier events"),
    EventType("faulted", 0x02, "the device stopped with a fault", (Field("fault", Type.U8, "see Fault"),)),
    EventType("cleared", 0x03, "the device was reset"),
)
