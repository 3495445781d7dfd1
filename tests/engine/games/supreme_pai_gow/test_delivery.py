"""Supreme Pai Gow: where the cards of a hand deal go, 34.9 and 34.13(i)5."""

import pytest

from feltrig.engine.games.supreme_pai_gow.delivery import bank_delivery, hand_deal_stacks, hand_delivery


@pytest.mark.clause("supreme_pai_gow", "34.9(c)")
def test_34_9_c_hand_dealt_cards_go_there_and_back() -> None:
    stacks = hand_deal_stacks()
    assert stacks[:8] == (1, 2, 3, 4, 5, 6, 7, 7)
    contents = {stack: [card for card, into in enumerate(stacks, start=1) if into == stack] for stack in range(1, 8)}
    assert contents[1] == [1, 14, 15, 28]
    assert contents[4] == [4, 11, 18, 25]
    assert contents[7] == [7, 8, 21, 22]


@pytest.mark.clause("supreme_pai_gow", "34.9(f)")
def test_34_9_f_the_rightmost_stack_goes_first_and_counterclockwise() -> None:
    assert hand_delivery(2) == ((7, 2), (6, 3), (5, 4), (4, 5), (3, 6), (2, 0), (1, 1))
    assert [position for _, position in hand_delivery(6)] == [6, 0, 1, 2, 3, 4, 5]


@pytest.mark.clause("supreme_pai_gow", "34.13(i)5")
def test_34_13_i_5_the_banks_stack_goes_first_then_rightwards_and_clockwise() -> None:
    assert bank_delivery(4, 3) == ((3, 4), (4, 3), (5, 2), (6, 1), (7, 0), (1, 6), (2, 5))


@pytest.mark.clause("supreme_pai_gow", "34.13(i)5")
def test_34_13_i_5_with_nothing_to_the_right_the_leftmost_stack_follows() -> None:
    assert [stack for stack, _ in bank_delivery(0, 7)] == [7, 1, 2, 3, 4, 5, 6]
