"""The device's end of a serial line, whatever carries it: a pseudo terminal, a raw TCP socket, or RFC 2217."""

from collections.abc import Callable
from typing import Protocol

from feltrig.emulators.models.faults import Misbehave


class LinePort(Protocol):
    """What a station needs of the port that it answers on. Clients may come and go while it is open."""

    def open(self) -> str:
        """Begin to serve; returns the name by which a driver opens the port. A name in use is an OSError."""

    def close(self) -> None:
        """Hang up and stop serving. May be called twice."""

    def send(self, data: bytes) -> None:
        """Send to whoever has the port open; without anybody the bytes go nowhere."""


MakePort = Callable[[Callable[[bytes], None]], LinePort]
"""Makes a port, given whom to tell what arrives."""


def send_answer(port: LinePort, answer: bytes, misbehave: Misbehave | None) -> None:
    """Send an answer, or what misbehaviour makes of it."""
    if misbehave is None:
        port.send(answer)
        return
    try:
        instead = misbehave(answer)
    except ConnectionAbortedError:
        port.close()
        return
    if instead is not None:
        port.send(instead)
