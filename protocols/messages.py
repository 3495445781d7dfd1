"""What a driver and a device say to each other, before any wire gives it a form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from feltrig.protocols.vocabulary import Error, FaultCode, State

if TYPE_CHECKING:
    from feltrig.protocols.malformed import MalformedMessage

Value = int | bool | str | tuple[int, ...]
"""A field's value: numbers, truth, text, or a list of small numbers."""

Values = Mapping[str, Value]

NOTHING: Values = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Request:
    """A command for a device. The token is new for each command; a repeated token asks for the same answer again."""

    command: str
    values: Values = field(default_factory=lambda: NOTHING)
    token: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """The device's answer: an error, or the values of the command's reply."""

    error: Error = Error.OK
    values: Values = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in the device; numbers rise by one, starting at 1."""

    number: int
    name: str
    values: Values = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Status:
    """What the device is doing, and which events it still holds (0 and 0 when none)."""

    state: State
    fault: FaultCode
    oldest: int
    latest: int

    def reply(self) -> Reply:
        """As the answer to `status`."""
        numbers = {"state": int(self.state), "fault": int(self.fault), "oldest": self.oldest, "latest": self.latest}
        return Reply(values=numbers)


@dataclass(frozen=True, slots=True)
class EventBatch:
    """The status and, in order, the first events after the number asked for. There may be more: ask again."""

    status: Status
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a device says it is."""

    kind: str
    vendor: str
    model: str
    serial: str
    firmware: str
    digest: str


class Tap(Protocol):
    """Sees every byte of a wire as it passes: `outgoing` is from the driver to the device."""

    def __call__(self, outgoing: bool, data: bytes, /) -> None: ...


class Channel(Protocol):
    """The driver's end of one wire to one device. Every method keeps the deadline given at construction and raises
    a WireError when the wire fails; an answer that comes late is never taken for the answer to a later request."""

    async def open(self) -> None:
        """Open the port or the connection. Fails with LineLost."""

    async def close(self) -> None:
        """Close it; never fails, may be called twice."""

    async def request(self, request: Request) -> Reply:
        """Send a command other than `events` and return the device's answer. Repeats are safe: the token is kept."""

    async def events(self, after: int) -> EventBatch:
        """The status and the events after a number."""

    async def idle(self, seconds: float) -> None:
        """Wait for the time given, or less when the wire announces an event sooner."""


@runtime_checkable
class SpoiltChannel(Protocol):
    """A channel to a device that reports things once and cannot be asked for them again."""

    spoilt: str
    """What happened and may have cost a report; nothing when none can have been lost."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Bytes from a device of which no message of its protocol could be made."""

    why: str
    data: bytes

    def __str__(self) -> str:
        return f"{self.why}: {self.shown}"

    @property
    def shown(self) -> str:
        """Text as it is, other bytes in hex; not more than fits a line."""
        text = self.data[:60].decode("latin-1")
        return repr(text) if text.isascii() and text.isprintable() else self.data[:40].hex(" ")


NO_FRAME = "bytes that make no frame"
UNKNOWN_MESSAGE = "a message that it does not know"
WRONG_CHECK = "a message with a wrong check"
"""Why bytes cannot be read. A wrong check is the device's own mistake where nothing disturbs the line."""


@runtime_checkable
class AttentiveChannel(Protocol):
    """A channel that keeps what it could not read."""

    unread: list[Unread]
    """Whoever has taken note of them empties it."""


@runtime_checkable
class WaryChannel(Protocol):
    """A channel that asks no more once an answer may come late or a report may be lost: nothing would show it."""

    def begin_anew(self) -> None:
        """The device has lost its power: what was asked before will not be answered, and what it did is lost anyway."""


@runtime_checkable
class RepeatingChannel(Protocol):
    """A channel that asks again when no usable answer comes."""

    repeats: int
    """How often it did."""


@runtime_checkable
class TimedChannel(Protocol):
    """A channel that measures how long each answer takes."""

    slowest: float
    """Seconds that an answer took at most since the wire was opened."""

    def time_anew(self) -> None:
        """The device had no power until now: how long its answers took does not count."""


@runtime_checkable
class OverhearingChannel(Protocol):
    """A channel of a wire on which a device speaks only when asked."""

    unasked: list[str]
    """What the device said without being asked, oldest first."""


@dataclass(frozen=True, slots=True)
class Publication:
    """A message that a broker keeps for later subscribers."""

    topic: str
    """Below the device's own."""
    payload: bytes
    qos: int


@runtime_checkable
class PublishingChannel(Channel, Protocol):
    """A channel to a device that also publishes without being asked."""

    async def retained(self) -> tuple[Publication, ...]:
        """What the broker tells a new subscriber."""

    async def remembered(self, after: int) -> EventBatch:
        """The events after a number that the device gives when asked, whatever it has published before."""

    async def pushed(self, number: int) -> Event | None:
        """The event of a number as the device published it, if that happens within a moment."""


@runtime_checkable
class IdentifyingChannel(Channel, Protocol):
    """A channel of a wire that has its own way to identify a device."""

    async def identification(self) -> Mapping[int, bytes]:
        """Its basic objects, by their numbers."""


@runtime_checkable
class OpenChannel(Channel, Protocol):
    """A channel of a wire whose document says what a device must answer to a malformed message."""

    async def provoke(self, wrong: "MalformedMessage", token: int) -> tuple[bytes, bytes]:
        """Send such a message once. Returns what must be answered, and what was heard. Waits for an answer as long as
        one try of a question takes, and for a short while where none must come."""
