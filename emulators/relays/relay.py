"""Stands between a driver and a device, emulated or real, and lets all bytes in both directions pass through noise."""

import asyncio
import socket
import tempfile
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Protocol

from feltrig.emulators.relays.noise import Noise, Pieces
from feltrig.emulators.stations.pty_port import PtyPort
from feltrig.protocols.errors import LineLost
from feltrig.protocols.lines.fd_line import HIGH_WATER
from feltrig.protocols.lines.line import Line, open_line
from feltrig.protocols.lines.tty import comes_back

LOOPBACK = "127.0.0.1"
CHUNK = 65536
CONNECT = 5.0
"""Seconds in which the device must take the relay's connection."""
LOOK_AGAIN = 0.1
"""Seconds between attempts to open a device's port that was lost."""


class Relay(Protocol):
    """A relay on any wire."""

    async def start(self) -> str:
        """Begin; returns where the driver finds the device: a port's path or `host:port`."""

    async def stop(self) -> None:
        """End; nothing is left running. May be called twice."""

    @property
    def struck(self) -> Counter[str]:
        """How often each sort of noise has struck."""


class TcpRelay:
    """In front of a TCP server. A connection ends when either side ends it; one chunk at a time is in the relay in each
    direction, so a side that does not read holds up the other."""

    def __init__(self, host: str, port: int, noise: Noise) -> None:
        self._host = host
        self._port = port
        self._noise = noise
        self._holder: socket.socket | None = None
        self._server: asyncio.Server | None = None
        self._stopping = False
        self._mending: asyncio.Task[None] | None = None
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def struck(self) -> Counter[str]:
        return self._noise.struck

    async def start(self) -> str:
        if self._holder is None:
            # Bound but not listening: it keeps the port ours while connections are refused.
            self._holder = socket.socket()
            self._holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            self._holder.bind((LOOPBACK, 0))
            await self._listen()
        return f"{LOOPBACK}:{self._address}"

    async def stop(self) -> None:
        if self._holder is None:
            return
        self._stopping = True
        self._refuse()
        ending = [*self._connections, *([self._mending] if self._mending else [])]
        for task in ending:
            task.cancel()
        if ending:
            await asyncio.wait(ending)
        self._mending = None
        self._holder.close()
        self._holder = None
        self._stopping = False

    @property
    def _address(self) -> int:
        assert self._holder is not None
        port: int = self._holder.getsockname()[1]
        return port

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._connected, LOOPBACK, self._address, reuse_port=True)

    def _refuse(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None

    def _connected(self, driver: asyncio.StreamReader, to_driver: asyncio.StreamWriter) -> None:
        if self._server is None:  # it was on its way when the line dropped
            to_driver.transport.abort()
            return
        task = asyncio.create_task(self._connect(driver, to_driver))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _connect(self, driver: asyncio.StreamReader, to_driver: asyncio.StreamWriter) -> None:
        to_device: asyncio.StreamWriter | None = None
        try:
            async with asyncio.timeout(CONNECT):
                device, to_device = await asyncio.open_connection(self._host, self._port)
            async with asyncio.TaskGroup() as both:
                both.create_task(self._carry(True, driver, to_device))
                both.create_task(self._carry(False, device, to_driver))
        except* OSError:
            pass  # either side has ended, or noise has ended both
        finally:
            for writer in filter(None, (to_driver, to_device)):
                writer.transport.abort()
                with suppress(OSError):
                    await writer.wait_closed()

    async def _carry(self, outgoing: bool, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Carry one direction until it ends, which ends the other too."""
        clock = asyncio.get_running_loop().time
        while chunk := await source.read(CHUNK):
            passage = self._noise.passes(outgoing, chunk, clock())
            for pause, data in passage.pieces:
                if pause:
                    await asyncio.sleep(pause)
                target.write(data)
                await target.drain()
            if passage.down is not None:
                self._go_down(passage.down)
                break
        raise ConnectionAbortedError

    def _go_down(self, seconds: float) -> None:
        """Drop every connection, and refuse new ones for a while."""
        self._refuse()
        for task in self._connections:
            task.cancel()
        if self._mending is None and seconds < inf and not self._stopping:
            self._mending = asyncio.create_task(self._mend(seconds))

    async def _mend(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._noise.reopened()
        self._mending = None
        await self._listen()


class SerialRelay:
    """In front of a serial port of any kind: a pseudo terminal of its own, at a path that stays while the line comes
    and goes. What finds no room is lost, as on a line without flow control."""

    def __init__(self, port: str, noise: Noise, baud: int = 115200) -> None:
        self._port = port
        self._noise = noise
        self._baud = baud
        self._near = PtyPort(self._from_driver)
        self._far: Line | None = None
        self._to_device = _Flow(self._write_far)
        self._to_driver = _Flow(self._write_near)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._mending: asyncio.Task[None] | None = None

    @property
    def struck(self) -> Counter[str]:
        return self._noise.struck

    async def start(self) -> str:
        """Open the device's port (LineLost if that fails); returns the path for the driver."""
        if self._folder is None:
            self._far = await self._open_far()
            self._folder = tempfile.TemporaryDirectory(prefix="feltrig-")
            self._path.symlink_to(self._near.open())
        return str(self._path)

    async def stop(self) -> None:
        if self._folder is None:
            return
        self._hang_up()
        if self._mending is not None:
            self._mending.cancel()
            await asyncio.wait((self._mending,))
            self._mending = None
        if self._far is not None:
            self._far.close()
            self._far = None
        self._folder.cleanup()
        self._folder = None

    @property
    def _path(self) -> Path:
        assert self._folder is not None
        return Path(self._folder.name, "port")

    async def _open_far(self) -> Line:
        return await open_line(self._port, self._baud, self._from_device, self._far_lost)

    def _from_driver(self, data: bytes) -> None:
        self._pass(True, data, self._to_device)

    def _from_device(self, data: bytes) -> None:
        self._pass(False, data, self._to_driver)

    def _pass(self, outgoing: bool, data: bytes, flow: "_Flow") -> None:
        passage = self._noise.passes(outgoing, data, asyncio.get_running_loop().time())
        flow.push(passage.pieces)
        if passage.down is not None:
            self._go_down(passage.down)

    def _write_near(self, data: bytes) -> None:
        if self._near.unsent + len(data) <= HIGH_WATER:
            self._near.send(data)

    def _write_far(self, data: bytes) -> None:
        if self._far is not None and self._far.unsent + len(data) <= HIGH_WATER:
            self._far.write(data)

    def _far_lost(self, _reason: str) -> None:
        self._far = None
        if self._path.is_symlink():  # else it is down already, for as long as the noise wants
            self._go_down(LOOK_AGAIN if comes_back(self._port) else inf)

    def _go_down(self, seconds: float) -> None:
        self._hang_up()
        if self._mending is None and seconds < inf:
            self._mending = asyncio.create_task(self._mend(seconds))

    def _hang_up(self) -> None:
        self._path.unlink(missing_ok=True)
        self._near.close()
        self._to_device.clear()
        self._to_driver.clear()

    async def _mend(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        while self._far is None:
            try:
                self._far = await self._open_far()
            except LineLost:
                await asyncio.sleep(LOOK_AGAIN)
        self._noise.reopened()
        self._mending = None
        self._path.symlink_to(self._near.open())


class _Flow:
    """One direction of a line: pieces wait their time, in order."""

    def __init__(self, deliver: Callable[[bytes], None]) -> None:
        self._deliver = deliver
        self._queue: deque[tuple[float, bytes]] = deque()
        self._waiting = 0
        self._last_due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def push(self, pieces: Pieces) -> None:
        """Deliver the pieces, each after its pause."""
        now = asyncio.get_running_loop().time()
        for pause, data in pieces:
            self._last_due = max(self._last_due, now) + pause
            if self._last_due <= now and not self._queue:
                self._deliver(data)
            elif self._waiting + len(data) <= HIGH_WATER:
                self._queue.append((self._last_due, data))
                self._waiting += len(data)
        self._arm()

    def clear(self) -> None:
        self._queue.clear()
        self._waiting = 0
        self._last_due = 0.0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _arm(self) -> None:
        if self._queue and self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(self._queue[0][0], self._wake)

    def _wake(self) -> None:
        self._timer = None
        now = asyncio.get_running_loop().time()
        while self._queue and self._queue[0][0] <= now:
            _, data = self._queue.popleft()
            self._waiting -= len(data)
            self._deliver(data)
        self._arm()
