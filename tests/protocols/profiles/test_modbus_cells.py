"""Coils and registers on the wire, against the examples of the standard and against pymodbus."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymodbus.pdu import DecodePDU

from feltrig.protocols.modbus.pdu import Refusal, Rejected
from feltrig.protocols.profiles import modbus_cells as cells
from feltrig.protocols.profiles.registers import Block

# Modbus Application Protocol 1.1b3: the examples of 6.1, 6.2, 6.3, 6.4, 6.5, 6.6, 6.11, 6.12
READS = [
    (Block("coil", 0x13, 19), "01 00 13 00 13", "01 03 CD 6B 05"),
    (Block("discrete", 0xC4, 22), "02 00 C4 00 16", "02 03 AC DB 35"),
    (Block("holding", 0x6B, 3), "03 00 6B 00 03", "03 06 02 2B 00 00 00 64"),
    (Block("input", 8, 1), "04 00 08 00 01", "04 02 00 0A"),
]
WRITES = [
    (Block("coil", 0xAC, 1), (1,), "05 00 AC FF 00"),
    (Block("holding", 1, 1), (3,), "06 00 01 00 03"),
    (Block("coil", 0x13, 10), (1, 0, 1, 1, 0, 0, 1, 1, 1, 0), "0F 00 13 00 0A 02 CD 01"),
    (Block("holding", 1, 2), (10, 258), "10 00 01 00 02 04 00 0A 01 02"),
]


@pytest.mark.parametrize(("block", "request_", "response"), READS)
def test_a_read_is_that_of_the_standard(block, request_, response):
    assert cells.read(block) == bytes.fromhex(request_)
    assert cells.parse(bytes.fromhex(request_)) == cells.ReadCells(block)
    found = cells.cells_of(block, bytes.fromhex(response))
    assert cells.read_response(block.area, found) == bytes.fromhex(response)
    good, refused = cells.expected(bytes.fromhex(request_))
    assert bytes.fromhex(response).startswith(good)
    assert refused == bytes((bytes.fromhex(request_)[0] | 0x80,))


@pytest.mark.parametrize(("block", "content", "request_"), WRITES)
def test_a_write_is_that_of_the_standard(block, content, request_):
    assert cells.write(block, content) == bytes.fromhex(request_)
    assert cells.parse(bytes.fromhex(request_)) == cells.WriteCells(block, content)


@pytest.mark.parametrize(
    ("request_", "refusal"),
    [
        ("", Refusal.ILLEGAL_FUNCTION),
        ("07", Refusal.ILLEGAL_FUNCTION),
        ("03", Refusal.ILLEGAL_VALUE),
        ("03 00 00 00 00", Refusal.ILLEGAL_VALUE),
        ("03 00 00 00 7E", Refusal.ILLEGAL_VALUE),
        ("01 00 00 07 D1", Refusal.ILLEGAL_VALUE),
        ("03 FF FF 00 02", Refusal.ILLEGAL_ADDRESS),
        ("05 00 00 00 01", Refusal.ILLEGAL_VALUE),
        ("0F 00 00 00 0A 01 CD", Refusal.ILLEGAL_VALUE),
        ("10 00 00 00 01 04 00 00 00 00", Refusal.ILLEGAL_VALUE),
    ],
)
def test_an_impossible_request_is_refused_as_the_standard_says(request_, refusal):
    with pytest.raises(Rejected) as caught:
        cells.parse(bytes.fromhex(request_))
    assert caught.value.refusal is refusal


@given(
    st.sampled_from(["coil", "holding"]),
    st.integers(0, 60000),
    st.lists(st.integers(0, 0xFFFF), min_size=2, max_size=100),
)
def test_pymodbus_reads_what_we_write(area, address, numbers):
    content = tuple(n & 1 for n in numbers) if area == "coil" else tuple(numbers)
    block = Block(area, address, len(content))
    theirs = DecodePDU(True).decode(cells.write(block, content))
    assert theirs.address == address
    assert (theirs.bits[: block.size] if area == "coil" else theirs.registers) == list(content)
    assert cells.parse(cells.write(block, content)) == cells.WriteCells(block, content)


@given(st.binary(max_size=30))
def test_any_bytes_are_parsed_or_refused(data):
    with contextlib.suppress(Rejected):
        cells.parse(data)


def test_a_response_of_the_wrong_size_is_none():
    assert cells.cells_of(Block("holding", 0, 2), bytes.fromhex("03 02 00 01")) is None
    assert cells.cells_of(Block("coil", 0, 9), bytes.fromhex("01 01 01")) is None
