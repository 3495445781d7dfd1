"""A device's end of a wire, byte for byte as it was recorded, for what no codec can read."""

import asyncio
import socket
from collections.abc import Iterable

from feltrig.emulators.replay.script import Passed, Report, Script, Sender
from feltrig.emulators.stations.pty_port import PtyPort

LOOK = 0.05
"""Seconds between two looks whether a driver has opened a terminal, and from its setting it up to its listening."""


class RecordedPty:
    """A recorded serial line, at the end of a pseudo terminal. A driver that sets a terminal up throws away what waited
    in it, so a device that spoke first says it again."""

    def __init__(self, name: str, passed: Iterable[Passed[bytes]], report: Report, speed: float = 1.0) -> None:
        self._script = Script(name, passed, len, report)
        self._speed = speed
        self._port = PtyPort(self._received)
        self._sender: Sender[bytes] | None = None
        self._opening: list[tuple[float, bytes]] = []
        self._looking: asyncio.TimerHandle | None = None

    @property
    def deviations(self) -> list[str]:
        """How the session differed from the recording."""
        return self._script.deviations

    async def start(self) -> str:
        path = self._port.open()
        self._sender = Sender(self._port.send, self._speed)
        self._opening = self._script.receive(0)
        self._sender.queue(self._opening)
        if self._opening:
            self._look()
        return path

    async def stop(self) -> None:
        self._look_no_more()
        if self._sender is not None:
            self._sender.stop()
        self._port.close()

    def _look(self) -> None:
        next_step = self._open_again if self._port.was_set_up else self._look
        self._looking = asyncio.get_running_loop().call_later(LOOK, next_step)

    def _look_no_more(self) -> None:
        if self._looking is not None:
            self._looking.cancel()

    def _open_again(self) -> None:
        if self._sender is not None:
            self._sender.stop()
            self._sender.queue(self._opening)

    def _received(self, data: bytes) -> None:
        self._look_no_more()
        if self._sender is not None:
            self._sender.queue(self._script.receive(len(data)))


class RecordedTcp:
    """A recorded connection. One driver at a time; the next one goes on where the last one left."""

    def __init__(
        self, name: str, passed: Iterable[Passed[bytes]], report: Report, speed: float = 1.0, host: str = "127.0.0.1"
    ) -> None:
        self.script = Script(name, passed, len, report)
        self.speed = speed
        self.driver: _Driver | None = None
        """The connection that is open."""
        self._host = host
        self._listener: asyncio.Server | None = None

    @property
    def deviations(self) -> list[str]:
        """How the session differed from the recording."""
        return self.script.deviations

    async def start(self) -> str:
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(lambda: _Driver(self), self._host, 0, family=socket.AF_INET)
        host, port = self._listener.sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    async def stop(self) -> None:
        if self._listener is None:
            return
        self._listener.close()
        if self.driver is not None:
            driver = self.driver
            driver.transport.abort()
            await driver.ended
        await self._listener.wait_closed()
        self._listener = None


class _Driver(asyncio.Protocol):
    transport: asyncio.Transport

    def __init__(self, station: RecordedTcp) -> None:
        self._station = station
        self._sender: Sender[bytes] | None = None
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if self._station.driver is not None:
            transport.abort()
            return
        self._station.driver = self
        self._sender = Sender(transport.write, self._station.speed)
        self.data_received(b"")

    def data_received(self, data: bytes) -> None:
        if self._sender is not None:
            self._sender.queue(self._station.script.receive(len(data)))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._sender is not None:
            self._sender.stop()
            self._station.driver = None
        self.ended.set_result(None)
