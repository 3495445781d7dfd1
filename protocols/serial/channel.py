"""The driver's end of the open serial protocol."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable, Iterator
from contextlib import asynccontextmanager, nullcontext
from functools import partial

from feltrig.protocols.errors import LineLost, WrongAnswer
from feltrig.protocols.exchange import TRIES, Exchange
from feltrig.protocols.lines.line import Line, SharedPort, open_line
from feltrig.protocols.lines.tty import comes_back
from feltrig.protocols.malformed import (
    LATEST,
    NEXT,
    PAUSE,
    Done,
    Envelope,
    Listener,
    MalformedMessage,
    provoke,
    send_raw,
)
from feltrig.protocols.messages import EventBatch, Reply, Request, Tap
from feltrig.protocols.serial.codec import ANSWER, serial_messages
from feltrig.protocols.serial.frame import MAX_BODY, Deframer, Frame, encode, plain_body, swapped
from feltrig.protocols.vocabulary import Kind

BITS = 10
"""Of a byte on the line: eight, a start and a stop."""

SEQS = range(256)

STRAY = 3
"""How often bytes that make no frame may come unasked: a line has noise, and a device that speaks does so again."""


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
        "_owed",
        "_port",
        "_seq",
        "_stray",
        "_tap",
        "_turn",
        "repeats",
        "unasked",
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
        self._owed: set[int] = set()
        """Seqs to which an answer may come."""
        self._stray = 0
        self.repeats = 0
        """How often a question was sent again."""
        self.unasked: list[str] = []

    @property
    def slowest(self) -> float:
        return self._exchange.slowest

    def time_anew(self) -> None:
        self._exchange.time_anew()

    async def open(self) -> None:
        if self._line is not None:
            return
        if self._gone:
            raise LineLost(self._lost)
        self._exchange = Exchange(self._name, self._send)
        self._deframer = Deframer()
        self._owed = set(SEQS)  # what was asked in an earlier session may still be answered
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
            broken = ("SER-18", "SER-23") if answer[:1] == b"\0" else ("SER-19",)
            raise WrongAnswer(f"{self._name}: {request.command}: {exc}", broken) from exc

    async def events(self, after: int) -> EventBatch:
        code, data = self._messages.write_request(Request("events", {"after": after}))
        answer = await self._ask(code, data)
        try:
            return self._messages.read_events(answer)
        except ValueError as exc:
            raise WrongAnswer(f"{self._name}: events: {exc}", ("SER-20", "SER-22")) from exc

    async def idle(self, seconds: float) -> None:
        """Wait: on this wire a device speaks only when asked."""
        await asyncio.sleep(seconds)

    @property
    def address(self) -> int:
        """Where the device is on the line."""
        return self._address

    def next_seq(self) -> int:
        """The seq of the next question, which its answer repeats."""
        self._seq = (self._seq + 1) & 0xFF
        return self._seq

    async def provoke(self, wrong: MalformedMessage, token: int) -> tuple[bytes, bytes]:
        """Send a malformed message. Where silence must follow, a question follows at once: a device answers in order,
        so nothing can come after the answer to that."""
        async with self._settled_line() as line:
            envelope = Envelope(self._address, self.next_seq(), token)
            if not wrong.answer(envelope):
                heard = await self._silence_after(line, (wrong.write(envelope),))
                return (NEXT, b"") if heard is None else (b"", heard)
            self._owed.add(envelope.number)
            return await provoke(self, line.write, wrong, envelope, self._deadline, BITS / self._baud)

    async def silence_after(self, pieces: Iterable[bytes]) -> bytes | None:
        """Send what must not be answered, and `status` behind it. Returns what was heard but the answer to that; None
        if that was not answered."""
        async with self._settled_line() as line:
            return await self._silence_after(line, pieces)

    async def _silence_after(self, line: Line, pieces: Iterable[bytes]) -> bytes | None:
        code, data = self._messages.write_request(Request("status"))
        pieces, others = tuple(pieces), b""
        for pause in (0.0, PAUSE):  # a device may lose what comes at once, but not what comes after a while
            seq = self.next_seq()
            question = encode(self._address, seq, code, data)
            heard = await self._raw(line, (*pieces, question), partial(self._answers, seq, code), pause)
            others += b"".join(b for b in heard.split(b"\0") if b and not self._is_answer(seq, code, b))
            if others or self._answers(seq, code, heard):
                return others
        return None

    async def raw(self, pieces: Iterable[bytes], done: Done, pause: float = 0.0, seconds: float | None = None) -> bytes:
        """Send bytes as they are, with a pause between two pieces. Returns all that was heard, until that is enough or
        so many seconds have passed, without them as long as for one try of a question."""
        async with self._settled_line() as line:
            return await self._raw(line, tuple(pieces), done, pause, seconds)

    async def _raw(
        self, line: Line, pieces: tuple[bytes, ...], done: Done, pause: float = 0.0, seconds: float | None = None
    ) -> bytes:
        self._owed.update(frame.seq for frame in Deframer().receive(b"".join(pieces)) if self._is_question(frame))
        seconds = max(self._deadline / TRIES, LATEST) if seconds is None else seconds
        seconds += sum(map(len, pieces)) * BITS / self._baud
        return await send_raw(self, line.write, pieces, done, seconds, pause)

    @asynccontextmanager
    async def _settled_line(self) -> AsyncIterator[Line]:
        """The line, while nobody else asks and nothing is still to be answered. Raises LineLost, also if it is lost
        meanwhile."""
        async with self._turn or nullcontext():
            await self._settle()
            if self._line is None:
                raise LineLost(self._lost)
            yield self._line
            if self._line is None:
                raise LineLost(self._lost)

    def _is_question(self, frame: Frame) -> bool:
        return frame.address == self._address and not frame.code & ANSWER

    def _answers(self, seq: int, code: int, heard: bytes) -> bool:
        return any(self._is_answer(seq, code, body) for body in heard.split(b"\0")[:-1])

    def _is_answer(self, seq: int, code: int, body: bytes) -> bool:
        frames = Deframer().receive(body + b"\0")
        return any(frame[:3] == (self._address, seq, code | ANSWER) for frame in frames)

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
        while self._exchange.overdue and not self._exchange.overdue.keys().isdisjoint(self._next_seqs()):
            self._seq = (self._seq + 1) & 0xFF  # an answer that comes very late must not be taken for another one
        return self._exchange.ask(self._deadline)

    def _next_seqs(self) -> Iterator[int]:
        """The seqs of the next question, one for each try."""
        return ((self._seq + 1 + ahead) & 0xFF for ahead in range(TRIES))

    def _send(self) -> None:
        self.repeats += self._exchange.tries > 1
        if self._exchange.tries == 2:
            self._exchange.passed(self._seq)
        self._seq = (self._seq + 1) & 0xFF
        self._owed.add(self._seq)
        frame = encode(self._address, self._seq, self._code, self._data)
        if self._tap is not None:
            self._tap(True, frame)
        if self._line is not None:
            self._line.write(frame)

    def _received(self, data: bytes) -> None:
        if self._tap is not None:
            self._tap(False, data)
        deframer, exchange = self._deframer, self._exchange
        rejected, asked_again = deframer.rejected_frames, exchange.busy and exchange.tries > 1
        frames = deframer.receive(data)
        for address, seq, code, answer in frames:
            if address != self._address:
                if self._turn is None:  # nobody else is on the line
                    exchange.dismiss(f"an answer from address {address}", "SER-15", intact=True)
                continue
            if exchange.overdue and seq in exchange.overdue:
                exchange.came_late(seq)
            if seq in self._owed:
                self._owed.discard(seq)
            else:
                self.unasked.append(f"a second answer to seq {seq}, or one that was never asked for: code {code:#04x}")
            # the seqs of the tries of one question follow each other
            if code == self._answer_code and (self._seq - seq) & 0xFF < exchange.tries:
                exchange.take(answer)
            else:
                broken = "SER-16" if code == self._answer_code else "SER-17"
                exchange.dismiss(f"an answer to seq {seq}, code {code:#04x}", broken, intact=True)
        if not frames:
            exchange.dismiss("bytes that make no frame")
        if deframer.rejected_frames > rejected and (exchange.busy or not asked_again):
            self._rejected(deframer.rejected)
        # else it was the answer to a try before, and nobody could read it

    def _rejected(self, body: bytes) -> None:
        """A frame was wrong. It may be the answer to the open question, all but its checksum or its stuffing."""
        if not self._exchange.busy:
            if not isinstance(self._tap, Listener):
                self._stray += 1
            if self._stray == STRAY:
                self.unasked.append(f"bytes that make no frame, {STRAY} times; the last were {body.hex(' ')}")
            return
        head = bytes((self._address, self._seq, self._answer_code))
        plain = plain_body(body)
        if len(body) > MAX_BODY:
            self._exchange.dismiss("an answer of more than 250 bytes", "SER-10", intact=True)
        elif plain.startswith(head):
            broken = "SER-8" if swapped(plain) else "SER-7"
            self._exchange.dismiss(f"an answer to seq {self._seq} with a wrong checksum", broken, intact=True)
        elif head in body:
            self._exchange.dismiss(f"an answer to seq {self._seq} with wrong stuffing", "SER-9", intact=True)

    def _hung_up(self, reason: str) -> None:
        self._gone = not comes_back(str(self._port))
        self._end(reason)

    def _end(self, reason: str) -> None:
        self._line = None
        self._lost = f"{self._port}: {reason}"
        self._exchange.close(LineLost(self._lost))
