"""Both directions of a Modbus line, as messages of the register map."""

from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.pairing import ModbusSniffer, Question, over_rtu, over_tcp
from feltrig.protocols.modbus.register_map import (
    COMMAND,
    IDENTITY_END,
    RESULT,
    RING,
    SLOT_SIZE,
    SLOTS,
    STATUS_SIZE,
    TOKEN,
    modbus_map,
)
from feltrig.protocols.sniffing import Answered, Asked, Chatter, Message
from feltrig.protocols.vocabulary import Error, FaultCode, Kind, State

SHORTEST_COMMAND = 6
"""Bytes of a token and a code."""

SHORTEST_RESULT = 8
"""Bytes of a token, an error and a count."""


class _Map:
    """What questions and responses mean by the register map of a kind of device."""

    def __init__(self, kind: Kind) -> None:
        self._map = modbus_map(kind)
        self._command: Asked | None = None
        self._status = Status(State.IDLE, FaultCode.NONE, 0, 0)

    def question(self, request: bytes) -> Question:
        """What a request asks."""
        match pdu.parse(request):
            case pdu.Read(0, count) if count >= IDENTITY_END:
                asked = Asked(Request("identify"))
                return Question(
                    asked, 2 * count, lambda data: Answered(asked, Reply(Error.OK, self._map.read_identity(data)))
                )
            case pdu.Read(0, count) if count >= STATUS_SIZE:
                asked = Asked(Request("status"))
                return Question(asked, 2 * count, lambda data: self._read_status(asked, data))
            case pdu.Read(start, count) if start == RESULT and self._command is not None:
                command = self._command
                return Question(
                    Chatter(True, "asks for the result"), 2 * count, lambda data: self._read_result(command, data)
                )
            case pdu.Read(start, count) if start >= RING and (start - RING) % SLOT_SIZE == count % SLOT_SIZE == 0:
                asked = Asked(Request("events", {"after": self._first((start - RING) // SLOT_SIZE) - 1}))
                return Question(asked, 2 * count, lambda data: self._read_slots(asked, data))
            case pdu.Read(start, count):
                text = f"registers {start} to {start + count - 1}"
                return Question(
                    Chatter(True, f"reads {text}"),
                    2 * count,
                    lambda data: Chatter(False, f"{text}: {data.hex(' ')}"),
                )
            case pdu.ReadWrite(start, count, write_start, data) if (start, write_start) == (RESULT, COMMAND):
                asked = self._read_command(data)
                return Question(asked, 2 * count, lambda data: self._read_result(asked, data))
            case pdu.Write(start, data) if start == COMMAND:
                return Question(self._read_command(data), 0, lambda _: Chatter(False, "written"))
            case pdu.Identify():
                text = "device identification"
                return Question(
                    Chatter(True, f"reads the {text}"), 0, lambda data: Chatter(False, f"{text}: {data[6:]!r}")
                )
        raise ValueError("no part of the register map")

    def _read_command(self, data: bytes) -> Asked:
        if len(data) < SHORTEST_COMMAND:
            raise ValueError(f"a command of {len(data)} bytes")
        request = self._map.read_command(data)
        if not isinstance(request, Request):
            raise ValueError(request.name.lower().replace("_", " "))
        self._command = Asked(request)
        return self._command

    def _read_status(self, asked: Asked, data: bytes) -> Message:
        self._status = self._map.read_status(data)
        return Answered(asked, self._map.read_status_reply(data))

    def _read_result(self, asked: Asked, data: bytes) -> Message:
        command, token = asked.request.command, asked.request.token
        if len(data) < SHORTEST_RESULT or data[: TOKEN.size] != TOKEN.pack(token):
            raise ValueError(f"{command}: not the result of this command")
        return Answered(asked, self._map.read_result(command, data))

    def _read_slots(self, asked: Asked, data: bytes) -> Message:
        size = 2 * SLOT_SIZE
        found = (self._map.read_slot(data[at : at + size]) for at in range(0, len(data), size))
        events: tuple[Event, ...] = tuple(event for event in found if event is not None)
        return Answered(asked, EventBatch(self._status, events))

    def _first(self, slot: int) -> int:
        """The latest number that can stand in a slot."""
        latest = max(self._status.latest, 1)
        return max(1, latest - (latest - 1 - slot) % SLOTS)


def tcp_sniffer(kind: Kind, unit: int | None = None) -> ModbusSniffer:
    """Listens to a device on Modbus TCP."""
    return over_tcp(_Map(kind).question, unit)


def rtu_sniffer(kind: Kind, unit: int | None = None) -> ModbusSniffer:
    """Listens to a device on Modbus RTU."""
    return over_rtu(_Map(kind).question, unit)
