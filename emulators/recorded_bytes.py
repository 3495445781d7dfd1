"""A device's end of a wire, byte for byte as it was recorded, for what no codec can read.

After as many bytes from the driver as were recorded, come the bytes that the device then sent. The driver's own are
compared, but only counted: sequence numbers and tokens differ from one session to the next.
"""

import asyncio
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from feltrig.emulators.stations.pty_port import PtyPort

Report = Callable[[str], None]
"""Told in one line when a session leaves the recording."""

Passed = tuple[float, bool, bytes]
"""When bytes passed, whether they came from the driver, and the bytes."""


@dataclass(slots=True)
class _Cue:
    """Bytes that the device sent once the driver had sent so many in all."""

    after: int
    delay: float
    """Seconds after what came before, from either side."""
    data: bytes


class ByteScript:
    """What to send next, given what arrives. Pure."""

    def __init__(self, passed: Iterable[Passed]) -> None:
        self._driver = b""
        self._cues: list[_Cue] = []
        before: float | None = None
        for at, outgoing, data in passed:
            if outgoing:
                self._driver += data
            else:
                self._cues.append(_Cue(len(self._driver), at - before if before is not None else 0.0, data))
            before = at
        self._cues.reverse()
        self.arrived = 0
        """Bytes that came from the driver."""
        self.differs_at: int | None = None
        """Where the driver's bytes first differ from the recorded ones."""

    @property
    def recorded(self) -> int:
        """Bytes that the driver sent in the recording."""
        return len(self._driver)

    def receive(self, data: bytes) -> list[tuple[float, bytes]]:
        """What the device sends now: for each, the seconds to wait before it, and the bytes."""
        expected = self._driver[self.arrived : self.arrived + len(data)]
        if self.differs_at is None and data != expected:
            same = next((n for n, (a, b) in enumerate(zip(data, expected, strict=False)) if a != b), len(expected))
            self.differs_at = self.arrived + same
        self.arrived += len(data)
        due = []
        while self._cues and self._cues[-1].after <= self.arrived:
            cue = self._cues.pop()
            due.append((cue.delay, cue.data))
        return due


class _Sender:
    """Sends in order, each piece after its delay, scaled by the speed."""

    def __init__(self, send: Callable[[bytes], None], speed: float) -> None:
        self._send = send
        self._speed = speed
        self._loop = asyncio.get_running_loop()
        self._last = 0.0
        self._timers: list[asyncio.TimerHandle] = []

    def queue(self, pieces: Iterable[tuple[float, bytes]]) -> None:
        for delay, data in pieces:
            self._timers = [timer for timer in self._timers if timer.when() > self._loop.time()]
            self._last = max(self._last, self._loop.time()) + delay * self._speed
            if self._last <= self._loop.time() and not self._timers:
                self._send(data)
            else:
                self._timers.append(self._loop.call_at(self._last, self._send, data))

    def stop(self) -> None:
        for timer in self._timers:
            timer.cancel()


class _Script:
    """The part that both stations share: what arrives, what is sent, what is reported."""

    def __init__(self, name: str, passed: Iterable[Passed], report: Report) -> None:
        self.script = ByteScript(passed)
        self.deviations: list[str] = []
        self._name = name
        self._report = report

    def receive(self, data: bytes) -> list[tuple[float, bytes]]:
        over = self.script.arrived > self.script.recorded
        pieces = self.script.receive(data)
        if self.script.arrived > self.script.recorded and not over:
            self.deviations.append(f"{self._name}: the session went on after the recording had ended")
            self._report(self.deviations[-1])
        return pieces


class RecordedPty:
    """A recorded serial line, at the end of a pseudo terminal."""

    def __init__(self, name: str, passed: Iterable[Passed], report: Report, speed: float = 1.0) -> None:
        self._script = _Script(name, passed, report)
        self._speed = speed
        self._port = PtyPort(self._received)
        self._sender: _Sender | None = None

    @property
    def deviations(self) -> list[str]:
        """Where the session left the recording."""
        return self._script.deviations

    async def start(self) -> str:
        """Open a pseudo terminal; returns its path."""
        path = self._port.open()
        self._sender = _Sender(self._port.send, self._speed)
        self._received(b"")
        return path

    async def stop(self) -> None:
        """Hang up. May be called twice."""
        if self._sender is not None:
            self._sender.stop()
        self._port.close()

    def _received(self, data: bytes) -> None:
        if self._sender is not None:
            self._sender.queue(self._script.receive(data))


class RecordedTcp:
    """A recorded connection. One driver at a time; the next one goes on where the last one left."""

    def __init__(
        self, name: str, passed: Iterable[Passed], report: Report, speed: float = 1.0, host: str = "127.0.0.1"
    ) -> None:
        self.script = _Script(name, passed, report)
        self.speed = speed
        self.driver: _Driver | None = None
        """The connection that is open."""
        self._host = host
        self._listener: asyncio.Server | None = None

    @property
    def deviations(self) -> list[str]:
        """Where the session left the recording."""
        return self.script.deviations

    async def start(self) -> str:
        """Listen; returns `host:port`."""
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(lambda: _Driver(self), self._host, 0, family=socket.AF_INET)
        host, port = self._listener.sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    async def stop(self) -> None:
        """Close the port and the connection. May be called twice."""
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
        self._sender: _Sender | None = None
        self.ended = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        if self._station.driver is not None:
            transport.abort()
            return
        self._station.driver = self
        self._sender = _Sender(transport.write, self._station.speed)
        self.data_received(b"")

    def data_received(self, data: bytes) -> None:
        if self._sender is not None:
            self._sender.queue(self._station.script.receive(data))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._sender is not None:
            self._sender.stop()
            self._station.driver = None
        self.ended.set_result(None)
