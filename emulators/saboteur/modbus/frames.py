"""Mutants with wrong frames on Modbus: units, answers and their headers, bytes that nobody asked for."""

from collections.abc import Callable

from feltrig.emulators.saboteur.hooks.line import answer_bytes, incoming, unasked
from feltrig.emulators.saboteur.hooks.registers import function, reads, responses
from feltrig.emulators.saboteur.mutant import Change, Mutant
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus.frame import crc16, encode_rtu

UNIT = 1
"""Of the device under test."""

RTU, TCP = ("modbus-rtu",), ("modbus-tcp", "modbus-tls")


def _rtu_to(unit: int, only: Callable[[int], bool]) -> Change:
    """Takes requests to other units for its own."""

    def read(data: bytes) -> bytes:
        right = len(data) > 4 and crc16(data[:-2]).to_bytes(2, "little") == data[-2:]
        return encode_rtu(unit, data[1:-2]) if right and only(data[0]) else data

    return incoming(read)


LINE = (
    Mutant("all-units", ("MOD-58",), "answers for every unit", _rtu_to(UNIT, lambda unit: unit != 0)),
    Mutant(
        "unit-of-4-bits", ("MOD-58",), "compares four bits of the unit", _rtu_to(UNIT, lambda unit: unit & 0x0F == UNIT)
    ),
    Mutant(
        "no-broadcast-rtu",
        ("MOD-59",),
        "does not obey unit 0",
        incoming(lambda data: b"" if data[:1] == b"\0" else data),
    ),
    Mutant("answers-broadcast-rtu", ("MOD-60",), "answers unit 0", _rtu_to(UNIT, lambda unit: unit == 0)),
    Mutant(
        "chatters-modbus",
        ("MOD-68",),
        "sends bytes by itself after an answer",
        unasked(b"\x55\xaa\x01", 0.01),
        wires=RTU,
    ),
    Mutant(
        "chatters-tcp",
        ("MOD-68",),
        "sends an answer again a while later, now and then",
        unasked(lambda answer: answer, 0.05, range(9, 9999, 60)),
        wires=TCP,
    ),
    Mutant("answers-twice-modbus", ("MOD-69",), "sends every answer twice", unasked(lambda answer: answer)),
    Mutant(
        "other-speed-rtu",
        ("MOD-78",),
        "talks at another speed: nothing of it can be read",
        answer_bytes(lambda said: bytes(b & 0xE0 for b in said)),
        survives="A device at another speed is never understood: the run is inconclusive.",
    ),
)


def _rtu(change: Callable[[bytes], bytes]) -> Change:
    """Another body of an RTU answer, with its right CRC."""

    def say(answer: bytes) -> bytes:
        body = change(answer[:-2])
        return body + crc16(body).to_bytes(2, "little")

    return answer_bytes(say)


def _tcp(change: Callable[[bytes], bytes]) -> Change:
    """Another body of a TCP answer, with its right length."""

    def say(answer: bytes) -> bytes:
        body = change(answer[6:])
        return answer[:4] + len(body).to_bytes(2, "big") + body

    return answer_bytes(say)


def _without_bit(response: bytes) -> bytes:
    return bytes((response[0] & 0x7F,)) + response[1:] if response[0] & 0x80 else response


def _longer_exception(response: bytes) -> bytes:
    return response + b"\0" if response[0] & 0x80 else response


ANSWERS = (
    Mutant("other-unit-rtu", ("MOD-70",), "answers with unit 2", _rtu(lambda body: b"\2" + body[1:]), wires=RTU),
    Mutant("other-unit-tcp", ("MOD-70",), "answers with unit 2", _tcp(lambda body: b"\2" + body[1:]), wires=TCP),
    Mutant(
        "exception-without-bit",
        ("MOD-71",),
        "leaves out bit 7 in an exception",
        responses(lambda request, honest: _without_bit(honest(request))),
    ),
    Mutant(
        "exception-longer",
        ("MOD-71",),
        "has a byte too many in an exception",
        responses(lambda request, honest: _longer_exception(honest(request))),
    ),
    Mutant(
        "byte-count-in-registers",
        ("MOD-72",),
        "counts registers in place of bytes",
        reads(lambda asked, response: response[:1] + bytes((asked[1],)) + response[2:]),
    ),
    Mutant(
        "one-register-less",
        ("MOD-72",),
        "answers a read with a register less",
        reads(lambda asked, response: pdu.registers(3, response[2:-2])),
    ),
    Mutant(
        "write-echo-wrong",
        ("MOD-73",),
        "answers a write with a count of 0",
        function(
            pdu.WRITE, lambda request, honest: honest(request) if honest(request)[0] & 128 else request[:3] + b"\0\0"
        ),
    ),
    Mutant(
        "other-transaction",
        ("MOD-74",),
        "answers with transaction 0",
        answer_bytes(lambda answer: b"\0\0" + answer[2:]),
    ),
    Mutant(
        "other-protocol",
        ("MOD-75",),
        "answers with protocol 1",
        answer_bytes(lambda answer: answer[:2] + b"\0\1" + answer[4:]),
    ),
    Mutant(
        "length-without-unit",
        ("MOD-75",),
        "does not count the unit in the length of an answer",
        answer_bytes(lambda answer: answer[:4] + (len(answer) - 7).to_bytes(2, "big") + answer[6:]),
    ),
    Mutant(
        "other-crc-rtu",
        ("MOD-76",),
        "starts the CRC of its answers with 0",
        answer_bytes(lambda answer: answer[:-2] + bytes((answer[-2] ^ 0xFF, answer[-1]))),
    ),
    Mutant(
        "crc-high-first-rtu",
        ("MOD-77",),
        "sends the CRC with its high byte first",
        answer_bytes(lambda answer: answer[:-2] + answer[:-3:-1]),
    ),
)

MUTANTS = (*LINE, *ANSWERS)
