"""Modbus requests and responses without their framing (Modbus Application Protocol 1.1b3, chapter 6).

Only what works on registers, and the identification of the device; data is in the registers' own order, big endian.
"""

import struct
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

READ_HOLDING = 3
READ_INPUT = 4
WRITE_ONE = 6
WRITE = 16
READ_WRITE = 23
IDENTIFY = 43
MEI_IDENTIFICATION = 14
BASIC, REGULAR, ALL, SINGLE = 1, 2, 3, 4
"""What function 43/14 is asked for: the objects of a level, or one of them."""

EXCEPTION = 0x80
"""The bit that makes a function code the code of its refusal."""

MAX_PDU = 253
MAX_READ = 125
MAX_WRITE = 123
MAX_WRITE_READING = 121
"""Most registers written by READ_WRITE."""

_READ = struct.Struct(">BHH")
_WRITE = struct.Struct(">BHHB")
_READ_WRITE = struct.Struct(">BHHHHB")
_IDENTIFICATION_HEAD = 7


class Refusal(IntEnum):
    """Why a server refuses; gateways use the last two."""

    ILLEGAL_FUNCTION = 1
    ILLEGAL_ADDRESS = 2
    ILLEGAL_VALUE = 3
    DEVICE_FAILURE = 4
    ACKNOWLEDGE = 5
    DEVICE_BUSY = 6
    PARITY = 8
    NO_PATH = 10
    NO_TARGET = 11


class Rejected(Exception):
    """A request that a server must answer with an exception response."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.name.lower().replace("_", " "))
        self.refusal = refusal


class Read(NamedTuple):
    """Functions 3 and 4."""

    start: int
    size: int


class Write(NamedTuple):
    """Functions 6 and 16."""

    start: int
    data: bytes


class ReadWrite(NamedTuple):
    """Function 23: the write comes first."""

    start: int
    size: int
    write_start: int
    data: bytes


class Identify(NamedTuple):
    """Function 43/14."""

    level: int
    first: int


class Identification(NamedTuple):
    """A response to function 43/14."""

    objects: dict[int, bytes]
    next: int | None
    """With which object to go on asking; None when that was all."""


Query = Read | Write | ReadWrite | Identify


def read(start: int, count: int, function: int = READ_HOLDING) -> bytes:
    """A request to read registers."""
    return _READ.pack(function, start, count)


def write_one(start: int, value: int) -> bytes:
    """A request to write one register; its response is the same."""
    return _READ.pack(WRITE_ONE, start, value)


def write(start: int, data: bytes) -> bytes:
    """A request to write registers."""
    return _WRITE.pack(WRITE, start, len(data) // 2, len(data)) + data


def written(start: int, count: int) -> bytes:
    """The response to `write`."""
    return _READ.pack(WRITE, start, count)


def read_write(start: int, count: int, write_start: int, data: bytes) -> bytes:
    """A request to write registers, then to read others."""
    return _READ_WRITE.pack(READ_WRITE, start, count, write_start, len(data) // 2, len(data)) + data


def registers(function: int, data: bytes) -> bytes:
    """The response to a function that reads registers."""
    return bytes((function, len(data))) + data


def refusal(function: int, code: Refusal) -> bytes:
    """An exception response."""
    return bytes((function | EXCEPTION, code))


def identify(level: int, first: int = 0) -> bytes:
    """A request for the objects that identify the device, beginning with one."""
    return bytes((IDENTIFY, MEI_IDENTIFICATION, level, first))


def identification(level: int, objects: Sequence[tuple[int, bytes]]) -> bytes:
    """The response to `identify` with as many objects as fit; it says whether and with which object to go on."""
    body, taken = b"", 0
    for number, value in objects:
        if 7 + len(body) + 2 + len(value) > MAX_PDU:
            break
        body += bytes((number, len(value))) + value
        taken += 1
    more = taken < len(objects)
    head = (IDENTIFY, MEI_IDENTIFICATION, level, 0x83, 0xFF * more, objects[taken][0] if more else 0, taken)
    return bytes(head) + body


def read_identification(response: bytes) -> Identification:
    """What a response to `identify` says. Anything else is a ValueError."""
    if len(response) < _IDENTIFICATION_HEAD:
        raise ValueError("the identification is cut short")
    more, following, many = response[4:_IDENTIFICATION_HEAD]
    objects, at = {}, _IDENTIFICATION_HEAD
    for _ in range(many):
        number, size = response[at : at + 2].ljust(2, b"\0")
        value = response[at + 2 : at + 2 + size]
        at += 2 + size
        if at > len(response):
            raise ValueError("the identification is cut short")
        objects[number] = value
    if at != len(response):
        raise ValueError(f"{len(response) - at} bytes follow the identification")
    return Identification(objects, following if more else None)


@lru_cache(maxsize=256)
def parse(pdu: bytes) -> Query:
    """What a request asks for. Raises Rejected as chapter 6 demands for unknown functions and impossible quantities.
    Remembered, because a poll asks the same again and again."""
    function = pdu[0] if pdu else 0
    if function in (READ_HOLDING, READ_INPUT):
        if len(pdu) != 5:
            raise Rejected(Refusal.ILLEGAL_VALUE)
        _, start, count = _READ.unpack(pdu)
        _demand(1 <= count <= MAX_READ)
        return Read(start, count)
    if function == WRITE_ONE:
        _demand(len(pdu) == 5)
        return Write(_READ.unpack(pdu)[1], pdu[3:])
    if function == WRITE:
        _demand(len(pdu) > _WRITE.size)
        _, start, count, size = _WRITE.unpack_from(pdu)
        _demand(1 <= count <= MAX_WRITE and size == 2 * count == len(pdu) - _WRITE.size)
        return Write(start, pdu[_WRITE.size :])
    if function == READ_WRITE:
        _demand(len(pdu) > _READ_WRITE.size)
        _, start, count, write_start, writes, size = _READ_WRITE.unpack_from(pdu)
        _demand(1 <= count <= MAX_READ and 1 <= writes <= MAX_WRITE_READING)
        _demand(size == 2 * writes == len(pdu) - _READ_WRITE.size)
        return ReadWrite(start, count, write_start, pdu[_READ_WRITE.size :])
    if function == IDENTIFY and pdu[1:2] == bytes((MEI_IDENTIFICATION,)):
        _demand(len(pdu) == 4 and BASIC <= pdu[2] <= SINGLE)
        return Identify(pdu[2], pdu[3])
    raise Rejected(Refusal.ILLEGAL_FUNCTION)


def _demand(condition: bool) -> None:
    if not condition:
        raise Rejected(Refusal.ILLEGAL_VALUE)
