"""The master's end of a Modbus line, TCP, TLS or RTU: one question at a time, and its answer."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path

from feltrig.protocols.errors import LineLost, NoAnswer, SilentConnection
from feltrig.protocols.exchange import TRIES, Exchange
from feltrig.protocols.lines import tcp, tls
from feltrig.protocols.lines.fd_line import HUNG_UP
from feltrig.protocols.lines.line import Line, OnData, SharedPort, open_line
from feltrig.protocols.lines.stream_line import StreamLine
from feltrig.protocols.lines.tty import comes_back
from feltrig.protocols.malformed import LATEST, NEXT, Done, Envelope, Listener, MalformedMessage, provoke, send_raw
from feltrig.protocols.messages import Tap
from feltrig.protocols.modbus import pdu as pdus
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.modbus.frame import RtuDeframer, TcpDeframer, crc16, encode_rtu, encode_tcp, response_length

Expected = tuple[bytes, ...]
"""Beginnings of the PDUs that may answer a question."""

OnLost = Callable[[LineLost], None]

SILENCE = 0.05
"""Seconds of silence after a frame that is wrong, by which every device on an RTU line knows that it has ended."""

MARK_SIZE = 15
"""Registers that are read after a frame which must not be answered. No other answer is as long."""

STRAY = 3
"""How often bytes that make no frame may come unasked: a line has noise, and a device that speaks does so again."""

BITS = 11
"""Of a character on a serial line, at most: eight, a start, and two for parity and stop."""


class TcpWire:
    """How a Modbus TCP server is reached, with or without TLS."""

    numbered = True
    silence: type[NoAnswer] = SilentConnection
    byte_time = gap = last_heard = 0.0

    __slots__ = ("_deadline", "_host", "_port", "_server_name", "_tls", "name", "turn", "where")

    def __init__(
        self,
        host: str,
        port: int,
        unit: int,
        deadline: float,
        context: ssl.SSLContext | None = None,
        server_name: str | None = None,
    ) -> None:
        self.name = self.where = f"{host}:{port} unit {unit}"
        self.turn = asyncio.Lock()
        self._host = host
        self._port = port
        self._deadline = deadline
        self._tls = context
        self._server_name = server_name or host

    async def open(self, on_data: OnData, on_lost: OnLost) -> Line:
        """Connect. Fails with LineLost."""
        seconds = tcp.opening_time(self._deadline)
        try:
            async with asyncio.timeout(seconds):
                if self._tls is not None:
                    return await self._secure(self._tls, on_data, on_lost)
                return await tcp.connect(self._host, self._port, on_data, lambda why: on_lost(self._ended(why)))
        except TimeoutError as exc:
            raise LineLost(f"{self.where}: no connection within {seconds:g} s") from exc
        except OSError as exc:
            raise tls.failure(self.where, exc) from exc

    async def _secure(self, context: ssl.SSLContext, on_data: OnData, on_lost: OnLost) -> Line:
        heard = False
        lost: LineLost | None = None

        def received(data: bytes) -> None:
            nonlocal heard
            heard = True
            on_data(data)

        def hung_up(why: str) -> None:
            nonlocal lost
            lost = LineLost(f"{self.where}: {tls.CLOSED_EARLY}")
            if isinstance(line.failure, ssl.SSLError):
                lost = tls.failure(self.where, line.failure)
            elif heard:
                lost = self._ended(why)
            on_lost(lost)

        line = StreamLine(received, hung_up)
        loop, name = asyncio.get_running_loop(), self._server_name
        await loop.create_connection(lambda: line, self._host, self._port, ssl=context, server_hostname=name)
        if lost is not None:
            raise lost
        return line

    def _ended(self, why: str) -> LineLost:
        return LineLost(f"{self.where}: {'the device closed the connection' if why == HUNG_UP else why.lower()}")


class RtuWire:
    """How a Modbus RTU line is reached. Answers carry no number there: the asker must tell a late one by its content,
    or settle the line."""

    numbered = False
    silence = NoAnswer

    def __init__(
        self, port: str | SharedPort, unit: int, baud: int, parity: str, stopbits: float, deadline: float
    ) -> None:
        self.where = str(port)
        self.name = f"{port} unit {unit}"
        self.turn = port.turn if isinstance(port, SharedPort) else asyncio.Lock()
        self.byte_time = BITS / baud
        self.gap = frame_gap(self.where, baud)
        self._port = port
        self._baud = baud
        self._parity = parity
        self._stopbits = stopbits
        self._deadline = deadline
        self._gone: LineLost | None = None
        self._last_heard = 0.0

    @property
    def last_heard(self) -> float:
        """When the last bytes came, by the clock of the event loop; kept only where frames need a gap."""
        return self._port.last_heard if isinstance(self._port, SharedPort) else self._last_heard

    async def open(self, on_data: OnData, on_lost: OnLost) -> Line:
        """Open the port. Fails with LineLost."""
        loop = asyncio.get_running_loop()

        def heard(data: bytes) -> None:
            self._last_heard = loop.time()
            on_data(data)

        def hung_up(reason: str) -> None:
            lost = LineLost(f"{self.where}: {reason}")
            self._gone = None if comes_back(self.where) else lost
            on_lost(lost)

        if self._gone is not None:
            raise self._gone
        return await open_line(
            self._port,
            self._baud,
            heard if self.gap else on_data,
            hung_up,
            parity=self._parity,
            stopbits=self._stopbits,
            deadline=self._deadline,
        )


class ModbusLink:
    """Asks one unit on a line. Where answers carry the number of their question, a late one is known as late."""

    # less memory to go through where many devices are asked in turn (`benchmarks/scale.py`)
    __slots__ = (
        "_deadline",
        "_deframer",
        "_exchange",
        "_expected",
        "_line",
        "_loop",
        "_lost",
        "_owed",
        "_pdu",
        "_since",
        "_stray",
        "_tap",
        "_transaction",
        "_unanswered",
        "_unit",
        "_wire",
        "name",
        "numbered",
        "repeats",
        "turn",
        "unasked",
    )

    def __init__(self, wire: TcpWire | RtuWire, unit: int, deadline: float, tap: Tap | None) -> None:
        self.name = wire.name
        self.numbered = wire.numbered
        self.turn = wire.turn
        """Held from a request to the end of its last answer, by all who share the line."""
        self.repeats = 0
        """How often a question was sent again."""
        self._wire = wire
        self._unit = unit
        self._deadline = deadline
        self._tap = tap
        self._line: Line | None = None
        self._lost = LineLost(f"{wire.where}: not open")
        self._loop: asyncio.AbstractEventLoop
        self._exchange: Exchange[bytes]
        self._deframer: TcpDeframer | RtuDeframer
        self._transaction = 0
        self._pdu = b""
        self._expected: Expected = ()
        self._owed: set[int] = set()
        """Transactions to which an answer may come."""
        self._unanswered = 0
        """On a line without numbers, how many answers may come at most."""
        self._stray = 0
        self._since = b""
        """On RTU, what was heard since the last request was sent."""
        self.unasked: list[str] = []
        """What the device said without being asked."""

    async def open(self) -> None:
        """Open the line. Fails with LineLost."""
        if self._line is None:
            self._loop = asyncio.get_running_loop()
            self._exchange = Exchange(self.name, self._send, self._wire.silence)
            self._deframer = TcpDeframer() if self.numbered else RtuDeframer(response_length)
            self._owed = set()
            self._unanswered = TRIES  # what was asked in an earlier session may still be answered
            self._line = await self._wire.open(self._received, self._end)

    async def close(self) -> None:
        """Close it; may be called twice."""
        line = self._line
        if line is not None:
            line.close()
            self._end(LineLost(f"{self._wire.where}: closed"))
            if isinstance(line, StreamLine):
                await line.ended

    def ask(self, pdu: bytes, expected: Expected, until: float, tries: int = TRIES) -> Awaitable[bytes]:
        """Send a request, again on silence, and return the response that begins as expected."""
        if self._wire.gap:
            return self._ask_apart(pdu, expected, until, tries)
        return self._ask(pdu, expected, until, tries)

    def _ask(self, pdu: bytes, expected: Expected, until: float, tries: int) -> asyncio.Future[bytes]:
        if self._line is None:
            raise self._lost
        self._pdu, self._expected = pdu, expected
        return self._exchange.ask(until - self._loop.time(), tries)

    async def _ask_apart(self, pdu: bytes, expected: Expected, until: float, tries: int) -> bytes:
        await self._part()
        return await self._ask(pdu, expected, until, tries)

    async def _part(self) -> None:
        """Keep the silence that parts two frames."""
        if self._wire.gap and self._line is not None:
            await asyncio.sleep(self._wire.last_heard + self._wire.gap - self._loop.time())

    @property
    def unit(self) -> int:
        return self._unit

    def frame(self, request: bytes, unit: int | None = None) -> bytes:
        """A request in its frame, with the next transaction where it has one."""
        unit = self._unit if unit is None else unit
        if not self.numbered:
            return encode_rtu(unit, request)
        self._transaction = (self._transaction + 1) & 0xFFFF
        return encode_tcp(self._transaction, unit, request)

    async def provoke(self, wrong: MalformedMessage, token: int) -> tuple[bytes, bytes]:
        """Send a malformed frame. Returns what must be answered, and what was heard. Where silence must follow, a
        request follows: a device answers in order, so nothing can come after the answer to that."""
        await self._part()
        if self._line is None:
            raise self._lost
        self._transaction = (self._transaction + self.numbered) & 0xFFFF
        envelope = Envelope(self._unit, self._transaction, token)
        if not wrong.answer(envelope):
            return await self._silence_after(wrong, envelope)
        self._asked(self._transaction)
        answer = await provoke(self, self._line.write, wrong, envelope, self._deadline, self._wire.byte_time)
        if self._line is None:
            raise self._lost
        return answer

    async def _silence_after(self, wrong: MalformedMessage, envelope: Envelope) -> tuple[bytes, bytes]:
        message = wrong.write(envelope)
        if wrong.others:
            self._asked(envelope.number)
        try:
            heard = await self.silence_after((message,))
            if heard is None and not wrong.may_close:
                heard = await self.silence_after((message,))
        except LineLost:
            if not wrong.may_close:
                raise
            heard = None
        if heard is None and wrong.may_close:  # it has closed the connection, or no longer listens on it
            await self.close()
            await self.open()
        if heard is None:
            return b"" if wrong.may_close else NEXT, b""
        return heard if heard in wrong.answers(envelope) else b"", heard

    async def silence_after(self, messages: Iterable[bytes]) -> bytes | None:
        """Send what must not be answered, and a read behind it. Returns what was heard but the answer to that; None
        when there was no such answer, and nothing else."""
        question = self.frame(pdus.read(regs.DEVICE, MARK_SIZE))
        answer = bytes((self._unit, pdus.READ_HOLDING, 2 * MARK_SIZE))
        mark = encode_tcp(self._transaction, 0, bytes(2 + 2 * MARK_SIZE))[:6] + answer if self.numbered else answer
        size = len(mark) + 2 * MARK_SIZE + (0 if self.numbered else 2)

        def others(heard: bytes) -> bytes | None:
            at = heard.rfind(mark)
            return None if at < 0 or len(heard) < at + size else heard[:at] + heard[at + size :]

        pause = 0.0 if self.numbered else SILENCE
        heard = await self.raw((*messages, question), lambda heard: others(heard) is not None, pause)
        return others(heard) if others(heard) is not None else heard or None

    async def raw(self, pieces: Iterable[bytes], done: Done, pause: float = 0.0, seconds: float | None = None) -> bytes:
        """Send bytes as they are, with a pause between two pieces. Returns all that was heard, until that is enough or
        so many seconds have passed, without them as long as for one try of a request. Raises LineLost."""
        await self._part()
        if self._line is None:
            raise self._lost
        pieces = tuple(pieces)
        for frame in TcpDeframer().receive(b"".join(pieces)) if self.numbered else ():
            self._asked(frame.transaction)
        self._unanswered += bool(pieces)
        seconds = max(self._deadline / TRIES, LATEST) if seconds is None else seconds
        seconds += self._wire.byte_time * sum(map(len, pieces))
        heard = await send_raw(self, self._line.write, pieces, done, seconds, pause)
        if self._line is None:
            raise self._lost
        return heard

    def tries(self) -> int:
        """How often the last question was sent."""
        return self._exchange.tries

    def slowest(self) -> float:
        """Seconds that an answer took at most since the line was opened."""
        return self._exchange.slowest

    def time_anew(self) -> None:
        """The device had no power until now: how long its answers took does not count."""
        self._exchange.time_anew()

    def _send(self) -> None:
        self.repeats += self._exchange.tries > 1
        # a frame that was not completed in a whole try never will be, and would swallow the next
        self._deframer.clear()
        if self._exchange.tries == 2:
            self._exchange.passed(self._transaction)
        if self.numbered:
            self._transaction = (self._transaction + 1) & 0xFFFF
            self._owed.add(self._transaction)
            adu = encode_tcp(self._transaction, self._unit, self._pdu)
        else:
            self._unanswered += 1
            self._since = b""
            adu = encode_rtu(self._unit, self._pdu)
        if self._tap is not None:
            self._tap(True, adu)
        if self._line is not None:
            self._line.write(adu)

    def _received(self, data: bytes) -> None:
        if self._tap is not None:
            self._tap(False, data)
        deframer, exchange = self._deframer, self._exchange
        rejected = deframer.rejected_bytes
        for frame in deframer.receive(data):
            number, pdu = frame.transaction, frame.pdu
            self._heard(number, frame.unit, pdu)
            if number is not None and number in exchange.overdue:
                exchange.came_late(number)
            current = number is None or (self._transaction - number) & 0xFFFF < exchange.tries
            if current and frame.unit == self._unit and pdu.startswith(self._expected):
                exchange.take(pdu)
            else:
                transaction = "" if number is None else f"transaction {number}, "
                mine = frame.unit == self._unit
                broken = self._broken(current, mine, pdu)
                exchange.dismiss(f"{transaction}unit {frame.unit}: {pdu[:8].hex(' ')}", broken, intact=True)
        if deframer.waiting or deframer.rejected_bytes > rejected:
            exchange.dismiss("bytes that make no frame")
            self._rejected(data, deframer.rejected_bytes - rejected)

    def _broken(self, current: bool, mine: bool, response: bytes) -> str:
        """The requirement that an answer breaks which is not the right one."""
        if not current:
            return "MOD-74"
        if not mine:
            return "MOD-70"
        return "MOD-72" if response[0] == self._pdu[0] else "MOD-71"

    def _misfit(self, heard: bytes) -> tuple[str, ...]:
        swapped = crc16(heard[:-2]).to_bytes(2, "big") == heard[-2:]
        return ("MOD-77",) if swapped else ("MOD-76",)

    def settled(self) -> None:
        """Nothing asked before can be answered any more."""
        self._unanswered = 0

    def _asked(self, transaction: int) -> None:
        if self.numbered:
            self._owed.add(transaction)
        else:
            self._unanswered += 1

    def _heard(self, number: int | None, unit: int, response: bytes) -> None:
        """Note an answer that nobody asked for. On a line, one of another unit is not the device's."""
        if number is None and unit != self._unit:
            return
        if number in self._owed:
            self._owed.remove(number)
        elif number is None and self._unanswered:
            self._unanswered -= 1
            if not self._exchange.busy and self._transaction in self._exchange.overdue:
                self._exchange.came_late(self._transaction)  # a later try was answered before
        elif number is None and self._transaction in self._exchange.overdue:
            self._exchange.came_late(self._transaction)
        else:
            self.unasked.append(f"a second answer, or one that was never asked for: {response[:8].hex(' ')}")

    def _rejected(self, data: bytes, many: int) -> None:
        """Bytes made no frame. On RTU they may be the answer to the open request, all but its checksum."""
        if self._exchange.busy and self.numbered and data[:2] == self._transaction.to_bytes(2, "big"):
            self._exchange.dismiss(f"a frame with a wrong header: {data[:8].hex(' ')}", "MOD-75", intact=True)
        elif self._exchange.busy:
            self._since = heard = b"" if self.numbered else self._since + data
            head = bytes((self._unit, self._pdu[0]))
            if heard.startswith(head) and len(heard) >= 4 and response_length(heard, 0) == len(heard):
                self._exchange.dismiss("an answer with a wrong checksum", *self._misfit(heard), intact=True)
        elif many and not isinstance(self._tap, Listener):
            self._stray += 1
            if self._stray == STRAY:
                self.unasked.append(f"bytes that make no frame, {STRAY} times; the last were {data.hex(' ')}")

    def _end(self, why: LineLost) -> None:
        self._line = None
        self._lost = why
        self._exchange.close(why)


def frame_gap(port: str, baud: int) -> float:
    """Seconds of silence that must part two frames: 3.5 characters of 11 bits, 1.75 ms above 19200 baud (Modbus over
    serial line 1.02, 2.5.1.1). A pseudo terminal has no baud rate, hence no gap."""
    if Path(port).resolve().is_relative_to("/dev/pts"):
        return 0.0
    return 0.00175 if baud > 19200 else 3.5 * BITS / baud
