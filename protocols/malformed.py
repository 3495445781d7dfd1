"""Messages that the rig never sends when it plays: wrong on purpose, meant for another device, or a rare way to ask.

Each wire's package has its own, with what its document says that a device must answer. What a device could take for a
command is always `reset`, which works in every state and emits an event: a device that wrongly acts on it shows that,
and no harm is done.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Protocol

from feltrig.protocols.exchange import TRIES
from feltrig.protocols.messages import Tap
from feltrig.protocols.vocabulary import COMMON, Kind

CODES = {command.name: command.code for command in COMMON}
UNKNOWN = (0x00, 0x06, 0x0F, 0x7F)
"""Codes of no command of any device."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a message carries beside its content."""

    to: int
    """Address or unit; 0 where the topic says it."""
    number: int
    """The number that its answer repeats; 0 where there is none."""
    token: int
    back: str = ""
    """Where the answer goes, if the message itself must say it."""


Write = Callable[[Envelope], bytes]


@dataclass(frozen=True, slots=True)
class MalformedMessage:
    """One such message: how it is written, and what a device must answer (nothing: it must be silent)."""

    name: str
    write: Write
    answer: Write = lambda _: b""
    requirements: tuple[str, ...] = ()
    """The requirements of the wire documents that it tests, by their ids."""
    remembered: bool = False
    """Whether a device can remember the token of it: a refusal with error 1 or 5, or silence, uses no token up."""
    others: tuple[Write, ...] = ()
    """Further answers that are right."""
    may_close: bool = False
    """Whether a device may close the connection, or no longer listen on it."""

    def answers(self, envelope: Envelope) -> tuple[bytes, ...]:
        """All that a device may answer, the usual first."""
        return (self.answer(envelope), *(other(envelope) for other in self.others))


def unknown_codes(kind: Kind) -> tuple[int, ...]:
    """Command codes that this kind of device lacks; among them the next one, which another kind may have."""
    return (*UNKNOWN, max(kind.command_of) + 1)


def other_addresses(own: int, taken: Collection[int], highest: int, lowest: int = 1) -> tuple[int, ...]:
    """Addresses that no device of the rig has and that a careless device takes for its own: its neighbours, those that
    differ in one bit, and the ends of the range. As many for every device, unless nearly all are taken."""
    near = (own + 1, own - 1, *(own ^ 1 << bit for bit in range(8)), highest, lowest)
    free = [n for n in (*near, *range(highest, lowest - 1, -1)) if lowest <= n <= highest and n != own]
    return tuple(dict.fromkeys(n for n in free if n not in taken))[:OTHERS]


OTHERS = 12
"""How many other addresses are tried."""

QUIET = 0.1
"""Seconds in which silence must be heard: twice what a device has for an answer."""


LATEST = 1.2
"""Seconds after which no answer can come any more: a device has one, and the rest is for our own computer."""


PAUSE = 0.05
"""Seconds after which a device has done with a message that it must not answer."""

NEXT = b"an answer to the next question"
"""What is expected after a message that must not be answered."""


def patience(deadline: float, expected: bytes) -> float:
    """Seconds to listen: where an answer must come, as long as for one try of a question and as a device has."""
    return max(deadline / TRIES, LATEST) if expected else QUIET


class Tapped(Protocol):
    """An end of a line that shows every byte to its tap."""

    _tap: Tap | None


Done = Callable[[bytes], bool]
"""Whether enough was heard."""


def complete(answers: Collection[bytes]) -> Done:
    """Enough was heard once it is one of these answers, or too much for any."""
    most = max(map(len, answers))
    return lambda heard: heard in answers or len(heard) >= most > 0


async def provoke(
    end: Tapped,
    send: Callable[[bytes], None],
    wrong: MalformedMessage,
    envelope: Envelope,
    deadline: float,
    byte_time: float = 0.0,
) -> tuple[bytes, bytes]:
    """Send a message past the codec; what must be answered, and all that was heard. `byte_time` is how long a byte
    takes on the line."""
    message, answers = wrong.write(envelope), wrong.answers(envelope)
    seconds = patience(deadline, answers[0]) + byte_time * len(message)
    heard = await send_raw(end, send, (message,), complete(answers), seconds)
    return heard if heard in answers else answers[0], heard


async def send_raw(
    end: Tapped, send: Callable[[bytes], None], pieces: Iterable[bytes], done: Done, seconds: float, pause: float = 0.0
) -> bytes:
    """Send bytes past the codec, with a pause between two pieces; all that was heard from the first piece on, until it
    is enough or so many seconds after the last piece."""
    tap = end._tap
    end._tap = listener = Listener(tap, done)
    try:
        for number, piece in enumerate(pieces):
            if number and pause:
                await asyncio.sleep(pause)
            listener(True, piece)
            send(piece)
        await listener.listen(seconds)
    finally:
        end._tap = tap
    return bytes(listener.heard)


class Listener:
    """A tap in front of another, which keeps what comes in. Once there is enough, it need not listen on."""

    def __init__(self, tap: Tap | None, done: Done) -> None:
        self.heard = bytearray()
        self._tap = tap
        self._done = done
        self._heard_enough = asyncio.Event()

    def __call__(self, outgoing: bool, data: bytes, /) -> None:
        if self._tap is not None:
            self._tap(outgoing, data)
        if not outgoing:
            self.heard += data
            if self._done(bytes(self.heard)):
                self._heard_enough.set()

    async def listen(self, seconds: float) -> None:
        """Until enough was heard, or for so long."""
        try:
            async with asyncio.timeout(seconds):
                await self._heard_enough.wait()
        except TimeoutError:
            pass
