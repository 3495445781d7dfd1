"""Requests and answers of the open serial protocol, as the code and the data of frames.

| message          | code           | data                                                                      |
|------------------|----------------|---------------------------------------------------------------------------|
| request          | the command's  | token u32 if the command acts, then its arguments                         |
| answer           | command + 0x80 | error u8, then, if it is 0, the reply's fields                            |
| answer to events | 0x83           | error u8, state u8, fault u8, oldest u32, latest u32, then records as fit |
| record           |                | number u32, code u8, then the event's fields                              |

The device speaks only when asked, and its answer repeats the seq of the request.
"""

import struct
from functools import cache, lru_cache
from types import MappingProxyType

from feltrig.protocols.messages import NOTHING, Event, EventBatch, Reply, Request, Status
from feltrig.protocols.packing import PackedKind
from feltrig.protocols.serial.frame import MAX_DATA
from feltrig.protocols.vocabulary import Error, FaultCode, Kind, State

ANSWER = 0x80
"""The bit that makes a command's code the code of its answer."""

TOKEN = struct.Struct(">I")
_STATUS = struct.Struct(">BBBII")
_RECORD = struct.Struct(">IB")

MOST_EVENTS = (MAX_DATA - _STATUS.size) // _RECORD.size
"""No answer can hold more records than this."""


class SerialMessages:
    """The messages of one kind of device. What cannot be read or written is a ValueError."""

    def __init__(self, kind: Kind) -> None:
        self._packed = PackedKind(kind)
        self._bare = {c.name: (c.code, b"") for c in kind.commands.values() if not (c.acts or c.args)}
        # a poll hears the same answer again and again
        self.read_reply = lru_cache(maxsize=1024)(self._read_reply)

    def write_request(self, request: Request) -> tuple[int, bytes]:
        """The code and the data that carry a request."""
        if request.command in self._bare and not request.values:
            return self._bare[request.command]
        form = self._packed.commands.get(request.command)
        if form is None:
            raise ValueError(f"{request.command}: no such command")
        args = form.args.pack(request.values)
        if not form.command.acts:
            return form.command.code, args
        if not 0 <= request.token <= 0xFFFF_FFFF:
            raise ValueError(f"token {request.token} is not 0..{0xFFFF_FFFF}")
        return form.command.code, TOKEN.pack(request.token) + args

    def read_request(self, code: int, data: bytes) -> Request | Error:
        """The request, or the error with which the device must answer."""
        form = self._packed.command_of.get(code)
        if form is None:
            return Error.UNKNOWN_COMMAND
        skip = TOKEN.size if form.command.acts else 0
        if len(data) < skip:
            return Error.MALFORMED
        try:
            values = form.args.unpack(data[skip:])
        except ValueError:
            return Error.MALFORMED
        return Request(form.command.name, values, TOKEN.unpack_from(data)[0] if skip else 0)

    def write_reply(self, command: str, reply: Reply) -> bytes:
        """The data of an answer. A reply that no frame can hold is refused as a bad argument: it asked for too much."""
        if reply.error:
            return bytes((reply.error,))
        data = b"\0" + self._packed.commands[command].reply.pack(reply.values)
        return data if len(data) <= MAX_DATA else bytes((Error.BAD_ARGUMENT,))

    def _read_reply(self, command: str, data: bytes) -> Reply:
        """The reply to a command."""
        if not data:
            raise ValueError("an answer without an error code")
        if data[0]:
            if len(data) > 1:
                raise ValueError(f"error {data[0]} followed by {len(data) - 1} bytes")
            return Reply(Error(data[0]))
        return Reply(Error.OK, MappingProxyType(self._packed.commands[command].reply.unpack(data[1:])))

    def write_status(self, status: Status) -> bytes:
        """The data of the answer to `status`: quicker than by way of a reply."""
        return _STATUS.pack(0, status.state, status.fault, status.oldest, status.latest)

    def write_events(self, batch: EventBatch) -> bytes:
        """The data of the answer to `events`, with the first events as far as they fit."""
        data = self.write_status(batch.status)
        for event in batch.events:
            form = self._packed.events[event.name]
            record = _RECORD.pack(event.number, form.code) + form.fields.pack(event.values)
            if len(data) + len(record) > MAX_DATA:
                break
            data += record
        return data

    def read_events(self, data: bytes) -> EventBatch:
        """The batch in an answer to `events`."""
        if len(data) < _STATUS.size:
            raise ValueError(f"status of {len(data)} bytes, expected {_STATUS.size}")
        error, state, fault, oldest, latest = _STATUS.unpack_from(data)
        if error:
            raise ValueError(f"error {error} in the answer to events")
        status = Status(State(state), FaultCode(fault), oldest, latest)
        events, offset = [], _STATUS.size
        while offset < len(data):
            if len(data) - offset < _RECORD.size:
                raise ValueError("a record is cut short")
            number, code = _RECORD.unpack_from(data, offset)
            form = self._packed.event_of.get(code)
            if form is None:
                raise ValueError(f"event {number}: no such code {code}")
            values, offset = form.fields.unpack_from(data, offset + _RECORD.size)
            events.append(Event(number, form.name, values or NOTHING))
        return EventBatch(status, tuple(events))


@cache
def serial_messages(kind: Kind) -> SerialMessages:
    """The messages of a kind of device. They are the same for all devices of the kind, and less to go through where
    many are asked in turn (`benchmarks/scale.py`)."""
    return SerialMessages(kind)
