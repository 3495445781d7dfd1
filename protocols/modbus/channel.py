"""The driver's end of the open Modbus protocol: the register map over TCP, with or without TLS, or on an RTU line."""

import asyncio
import random
import ssl
from collections.abc import Awaitable, Callable
from itertools import count
from typing import NoReturn, TypeVar

from feltrig.protocols.errors import Garbage, NoAnswer
from feltrig.protocols.exchange import TRIES
from feltrig.protocols.lines.line import SharedPort
from feltrig.protocols.malformed import MalformedMessage
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Tap
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.modbus.link import ModbusLink, RtuWire, TcpWire
from feltrig.protocols.vocabulary import Error, Kind

SLOTS_AT_ONCE = pdu.MAX_READ // regs.SLOT_SIZE
LOOKS = 3
"""How often the ring is looked up when events are overwritten between the status and the read."""
NONCE = 0x8000_0000
"""Tokens of commands that do not act are this and more; they need one only to know their result by."""
SETTLING_SIZE = regs.STATUS_SIZE + 2
"""Registers of a result that are read to settle a line. Nothing else is read in this length, so that a copy of the
answer is not taken for another; what stands behind a result reads as zero."""

Form = TypeVar("Form")
"""What registers are wanted as."""

_STATUS_REQUESTS = tuple((size, pdu.read(regs.DEVICE, size)) for size in (regs.STATUS_SIZE, regs.STATUS_SIZE + 1))
"""Where answers carry no number, two statuses in a row are asked for in different lengths, so that a copy of the first
answer is not taken for the second; what stands behind a status reads as zero."""

_READS = tuple(
    (bytes((pdu.READ_HOLDING, 2 * size)), bytes((pdu.READ_HOLDING | pdu.EXCEPTION,)))
    for size in range(pdu.MAX_READ + 1)
)
"""How the answer to a plain read of so many registers begins."""

_IDENTIFICATIONS = (bytes((pdu.IDENTIFY, pdu.MEI_IDENTIFICATION, pdu.BASIC)), bytes((pdu.IDENTIFY | pdu.EXCEPTION,)))
"""How the answer to a question for the basic identification begins."""

_UNABLE = tuple(
    pdu.refusal(pdu.READ_WRITE, refusal) for refusal in (pdu.Refusal.ILLEGAL_FUNCTION, pdu.Refusal.ILLEGAL_VALUE)
)
"""By which a device does without function 23: it knows none, or not so long a one (pyModbusTCP reads 123 registers with
it, though the specification allows 125)."""


class _NoSuchFunction(Exception):
    """The device does not know the function that it was asked for, or not in full."""


class ModbusChannel:
    """Asks one device through the register map. A command and its result carry a token; a plain read on a line that
    does not number its questions is sent only when no earlier read can still be answered."""

    __slots__ = ("_deadline", "_link", "_lock", "_longer", "_map", "_nonces", "_read_write", "_unsettled")

    def __init__(self, kind: Kind, link: ModbusLink, deadline: float) -> None:
        self._map = regs.modbus_map(kind)
        self._link = link
        self._deadline = deadline
        self._lock = link.turn
        # a device may still remember the tokens of an earlier session, and answer late to one
        self._nonces = count(random.SystemRandom().randrange(NONCE))
        self._read_write = True
        self._unsettled = False
        self._longer = False

    @property
    def repeats(self) -> int:
        return self._link.repeats

    @property
    def slowest(self) -> float:
        return self._link.slowest()

    async def open(self) -> None:
        """Open the line. Fails with LineLost. What was asked in an earlier session may still be answered on it."""
        await self._link.open()
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
            raise self._garbage("events", f"{first} to {status.latest} are announced, but are not in their slots")

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
                    raise self._garbage("identification", ask if told.next is None else f"{ask}, and {told.next} next")
                objects |= told.objects
                first = told.next
            return objects

    def _status(self, until: float) -> Awaitable[bytes]:
        """Registers 0 to 9, perhaps one more."""
        self._longer = not (self._longer or self._link.numbered)
        size, request = _STATUS_REQUESTS[self._longer]
        return self._read("status", request, size, until)

    async def _identify(self, until: float) -> Reply:
        data = await self._read("identify", pdu.read(regs.DEVICE, regs.IDENTITY_END), regs.IDENTITY_END, until)
        return Reply(Error.OK, self._decoded("identify", self._map.read_identity, data))

    def _decoded(self, what: str, decode: Callable[[bytes], Form], data: bytes) -> Form:
        try:
            return decode(data)
        except ValueError as exc:
            raise self._garbage(what, exc) from exc

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
            raise self._garbage("events", exc) from exc
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
        self._unsettled = False

    async def _command(self, request: Request, token: int, until: float, settling: bool = False) -> Reply:
        block = self._map.write_command(request, token)
        size = SETTLING_SIZE if settling else self._map.result_size(request.command)
        head = bytes((2 * size,)) + regs.TOKEN.pack(token)
        # the refusal of an earlier question is no answer to this one; that a function is unknown stays true
        refused = bytes((pdu.Refusal.ILLEGAL_FUNCTION,)) if settling else b""
        data = None
        if self._read_write:
            try:
                ask = pdu.read_write(regs.RESULT, size, regs.COMMAND, block)
                data = await self._ask(request.command, pdu.READ_WRITE, ask, head, refused, size, until)
            except _NoSuchFunction:
                self._read_write = False
        if data is None:
            ask = pdu.write(regs.COMMAND, block)
            await self._ask(request.command, pdu.WRITE, ask, ask[1:5], refused, None, until)
            ask = pdu.read(regs.RESULT, size)
            data = await self._ask(request.command, pdu.READ_HOLDING, ask, head, refused, size, until)
        try:
            return self._map.read_result(request.command, data)
        except ValueError as exc:
            raise self._garbage(request.command, exc) from exc

    async def _ask(
        self, what: str, function: int, request: bytes, head: bytes, refused: bytes, size: int | None, until: float
    ) -> bytes:
        expected = (bytes((function,)) + head, bytes((function | pdu.EXCEPTION,)) + refused)
        answer = await self._link.ask(request, expected, until)
        if function == pdu.READ_WRITE and answer in _UNABLE:
            raise _NoSuchFunction
        return self._content(what, answer, size)

    def _content(self, what: str, answer: bytes, size: int | None) -> bytes:
        """The registers in an answer of the expected function, if it carries any."""
        if answer[0] & pdu.EXCEPTION:
            self._refused(what, answer)
        if size is None:
            return b""
        if len(answer) != 2 + 2 * size:
            raise self._garbage(what, f"{len(answer) - 2} bytes of registers, expected {2 * size}")
        return answer[2:]

    def _refused(self, what: str, answer: bytes) -> NoReturn:
        code = answer[1] if len(answer) > 1 else 0
        name = pdu.Refusal(code).name.lower().replace("_", " ") if code in set(pdu.Refusal) else "unknown"
        if code in (pdu.Refusal.NO_PATH, pdu.Refusal.NO_TARGET):
            raise NoAnswer(f"{self._link.name}: {what}: the gateway reached no device ({name})")
        raise self._garbage(what, f"Modbus exception {code}, {name}")

    def _garbage(self, what: str, why: object) -> Garbage:
        return Garbage(f"{self._link.name}: {what}: {why}")

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
