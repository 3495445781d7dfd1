"""Lines that asyncio's transports carry, where bytes need more than a descriptor."""

import asyncio
import threading
from collections.abc import Callable

from feltrig.protocols.lines.fd_line import HUNG_UP

ROOM = 16384


class _Room(threading.local):
    """One for all connections of a thread, since what arrives is copied before anything else happens. With one for
    each, a hundred connections would keep the processor's cache from what matters (`benchmarks/scale.py`)."""

    def __init__(self) -> None:
        self.view = memoryview(bytearray(ROOM))


_ROOM = _Room()


class Receiver(asyncio.BufferedProtocol):
    """A protocol that receives into room of ours. For an asyncio.Protocol the event loop allocates 256 KiB before
    every read, which can cost more than the rest of an exchange (`benchmarks/wires.py`)."""

    __slots__ = ("_room",)

    def __init__(self) -> None:
        self._room = _ROOM.view

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._room

    def buffer_updated(self, count: int) -> None:
        self.data_received(bytes(self._room[:count]))

    def data_received(self, data: bytes) -> None:
        """Called with what has arrived."""
        raise NotImplementedError


class StreamLine(Receiver):
    """A line that asyncio carries: to a device server, or over TLS."""

    __slots__ = ("_closed", "_on_data", "_on_lost", "_transport", "ended", "failure")

    def __init__(self, on_data: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        super().__init__()
        self._on_data = on_data
        self._on_lost = on_lost
        self._transport: asyncio.Transport | None = None
        self._closed = False
        self.failure: Exception | None = None
        """By which the line was lost, if the other side has not just closed it."""
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """When nothing is left of it."""

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self._closed:
            self._transport.write(data)

    def close(self) -> None:
        self._closed = True
        if self._transport is not None:
            self._transport.abort()
            self._transport = None

    @property
    def unsent(self) -> int:
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def pause_writing(self) -> None:
        """Called by asyncio. A peer that does not read must not fill our memory."""
        if self._transport is not None:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        if self._transport is not None:
            self._transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        if not self._closed:
            self._on_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self.failure = exc
        if not self.ended.done():
            self.ended.set_result(None)
        if not self._closed:
            self._closed = True
            self._on_lost("connection lost" if exc else HUNG_UP)
