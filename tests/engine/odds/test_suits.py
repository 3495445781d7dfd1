"""Hands that differ by their suits' names only are counted once, and none is forgotten."""

import numpy as np
import pytest

from feltrig.engine.odds.sets import bits
from feltrig.engine.odds.suits import PERMUTATIONS, orbits, renamed, standing_for
from feltrig.engine.ranking.census import Cards, hands


def every(size: int) -> Cards:
    return np.concatenate(list(hands(52, size)))


@pytest.mark.parametrize(("size", "kinds"), [(2, 169), (3, 1755), (4, 16432)])
def test_as_many_kinds_of_hands_as_are_known(size: int, kinds: int) -> None:
    first, weights = orbits(every(size))
    assert len(first) == kinds
    assert weights.sum() == len(every(size))
    assert weights.max() <= len(PERMUTATIONS)


def test_suits_with_different_labels_are_not_renamed_into_each_other() -> None:
    two = every(2)
    assert len(orbits(two, (0, 1, 2, 3))[0]) == len(two)
    # Clubs apart: two of clubs, one of clubs, two of one other suit, of two other suits.
    assert len(orbits(two, (1, 0, 0, 0))[0]) == 78 + 13 * 13 + 78 + 91


def test_the_renaming_makes_the_representative_the_row() -> None:
    flops = every(3)
    representatives = flops[orbits(flops)[0]]
    found, renaming = standing_for(representatives, flops)
    made = np.array([renamed(representatives[of], PERMUTATIONS[by]) for of, by in zip(found, renaming, strict=True)])
    assert (bits(made) == bits(flops)).all()
