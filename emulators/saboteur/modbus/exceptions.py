"""Mutants that answer a wrong request with a wrong exception, or obey it."""

from feltrig.emulators.saboteur.hooks.line import incoming
from feltrig.emulators.saboteur.hooks.registers import (
    Honest,
    by_function,
    instead_of_exception,
    other_exception,
    responses,
    written,
    zeros,
)
from feltrig.emulators.saboteur.mutant import Change, Mutant
from feltrig.protocols.modbus import pdu
from feltrig.protocols.modbus import register_map as regs

UNIT = 1
"""Of the device under test."""

RTU, TCP = ("modbus-rtu",), ("modbus-tcp", "modbus-tls")


def _acts_all_the_same(was: int) -> Change:
    """Refuses a write with an exception, and resets itself."""

    def response(request: bytes, honest: Honest) -> bytes:
        honest(pdu.write(regs.COMMAND, b"\x6b" + request[-3:].rjust(3, b"\1") + b"\0\4"))
        return bytes((request[0] | 128, was))

    return instead_of_exception(was, by_function(pdu.WRITE), response)


def _runs_though_read_is_wrong(request: bytes, honest: Honest) -> bytes:
    asked = request[10:]
    honest(pdu.write(regs.COMMAND, asked))
    return honest(request)


def _beyond(request: bytes) -> bool:
    """A write from 256 past 287."""
    return request[0] == pdu.WRITE and request[1:3] == b"\1\0" and request[3:5] > b"\0\x20"


def _begins_later(request: bytes) -> bool:
    return request[0] == pdu.WRITE and b"\1\0" < request[1:3] < b"\1\x20"


def _read_only(request: bytes) -> bool:
    return request[0] == pdu.WRITE and not b"\1\0" <= request[1:3] < b"\1\x20"


def _no_count(request: bytes) -> bool:
    return request[0] in (pdu.READ_HOLDING, pdu.WRITE) and request[3:5] == b"\0\0"


def _too_many(request: bytes) -> bool:
    return request[0] == pdu.READ_HOLDING and request[3:5] > b"\0\x7d"


def _wrong_bytes(request: bytes) -> bool:
    return request[0] == pdu.WRITE and len(request) > 5 and request[5] != 2 * int.from_bytes(request[3:5], "big")


def _no_code(request: bytes) -> bool:
    return request[0] == pdu.WRITE and request[1:3] == b"\1\0" and request[3:5] in (b"\0\1", b"\0\2")


def _length(request: bytes) -> bool:
    return request[0] == pdu.READ_HOLDING and len(request) != 5


MUTANTS = (
    Mutant("exception-but-acts", ("MOD-47",), "resets itself although it refuses a write", _acts_all_the_same(2)),
    Mutant(
        "runs-by-23-though-wrong",
        ("MOD-48", "MOD-47"),
        "runs a command by function 23 although the read is wrong",
        instead_of_exception(2, by_function(pdu.READ_WRITE), _runs_though_read_is_wrong),
    ),
    Mutant(
        "unknown-function-as-value", ("MOD-49",), "refuses an unknown function with exception 3", other_exception(1, 3)
    ),
    Mutant(
        "gap-reads-zero",
        ("MOD-50",),
        "reads zeros between the blocks",
        instead_of_exception(2, by_function(pdu.READ_HOLDING), zeros),
    ),
    Mutant(
        "gap-as-value",
        ("MOD-50",),
        "refuses a read between the blocks with exception 3",
        other_exception(2, 3, by_function(pdu.READ_HOLDING)),
    ),
    Mutant(
        "takes-any-write",
        ("MOD-51",),
        "answers a write to the status as if it was right",
        instead_of_exception(2, _read_only, written),
    ),
    Mutant(
        "read-only-as-value",
        ("MOD-51",),
        "refuses a write to the status with exception 3",
        other_exception(2, 3, _read_only),
    ),
    Mutant(
        "takes-write-at-257",
        ("MOD-52",),
        "answers a write that begins at 257 as if it was right",
        instead_of_exception(2, _begins_later, written),
    ),
    Mutant(
        "write-at-257-as-failure",
        ("MOD-52",),
        "refuses a write that begins at 257 with exception 4",
        other_exception(2, 4, _begins_later),
    ),
    Mutant(
        "takes-long-write",
        ("MOD-52",),
        "answers a write past 287 as if it was right",
        instead_of_exception(2, _beyond, written),
    ),
    Mutant(
        "count-zero-answered",
        ("MOD-53",),
        "answers a read of no register",
        instead_of_exception(
            3, _no_count, lambda request, _: pdu.registers(3, b"") if request[0] == 3 else request[:5]
        ),
    ),
    Mutant(
        "count-as-address",
        ("MOD-53",),
        "refuses a count that is too high with exception 2",
        other_exception(3, 2, _too_many),
    ),
    Mutant(
        "byte-count-ignored",
        ("MOD-54",),
        "answers a write with a wrong byte count as if it was right",
        instead_of_exception(3, _wrong_bytes, written),
    ),
    Mutant(
        "byte-count-as-address",
        ("MOD-54",),
        "refuses a wrong byte count with exception 2",
        other_exception(3, 2, _wrong_bytes),
    ),
    Mutant(
        "takes-token-alone",
        ("MOD-55",),
        "answers a write of a token without a code as if it was right",
        instead_of_exception(3, _no_code, written),
    ),
    Mutant(
        "length-ignored",
        ("MOD-56",),
        "answers a read that has bytes too many",
        responses(lambda request, honest: honest(request[:5].ljust(5, b"\1")) if request[0] == 3 else honest(request)),
        wires=TCP,
    ),
    Mutant(
        "any-unit-served",
        ("MOD-57",),
        "answers for every unit",
        incoming(
            lambda data: (
                data[:6] + bytes((UNIT,)) + data[7:]
                if len(data) > 7 and data[2:4] == b"\0\0" and data[6] not in (0, 255)
                else data
            )
        ),
    ),
)
