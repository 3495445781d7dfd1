"""The register map over a machine: a request's PDU in, the response's PDU out. Knows no line and no unit."""

from feltrig.emulators.machine import Machine
from feltrig.protocols.messages import Request, Status
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs

SHORTEST_COMMAND = 6
"""Bytes of a token and a code."""

BASIC_END, REGULAR_END = 0x02, 0x7F
"""Last object of the first two levels of identification (chapter 6.21)."""


class ModbusServer:
    """Answers for one machine; it keeps the blocks that its masters have written and read."""

    __slots__ = ("_command", "_identity", "_machine", "_map", "_objects", "_result", "_token", "_told", "_told_as")

    def __init__(self, machine: Machine) -> None:
        who = machine.identity
        self._machine = machine
        self._map = regs.modbus_map(machine.kind)
        self._identity = self._map.write_identity(who)
        self._objects = [
            (0x00, who.vendor.encode()),
            (0x01, who.model.encode()),
            (0x02, who.firmware.encode()),
            (0x05, who.model.encode()),
            (0x80, who.serial.encode()),
            (0x81, who.digest.encode()),
        ]
        self._command = bytes(2 * regs.COMMAND_SIZE)
        self._result = bytes(2 * regs.RESULT_SIZE)
        self._token = 0
        self._told: Status | None = None
        self._told_as = b""

    def respond(self, request: bytes, now: float) -> bytes:
        function = request[0]
        try:
            match pdu.parse(request):
                case pdu.Read(start, count):
                    return pdu.registers(function, self._read(start, count, now))
                case pdu.Write(start, data):
                    if function == pdu.WRITE_ONE:  # a command is longer than one register
                        raise pdu.Rejected(pdu.Refusal.ILLEGAL_FUNCTION)
                    self._write(start, data, now)
                    return request[:5]
                case pdu.ReadWrite(start, count, write_start, data):
                    self._check(start, count)
                    self._write(write_start, data, now)
                    return pdu.registers(function, self._read(start, count, now))
                case pdu.Identify(level, first):
                    return pdu.identification(level, self._identification(level, first))
        except pdu.Rejected as exc:
            return pdu.refusal(function, exc.refusal)

    def _read(self, start: int, count: int, now: float) -> bytes:
        end = start + count
        if end <= regs.STATUS_SIZE:
            return self._status(now)[2 * start : 2 * end]
        first, block = self._block(start, end, now)
        return block[2 * (start - first) : 2 * (end - first)]

    def _block(self, start: int, end: int, now: float) -> tuple[int, bytes]:
        """Registers that enclose those asked for, and the address of the first."""
        self._check(start, end - start)
        if end <= regs.DEVICE + regs.DEVICE_SIZE:
            block = self._status(now).ljust(2 * regs.IDENTITY, b"\0") + self._identity
            return regs.DEVICE, block.ljust(2 * regs.DEVICE_SIZE, b"\0")
        if start < regs.RING:
            return regs.COMMAND, self._command + self._result
        return self._ring((start - regs.RING) // regs.SLOT_SIZE, (end - regs.RING - 1) // regs.SLOT_SIZE, now)

    def _check(self, start: int, count: int) -> None:
        for first, size in _READABLE:
            if first <= start and start + count <= first + size:
                return
        raise pdu.Rejected(pdu.Refusal.ILLEGAL_ADDRESS)

    def _status(self, now: float) -> bytes:
        status = self._machine.status(now)
        if status is not self._told:  # a machine has one and the same while nothing changes
            self._told, self._told_as = status, self._map.write_status(status, self._token)
        return self._told_as

    def _ring(self, first: int, last: int, now: float) -> tuple[int, bytes]:
        """The slots from the first to the last."""
        latest = self._machine.status(now).latest
        recent = self._machine.events(max(latest - regs.SLOTS, 0), now, regs.SLOTS).events
        held = {regs.slot_of(event.number): event for event in recent}
        slots = [
            self._map.write_slot(held[n]) if n in held else bytes(2 * regs.SLOT_SIZE) for n in range(first, last + 1)
        ]
        return regs.RING + regs.SLOT_SIZE * first, b"".join(slots)

    def _write(self, start: int, data: bytes, now: float) -> None:
        """Only the command block can be written, from its beginning: that runs the command."""
        if start != regs.COMMAND or len(data) > 2 * regs.COMMAND_SIZE:
            raise pdu.Rejected(pdu.Refusal.ILLEGAL_ADDRESS)
        if len(data) < SHORTEST_COMMAND:
            raise pdu.Rejected(pdu.Refusal.ILLEGAL_VALUE)
        self._command = data.ljust(2 * regs.COMMAND_SIZE, b"\0")
        self._result = self._run(data, now).ljust(2 * regs.RESULT_SIZE, b"\0")

    def _run(self, data: bytes, now: float) -> bytes:
        (token,) = regs.TOKEN.unpack_from(data)
        request = self._map.read_command(data)
        if not isinstance(request, Request):
            return self._map.write_error(token, request)
        reply = self._machine.handle(request, now)
        if self._map.acts(request.command):
            self._token, self._told = token, None
        return self._map.write_result(token, request.command, reply)

    def _identification(self, level: int, first: int) -> list[tuple[int, bytes]]:
        """The objects of a level from one on; an unknown one restarts at the beginning, or is refused if it alone was
        asked for (chapter 6.21)."""
        known = {number for number, _ in self._objects}
        if level == pdu.SINGLE:
            if first not in known:
                raise pdu.Rejected(pdu.Refusal.ILLEGAL_ADDRESS)
            return [(number, value) for number, value in self._objects if number == first]
        end = {pdu.BASIC: BASIC_END, pdu.REGULAR: REGULAR_END, pdu.ALL: 0xFF}[level]
        start = first if first in known and first <= end else 0
        return [(number, value) for number, value in self._objects if start <= number <= end]


_READABLE = (
    (regs.DEVICE, regs.DEVICE_SIZE),
    (regs.COMMAND, regs.COMMAND_SIZE + regs.RESULT_SIZE),
    (regs.RING, regs.SLOTS * regs.SLOT_SIZE),
)
