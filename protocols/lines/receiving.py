"""What arrives on a connection, without the cost of asyncio's own way of receiving."""

import asyncio
import threading

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
        """Called by asyncio."""
        return self._room

    def buffer_updated(self, count: int) -> None:
        """Called by asyncio."""
        self.data_received(bytes(self._room[:count]))

    def data_received(self, data: bytes) -> None:
        """Called with what has arrived."""
        raise NotImplementedError
