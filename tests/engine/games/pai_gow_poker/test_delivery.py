"""Where the cards go: 11.8 and 11.8A."""

from collections import Counter

import pytest

from feltrig.engine.games.pai_gow_poker.delivery import (
    DECK_SIZE,
    HAND_SIZE,
    REMAINDER,
    hand_deal_stacks,
    hand_delivery,
    shoe_deal,
)


@pytest.mark.clause("pai_gow_poker", "19:47-11.8(c)", "19:47-11.8(d)")
def test_11_8_c_seven_cards_each_singly_and_clockwise_leave_four() -> None:
    dealt = shoe_deal(2)
    assert dealt[:9] == (2, 1, 0, 6, 5, 4, 3, 2, 1)
    assert Counter(dealt) == dict.fromkeys(range(7), HAND_SIZE)
    assert len(dealt) + REMAINDER == DECK_SIZE == 53
    assert REMAINDER == 4


@pytest.mark.clause("pai_gow_poker", "19:47-11.8A(b)2", "19:47-11.8A(c)")
def test_11_8a_c_stacks_are_built_there_and_back_again() -> None:
    stacks = hand_deal_stacks()
    assert stacks[:15] == (1, 2, 3, 4, 5, 6, 7, 7, 6, 5, 4, 3, 2, 1, 1)
    assert stacks[-7:] == (1, 2, 3, 4, 5, 6, 7)
    assert Counter(stacks) == dict.fromkeys(range(1, 8), 7)


@pytest.mark.clause("pai_gow_poker", "19:47-11.8A(f)")
def test_11_8a_f_the_leftmost_stack_goes_first_and_all_go_clockwise() -> None:
    assert hand_delivery(2) == ((1, 2), (2, 1), (3, 0), (4, 6), (5, 5), (6, 4), (7, 3))
