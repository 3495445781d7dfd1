"""The ring of positions: starting positions, dealing and delivery."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from feltrig.engine.games.supreme_pai_gow.delivery import bank_delivery
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.positions import SEATS, clockwise, counterclockwise, dice_weights, next_button, start_position

STARTS = {3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 0, 9: 1, 10: 2, 11: 3, 12: 4, 13: 5, 14: 6, 15: 0, 16: 1, 17: 2, 18: 3}


@pytest.mark.clause("supreme_pai_gow", "34.11(b)2")
@pytest.mark.parametrize(("total", "position"), STARTS.items())
def test_34_11_b_2_dice_total_counts_from_the_dealer(total: int, position: int) -> None:
    assert start_position(total) == position


@pytest.mark.clause("supreme_pai_gow", "34.11(b)3i", "34.11(b)3ii")
def test_34_11_b_3_eight_is_the_dealer_and_fourteen_the_sixth_position() -> None:
    assert start_position(8) == DEALER
    assert start_position(14) == 6


@pytest.mark.clause("supreme_pai_gow", "34.11(c)")
@pytest.mark.parametrize("number", range(1, 8))
def test_34_11_c_the_number_one_is_the_dealer_and_each_next_a_seat(number: int) -> None:
    assert start_position(number) == number - 1


@pytest.mark.clause("supreme_pai_gow", "34.13(h)3", "34.13(i)4", "34.13(j)3")
@pytest.mark.parametrize(("bank", "count", "position"), [(3, 14, 2), (3, 8, 3), (6, 3, 1), (1, 1, 1), (5, 18, 1)])
def test_34_13_h_3_the_bank_is_number_one(bank: int, count: int, position: int) -> None:
    assert start_position(count, base=bank) == position


@pytest.mark.clause("supreme_pai_gow", "34.8(c)")
def test_34_8_c_and_34_10_d_shoes_go_clockwise() -> None:
    assert clockwise(start_position(1 + 1 + 1)) == (2, 1, 0, 6, 5, 4, 3)
    assert clockwise(6) == (6, 5, 4, 3, 2, 1, 0)


@pytest.mark.parametrize("start", range(7))
def test_both_rotations_visit_every_position_once(start: int) -> None:
    assert set(clockwise(start)) == set(counterclockwise(start)) == {DEALER, *SEATS}
    assert clockwise(start)[1:] == tuple(reversed(counterclockwise(start)[1:]))


@pytest.mark.clause("supreme_pai_gow", "34.11(d)")
def test_34_11_d_the_button_leaves_the_dealer_clockwise_and_returns_after_seven_rounds() -> None:
    seen = [DEALER]
    for _ in range(7):
        seen.append(next_button(seen[-1]))
    assert seen == [0, 6, 5, 4, 3, 2, 1, 0]


@pytest.mark.clause("supreme_pai_gow", "34.11(b)")
def test_34_11_b_three_dice_favour_all_but_the_sixth_position() -> None:
    assert dice_weights() == (Fraction(31, 216),) * 6 + (Fraction(30, 216),)
    counted = Counter(STARTS[sum(dice)] for dice in product(range(1, 7), repeat=3))
    assert [counted[position] for position in range(7)] == [31] * 6 + [30]


@pytest.mark.clause("supreme_pai_gow", "34.13(h)3")
def test_34_13_h_3_with_a_bank_the_position_before_it_is_the_rarest() -> None:
    weights = dice_weights(base=3)
    assert weights[2] == Fraction(30, 216)
    assert sum(weights) == 1


def test_what_is_no_position_stack_or_count_is_refused() -> None:
    with pytest.raises(ValueError, match="position 7"):
        clockwise(7)
    with pytest.raises(ValueError, match="position -1"):
        next_button(-1)
    with pytest.raises(ValueError, match="count 0"):
        start_position(0)
    with pytest.raises(ValueError, match="stack 8"):
        bank_delivery(1, 8)
