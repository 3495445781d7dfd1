"""The register map of the open Modbus protocol: one space, read alike by functions 3 and 4, written by 16 or 23.

| registers | holds                                                                                                  |
|-----------|--------------------------------------------------------------------------------------------------------|
| 0         | version of this map                                                                                    |
| 1         | code of the kind of device                                                                             |
| 2, 3      | state, fault                                                                                           |
| 4-5, 6-7  | number of the oldest event held and of the latest                                                      |
| 8-9       | token of the last acting command                                                                       |
| 16-103    | identity as text: vendor, model, serial (16 registers each), firmware (8), digest (32); zeros fill up  |
| 256-287   | command: token (2), code, arguments. Written from 256 on in one write, which runs it                   |
| 288-415   | result: token (2), error, count, then as many registers of the reply                                   |
| 512-1535  | ring of 64 events, 16 registers each: number (2), code, fields. Event n stands in slot (n - 1) mod 64  |

What is not listed between 0 and 127 and behind a block's content reads as zero. A number up to 65535 takes one
register, a u32 two, high word first; a list or a text takes one for its length in bytes, then one for every two.

| command    | on this wire                                                                       |
|------------|------------------------------------------------------------------------------------|
| `status`   | also by reading 2-7, which is quicker                                              |
| `identify` | also by reading 1 and 16-103                                                       |
| `events`   | not as a command (it is refused as unknown): read 4-7, then the slots              |
| `faces`    | at most 240 cards at once; else refused                                            |
"""

import struct
from functools import cache, lru_cache
from types import MappingProxyType

from feltrig.protocols.messages import NOTHING, Event, Identity, Reply, Request, Status, Values
from feltrig.protocols.modbus.pdu import MAX_READ
from feltrig.protocols.packing import Layout, PackedCommand, PackedKind
from feltrig.protocols.vocabulary import Error, FaultCode, Kind, State, Type

VERSION = 1

MOST_AT_ONCE = 64
"""Registers that every device lets a master read in one request. More can be refused."""

DEVICE, DEVICE_SIZE = 0, 128
STATUS_SIZE = 10
IDENTITY, IDENTITY_END = 16, 104
IDENTITY_SPLIT = 60
"""Where a driver parts the identity, which is longer than one read."""
COMMAND, COMMAND_SIZE = 256, 32
RESULT, RESULT_SIZE = 288, 128
RING, SLOTS, SLOT_SIZE = 512, 64, 16

IDENTITY_SIZES = {"vendor": 16, "model": 16, "serial": 16, "firmware": 8, "digest": 32}
"""Registers of each text, in order."""

REGISTERS = Layout({Type.U8: "H", Type.U16: "H", Type.U32: "I", Type.BOOL: "H"}, "H", 2)

TOKEN = struct.Struct(">I")
_STATUS = struct.Struct(">HHHHIII")
_COMMAND = struct.Struct(">IH")
_RESULT = struct.Struct(">IHH")
_SLOT = struct.Struct(">IH")

LONGEST_REPLY = 2 * MAX_READ - _RESULT.size
"""Bytes of a reply with which the result block is as long as the longest read of Modbus."""


class ModbusMap:
    """The blocks of one kind of device, as the bytes of their registers. What cannot be read is a ValueError."""

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._packed = PackedKind(kind, REGISTERS, without=("events",))
        # a poll hears the same registers again and again
        self.read_status = lru_cache(maxsize=1024)(self._read_status)
        self.read_status_reply = lru_cache(maxsize=1024)(self._read_status_reply)

    def write_status(self, status: Status, token: int) -> bytes:
        """Registers 0 to 9. An event that has left the ring is no longer held."""
        oldest = max(status.oldest, status.latest - SLOTS + 1)
        return _STATUS.pack(VERSION, self._kind.code, status.state, status.fault, oldest, status.latest, token)

    def _read_status(self, data: bytes) -> Status:
        """The status in registers 0 to 9."""
        version, _, state, fault, oldest, latest, _ = _STATUS.unpack_from(data)
        if version != VERSION:
            raise ValueError(f"register map of version {version}, expected {VERSION}")
        return Status(State(state), FaultCode(fault), oldest, latest)

    def _read_status_reply(self, data: bytes) -> Reply:
        """The reply to `status` in registers 0 to 9."""
        status = self.read_status(data)
        values = {"state": status.state, "fault": status.fault, "oldest": status.oldest, "latest": status.latest}
        return Reply(Error.OK, MappingProxyType(values))

    def write_identity(self, identity: Identity) -> bytes:
        """Registers 16 to 103."""
        return b"".join(_text(name, getattr(identity, name), 2 * size) for name, size in IDENTITY_SIZES.items())

    def read_identity(self, data: bytes) -> Values:
        """The reply to `identify` in registers 0 to 103."""
        self.read_status(data)
        values: dict[str, int | str] = {"kind": int.from_bytes(data[2:4], "big")}
        start = 2 * IDENTITY
        for name, size in IDENTITY_SIZES.items():
            values[name] = data[start : start + 2 * size].rstrip(b"\0").decode()
            start += 2 * size
        return values

    def write_command(self, request: Request, token: int) -> bytes:
        form = self._form(request.command)
        if not 0 <= token <= 0xFFFF_FFFF:
            raise ValueError(f"token {token} is not 0..{0xFFFF_FFFF}")
        return _COMMAND.pack(token, form.command.code) + form.args.pack(request.values)

    def read_command(self, data: bytes) -> Request | Error:
        """The request in a command block, or the error that is its result."""
        token, code = _COMMAND.unpack_from(data)
        form = self._packed.command_of.get(code)
        if form is None:
            return Error.UNKNOWN_COMMAND
        try:
            values = form.args.unpack(data[_COMMAND.size :])
        except ValueError:
            return Error.MALFORMED
        return Request(form.command.name, values, token)

    def acts(self, command: str) -> bool:
        """Whether a command is run once per token."""
        return self._form(command).command.acts

    def result_size(self, command: str) -> int:
        """Registers to read at first for the result of a command: exactly or, where the reply varies, as many as a
        device must let be read at once."""
        form = self._form(command)
        return (_RESULT.size + form.reply.smallest) // 2 if form.reply.fixed else MOST_AT_ONCE

    def write_result(self, token: int, command: str, reply: Reply) -> bytes:
        """The result block. A reply too long to be read at once is refused as a bad argument: it asked for too much."""
        if reply.error:
            return self.write_error(token, reply.error)
        data = self._packed.commands[command].reply.pack(reply.values)
        if len(data) > LONGEST_REPLY:
            return self.write_error(token, Error.BAD_ARGUMENT)
        return _RESULT.pack(token, Error.OK, len(data) // 2) + data

    def write_error(self, token: int, error: Error) -> bytes:
        """The result block of a command that was refused."""
        return _RESULT.pack(token, error, 0)

    def read_result(self, command: str, data: bytes) -> Reply:
        """The reply in a result block; the caller has compared the token."""
        _, error, count = _RESULT.unpack_from(data)
        if error:
            if count:
                raise ValueError(f"error {error} with a reply of {count} registers")
            return Reply(Error(error))
        end = _RESULT.size + 2 * count
        if end > len(data):
            raise ValueError(f"a reply of {count} registers, but {len(data) - _RESULT.size} bytes follow")
        return Reply(Error.OK, self._packed.commands[command].reply.unpack(data[_RESULT.size : end]))

    def missing_of_result(self, data: bytes) -> int:
        """Registers of a reply that are still to be read."""
        _, error, count = _RESULT.unpack_from(data)
        return 0 if error else max(0, count - (len(data) - _RESULT.size) // 2)

    def write_slot(self, event: Event) -> bytes:
        form = self._packed.events[event.name]
        data = _SLOT.pack(event.number, form.code) + form.fields.pack(event.values)
        if len(data) > 2 * SLOT_SIZE:
            raise ValueError(f"event {event.number}: {event.name}: {len(data)} bytes, a slot holds {2 * SLOT_SIZE}")
        return data.ljust(2 * SLOT_SIZE, b"\0")

    def read_slot(self, data: bytes) -> Event | None:
        """The event in a slot, or None when it is empty."""
        number, code = _SLOT.unpack_from(data)
        if not number:
            return None
        form = self._packed.event_of.get(code)
        if form is None:
            raise ValueError(f"event {number}: no such code {code}")
        values, end = form.fields.unpack_from(data, _SLOT.size)
        if any(data[end:]):
            raise ValueError(f"event {number}: {form.name}: more bytes than its fields")
        return Event(number, form.name, values or NOTHING)

    def _form(self, command: str) -> PackedCommand:
        form = self._packed.commands.get(command)
        if form is None:
            raise ValueError(f"{command}: no such command on this wire")
        return form


@cache
def modbus_map(kind: Kind) -> ModbusMap:
    """The map of a kind of device, one and the same for all devices of the kind."""
    return ModbusMap(kind)


def slot_of(number: int) -> int:
    """The slot in which an event stands."""
    return (number - 1) % SLOTS


def slot_address(slot: int) -> int:
    """The first register of a slot."""
    return RING + SLOT_SIZE * slot


def _text(name: str, text: str, size: int) -> bytes:
    data = text.encode()
    if len(data) > size:
        raise ValueError(f"{name}: {text!r} takes {len(data)} bytes, the register map has {size}")
    return data.ljust(size, b"\0")
