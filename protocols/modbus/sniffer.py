"""Both directions of a Modbus line: cut into questions and responses, and read by the register map or by another."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from feltrig.protocols.framed import CutFrames
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.modbus.frame import Frame, RtuDeframer, TcpDeframer, encoded, request_length, response_length
from feltrig.protocols.sniffing import Answered, Asked, Chatter, Cutter, Message, NoMessage
from feltrig.protocols.vocabulary import Error, FaultCode, Kind, State

REMEMBERED = 16
"""Questions that a response may still belong to."""

BROADCAST = 0


class Question(NamedTuple):
    """What a request asks, how many bytes of cells are in its response (0: any number), and how they are read. What
    cannot be read is a ValueError."""

    message: Message
    size: int
    read: Callable[[bytes], Message]


Meaning = Callable[[bytes], Question]
"""What a PDU asks; one that asks nothing known is Rejected or a ValueError."""


@dataclass(frozen=True, slots=True, eq=False)
class _Open:
    """A request to which a response may come, and what its registers then mean."""

    transaction: int | None
    function: int
    question: Question


class ModbusSniffer:
    """Listens to one device on a Modbus line. Without a unit, it is that to which the first request goes."""

    def __init__(
        self,
        meaning: Meaning,
        unit: int | None,
        requests: TcpDeframer | RtuDeframer,
        responses: TcpDeframer | RtuDeframer,
    ) -> None:
        self.unit = unit
        self._meaning = meaning
        self._requests: Cutter[Frame] = Cutter(requests, encoded)
        self._responses: Cutter[Frame] = Cutter(responses, encoded)
        self._response_deframer = responses
        self._open: deque[_Open] = deque(maxlen=REMEMBERED)

    def hear(self, outgoing: bool, data: bytes) -> list[Message]:
        """The messages that these bytes complete. A response that is not whole when the next request goes out never
        will be: the driver gives it up, too."""
        messages: list[Message] = self._give_up() if outgoing else []
        for piece in (self._requests if outgoing else self._responses).receive(data):
            if isinstance(piece, bytes):
                messages.append(NoMessage(outgoing, "bytes that make no frame", piece))
            elif self._mine(outgoing, piece.unit):
                messages.append(self._asked(piece) if outgoing else self._answered(piece))
        return messages

    def end(self) -> list[Message]:
        rest = self._requests.rest()
        return [*([NoMessage(True, "bytes that make no frame", rest)] if rest else []), *self._give_up()]

    def _give_up(self) -> list[Message]:
        self._response_deframer.clear()
        rest = self._responses.rest()
        return [NoMessage(False, "bytes that make no frame", rest)] if rest else []

    def _mine(self, outgoing: bool, unit: int) -> bool:
        if self.unit is None and outgoing:
            self.unit = unit
        return unit == self.unit or (outgoing and unit == BROADCAST)

    def _asked(self, frame: Frame) -> Message:
        function = frame.pdu[0]
        try:
            question = self._meaning(frame.pdu)
        except (pdu.Rejected, ValueError) as error:
            return NoMessage(True, f"function {function}: {error}", encoded(frame))
        self._open.append(_Open(frame.transaction, function, question))
        return question.message

    def _answered(self, frame: Frame) -> Message:
        opened = self._asker(frame)
        if opened is None:
            return NoMessage(False, "a response without a request", encoded(frame))
        if frame.pdu[0] & pdu.EXCEPTION:
            return NoMessage(False, f"exception {frame.pdu[1:].hex()}", encoded(frame))
        try:
            return opened.question.read(frame.pdu[2:])
        except ValueError as error:
            return NoMessage(False, str(error), encoded(frame))

    def _asker(self, frame: Frame) -> _Open | None:
        """The request to which a response belongs: by its number, or, on a line without numbers, the earliest whose
        shape it has. Devices answer in order, so what was asked before that is out of date."""
        for place, opened in enumerate(self._open):
            if opened.transaction == frame.transaction and _fits(opened, frame.pdu):
                for _ in range(place + 1):
                    self._open.popleft()
                return opened
        return None


def over_tcp(meaning: Meaning, unit: int | None = None) -> ModbusSniffer:
    """Listens to a device on Modbus TCP."""
    return ModbusSniffer(meaning, unit, TcpDeframer(), TcpDeframer())


def over_rtu(meaning: Meaning, unit: int | None = None) -> ModbusSniffer:
    """Listens to a device on Modbus RTU."""
    return ModbusSniffer(meaning, unit, RtuDeframer(request_length), RtuDeframer(response_length))


def framed(over: Literal["tcp", "rtu"]) -> CutFrames:
    """The frames of a line or of a connection."""
    if over == "tcp":
        return CutFrames(lambda outgoing: TcpDeframer(), encoded, in_turn=True)
    lengths = {True: request_length, False: response_length}
    return CutFrames(lambda outgoing: RtuDeframer(lengths[outgoing]), encoded, in_turn=True)


def _fits(opened: _Open, response: bytes) -> bool:
    if response[0] == opened.function | pdu.EXCEPTION:
        return True
    size = opened.question.size
    return response[0] == opened.function and (not size or len(response) == 2 + size)


SHORTEST_COMMAND = 6
"""Bytes of a token and a code."""

SHORTEST_RESULT = 8
"""Bytes of a token, an error and a count."""


class _Map:
    """What questions and responses mean by the register map of a kind of device."""

    def __init__(self, kind: Kind) -> None:
        self._map = regs.modbus_map(kind)
        self._command: Asked | None = None
        self._identify: Asked | None = None
        self._first_half = b""
        """Of an identity whose rest is asked for next."""
        self._begun = b""
        """Of a result whose rest is asked for next."""
        self._status = Status(State.IDLE, FaultCode.NONE, 0, 0)

    def question(self, request: bytes) -> Question:
        match pdu.parse(request):
            case pdu.Read(0, count) if count >= regs.IDENTITY_END:
                asked = Asked(Request("identify"))
                return Question(
                    asked, 2 * count, lambda data: Answered(asked, Reply(Error.OK, self._map.read_identity(data)))
                )
            case pdu.Read(0, count) if count == regs.IDENTITY_SPLIT:
                self._identify = asked = Asked(Request("identify"))
                return Question(asked, 2 * count, self._read_first_half)
            case pdu.Read(start, count) if (
                start == regs.IDENTITY_SPLIT and start + count == regs.IDENTITY_END and self._identify is not None
            ):
                asked = self._identify
                return Question(
                    Chatter(True, "asks for the rest of the identity"),
                    2 * count,
                    lambda data: Answered(asked, Reply(Error.OK, self._map.read_identity(self._first_half + data))),
                )
            case pdu.Read(0, count) if count >= regs.STATUS_SIZE:
                asked = Asked(Request("status"))
                return Question(asked, 2 * count, lambda data: self._read_status(asked, data))
            case pdu.Read(start, count) if start == regs.RESULT and self._command is not None:
                command = self._command
                return Question(
                    Chatter(True, "asks for the result"), 2 * count, lambda data: self._read_result(command, data)
                )
            case pdu.Read(start, count) if start == regs.RESULT + regs.MOST_AT_ONCE and self._command is not None:
                command = self._command
                return Question(
                    Chatter(True, "asks for the rest of the result"),
                    2 * count,
                    lambda data: self._read_result(command, self._begun + data),
                )
            case pdu.Read(start, count) if (
                start >= regs.RING and (start - regs.RING) % regs.SLOT_SIZE == count % regs.SLOT_SIZE == 0
            ):
                asked = Asked(Request("events", {"after": self._first((start - regs.RING) // regs.SLOT_SIZE) - 1}))
                return Question(asked, 2 * count, lambda data: self._read_slots(asked, data))
            case pdu.Read(start, count):
                text = f"registers {start} to {start + count - 1}"
                return Question(
                    Chatter(True, f"reads {text}"),
                    2 * count,
                    lambda data: Chatter(False, f"{text}: {data.hex(' ')}"),
                )
            case pdu.ReadWrite(start, count, write_start, data) if (start, write_start) == (regs.RESULT, regs.COMMAND):
                asked = self._read_command(data)
                return Question(asked, 2 * count, lambda data: self._read_result(asked, data))
            case pdu.Write(start, data) if start == regs.COMMAND:
                return Question(self._read_command(data), 0, lambda _: Chatter(False, "written"))
            case pdu.Identify():
                text = "device identification"
                return Question(
                    Chatter(True, f"reads the {text}"), 0, lambda data: Chatter(False, f"{text}: {data[6:]!r}")
                )
        raise ValueError("not in the register map")

    def _read_command(self, data: bytes) -> Asked:
        if len(data) < SHORTEST_COMMAND:
            raise ValueError(f"a command of {len(data)} bytes")
        request = self._map.read_command(data)
        if not isinstance(request, Request):
            raise ValueError(request.name.lower().replace("_", " "))
        self._command = Asked(request)
        return self._command

    def _read_first_half(self, data: bytes) -> Message:
        self._first_half = data
        return Chatter(False, "the first half of the identity")

    def _read_status(self, asked: Asked, data: bytes) -> Message:
        self._status = self._map.read_status(data)
        return Answered(asked, self._map.read_status_reply(data))

    def _read_result(self, asked: Asked, data: bytes) -> Message:
        command, token = asked.request.command, asked.request.token
        if len(data) < SHORTEST_RESULT:
            raise ValueError(f"{command}: a result of {len(data)} bytes")
        if data[: regs.TOKEN.size] != regs.TOKEN.pack(token):
            return Chatter(False, f"{command}: no result yet")
        if self._map.missing_of_result(data):
            self._begun = data
            return Chatter(False, f"{command}: the beginning of its result")
        return Answered(asked, self._map.read_result(command, data))

    def _read_slots(self, asked: Asked, data: bytes) -> Message:
        size = 2 * regs.SLOT_SIZE
        found = (self._map.read_slot(data[at : at + size]) for at in range(0, len(data), size))
        events: tuple[Event, ...] = tuple(event for event in found if event is not None)
        return Answered(asked, EventBatch(self._status, events))

    def _first(self, slot: int) -> int:
        """The latest number that can stand in a slot."""
        latest = max(self._status.latest, 1)
        return max(1, latest - (latest - 1 - slot) % regs.SLOTS)


def tcp_sniffer(kind: Kind, unit: int | None = None) -> ModbusSniffer:
    return over_tcp(_Map(kind).question, unit)


def rtu_sniffer(kind: Kind, unit: int | None = None) -> ModbusSniffer:
    return over_rtu(_Map(kind).question, unit)
