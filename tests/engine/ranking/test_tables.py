"""The keys of ranks and suits, by whose sums hands are looked up."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from feltrig.engine.ranking import poker, tables


def clashes(rank_keys: tuple[int, ...], count: int) -> bool:
    """Whether two choices of so many ranks, each at most four times, have the same sum of keys."""
    rows = (count == tables.SIZES) & (tables.COUNTS.max(axis=1) <= 4)
    rows &= ~tables.COUNTS[:, len(rank_keys) :].any(axis=1)
    sums = tables.COUNTS[rows, : len(rank_keys)] @ np.array(rank_keys)
    return len(np.unique(sums)) < len(sums)


@pytest.mark.parametrize(("rank_keys", "count"), [(poker._RANK_KEYS_5, 5), (poker._RANK_KEYS_7, 7)], ids=["5", "7"])
def test_each_rank_has_the_least_key_that_keeps_the_sums_apart(rank_keys: tuple[int, ...], count: int) -> None:
    assert not clashes(rank_keys, count)
    for place in range(1, len(rank_keys)):
        assert clashes((*rank_keys[:place], rank_keys[place] - 1), count)


def test_each_suit_has_the_least_key_that_keeps_the_sums_apart() -> None:
    def sums(suit_keys: tuple[int, ...]) -> list[int]:
        return [sum(held) for held in combinations_with_replacement(suit_keys, 7)]

    keys = poker._SUIT_KEYS
    assert len(set(sums(keys))) == len(sums(keys)) == 120
    for place in range(1, 4):
        lower = sums((*keys[:place], keys[place] - 1))
        assert len(set(lower)) < len(lower)
