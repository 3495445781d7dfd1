"""A line that asyncio's transports carry, where bytes need more than a descriptor."""

import asyncio
from collections.abc import Callable

from feltrig.protocols.lines.fd_line import HUNG_UP
from feltrig.protocols.lines.receiving import Receiver


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
        """Send. On a closed line the bytes go nowhere."""
        if self._transport is not None and not self._closed:
            self._transport.write(data)

    def close(self) -> None:
        """Disconnect. May be called twice."""
        self._closed = True
        if self._transport is not None:
            self._transport.abort()
            self._transport = None

    @property
    def unsent(self) -> int:
        """Bytes that wait to be sent."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def pause_writing(self) -> None:
        """Called by asyncio. A peer that does not read must not fill our memory."""
        if self._transport is not None:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        """Called by asyncio."""
        if self._transport is not None:
            self._transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Called with what has arrived."""
        if not self._closed:
            self._on_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio."""
        self._transport = None
        self.failure = exc
        if not self.ended.done():
            self.ended.set_result(None)
        if not self._closed:
            self._closed = True
            self._on_lost("connection lost" if exc else HUNG_UP)
