"""The driver's end of the open Modbus protocol: the register map over TCP, with or without TLS, or on an RTU line."""

import asyncio
import random
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from typing import NoReturn, TypeVar

from feltrig.protocols.errors import Garbage, NoAnswer, WrongAnswer
from feltrig.protocols.exchange import TRIES
from feltrig.protocols.lines.line import SharedPort
from feltrig.protocols.malformed import MalformedMessage
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Tap
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.modbus.link import ModbusLink, RtuWire, TcpWire
from feltrig.protocols.vocabulary import Error, Kind

SLOTS_AT_ONCE = regs.MOST_AT_ONCE // regs.SLOT_SIZE
LOOKS = 3
"""How often the ring is looked up when events are overwritten between the status and the read."""
NONCE = 0x8000_0000
"""Tokens of commands that do not act are this and more; they need one only to know their result by."""
SETTLING_SIZE = regs.STATUS_SIZE + 2
"""Registers of a result that are read to settle a line. Nothing else is read in this length, so that a copy of the
answer is not taken for another; what stands behind a result reads as zero."""
LEARNING_SIZE = SETTLING_SIZE + 1
"""Registers of a result that are read to learn whether a device offers function 23."""

FIRST_PAUSE, LONGEST_PAUSE = 0.001, 0.02
"""Seconds between two looks at the result of a device that works on a command after the write; the pause doubles."""

_IDENTITY_PARTS = tuple(
    (end - start, pdu.read(start, end - start))
    for start, end in ((regs.DEVICE, regs.IDENTITY_SPLIT), (regs.IDENTITY_SPLIT, regs.IDENTITY_END))
)
"""The identity in as many reads as it takes, of different lengths."""

NO_REFUSAL = b"\0"
"""The code of no exception."""

Form = TypeVar("Form")
"""What registers are wanted as."""

_STATUS_REQUESTS = tuple((size, pdu.read(regs.DEVICE, size)) for size in (regs.STATUS_SIZE, regs.STATUS_SIZE + 1))
"""Where answers carry no number, two statuses in a row are asked for in different lengths, so that a copy of the first
answer is not taken for the second; what stands behind a status reads as zero."""

_READS = tuple(
    (bytes((pdu.READ_HOLDING, 2 * size)), bytes((pdu.READ_HOLDING | pdu.EXCEPTION,)))
    for size in range(regs.MOST_AT_ONCE + 1)
)
"""How the answer to a plain read of so many registers begins."""

_IDENTIFICATIONS = (bytes((pdu.IDENTIFY, pdu.MEI_IDENTIFICATION, pdu.BASIC)), bytes((pdu.IDENTIFY | pdu.EXCEPTION,)))
"""How the answer to a question for the basic identification begins."""

_HELD = {"status": ("MOD-9", "MOD-11", "MOD-12"), "identify": ("MOD-32", "MOD-9"), "identification": ("MOD-6",)}
"""The requirements on registers that are read."""

_RING = ("MOD-43", "MOD-14", "MOD-30")
"""The requirements on the ring of events, and on the register that says how far it goes."""

_MANDATORY = {pdu.READ_HOLDING: ("MOD-1",), pdu.WRITE: ("MOD-2",), pdu.READ_WRITE: ("MOD-5", "MOD-7")}
"""The requirements that an exception breaks where the function must be obeyed."""

_NOT_OFFERED = tuple(
    pdu.refusal(pdu.READ_WRITE, refusal) for refusal in (pdu.Refusal.ILLEGAL_FUNCTION, pdu.Refusal.ILLEGAL_ADDRESS)
)
"""By which a device says that it does without function 23."""


class ModbusChannel:
    """Asks one device through the register map. A command is written with function 16 and its result read with function
    3 until its token shows; where the device offers function 23, both are done at once. A plain read on a line that
    does not number its questions is sent only when no earlier read can still be answered."""

    __slots__ = ("_deadline", "_link", "_lock", "_longer", "_map", "_nonces", "_read_write", "_slowest", "_unsettled")

    def __init__(self, kind: Kind, link: ModbusLink, deadline: float) -> None:
        self._map = regs.modbus_map(kind)
        self._link = link
        self._deadline = deadline
        self._lock = link.turn
        # a device may still remember the tokens of an earlier session, and answer late to one
        self._nonces = count(random.SystemRandom().randrange(NONCE))
        self._read_write: bool | None = None
        """Whether the device offers function 23; None until it was asked."""
        self._slowest = 0.0
        """Seconds that a result took at most which was looked for more than once."""
        self._unsettled = False
        self._longer = False

    @property
    def repeats(self) -> int:
        return self._link.repeats

    @property
    def slowest(self) -> float:
        return max(self._link.slowest(), self._slowest)

    def time_anew(self) -> None:
        self._link.time_anew()
        self._slowest = 0.0

    async def open(self) -> None:
        """Open the line. Fails with LineLost. What was asked in an earlier session may still be answered on it."""
        await self._link.open()
        self._slowest = 0.0
        self._unsettled = not self._link.numbered

    async def close(self) -> None:
        await self._link.close()

    async def request(self, request: Request) -> Reply:
        await self._lock.acquire()  # by hand, because `async with` costs as much as the codec
        try:
            until = asyncio.get_running_loop().time() + self._deadline
            if request.command == "status":
                return self._decoded("status", self._map.read_status_reply, await self._status(until))
            if request.command == "identify":
                return await self._identify(until)
            token = request.token if self._map.acts(request.command) else self._nonce()
            return await self._command(request, token, until)
        finally:
            self._lock.release()

    async def events(self, after: int) -> EventBatch:
        async with self._lock:
            until = asyncio.get_running_loop().time() + self._deadline
            for _ in range(LOOKS):
                status = self._decoded("status", self._map.read_status, await self._status(until))
                first = max(after + 1, status.oldest, status.latest - regs.SLOTS + 1)
                if first > status.latest:
                    return EventBatch(status, ())
                events = await self._slots(first, status.latest, until)
                if events:
                    return EventBatch(status, events)
            raise self._wrong("events", f"{first} to {status.latest} are announced, but are not in their slots", *_RING)

    async def idle(self, seconds: float) -> None:
        """Wait: on this wire a device speaks only when asked."""
        await asyncio.sleep(seconds)

    async def provoke(self, wrong: MalformedMessage, token: int) -> tuple[bytes, bytes]:
        """Send a malformed message. Returns what must be answered, and what was heard. Nothing asked before is
        still to be answered then, and what comes late is not taken for the next answer."""
        async with self._lock:
            for _ in range(TRIES):
                if self._unsettled or self._link.tries() > 1:
                    await self._settle(asyncio.get_running_loop().time() + self._deadline)
            self._unsettled = not self._link.numbered
            return await self._link.provoke(wrong, token)

    @property
    def unasked(self) -> list[str]:
        """What the device said without being asked."""
        return self._link.unasked

    @property
    def tries(self) -> int:
        """How often the last request was sent."""
        return self._link.tries()

    async def exchange(self, request: bytes) -> bytes:
        """The PDU that answers a PDU, whatever it is. Nothing asked before is still to be answered then."""
        async with self._lock:
            until = asyncio.get_running_loop().time() + self._deadline
            if self._unsettled:
                await self._settle(until)
            answer = await self._link.ask(request, (b"",), until)
            self._unsettled = not self._link.numbered and self._link.tries() > 1
            return answer

    @asynccontextmanager
    async def link(self) -> AsyncIterator[ModbusLink]:
        """The line itself, while nobody else asks and nothing is still to be answered."""
        async with self._lock:
            if self._unsettled:
                await self._settle(asyncio.get_running_loop().time() + self._deadline)
            self._unsettled = not self._link.numbered
            yield self._link

    async def identification(self) -> dict[int, bytes]:
        """The objects of the basic identification (function 43/14)."""
        async with self._lock:
            until = asyncio.get_running_loop().time() + self._deadline
            objects: dict[int, bytes] = {}
            first: int | None = 0
            while first is not None:
                answer = await self._link.ask(pdu.identify(pdu.BASIC, first), _IDENTIFICATIONS, until)
                if answer[0] & pdu.EXCEPTION:
                    self._refused("identification", answer)
                told = self._decoded("identification", pdu.read_identification, answer)
                numbers = sorted(told.objects)
                if not numbers or numbers[0] < first or (told.next is not None and told.next <= numbers[-1]):
                    ask = f"asked for {first} and on: objects {numbers}"
                    raise self._wrong("identification", ask if told.next is None else f"{ask}, and {told.next} next")
                objects |= told.objects
                first = told.next
            return objects

    def _status(self, until: float) -> Awaitable[bytes]:
        """Registers 0 to 9, perhaps one more."""
        self._longer = not (self._longer or self._link.numbered)
        size, request = _STATUS_REQUESTS[self._longer]
        return self._read("status", request, size, until)

    async def _identify(self, until: float) -> Reply:
        data = b"".join([await self._read("identify", request, size, until) for size, request in _IDENTITY_PARTS])
        return Reply(Error.OK, self._decoded("identify", self._map.read_identity, data))

    def _decoded(self, what: str, decode: Callable[[bytes], Form], data: bytes) -> Form:
        try:
            return decode(data)
        except ValueError as exc:
            raise self._wrong(what, exc, *_HELD.get(what, ())) from exc

    async def _slots(self, first: int, latest: int, until: float) -> tuple[Event, ...]:
        """The events that still stand in the slots of the next numbers, up to the end of the ring."""
        slot = regs.slot_of(first)
        many = min(SLOTS_AT_ONCE, regs.SLOTS - slot, latest - first + 1)
        request = pdu.read(regs.slot_address(slot), many * regs.SLOT_SIZE)
        data = await self._read("events", request, many * regs.SLOT_SIZE, until)
        size = 2 * regs.SLOT_SIZE
        try:
            found = [self._map.read_slot(data[at : at + size]) for at in range(0, len(data), size)]
        except ValueError as exc:
            raise self._wrong("events", exc, "MOD-43", "MOD-34") from exc
        return tuple(event for number, event in enumerate(found, first) if event and event.number == number)

    async def _read(self, what: str, request: bytes, size: int, until: float) -> bytes:
        """The registers that a plain read returns."""
        if self._unsettled:
            await self._settle(until)
        self._unsettled = not self._link.numbered
        data = self._content(what, await self._link.ask(request, _READS[size], until), size)
        self._unsettled = self._unsettled and self._link.tries() > 1
        return data

    async def _settle(self, until: float) -> None:
        """An earlier read may still be answered, and nothing in that answer would tell it from the next. A device
        answers in order: once it has echoed a new token, nothing older can come."""
        await self._command(Request("status"), self._nonce(), until, settling=True)
        if self._link.tries() <= 1:
            self._link.settled()
        self._unsettled = False

    async def _command(self, request: Request, token: int, until: float, settling: bool = False) -> Reply:
        if self._read_write is None:
            await self._learn(until)
        command, block = request.command, self._map.write_command(request, token)
        size = SETTLING_SIZE if settling else self._map.result_size(command)
        # the refusal of an earlier question is no answer to this one
        refused = NO_REFUSAL if settling else b""
        data = b""
        if self._read_write:
            ask = pdu.read_write(regs.RESULT, size, regs.COMMAND, block)
            data = await self._ask(command, pdu.READ_WRITE, ask, bytes((2 * size,)), refused, size, until)
        if not self._read_write or data[: regs.TOKEN.size] != block[: regs.TOKEN.size]:
            data = await self._later_result(command, block, size, refused, until)
        try:
            missing = 0 if settling else self._map.missing_of_result(data)
            return self._map.read_result(command, data + await self._rest(command, missing, until) if missing else data)
        except ValueError as exc:
            raise self._wrong(command, exc, "MOD-27", "MOD-28", "MOD-29", "MOD-31") from exc

    async def _learn(self, until: float) -> None:
        """Learn whether the device offers function 23. It need not, so nothing is held against it here, not even
        silence: if it is mute, the next question will show that."""
        block = self._map.write_command(Request("status"), self._nonce())
        ask = pdu.read_write(regs.RESULT, LEARNING_SIZE, regs.COMMAND, block)
        answers = (bytes((pdu.READ_WRITE,)), bytes((pdu.READ_WRITE | pdu.EXCEPTION,)))
        now = asyncio.get_running_loop().time()
        try:
            answer = await self._link.ask(ask, answers, now + (until - now) / TRIES, 1)
        except (NoAnswer, Garbage):
            self._read_write = False
            self._link.repeats += 1
        else:
            self._read_write = answer not in _NOT_OFFERED

    async def _rest(self, command: str, size: int, until: float) -> bytes:
        """What of a result did not fit into one read. Nothing older can come after its head, and it has another length
        than that."""
        if size > regs.MOST_AT_ONCE - 3:
            raise self._wrong(command, f"a result of {size + regs.MOST_AT_ONCE} registers")
        ask = pdu.read(regs.RESULT + regs.MOST_AT_ONCE, size)
        data = await self._ask(command, pdu.READ_HOLDING, ask, bytes((2 * size,)), b"", size, until)
        self._unsettled = not self._link.numbered and self._link.tries() > 1
        return data

    async def _later_result(self, command: str, block: bytes, size: int, refused: bytes, until: float) -> bytes:
        """Write a command, unless function 23 has just done so, and read its result until its token shows. A write that
        may not have arrived is repeated; its token keeps it from being run twice."""
        loop, token = asyncio.get_running_loop(), block[: regs.TOKEN.size]
        begun, written, looks = loop.time(), self._read_write, 0
        write, read = pdu.write(regs.COMMAND, block), pdu.read(regs.RESULT, size)
        for tries_left in range(TRIES, 0, -1):
            if not written:
                await self._ask(command, pdu.WRITE, write, write[1:5], refused, None, until)
            written = False
            again, pause = loop.time() + (until - loop.time()) / tries_left, FIRST_PAUSE
            while True:
                looks += 1
                data = await self._ask(command, pdu.READ_HOLDING, read, bytes((2 * size,)), refused, size, until)
                self._unsettled = self._unsettled or (not self._link.numbered and self._link.tries() > 1)
                if data.startswith(token):
                    if looks > 1:
                        self._slowest = max(self._slowest, loop.time() - begun)
                    return data
                if loop.time() + pause > again:
                    break
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        said = f"its result did not come: registers 288 to 289 hold the token {data[:4].hex()}"
        raise self._wrong(command, said, "MOD-39", "MOD-26")

    async def _ask(
        self, what: str, function: int, request: bytes, head: bytes, refused: bytes, size: int | None, until: float
    ) -> bytes:
        expected = (bytes((function,)) + head, bytes((function | pdu.EXCEPTION,)) + refused)
        return self._content(what, await self._link.ask(request, expected, until), size)

    def _content(self, what: str, answer: bytes, size: int | None) -> bytes:
        """The registers in an answer of the expected function, if it carries any."""
        if answer[0] & pdu.EXCEPTION:
            self._refused(what, answer)
        if size is None:
            return b""
        if len(answer) != 2 + 2 * size:
            said = f"{len(answer) - 2} bytes of registers, expected {2 * size}"
            raise self._wrong(what, said, "MOD-72", "MOD-75")
        return answer[2:]

    def _refused(self, what: str, answer: bytes) -> NoReturn:
        code = answer[1] if len(answer) > 1 else 0
        name = pdu.Refusal(code).name.lower().replace("_", " ") if code in set(pdu.Refusal) else "unknown"
        if code in (pdu.Refusal.NO_PATH, pdu.Refusal.NO_TARGET):
            raise NoAnswer(f"{self._link.name}: {what}: the gateway reached no device ({name})")
        broken = _MANDATORY.get(answer[0] & ~pdu.EXCEPTION, ("MOD-6",))
        raise self._wrong(what, f"Modbus exception {code}, {name}", *broken)

    def _wrong(self, what: str, why: object, *broken: str) -> WrongAnswer:
        return WrongAnswer(f"{self._link.name}: {what}: {why}", broken)

    def _nonce(self) -> int:
        return NONCE + next(self._nonces) % NONCE


class ModbusTcpChannel(ModbusChannel):
    """A device, or a gateway to one, on a TCP port; with `tls`, as Modbus/TCP Security. The certificate that the device
    shows must be made out to `server_name`, or else to the host."""

    __slots__ = ()

    def __init__(
        self,
        kind: Kind,
        host: str,
        port: int,
        unit: int = 1,
        deadline: float = 2.0,
        tap: Tap | None = None,
        *,
        tls: ssl.SSLContext | None = None,
        server_name: str | None = None,
    ) -> None:
        wire = TcpWire(host, port, unit, deadline, tls, server_name)
        super().__init__(kind, ModbusLink(wire, unit, deadline, tap), deadline)


class ModbusRtuChannel(ModbusChannel):
    """A device on a serial line."""

    __slots__ = ()

    def __init__(
        self,
        kind: Kind,
        port: str | SharedPort,
        unit: int = 1,
        baud: int = 19200,
        deadline: float = 2.0,
        tap: Tap | None = None,
        *,
        parity: str = "N",
        stopbits: float = 1,
    ) -> None:
        wire = RtuWire(port, unit, baud, parity, stopbits, deadline)
        super().__init__(kind, ModbusLink(wire, unit, deadline, tap), deadline)
