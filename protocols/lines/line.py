"""The driver's end of a serial line, by the name of its port: a terminal's path, `socket://host:port` for the bare
bytes over TCP, or `rfc2217://host:port` for a device server that also sets up its line."""

import asyncio
from collections.abc import Callable
from typing import Protocol
from urllib.parse import urlsplit

from feltrig.protocols.errors import LineLost
from feltrig.protocols.lines import tcp
from feltrig.protocols.lines.stream_line import StreamLine
from feltrig.protocols.lines.tty import open_tty

OnData = Callable[[bytes], None]
OnLost = Callable[[str], None]

SOCKET = "socket://"
RFC2217 = "rfc2217://"


class Line(Protocol):
    """An open line."""

    def write(self, data: bytes) -> None:
        """Send. On a closed line the bytes go nowhere."""

    def close(self) -> None:
        """Close it, unsent bytes are dropped. May be called twice."""

    @property
    def unsent(self) -> int:
        """Bytes that wait to be sent."""


class SharedPort:
    """One port for the channels of several devices on one line. It is open while one of them has it open; they take
    turns by its lock, and whoever wrote last hears what comes."""

    def __init__(self, name: str, baud: int, *, deadline: float = 2.0) -> None:
        self.turn = asyncio.Lock()
        """Held from a question to its answer."""
        self.last_heard = 0.0
        """When the last bytes came, by the clock of the event loop."""
        self._name = name
        self._baud = baud
        self._deadline = deadline
        self._opening = asyncio.Lock()
        self._line: Line | None = None
        self._parties: set[_Party] = set()
        self._asking: _Party | None = None

    def __str__(self) -> str:
        return self._name

    async def join(self, on_data: OnData, on_lost: OnLost) -> Line:
        """The line for one more channel. Fails with LineLost."""
        async with self._opening:
            if self._line is None:
                self._line = await open_line(
                    self._name, self._baud, self._received, self._lost, deadline=self._deadline
                )
        party = _Party(self, on_data, on_lost)
        self._parties.add(party)
        return party

    def write(self, party: "_Party", data: bytes) -> None:
        """Send what a party says; what arrives next goes to that party."""
        if self._line is not None and party in self._parties:
            self._asking = party
            self._line.write(data)

    @property
    def unsent(self) -> int:
        return 0 if self._line is None else self._line.unsent

    def leave(self, party: "_Party") -> None:
        """A party needs the line no more; the last one closes it."""
        self._parties.discard(party)
        if self._asking is party:
            self._asking = None
        if not self._parties and self._line is not None:
            self._line.close()
            self._line = None

    def _received(self, data: bytes) -> None:
        self.last_heard = asyncio.get_running_loop().time()
        if self._asking is not None:
            self._asking.on_data(data)

    def _lost(self, reason: str) -> None:
        parties = tuple(self._parties)
        self._parties.clear()
        self._line = self._asking = None
        for party in parties:
            party.on_lost(reason)


class _Party:
    """A shared line, as one of those who share it has it."""

    def __init__(self, port: SharedPort, on_data: OnData, on_lost: OnLost) -> None:
        self.on_data = on_data
        self.on_lost = on_lost
        self._port = port

    def write(self, data: bytes) -> None:
        self._port.write(self, data)

    def close(self) -> None:
        self._port.leave(self)

    @property
    def unsent(self) -> int:
        return self._port.unsent


async def open_line(
    port: str | SharedPort,
    baud: int,
    on_data: OnData,
    on_lost: OnLost,
    *,
    bytesize: int = 8,
    parity: str = "N",
    stopbits: float = 1,
    deadline: float = 2.0,
) -> Line:
    """Open a serial line; one that is missing, busy or forbidden is LineLost. A raw socket has no settings to make."""
    if isinstance(port, SharedPort):
        return await port.join(on_data, on_lost)
    if not port.startswith((SOCKET, RFC2217)):
        return open_tty(port, baud, on_data, on_lost, bytesize=bytesize, parity=parity, stopbits=stopbits)
    if bytesize != 8 and port.startswith(RFC2217):
        raise LineLost(f"{port}: only 8 data bits can be set over RFC 2217")
    host, number = _address(port)
    seconds = tcp.opening_time(deadline)
    try:
        async with asyncio.timeout(seconds):
            if port.startswith(SOCKET):
                return await tcp.connect(host, number, on_data, on_lost)
            line = StreamLine(on_data, on_lost)
            try:
                # serialx takes a while to import, and few rigs need it
                from feltrig.protocols.lines.rfc2217 import connect  # noqa: PLC0415

                await connect(line, port, baud, parity, stopbits, seconds)
            except BaseException:
                line.close()
                raise
            return line
    except TimeoutError as exc:
        raise LineLost(f"{port}: no connection within {seconds:g} s") from exc
    except OSError as exc:
        raise LineLost(f"{port}: {(exc.strerror or str(exc)).lower()}") from exc


def _address(port: str) -> tuple[str, int]:
    try:
        parts = urlsplit(port)
        host, number = parts.hostname, parts.port
    except ValueError:
        host = number = None
    if not host or not number:
        raise LineLost(f"{port}: expected {port.partition('//')[0]}//host:port")
    return host, number
