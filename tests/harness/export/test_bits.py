"""Numbers as bits."""

from collections import Counter
from itertools import product

import pytest

from feltrig.harness.export.bits import codes, packed


def test_the_bits_of_each_number() -> None:
    assert codes(7) == {1: "00", 2: "01", 3: "10", 4: "11", 5: "0", 6: "1", 7: ""}
    assert codes(6) == {1: "00", 2: "01", 3: "10", 4: "11", 5: "0", 6: "1"}


@pytest.mark.parametrize("sides", [2, 3, 6, 7, 8, 13])
def test_equally_likely_numbers_give_equally_likely_bits(sides: int) -> None:
    table = codes(sides)
    assert list(table) == list(range(1, sides + 1))
    pairs = Counter(table[one] + table[other] for one, other in product(table, repeat=2))
    for length in {len(bits) for bits in pairs}:
        counts = [pairs[f"{value:0{length}b}" if length else ""] for value in range(2**length)]
        assert len(set(counts)) == 1


def test_bytes_are_filled_from_the_highest_place_and_a_part_of_one_is_left_out() -> None:
    assert b"".join(packed([(4,), (1,), (5, 6), (7,), (3,), (2,)], 7)) == bytes([0b11_00_0_1_10])
    assert b"".join(packed([(4, 4, 4)], 6)) == b""
