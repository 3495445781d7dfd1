"""Messages that the rig never sends when it plays, as data: wrong on purpose, meant for others, or a seldom way to ask.
What each wire's document says of them.

What could be taken for a command is always `reset`, which works in every state and emits an event: a device that acts
on the message all the same betrays itself and does no harm. What is meant for others only asks: nobody else on the line
need act.
"""

import json
import struct
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from feltrig.protocols.messages import Envelope, Reply
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.frame import ALL_UNITS, MAX_RTU, MAX_UNIT, encode_rtu, encode_tcp
from feltrig.protocols.modbus.pdu import Refusal
from feltrig.protocols.modbus.register_map import (
    COMMAND,
    DEVICE,
    DEVICE_SIZE,
    IDENTITY,
    IDENTITY_END,
    RESULT,
    RING,
    SLOT_SIZE,
    SLOTS,
    STATUS_SIZE,
    TOKEN,
)
from feltrig.protocols.modbus.register_map import VERSION as MAP_VERSION
from feltrig.protocols.mqtt.codec import VERSION, encode_reply
from feltrig.protocols.serial.codec import ANSWER
from feltrig.protocols.serial.frame import BROADCAST, MAX_PAYLOAD, encode, sealed, wrapped
from feltrig.protocols.vocabulary import COMMON, Error, Kind

Text = Callable[[Envelope], bytes]

CODES = {command.name: command.code for command in COMMON}
ZEROS = ((STATUS_SIZE, IDENTITY), (IDENTITY_END, DEVICE_SIZE))
"""Registers that are there to be filled one day."""
UNKNOWN = (0x00, 0x06, 0x0F, 0x7F)
"""Codes of no command of any device."""


@dataclass(frozen=True, slots=True)
class Unusual:
    """One such message: how it is written, and what must be answered."""

    name: str
    write: Text
    answer: Text = lambda _: b""


def unusual(wire: str, kind: Kind, taken: Collection[int] = ()) -> tuple[Unusual, ...]:
    """The messages of a wire, by its name in a rig file, for one kind of device. Addresses or units that are taken
    belong to devices of the rig; what is meant for another goes to none of them."""
    return tuple(_TABLES[wire](kind, taken))


def _unknown_codes(kind: Kind) -> tuple[int, ...]:
    """Among them the first that this kind of device lacks and another may have."""
    return (*UNKNOWN, max(kind.command_of) + 1)


def _serial(kind: Kind, taken: Collection[int]) -> Iterable[Unusual]:
    for code in _unknown_codes(kind):
        yield _serial_refused(f"code {code:#04x}", code, Error.UNKNOWN_COMMAND, TOKEN.pack)
    yield _serial_refused("without a token", CODES["reset"], Error.MALFORMED, lambda _: b"")
    yield _serial_refused("half a token", CODES["reset"], Error.MALFORMED, lambda token: TOKEN.pack(token)[:2])
    yield _serial_refused("a byte too many", CODES["reset"], Error.MALFORMED, lambda token: TOKEN.pack(token) + b"\1")
    yield _serial_refused("data where none belongs", CODES["status"], Error.MALFORMED, lambda _: b"\1")
    yield _serial_refused("a number of two bytes for four", CODES["events"], Error.MALFORMED, lambda _: b"\0\1")
    yield _serial_refused("a list that breaks off", CODES["challenge"], Error.MALFORMED, lambda _: b"\x10\1\2\3")
    yield Unusual("the code of an answer", lambda e: wrapped(sealed(_reset(e, ANSWER))))
    yield Unusual("wrong checksum", lambda e: wrapped(_flipped(sealed(_reset(e)))))
    yield Unusual("wrong stuffing", lambda e: b"\0\xff" + wrapped(sealed(_reset(e)))[2:])
    yield Unusual("too long", lambda e: wrapped(sealed(_reset(e).ljust(MAX_PAYLOAD + 1, b"\0"))))
    yield Unusual("noise", lambda _: b"\x55" * 32 + b"\0")
    yield Unusual("breaks off", lambda e: wrapped(sealed(_reset(e)))[:6])
    yield Unusual(
        "for another address", lambda e: encode(_other(e, taken, BROADCAST - 1), e.number, CODES["status"], b"")
    )
    yield Unusual("a question to all", lambda e: encode(BROADCAST, e.number, CODES["status"], b""))


def _other(envelope: Envelope, taken: Collection[int], highest: int) -> int:
    """An address that no device of the rig has; high ones are seldom used."""
    return next(n for n in range(highest, 0, -1) if n != envelope.to and n not in taken)


def _serial_refused(name: str, code: int, error: Error, data: Callable[[int], bytes]) -> Unusual:
    return Unusual(
        name,
        lambda e: encode(e.to, e.number, code, data(e.token)),
        lambda e: encode(e.to, e.number, code | ANSWER, bytes((error,))),
    )


def _reset(envelope: Envelope, bit: int = 0) -> bytes:
    return bytes((envelope.to, envelope.number, CODES["reset"] | bit)) + TOKEN.pack(envelope.token)


def _flipped(data: bytes) -> bytes:
    return data[:-1] + bytes((data[-1] ^ 1,))


Frame = Callable[[Envelope, bytes], bytes]
"""Puts a PDU into its frame."""


def _rtu_frame(envelope: Envelope, request: bytes) -> bytes:
    return encode_rtu(envelope.to, request)


def _tcp_frame(envelope: Envelope, request: bytes) -> bytes:
    return encode_tcp(envelope.number, envelope.to, request)


def _modbus_rtu(kind: Kind, taken: Collection[int]) -> Iterable[Unusual]:
    yield from _modbus(kind, _rtu_frame)
    yield Unusual("wrong checksum", lambda e: _flipped(_rtu_frame(e, _written(e))))
    yield Unusual("too long", lambda e: _rtu_frame(e, _written(e) + b"\xff" * MAX_RTU))
    yield Unusual("breaks off", lambda e: _rtu_frame(e, _written(e))[:6])
    yield Unusual("for another unit", lambda e: encode_rtu(_other(e, taken, MAX_UNIT), _FIRST))
    yield Unusual("a question to all", lambda _: encode_rtu(ALL_UNITS, _FIRST))


def _modbus_tcp(kind: Kind, taken: Collection[int]) -> Iterable[Unusual]:
    yield from _modbus(kind, _tcp_frame)
    wrong = pdu.refusal(pdu.READ_HOLDING, Refusal.ILLEGAL_VALUE)
    yield _modbus_answered("a request that breaks off", _tcp_frame, lambda _: pdu.read(0, 1)[:3], lambda _: wrong)
    yield _modbus_answered("a byte too many", _tcp_frame, lambda _: pdu.read(0, 1) + b"\0", lambda _: wrong)
    yield Unusual("another protocol", lambda e: _of_protocol(1, _tcp_frame(e, _written(e))))
    yield Unusual("too long", lambda e: _tcp_frame(e, _written(e) + b"\xff" * pdu.MAX_PDU))
    not_here = pdu.refusal(pdu.READ_HOLDING, Refusal.NO_TARGET)
    yield Unusual(
        "for another unit",
        lambda e: encode_tcp(e.number, _other(e, taken, MAX_UNIT), _FIRST),
        lambda e: encode_tcp(e.number, _other(e, taken, MAX_UNIT), not_here),
    )


def _modbus(kind: Kind, frame: Frame) -> Iterable[Unusual]:
    """What is refused in both framings: by an exception, or in the result of the command."""

    def exception(name: str, refusal: Refusal, request: Callable[[int], bytes]) -> Unusual:
        return _modbus_answered(name, frame, request, lambda token: pdu.refusal(request(token)[0], refusal))

    def result(name: str, error: Error, code: int, *arguments: int) -> Unusual:
        return _modbus_answered(
            name,
            frame,
            lambda token: pdu.read_write(RESULT, 4, COMMAND, _block(token, code, *arguments)),
            lambda token: pdu.registers(pdu.READ_WRITE, _block(token, error, 0)),
        )

    past = RING + SLOTS * SLOT_SIZE
    yield exception("function 1", Refusal.ILLEGAL_FUNCTION, lambda _: pdu.read(0, 1, 1))
    yield exception("function 65", Refusal.ILLEGAL_FUNCTION, lambda _: b"\x41")
    yield exception("function 6", Refusal.ILLEGAL_FUNCTION, lambda _: pdu.write_one(0x100, 1))
    yield exception("function 43/13", Refusal.ILLEGAL_FUNCTION, lambda _: bytes((pdu.IDENTIFY, 13, 1, 0)))
    yield exception("a register between the blocks", Refusal.ILLEGAL_ADDRESS, lambda _: pdu.read(200, 1))
    yield exception("the last register", Refusal.ILLEGAL_ADDRESS, lambda _: pdu.read(0xFFFF, 1, pdu.READ_INPUT))
    yield exception("over the end of a block", Refusal.ILLEGAL_ADDRESS, lambda _: pdu.read(past - 1, 2))
    yield exception("no register", Refusal.ILLEGAL_VALUE, lambda _: pdu.read(0, 0))
    yield exception("too many registers", Refusal.ILLEGAL_VALUE, lambda _: pdu.read(RING, pdu.MAX_READ + 1))
    yield exception("a write to the status", Refusal.ILLEGAL_ADDRESS, lambda _: pdu.write(2, b"\0\0"))
    yield exception("a write to the result", Refusal.ILLEGAL_ADDRESS, lambda token: pdu.write(RESULT, _block(token, 0)))
    yield exception("a write behind the token", Refusal.ILLEGAL_ADDRESS, _behind)
    yield exception("a write of nothing", Refusal.ILLEGAL_VALUE, lambda _: pdu.write(COMMAND, b""))
    yield exception("a write without a code", Refusal.ILLEGAL_VALUE, lambda t: pdu.write(COMMAND, TOKEN.pack(t)))
    yield exception("wrong byte count", Refusal.ILLEGAL_VALUE, _miscounted)
    yield exception("a command, and no register", Refusal.ILLEGAL_VALUE, lambda t: _command_and_read(t, RESULT, 0))
    yield exception("a command, and no such register", Refusal.ILLEGAL_ADDRESS, lambda t: _command_and_read(t, 200, 4))
    for code in (*_unknown_codes(kind), CODES["events"]):
        yield result(f"code {code:#04x}", Error.UNKNOWN_COMMAND, code)
    yield result("a register too many", Error.MALFORMED, CODES["reset"], 1)
    yield result("a list that breaks off", Error.MALFORMED, CODES["challenge"], 0x0010, 0x0102)
    for start, end in ZEROS:
        asked, zeros = pdu.read(start, end - start), pdu.registers(pdu.READ_HOLDING, bytes(2 * (end - start)))
        yield _modbus_answered(f"registers {start} to {end - 1}", frame, _always(asked), _always(zeros))
    by_input, first = pdu.read(DEVICE, 2, pdu.READ_INPUT), struct.pack(">2H", MAP_VERSION, kind.code)
    yield _modbus_answered("function 4", frame, lambda _: by_input, lambda _: pdu.registers(pdu.READ_INPUT, first))


def _always(request: bytes) -> Callable[[int], bytes]:
    return lambda _: request


def _modbus_answered(
    name: str, frame: Frame, request: Callable[[int], bytes], answer: Callable[[int], bytes]
) -> Unusual:
    return Unusual(name, lambda e: frame(e, request(e.token)), lambda e: frame(e, answer(e.token)))


_FIRST = pdu.read(DEVICE, 1)


def _block(token: int, *registers: int) -> bytes:
    return TOKEN.pack(token) + b"".join(register.to_bytes(2, "big") for register in registers)


def _written(envelope: Envelope) -> bytes:
    return pdu.write(COMMAND, _block(envelope.token, CODES["reset"]))


def _miscounted(token: int) -> bytes:
    """Two registers come where three are announced."""
    request = pdu.write(COMMAND, _block(token, CODES["reset"]))
    return request[:5] + bytes((4,)) + request[6:10]


def _behind(token: int) -> bytes:
    return pdu.write(COMMAND + 1, _block(token, CODES["reset"]))


def _command_and_read(token: int, start: int, count: int) -> bytes:
    return pdu.read_write(start, count, COMMAND, _block(token, CODES["reset"]))


def _of_protocol(number: int, frame: bytes) -> bytes:
    return frame[:2] + number.to_bytes(2, "big") + frame[4:]


def _mqtt(_: Kind, _taken: Collection[int]) -> Iterable[Unusual]:
    yield _unreadable("nothing", b"")
    yield _unreadable("no UTF-8", b"\xff\xfe")
    yield _unreadable("no JSON", b'{"v":1,"cmd":"reset","token":1')
    yield _unreadable("no object", b'["reset"]')
    yield _mqtt_refused("an unknown command", Error.UNKNOWN_COMMAND, cmd="fly")
    yield _mqtt_refused("without a command", Error.MALFORMED, cmd=None)
    yield _mqtt_refused("a code for a command", Error.MALFORMED, cmd=CODES["reset"])
    yield _mqtt_refused("without a version", Error.MALFORMED, v=None)
    yield _mqtt_refused("another version", Error.MALFORMED, v=VERSION + 1)
    yield _mqtt_refused("without a token", Error.MALFORMED, token=None)
    yield _mqtt_refused("a token that is text", Error.MALFORMED, token="1")
    yield _mqtt_refused("a token below zero", Error.MALFORMED, token=-1)
    yield _mqtt_refused("a token that is too large", Error.MALFORMED, token=1 << 32)
    yield _mqtt_refused("an argument too many", Error.BAD_ARGUMENT, args={"times": 1})
    yield _mqtt_refused("arguments in a list", Error.BAD_ARGUMENT, args=[1])
    yield _mqtt_refused("an argument too few", Error.BAD_ARGUMENT, cmd="events", args={})
    yield _mqtt_refused("an argument of another type", Error.BAD_ARGUMENT, cmd="events", args={"after": "0"})


def _mqtt_refused(name: str, error: Error, **changes: object) -> Unusual:
    return Unusual(name, lambda e: _request(e, changes), lambda e: _refusal(e, error))


def _request(envelope: Envelope, changes: dict[str, object]) -> bytes:
    """A request with other values, and without those that are None."""
    document: dict[str, object] = {"v": VERSION, "cmd": "reset", "token": envelope.token}
    if envelope.back:
        document |= {"id": envelope.number, "reply_to": envelope.back}
    return json.dumps({key: value for key, value in (document | changes).items() if value is not None}).encode()


def _refusal(envelope: Envelope, error: Error) -> bytes:
    return encode_reply(Reply(error), envelope.number if envelope.back else None)


def _unreadable(name: str, payload: bytes) -> Unusual:
    """Where only the payload could have said where the answer goes, there is none."""
    return Unusual(name, lambda _: payload, lambda e: b"" if e.back else _refusal(e, Error.MALFORMED))


_TABLES: dict[str, Callable[[Kind, Collection[int]], Iterable[Unusual]]] = {
    "serial": _serial,
    "modbus-rtu": _modbus_rtu,
    "modbus-tcp": _modbus_tcp,
    "modbus-tls": _modbus_tcp,
    "mqtt": _mqtt,
}
