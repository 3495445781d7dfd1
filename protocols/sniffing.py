"""What passes on a wire in both directions, as messages. Any bytes are taken, and none is passed over in silence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status, Values


@dataclass(frozen=True, slots=True)
class Asked:
    """The driver asks."""

    request: Request


@dataclass(frozen=True, slots=True)
class Answered:
    """The device answers. `asked` is the very question that it answers, the same object."""

    asked: Asked
    reply: Reply | EventBatch


@dataclass(frozen=True, slots=True)
class Said:
    """The device says unasked how it is, and perhaps what happened."""

    status: Status
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class Reported:
    """The device says by a profile what happened, or how it is; with what its message carries, and no more."""

    event: str | None
    values: Values


@dataclass(frozen=True, slots=True)
class Chatter:
    """What the wire needs for itself: connections, acknowledgements, registers that are no part of a message."""

    outgoing: bool
    text: str


@dataclass(frozen=True, slots=True)
class NoMessage:
    """Bytes that no message could be made of, and why."""

    outgoing: bool
    why: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Broke:
    """The line was lost. No bytes tell that: whoever watches the wire adds it."""

    why: str


@dataclass(frozen=True, slots=True)
class Switched:
    """Hands switched the device off or on. No bytes tell that: whoever kept a record of it adds it."""

    on: bool


Message = Asked | Answered | Said | Reported | Chatter | NoMessage | Broke | Switched


def is_outgoing(message: Message) -> bool:
    """Whether the message went from the driver to the device."""
    match message:
        case Asked():
            return True
        case Chatter(outgoing=outgoing) | NoMessage(outgoing=outgoing):
            return outgoing
    return False


class Sniffer(Protocol):
    """Listens to one device's wire. Never raises, whatever it hears."""

    def hear(self, outgoing: bool, data: bytes) -> list[Message]:
        """The messages that these bytes complete."""

    def end(self) -> list[Message]:
        """What was left of a message that never became whole; nothing is heard after it."""


class OpaqueSniffer:
    """Listens to a wire that no codec here can read: all that passes is noise."""

    def __init__(self, why: str) -> None:
        self._why = why

    def hear(self, outgoing: bool, data: bytes) -> list[Message]:
        return [NoMessage(outgoing, self._why, data)] if data else []

    def end(self) -> list[Message]:
        return []


Frame = TypeVar("Frame")
Frame_co = TypeVar("Frame_co", covariant=True)


class Deframes(Protocol[Frame_co]):
    """What cuts a stream into frames, on any wire."""

    def receive(self, data: bytes) -> Sequence[Frame_co]:
        """The frames that these bytes complete."""

    @property
    def waiting(self) -> int:
        """Bytes at the end of the stream that are not yet a frame."""


class Cutter(Generic[Frame]):
    """Cuts a stream into frames and keeps what lies between them, which a deframer throws away."""

    def __init__(self, deframer: Deframes[Frame], encode: Callable[[Frame], bytes]) -> None:
        self._deframer = deframer
        self._encode = encode
        self._rest = b""

    def receive(self, data: bytes) -> list[Frame | bytes]:
        """Frames, and the bytes that belong to none, in the order of the stream."""
        stream = self._rest + data
        cut: list[Frame | bytes] = []
        at = 0
        for frame in self._deframer.receive(data):
            body = self._encode(frame)
            start = stream.index(body, at)
            cut += [stream[at:start], frame]
            at = start + len(body)
        end = max(at, len(stream) - self._deframer.waiting)
        cut.append(stream[at:end])
        self._rest = stream[end:]
        return [piece for piece in cut if piece != b""]

    def rest(self) -> bytes:
        """Take out what is not yet a frame."""
        rest, self._rest = self._rest, b""
        return rest
