"""Malformed messages of Modbus RTU and TCP, and what modbus.md says of each."""

import struct
from collections.abc import Callable, Collection, Iterator

from feltrig.protocols.malformed import CODES, Envelope, MalformedMessage, flip_last_bit, other_address, unknown_codes
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs
from feltrig.protocols.modbus.frame import ALL_UNITS, MAX_RTU, MAX_UNIT, encode_rtu, encode_tcp
from feltrig.protocols.modbus.pdu import Refusal
from feltrig.protocols.vocabulary import Error, Kind

ZEROS = ((regs.STATUS_SIZE, regs.IDENTITY), (regs.IDENTITY_END, regs.DEVICE_SIZE))
"""Registers that are reserved and must read as zero."""

Frame = Callable[[Envelope, bytes], bytes]
"""Puts a PDU into its frame."""


def _rtu_frame(envelope: Envelope, request: bytes) -> bytes:
    return encode_rtu(envelope.to, request)


def _tcp_frame(envelope: Envelope, request: bytes) -> bytes:
    return encode_tcp(envelope.number, envelope.to, request)


def rtu_malformed(kind: Kind, taken: Collection[int] = ()) -> Iterator[MalformedMessage]:
    """Those of Modbus RTU for one kind of device. What is meant for another goes to no unit that is taken."""
    yield from _both(kind, _rtu_frame)
    yield MalformedMessage("wrong checksum", lambda e: flip_last_bit(_rtu_frame(e, _written(e))))
    yield MalformedMessage("too long", lambda e: _rtu_frame(e, _written(e) + b"\xff" * MAX_RTU))
    yield MalformedMessage("breaks off", lambda e: _rtu_frame(e, _written(e))[:6])
    yield MalformedMessage("for another unit", lambda e: encode_rtu(other_address(e, taken, MAX_UNIT), _FIRST))
    yield MalformedMessage("a question to all", lambda _: encode_rtu(ALL_UNITS, _FIRST))


def tcp_malformed(kind: Kind, taken: Collection[int] = ()) -> Iterator[MalformedMessage]:
    """Those of Modbus TCP and TLS for one kind of device."""
    yield from _both(kind, _tcp_frame)
    wrong = pdu.refusal(pdu.READ_HOLDING, Refusal.ILLEGAL_VALUE)
    yield _answered("a request that breaks off", _tcp_frame, lambda _: pdu.read(0, 1)[:3], lambda _: wrong)
    yield _answered("a byte too many", _tcp_frame, lambda _: pdu.read(0, 1) + b"\0", lambda _: wrong)
    yield MalformedMessage("another protocol", lambda e: _of_protocol(1, _tcp_frame(e, _written(e))))
    yield MalformedMessage("too long", lambda e: _tcp_frame(e, _written(e) + b"\xff" * pdu.MAX_PDU))
    not_here = pdu.refusal(pdu.READ_HOLDING, Refusal.NO_TARGET)
    yield MalformedMessage(
        "for another unit",
        lambda e: encode_tcp(e.number, other_address(e, taken, MAX_UNIT), _FIRST),
        lambda e: encode_tcp(e.number, other_address(e, taken, MAX_UNIT), not_here),
    )


def _both(kind: Kind, frame: Frame) -> Iterator[MalformedMessage]:
    """What is refused in both framings: by an exception, or in the result of the command."""

    def exception(name: str, refusal: Refusal, request: Callable[[int], bytes]) -> MalformedMessage:
        return _answered(name, frame, request, lambda token: pdu.refusal(request(token)[0], refusal))

    def result(name: str, error: Error, code: int, *arguments: int) -> MalformedMessage:
        return _answered(
            name,
            frame,
            lambda token: pdu.read_write(regs.RESULT, 4, regs.COMMAND, _block(token, code, *arguments)),
            lambda token: pdu.registers(pdu.READ_WRITE, _block(token, error, 0)),
        )

    past = regs.RING + regs.SLOTS * regs.SLOT_SIZE
    yield exception("function 1", Refusal.ILLEGAL_FUNCTION, lambda _: pdu.read(0, 1, 1))
    yield exception("function 65", Refusal.ILLEGAL_FUNCTION, lambda _: b"\x41")
    yield exception("function 6", Refusal.ILLEGAL_FUNCTION, lambda _: pdu.write_one(0x100, 1))
    yield exception("function 43/13", Refusal.ILLEGAL_FUNCTION, lambda _: bytes((pdu.IDENTIFY, 13, 1, 0)))
    yield exception("a register between the blocks", Refusal.ILLEGAL_ADDRESS, lambda _: pdu.read(200, 1))
    yield exception("the last register", Refusal.ILLEGAL_ADDRESS, lambda _: pdu.read(0xFFFF, 1, pdu.READ_INPUT))
    yield exception("over the end of a block", Refusal.ILLEGAL_ADDRESS, lambda _: pdu.read(past - 1, 2))
    yield exception("no register", Refusal.ILLEGAL_VALUE, lambda _: pdu.read(0, 0))
    yield exception("too many registers", Refusal.ILLEGAL_VALUE, lambda _: pdu.read(regs.RING, pdu.MAX_READ + 1))
    yield exception("a write to the status", Refusal.ILLEGAL_ADDRESS, lambda _: pdu.write(2, b"\0\0"))
    yield exception(
        "a write to the result", Refusal.ILLEGAL_ADDRESS, lambda token: pdu.write(regs.RESULT, _block(token, 0))
    )
    yield exception("a write behind the token", Refusal.ILLEGAL_ADDRESS, _behind)
    yield exception("a write of nothing", Refusal.ILLEGAL_VALUE, lambda _: pdu.write(regs.COMMAND, b""))
    yield exception(
        "a write without a code", Refusal.ILLEGAL_VALUE, lambda t: pdu.write(regs.COMMAND, regs.TOKEN.pack(t))
    )
    yield exception("wrong byte count", Refusal.ILLEGAL_VALUE, _miscounted)
    yield exception("a command, and no register", Refusal.ILLEGAL_VALUE, lambda t: _command_and_read(t, regs.RESULT, 0))
    yield exception("a command, and no such register", Refusal.ILLEGAL_ADDRESS, lambda t: _command_and_read(t, 200, 4))
    for code in (*unknown_codes(kind), CODES["events"]):
        yield result(f"code {code:#04x}", Error.UNKNOWN_COMMAND, code)
    yield result("a register too many", Error.MALFORMED, CODES["reset"], 1)
    yield result("a list that breaks off", Error.MALFORMED, CODES["challenge"], 0x0010, 0x0102)
    for start, end in ZEROS:
        asked, zeros = pdu.read(start, end - start), pdu.registers(pdu.READ_HOLDING, bytes(2 * (end - start)))
        yield _answered(f"registers {start} to {end - 1}", frame, _always(asked), _always(zeros))
    by_input, first = pdu.read(regs.DEVICE, 2, pdu.READ_INPUT), struct.pack(">2H", regs.VERSION, kind.code)
    yield _answered("function 4", frame, lambda _: by_input, lambda _: pdu.registers(pdu.READ_INPUT, first))


def _always(request: bytes) -> Callable[[int], bytes]:
    return lambda _: request


def _answered(
    name: str, frame: Frame, request: Callable[[int], bytes], answer: Callable[[int], bytes]
) -> MalformedMessage:
    return MalformedMessage(name, lambda e: frame(e, request(e.token)), lambda e: frame(e, answer(e.token)))


_FIRST = pdu.read(regs.DEVICE, 1)


def _block(token: int, *registers: int) -> bytes:
    return regs.TOKEN.pack(token) + b"".join(register.to_bytes(2, "big") for register in registers)


def _written(envelope: Envelope) -> bytes:
    return pdu.write(regs.COMMAND, _block(envelope.token, CODES["reset"]))


def _miscounted(token: int) -> bytes:
    """Two registers come where three are announced."""
    request = pdu.write(regs.COMMAND, _block(token, CODES["reset"]))
    return request[:5] + bytes((4,)) + request[6:10]


def _behind(token: int) -> bytes:
    return pdu.write(regs.COMMAND + 1, _block(token, CODES["reset"]))


def _command_and_read(token: int, start: int, count: int) -> bytes:
    return pdu.read_write(start, count, regs.COMMAND, _block(token, CODES["reset"]))


def _of_protocol(number: int, frame: bytes) -> bytes:
    return frame[:2] + number.to_bytes(2, "big") + frame[4:]
