"""Sets of cards as numbers."""

import numpy as np
import pytest

from feltrig.engine.odds.sets import bits, numbers
from feltrig.engine.ranking.census import Cards, hands


def every(size: int) -> Cards:
    return np.concatenate(list(hands(52, size)))


@pytest.mark.parametrize("size", [0, 1, 3, 4])
def test_sets_are_numbered_without_a_gap(size: int) -> None:
    rows = every(size) if size else np.zeros((1, 0), np.uint8)
    assert sorted(numbers(rows).tolist()) == list(range(len(rows)))


def test_a_set_has_a_bit_for_each_card() -> None:
    assert bits(np.array([[0, 3], [51, 1]])).tolist() == [0b1001, 1 << 51 | 2]
