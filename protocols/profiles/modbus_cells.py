"""Modbus requests and responses for single coils and registers (Modbus Application Protocol 1.1b3, 6.1 to 6.6, 6.11,
6.12). Beside the registers of the common map, devices of others have coils and discrete inputs too."""

import struct
from collections.abc import Mapping
from typing import NamedTuple

from feltrig.protocols.modbus.pdu import EXCEPTION, Refusal, Rejected
from feltrig.protocols.profiles.registers import BITS, Area, Block, Cells

READ: Mapping[Area, int] = {"coil": 1, "discrete": 2, "holding": 3, "input": 4}
WRITE_ONE: Mapping[Area, int] = {"coil": 5, "holding": 6}
WRITE_MANY: Mapping[Area, int] = {"coil": 15, "holding": 16}
MOST_READ: Mapping[Area, int] = {"coil": 2000, "discrete": 2000, "holding": 125, "input": 125}
MOST_WRITTEN: Mapping[Area, int] = {"coil": 1968, "holding": 123}

_ON, _OFF = 0xFF00, 0x0000
_HEAD = struct.Struct(">BHH")

_READ_AREA = {function: area for area, function in READ.items()}
_ONE_AREA = {function: area for area, function in WRITE_ONE.items()}
_MANY_AREA = {function: area for area, function in WRITE_MANY.items()}


class ReadCells(NamedTuple):
    """A request to read."""

    block: Block


class WriteCells(NamedTuple):
    """A request to write."""

    block: Block
    cells: tuple[int, ...]


def read(block: Block) -> bytes:
    return _HEAD.pack(READ[block.area], block.address, block.size)


def write(block: Block, cells: Cells) -> bytes:
    """A request to write cells: one by the function for one, more by the function for many."""
    if block.size == 1:
        value = (_ON if cells[0] else _OFF) if block.area == "coil" else cells[0]
        return _HEAD.pack(WRITE_ONE[block.area], block.address, value)
    data = packed(block.area, cells)
    return _HEAD.pack(WRITE_MANY[block.area], block.address, block.size) + bytes((len(data),)) + data


def read_response(area: Area, cells: Cells) -> bytes:
    data = packed(area, cells)
    return bytes((READ[area], len(data))) + data


def expected(request: bytes) -> tuple[bytes, bytes]:
    """How the response to one of these requests begins, and how a refusal of it does."""
    function = request[0]
    refused = bytes((function | EXCEPTION,))
    area = _READ_AREA.get(function)
    if area is None:
        return request[:5], refused
    size = _HEAD.unpack(request)[2]
    return bytes((function, (size + 7) // 8 if area in BITS else 2 * size)), refused


def cells_of(block: Block, response: bytes) -> tuple[int, ...] | None:
    """The cells in the response to a read; None when it has not the size of the block."""
    data = response[2:]
    if len(data) != ((block.size + 7) // 8 if block.area in BITS else 2 * block.size):
        return None
    return unpacked(block.area, data, block.size)


def parse(request: bytes) -> ReadCells | WriteCells:
    """What a request asks for. Raises Rejected as chapter 6 demands."""
    function = request[0] if request else 0
    if function not in {*_READ_AREA, *_ONE_AREA, *_MANY_AREA}:
        raise Rejected(Refusal.ILLEGAL_FUNCTION)
    if len(request) < _HEAD.size:
        raise Rejected(Refusal.ILLEGAL_VALUE)
    _, address, value = _HEAD.unpack_from(request)
    if function in _READ_AREA:
        area = _READ_AREA[function]
        _demand(len(request) == _HEAD.size and 1 <= value <= MOST_READ[area])
        return ReadCells(_block(area, address, value))
    if function in _ONE_AREA:
        area = _ONE_AREA[function]
        _demand(len(request) == _HEAD.size and (area != "coil" or value in (_ON, _OFF)))
        return WriteCells(Block(area, address, 1), (int(bool(value)) if area == "coil" else value,))
    area = _MANY_AREA[function]
    data = request[_HEAD.size + 1 :]
    size = (value + 7) // 8 if area in BITS else 2 * value
    _demand(1 <= value <= MOST_WRITTEN[area] and len(data) == size == request[_HEAD.size])
    return WriteCells(_block(area, address, value), unpacked(area, data, value))


def packed(area: Area, cells: Cells) -> bytes:
    """Cells as bytes: eight coils in each, the first in the lowest bit; registers high byte first."""
    if area not in BITS:
        return struct.pack(f">{len(cells)}H", *cells)
    return bytes(
        sum(bool(cell) << bit for bit, cell in enumerate(cells[at : at + 8])) for at in range(0, len(cells), 8)
    )


def unpacked(area: Area, data: bytes, size: int) -> tuple[int, ...]:
    if area not in BITS:
        return struct.unpack(f">{size}H", data)
    return tuple(data[n // 8] >> n % 8 & 1 for n in range(size))


def _block(area: Area, address: int, size: int) -> Block:
    if address + size > 1 << 16:
        raise Rejected(Refusal.ILLEGAL_ADDRESS)
    return Block(area, address, size)


def _demand(condition: bool) -> None:
    if not condition:
        raise Rejected(Refusal.ILLEGAL_VALUE)
