"""The driver's end of the open serial protocol."""

import asyncio
from collections.abc import Awaitable
from contextlib import nullcontext

from feltrig.protocols.errors import Garbage, LineLost
from feltrig.protocols.exchange import TRIES, Exchange
from feltrig.protocols.lines.line import Line, SharedPort, open_line
from feltrig.protocols.lines.tty import comes_back
from feltrig.protocols.malformed import Envelope, MalformedMessage, provoke
from feltrig.protocols.messages import EventBatch, Reply, Request, Tap
from feltrig.protocols.serial.codec import ANSWER, serial_messages
from feltrig.protocols.serial.frame import Deframer, encode
from feltrig.protocols.vocabulary import Kind

BITS = 10
"""Of a byte on the line: eight, a start and a stop."""


class SerialChannel:
    """Asks one device on a serial port. Each try has its own seq, so an answer that comes late is known as late."""

    # less memory to go through where many devices are asked in turn (`benchmarks/scale.py`)
    __slots__ = (
        "_address",
        "_answer_code",
        "_baud",
        "_code",
        "_data",
        "_deadline",
        "_deframer",
        "_exchange",
        "_gone",
        "_line",
        "_lost",
        "_messages",
        "_name",
        "_port",
        "_seq",
        "_tap",
        "_turn",
        "repeats",
    )

    def __init__(
        self,
        kind: Kind,
        port: str | SharedPort,
        address: int = 1,
        baud: int = 115200,
        deadline: float = 2.0,
        tap: Tap | None = None,
    ) -> None:
        self._messages = serial_messages(kind)
        self._port = port
        self._address = address
        self._baud = baud
        self._deadline = deadline
        self._tap = tap
        self._name = f"{port} address {address}"
        self._lost = f"{port}: not open"
        self._line: Line | None = None
        self._gone = False
        self._turn = port.turn if isinstance(port, SharedPort) else None
        self._exchange: Exchange[bytes]
        self._deframer = Deframer()
        self._seq = 0
        self._code = 0
        self._data = b""
        self._answer_code = ANSWER
        self.repeats = 0
        """How often a question was sent again."""

    @property
    def slowest(self) -> float:
        return self._exchange.slowest

    async def open(self) -> None:
        if self._line is not None:
            return
        if self._gone:
            raise LineLost(self._lost)
        self._exchange = Exchange(self._name, self._send)
        self._deframer = Deframer()
        self._line = await open_line(self._port, self._baud, self._received, self._hung_up, deadline=self._deadline)

    async def close(self) -> None:
        if self._line is not None:
            self._line.close()
            self._end("closed")

    async def request(self, request: Request) -> Reply:
        code, data = self._messages.write_request(request)
        answer = await self._ask(code, data)
        try:
            return self._messages.read_reply(request.command, answer)
        except ValueError as exc:
            raise Garbage(f"{self._name}: {request.command}: {exc}") from exc

    async def events(self, after: int) -> EventBatch:
        code, data = self._messages.write_request(Request("events", {"after": after}))
        answer = await self._ask(code, data)
        try:
            return self._messages.read_events(answer)
        except ValueError as exc:
            raise Garbage(f"{self._name}: events: {exc}") from exc

    async def idle(self, seconds: float) -> None:
        """Wait: on this wire a device speaks only when asked."""
        await asyncio.sleep(seconds)

    async def provoke(self, wrong: MalformedMessage, token: int) -> tuple[bytes, bytes]:
        async with self._turn or nullcontext():
            await self._settle()
            if self._line is None:
                raise LineLost(self._lost)
            self._seq = (self._seq + 1) & 0xFF
            envelope = Envelope(self._address, self._seq, token)
            answer = await provoke(self, self._line.write, wrong, envelope, self._deadline, BITS / self._baud)
            if self._line is None:
                raise LineLost(self._lost)
            return answer

    async def _settle(self) -> None:
        """Make sure that nothing asked before is still to be answered: a device answers in order, so the answer to a
        question that was sent but once is the last one."""
        code, data = self._messages.write_request(Request("status"))
        await self._free()
        for _ in range(TRIES):
            if self._line is not None and self._exchange.tries > 1:
                await self._ask_now(code, data)
                await self._free()

    async def _free(self) -> None:
        """Wait until no question is open."""
        while self._line is not None and self._exchange.busy:
            await self._exchange.ended()

    def _ask(self, code: int, data: bytes) -> Awaitable[bytes]:
        """The answer to one question, at once or when it is this question's turn."""
        if self._turn is None and self._line is not None and not self._exchange.busy:
            return self._ask_now(code, data)
        return self._ask_in_turn(code, data)

    async def _ask_in_turn(self, code: int, data: bytes) -> bytes:
        if self._turn is not None:
            async with self._turn:
                return await self._ask_now(code, data)
        await self._free()
        return await self._ask_now(code, data)

    def _ask_now(self, code: int, data: bytes) -> asyncio.Future[bytes]:
        if self._line is None:
            raise LineLost(self._lost)
        self._code, self._answer_code, self._data = code, code | ANSWER, data
        return self._exchange.ask(self._deadline)

    def _send(self) -> None:
        self.repeats += self._exchange.tries > 1
        self._seq = (self._seq + 1) & 0xFF
        frame = encode(self._address, self._seq, self._code, self._data)
        if self._tap is not None:
            self._tap(True, frame)
        if self._line is not None:
            self._line.write(frame)

    def _received(self, data: bytes) -> None:
        if self._tap is not None:
            self._tap(False, data)
        frames, exchange = self._deframer.receive(data), self._exchange
        for address, seq, code, answer in frames:
            if address != self._address:
                continue
            # the seqs of the tries of one question follow each other
            if code == self._answer_code and (self._seq - seq) & 0xFF < exchange.tries:
                exchange.take(answer)
            else:
                exchange.dismiss(f"an answer to seq {seq}, code {code:#04x}")
        if not frames:
            self._exchange.dismiss("bytes that make no frame")

    def _hung_up(self, reason: str) -> None:
        self._gone = not comes_back(str(self._port))
        self._end(reason)

    def _end(self, reason: str) -> None:
        self._line = None
        self._lost = f"{self._port}: {reason}"
        self._exchange.close(LineLost(self._lost))
