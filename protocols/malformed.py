"""Messages that the rig never sends when it plays: wrong on purpose, meant for another device, or a rare way to ask.

Each wire's package has its own, with what its document says that a device must answer. What a device could take for a
command is always `reset`, which works in every state and emits an event: a device that wrongly acts on it shows that,
and no harm is done. A message for another device only asks, so no other device on the line has to act.
"""

import asyncio
from collections.abc import Callable, Collection
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


def unknown_codes(kind: Kind) -> tuple[int, ...]:
    """Command codes that this kind of device lacks; among them the next one, which another kind may have."""
    return (*UNKNOWN, max(kind.command_of) + 1)


def other_address(envelope: Envelope, taken: Collection[int], highest: int) -> int:
    """An address that no device of the rig has; high ones are rarely used."""
    return next(n for n in range(highest, 0, -1) if n != envelope.to and n not in taken)


def flip_last_bit(data: bytes) -> bytes:
    """The bytes with a wrong checksum at their end."""
    return data[:-1] + bytes((data[-1] ^ 1,))


QUIET = 0.1
"""Seconds in which silence must be heard: twice what a device has for an answer."""


def patience(deadline: float, expected: bytes) -> float:
    """Seconds to listen: as long as for one try of a question where an answer must come."""
    return deadline / TRIES if expected else QUIET


class Tapped(Protocol):
    """An end of a line that shows every byte to its tap."""

    _tap: Tap | None


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
    message, expected = wrong.write(envelope), wrong.answer(envelope)
    tap = end._tap
    end._tap = listener = _Listener(tap, len(expected))
    try:
        listener(True, message)
        send(message)
        await listener.listen(patience(deadline, expected) + byte_time * len(message))
    finally:
        end._tap = tap
    return expected, bytes(listener.heard)


class _Listener:
    """A tap in front of another, which keeps what comes in. Once there is enough, it need not listen on."""

    def __init__(self, tap: Tap | None, enough: int) -> None:
        self.heard = bytearray()
        self._tap = tap
        self._enough = enough
        self._heard_enough = asyncio.Event()

    def __call__(self, outgoing: bool, data: bytes, /) -> None:
        if self._tap is not None:
            self._tap(outgoing, data)
        if not outgoing:
            self.heard += data
            if 0 < self._enough <= len(self.heard):
                self._heard_enough.set()

    async def listen(self, seconds: float) -> None:
        """Until enough was heard, or for so long."""
        try:
            async with asyncio.timeout(seconds):
                await self._heard_enough.wait()
        except TimeoutError:
            pass
