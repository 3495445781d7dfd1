"""What arrives on a connection, without the cost of asyncio's own way of receiving."""

import asyncio

ROOM = 16384


class Receiver(asyncio.BufferedProtocol):
    """A protocol that receives into room of its own. For an asyncio.Protocol the event loop allocates 256 KiB before
    every read, which can cost more than the rest of an exchange (`benchmarks/wires.py`)."""

    def __init__(self) -> None:
        self._room = memoryview(bytearray(ROOM))

    def get_buffer(self, sizehint: int) -> memoryview:
        """Called by asyncio."""
        return self._room

    def buffer_updated(self, count: int) -> None:
        """Called by asyncio."""
        self.data_received(bytes(self._room[:count]))

    def data_received(self, data: bytes) -> None:
        """Called with what has arrived."""
        raise NotImplementedError
