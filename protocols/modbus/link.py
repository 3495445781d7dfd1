"""The master's end of a Modbus line, TCP, TLS or RTU: one question at a time, and its answer."""

import asyncio
import ssl
from collections.abc import Awaitable
from pathlib import Path
from typing import Protocol

from feltrig.protocols.errors import LineLost, SilentConnection
from feltrig.protocols.exchange import TRIES, Exchange
from feltrig.protocols.lines import tcp, tls
from feltrig.protocols.lines.fd_line import HUNG_UP
from feltrig.protocols.lines.line import Line, SharedPort, open_line
from feltrig.protocols.lines.stream_line import StreamLine
from feltrig.protocols.lines.tty import comes_back
from feltrig.protocols.malformed import Envelope, MalformedMessage, provoke
from feltrig.protocols.messages import Tap
from feltrig.protocols.modbus.frame import RtuDeframer, TcpDeframer, encode_rtu, encode_tcp, response_length

Expected = tuple[bytes, ...]
"""Beginnings of the PDUs that may answer a question."""

BITS = 11
"""Of a character on a serial line, at most: eight, a start, and two for parity and stop."""


class ModbusLink(Protocol):
    """What a Modbus channel needs of the line below it."""

    name: str
    numbered: bool
    """Whether an answer carries the number of its question, so that a late one is known as late."""
    turn: asyncio.Lock
    """Held from a request to the end of its last answer, by all who share the line."""
    repeats: int
    """How often a question was sent again."""

    async def open(self) -> None:
        """Open the line. Fails with LineLost."""

    async def close(self) -> None:
        """Close it; may be called twice."""

    def ask(self, pdu: bytes, expected: Expected, until: float, tries: int = TRIES) -> Awaitable[bytes]:
        """Send a request, again on silence, and return the response that begins as expected."""

    async def provoke(self, wrong: MalformedMessage, token: int) -> tuple[bytes, bytes]:
        """Send a malformed frame. Returns what must be answered, and what was heard."""

    def tries(self) -> int:
        """How often the last question was sent."""

    def slowest(self) -> float:
        """Seconds that an answer took at most since the line was opened."""


class TcpLink:
    """A connection to a Modbus TCP server, with or without TLS; transaction numbers tell the answers apart."""

    numbered = True

    # less memory to go through where many devices are asked in turn (`benchmarks/scale.py`)
    __slots__ = (
        "_deadline",
        "_deframer",
        "_exchange",
        "_expected",
        "_heard",
        "_host",
        "_line",
        "_loop",
        "_lost",
        "_pdu",
        "_port",
        "_server_name",
        "_tap",
        "_tls",
        "_transaction",
        "_unit",
        "name",
        "repeats",
        "turn",
    )

    def __init__(
        self,
        host: str,
        port: int,
        unit: int,
        deadline: float,
        tap: Tap | None,
        context: ssl.SSLContext | None = None,
        server_name: str | None = None,
    ) -> None:
        self.name = f"{host}:{port} unit {unit}"
        self.turn = asyncio.Lock()
        self._host = host
        self._port = port
        self._unit = unit
        self._deadline = deadline
        self._tap = tap
        self._tls = context
        self._server_name = (server_name or host) if context else None
        self._heard = False
        self._lost = LineLost(f"{self.name}: not open")
        self._line: Line | None = None
        self._loop: asyncio.AbstractEventLoop
        self._exchange: Exchange[bytes]
        self._deframer = TcpDeframer()
        self._transaction = 0
        self._pdu = b""
        self._expected: Expected = ()
        self.repeats = 0

    async def open(self) -> None:
        """Connect. Fails with LineLost."""
        if self._line is not None:
            return
        self._loop = asyncio.get_running_loop()
        self._exchange = Exchange(self.name, self._send, SilentConnection)
        self._deframer = TcpDeframer()
        self._heard = False
        seconds = tcp.opening_time(self._deadline)
        try:
            async with asyncio.timeout(seconds):
                self._line = await self._connect()
        except TimeoutError as exc:
            raise LineLost(f"{self.name}: no connection within {seconds:g} s") from exc
        except OSError as exc:
            raise tls.failure(self.name, exc) from exc

    async def _connect(self) -> Line:
        if self._tls is None:
            return await tcp.connect(self._host, self._port, self._received, lambda why: self._hung_up(why, None))
        line = StreamLine(self._received, lambda why: self._hung_up(why, line.failure))
        await self._loop.create_connection(
            lambda: line, self._host, self._port, ssl=self._tls, server_hostname=self._server_name
        )
        if line.ended.done():
            raise self._lost
        return line

    async def close(self) -> None:
        """Disconnect; may be called twice."""
        line = self._line
        if line is not None:
            line.close()
            self._end(LineLost(f"{self.name}: closed"))
            if isinstance(line, StreamLine):
                await line.ended

    def ask(self, pdu: bytes, expected: Expected, until: float, tries: int = TRIES) -> asyncio.Future[bytes]:
        """Send a request and return the response that begins as expected."""
        if self._line is None:
            raise self._lost
        self._pdu, self._expected = pdu, expected
        return self._exchange.ask(until - self._loop.time(), tries)

    async def provoke(self, wrong: MalformedMessage, token: int) -> tuple[bytes, bytes]:
        """Send a malformed frame. Returns what must be answered, and what was heard."""
        if self._line is None:
            raise self._lost
        self._transaction = (self._transaction + 1) & 0xFFFF
        envelope = Envelope(self._unit, self._transaction, token)
        answer = await provoke(self, self._line.write, wrong, envelope, self._deadline)
        if self._line is None:
            raise self._lost
        return answer

    def tries(self) -> int:
        """How often the last question was sent."""
        return self._exchange.tries

    def slowest(self) -> float:
        """Seconds that an answer took at most since the line was opened."""
        return self._exchange.slowest

    def _received(self, data: bytes) -> None:
        self._heard = True
        if self._tap is not None:
            self._tap(False, data)
        deframer, exchange = self._deframer, self._exchange
        rejected = deframer.rejected_bytes
        for transaction, unit, pdu in deframer.receive(data):
            current = (self._transaction - transaction) & 0xFFFF < exchange.tries
            if current and unit == self._unit and pdu.startswith(self._expected):
                exchange.take(pdu)
            else:
                exchange.dismiss(f"transaction {transaction}, unit {unit}: {pdu[:8].hex(' ')}")
        if deframer.waiting or deframer.rejected_bytes > rejected:
            exchange.dismiss("bytes that make no frame")

    def _send(self) -> None:
        self.repeats += self._exchange.tries > 1
        self._transaction = (self._transaction + 1) & 0xFFFF
        # a frame that was not completed in a whole try never will be, and would swallow the next
        self._deframer.clear()
        adu = encode_tcp(self._transaction, self._unit, self._pdu)
        if self._tap is not None:
            self._tap(True, adu)
        if self._line is not None:
            self._line.write(adu)

    def _hung_up(self, why: str, failure: Exception | None) -> None:
        if isinstance(failure, ssl.SSLError):
            self._end(tls.failure(self.name, failure))
        elif self._tls is not None and not self._heard:
            self._end(LineLost(f"{self.name}: {tls.CLOSED_EARLY}"))
        else:
            self._end(LineLost(f"{self.name}: {'the device closed the connection' if why == HUNG_UP else why.lower()}"))

    def _end(self, why: LineLost) -> None:
        self._line = None
        self._lost = why
        self._exchange.close(why)


class RtuLink:
    """A Modbus RTU line. Answers carry no number: the asker must tell a late one by its content, or settle the line."""

    numbered = False

    def __init__(
        self,
        port: str | SharedPort,
        unit: int,
        baud: int,
        parity: str,
        stopbits: float,
        tap: Tap | None,
        deadline: float = 2.0,
    ) -> None:
        self.name = f"{port} unit {unit}"
        self.turn = port.turn if isinstance(port, SharedPort) else asyncio.Lock()
        self._port = port
        self._unit = unit
        self._baud = baud
        self._parity = parity
        self._stopbits = stopbits
        self._tap = tap
        self._deadline = deadline
        self._gap = frame_gap(str(port), baud)
        self._last_heard = 0.0
        self._lost = f"{port}: not open"
        self._line: Line | None = None
        self._gone = False
        self._loop: asyncio.AbstractEventLoop
        self._exchange: Exchange[bytes]
        self._deframer = RtuDeframer(response_length)
        self._adu = b""
        self._expected: Expected = ()
        self.repeats = 0

    async def open(self) -> None:
        """Open the port. Fails with LineLost."""
        if self._line is not None:
            return
        if self._gone:
            raise LineLost(self._lost)
        self._loop = asyncio.get_running_loop()
        self._exchange = Exchange(self.name, self._send)
        self._deframer = RtuDeframer(response_length)
        self._line = await open_line(
            self._port,
            self._baud,
            self._received,
            self._hung_up,
            parity=self._parity,
            stopbits=self._stopbits,
            deadline=self._deadline,
        )

    async def close(self) -> None:
        """Close the port; may be called twice."""
        if self._line is not None:
            self._line.close()
            self._end("closed")

    async def ask(self, pdu: bytes, expected: Expected, until: float, tries: int = TRIES) -> bytes:
        """Send a request and return the response that begins as expected."""
        await self._part()
        if self._line is None:
            raise LineLost(self._lost)
        self._adu, self._expected = encode_rtu(self._unit, pdu), expected
        return await self._exchange.ask(until - self._loop.time(), tries)

    async def provoke(self, wrong: MalformedMessage, token: int) -> tuple[bytes, bytes]:
        """Send a malformed frame. Returns what must be answered, and what was heard."""
        await self._part()
        if self._line is None:
            raise LineLost(self._lost)
        envelope = Envelope(self._unit, 0, token)
        answer = await provoke(self, self._line.write, wrong, envelope, self._deadline, BITS / self._baud)
        if self._line is None:
            raise LineLost(self._lost)
        return answer

    def tries(self) -> int:
        """How often the last question was sent."""
        return self._exchange.tries

    def slowest(self) -> float:
        """Seconds that an answer took at most since the line was opened."""
        return self._exchange.slowest

    async def _part(self) -> None:
        """Keep the silence that parts two frames."""
        if self._gap and self._line is not None:
            last_heard = self._port.last_heard if isinstance(self._port, SharedPort) else self._last_heard
            await asyncio.sleep(last_heard + self._gap - self._loop.time())

    def _send(self) -> None:
        self.repeats += self._exchange.tries > 1
        self._deframer.clear()
        if self._tap is not None:
            self._tap(True, self._adu)
        if self._line is not None:
            self._line.write(self._adu)

    def _received(self, data: bytes) -> None:
        if self._tap is not None:
            self._tap(False, data)
        if self._gap:
            self._last_heard = self._loop.time()
        rejected = self._deframer.rejected_bytes
        for unit, pdu in self._deframer.receive(data):
            if unit == self._unit and pdu.startswith(self._expected):
                self._exchange.take(pdu)
            else:
                self._exchange.dismiss(f"unit {unit}: {pdu[:8].hex(' ')}")
        if self._deframer.waiting or self._deframer.rejected_bytes > rejected:
            self._exchange.dismiss("bytes that make no frame")

    def _hung_up(self, reason: str) -> None:
        self._gone = not comes_back(str(self._port))
        self._end(reason)

    def _end(self, reason: str) -> None:
        self._line = None
        self._lost = f"{self._port}: {reason}"
        self._exchange.close(LineLost(self._lost))


def frame_gap(port: str, baud: int) -> float:
    """Seconds of silence that must part two frames: 3.5 characters of 11 bits, 1.75 ms above 19200 baud (Modbus over
    serial line 1.02, 2.5.1.1). A pseudo terminal has no baud rate, hence no gap."""
    if Path(port).resolve().is_relative_to("/dev/pts"):
        return 0.0
    return 0.00175 if baud > 19200 else 3.5 * BITS / baud
