"""Cut, burn, last hand, and who is handed the cards."""

import pytest

from feltrig.engine.cards import RANKS, deck, parse
from feltrig.engine.games.minibaccarat.shoe import (
    Burned,
    burn,
    check_stop,
    cut,
    cut_offer,
    is_last,
    may_start,
    recut_by,
)
from feltrig.engine.rulings import Illegal

STACK = deck() * 6


@pytest.mark.clause("minibaccarat", "19:47-7.5(d)")
def test_7_5_d_the_cut_is_offered_from_the_highest_seat_clockwise_the_dealer_last() -> None:
    assert cut_offer([2, 7, 4]) == (7, 4, 2, 0)
    assert cut_offer([]) == (0,)


@pytest.mark.clause("minibaccarat", "19:47-7.5(e)", "19:47-7.5(f)")
def test_7_5_e_a_cut_leaves_ten_cards_at_either_end() -> None:
    for depth in (10, 302):
        assert cut(STACK, depth) == STACK[depth:] + STACK[:depth]
    for depth in (9, 303, 0, 312):
        with pytest.raises(Illegal) as refused:
            cut(STACK, depth)
        assert refused.value.rules == ("19:47-7.5(e)",)
        assert refused.value.why == f"cut at {depth}: at least 10 cards from either end"


@pytest.mark.clause("minibaccarat", "19:47-7.5(f)")
def test_7_5_f_the_stop_card_lies_fourteen_from_the_back_at_least() -> None:
    check_stop(14)
    with pytest.raises(Illegal) as refused:
        check_stop(13)
    assert refused.value.rules == ("19:47-7.5(f)",)
    assert refused.value.why == "cutting card 13 from the back: at least 14"


@pytest.mark.clause("minibaccarat", "19:47-7.5(f)")
@pytest.mark.parametrize(("rank", "more"), [*zip(RANKS, (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1), strict=True)])
def test_7_5_f_the_first_card_burns_as_many_more_as_it_says(rank: str, more: int) -> None:
    stack = (parse(rank + "h"), *deck())
    assert burn(stack) == Burned(stack[: more + 1], stack[more + 1 :])


@pytest.mark.clause("minibaccarat", "19:47-7.5(g)")
def test_7_5_g_a_recut_is_for_the_last_cutter_or_for_the_next() -> None:
    offer = cut_offer([1, 3, 5])
    assert [recut_by(offer, last, "last") for last in offer] == [5, 3, 1, 0]
    assert [recut_by(offer, last, "next") for last in offer] == [3, 1, 0, 0]
    with pytest.raises(ValueError, match="recut 'any': expected last or next"):
        recut_by(offer, 5, "any")


@pytest.mark.clause("minibaccarat", "19:47-7.8(e)")
def test_7_8_e_after_the_cutting_card_one_more_hand_is_dealt() -> None:
    assert [may_start(hand, stopped_in=40) for hand in (39, 40, 41, 42)] == [True, True, True, False]
    assert [is_last(hand, stopped_in=40) for hand in (39, 40, 41, 42)] == [False, False, True, False]
    assert may_start(42, stopped_in=None)
    assert not is_last(42, stopped_in=None)
