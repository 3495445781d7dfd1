"""A device's end of a wire, byte for byte as it was recorded, for what no codec can read."""

import asyncio
import socket
from collections.abc import Iterable

from feltrig.emulators.replay.script import Passed, Report, Script, Sender
from feltrig.emulators.stations.pty_port import PtyPort
from feltrig.emulators.stations.tcp_listener import TcpListener
from feltrig.protocols.lines.fd_line import FdLine

LOOK = 0.05
"""Seconds between two looks whether a driver has opened a terminal, and from its setting it up to its listening."""


class RecordedPty:
    """A recorded serial line, at the end of a pseudo terminal. A driver that sets a terminal up throws away what waited
    in it, so a device that spoke first says it again."""

    def __init__(
        self,
        name: str,
        passed: Iterable[Passed[bytes]],
        report: Report,
        speed: float = 1.0,
        starts: Iterable[float] = (),
    ) -> None:
        self._script = Script(name, passed, len, report, starts)
        self._speed = speed
        self._port = PtyPort(self._received)
        self._sender: Sender[bytes] | None = None
        self._opening: list[tuple[float, bytes]] = []
        self._looking: asyncio.TimerHandle | None = None

    @property
    def deviations(self) -> list[str]:
        """Where the driver differed from the recording."""
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

    @property
    def powered(self) -> bool:
        """Whether anything is to come before hands give the power back."""
        return self._script.powered

    def power_on(self) -> None:
        """Hands give the power back."""
        self._script.power_on()
        self._received(b"")

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
        self,
        name: str,
        passed: Iterable[Passed[bytes]],
        report: Report,
        speed: float = 1.0,
        starts: Iterable[float] = (),
    ) -> None:
        self.driver: FdLine | None = None
        """The connection that is open."""
        self._script = Script(name, passed, len, report, starts)
        self._speed = speed
        self._listener = TcpListener(self._connected)
        self._sender: Sender[bytes]

    @property
    def deviations(self) -> list[str]:
        """Where the driver differed from the recording."""
        return self._script.deviations

    async def start(self) -> str:
        return self._listener.open()

    async def stop(self) -> None:
        self._listener.close()
        if self.driver is not None:
            self.driver.close()
            self._left("")

    @property
    def powered(self) -> bool:
        """Whether anything is to come before hands give the power back."""
        return self._script.powered

    def power_on(self) -> None:
        """Hands give the power back."""
        self._script.power_on()
        if self.driver is not None:
            self._received(b"")

    def _connected(self, client: socket.socket) -> None:
        if self.driver is not None:
            client.close()
            return
        self.driver = FdLine(client.fileno(), self._received, self._left, client.close)
        self._sender = Sender(self.driver.write, self._speed)
        self._received(b"")

    def _received(self, data: bytes) -> None:
        self._sender.queue(self._script.receive(len(data)))

    def _left(self, _reason: str) -> None:
        self._sender.stop()
        self.driver = None
