"""Minibaccarat: who sees a hand, 7.7(c)."""

import pytest

from feltrig.engine.games.minibaccarat.coup import viewer


@pytest.mark.clause("minibaccarat", "19:47-7.7(c)3i", "19:47-7.7(c)3ii", "19:47-7.7(c)3v")
def test_7_7_c_3_the_highest_wager_sees_the_hand_and_of_equals_the_closest_to_the_dealer() -> None:
    assert viewer({1: 500, 4: 2500, 6: 1000}) == 4
    assert viewer({6: 2500, 2: 2500, 1: 500}) == 2
    assert viewer({3: 1}) == 3
    assert viewer({3: 0}) is None
    assert viewer({}) is None
