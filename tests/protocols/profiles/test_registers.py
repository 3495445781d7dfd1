"""Values in cells, and the blocks in which cells are read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.profiles.registers import MOST_REGISTERS, Block, Location, join


@pytest.mark.parametrize(
    ("place", "value", "cells"),
    [
        (Location("input", 0), 513, [513]),
        (Location("input", 0, scale=10), 7, [70]),
        (Location("input", 0, "u32"), 0x0102_0304, [0x0102, 0x0304]),
        (Location("input", 0, "u32", low_first=True), 0x0102_0304, [0x0304, 0x0102]),
        (Location("coil", 0, "bit"), 1, [1]),
        (Location("input", 0, many=3), (1, 2, 3), [1, 2, 3]),
        (Location("input", 0, "u32", 2), (1, 65536), [0, 1, 1, 0]),
        (Location("input", 0, "text", 3), "abc", [0x6162, 0x6300, 0]),
        (Location("input", 0, "text", 2, low_first=True), "abc", [0x6261, 0x0063]),
        (Location("input", 0, table={7: 3, 9: 3}), 3, [7]),
    ],
)
def test_a_value_stands_in_its_cells(place, value, cells):
    assert place.write(value) == cells
    assert place.read(cells) == value
    assert place.block.size == len(cells)


@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        (Location("input", 0), 65536, "65536 does not fit a u16"),
        (Location("input", 0, scale=10), 7000, "70000 does not fit a u16"),
        (Location("input", 0), "x", "'x' is not a number"),
        (Location("input", 0), (1,), "does not fit 1 values"),
        (Location("input", 0, many=2), (1, 2, 3), "does not fit 2 values"),
        (Location("input", 0, many=2), 1, "does not fit 2 values"),
        (Location("input", 0, "text", 1), "abc", "is not text of at most 2 bytes"),
        (Location("input", 0, table={1: 1}), 2, "2 is not in the table"),
    ],
)
def test_a_value_that_does_not_fit_is_named(place, value, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        place.write(value)


def test_cells_that_mean_nothing_are_none():
    assert Location("input", 0, table={1: 1}).read([2]) is None
    assert Location("input", 0, many=2, table={1: 1}).read([1, 2]) is None
    assert Location("input", 0, "text", 1).read([0xFFFE]) is None


def test_a_list_that_is_short_is_filled_with_zeros():
    assert Location("input", 0, many=3).write((5,)) == [5, 0, 0]


def test_blocks_that_touch_are_read_as_one():
    blocks = [
        Block("input", 2, 2),
        Block("input", 0, 2),
        Block("input", 5, 1),
        Block("coil", 0, 1),
        Block("input", 1, 2),
    ]
    assert list(join(blocks)) == [Block("coil", 0, 1), Block("input", 0, 4), Block("input", 5, 1)]


@given(st.lists(st.tuples(st.sampled_from(["coil", "input"]), st.integers(0, 300), st.integers(1, 60)), max_size=12))
def test_joined_blocks_hold_the_same_cells_and_can_be_read(raw):
    blocks = [Block(*each) for each in raw]
    joined = list(join(blocks))
    assert _cells(joined) == _cells(blocks)
    assert all(any(big.covers(small) for big in joined) for small in blocks)
    assert all(block.size <= MOST_REGISTERS for block in joined if block.area == "input")


def _cells(blocks):
    return {(b.area, b.address + n) for b in blocks for n in range(b.size)}
