"""What comes back on a line of bytes when a message is sent that is wrong on purpose."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from feltrig.protocols.exchange import TRIES
from feltrig.protocols.messages import Envelope, Provocation, Tap

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
    wrong: Provocation,
    envelope: Envelope,
    deadline: float,
    byte_time: float = 0.0,
) -> tuple[bytes, bytes]:
    """Send a message past the codec; what must be answered, and all that was heard. `byte_time` is how long a byte
    takes on the line."""
    message, expected = wrong.write(envelope), wrong.answer(envelope)
    tap = end._tap
    end._tap = sniffer = _Ear(tap, len(expected))
    try:
        sniffer(True, message)
        send(message)
        await sniffer.listen(patience(deadline, expected) + byte_time * len(message))
    finally:
        end._tap = tap
    return expected, bytes(sniffer.heard)


class _Ear:
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
