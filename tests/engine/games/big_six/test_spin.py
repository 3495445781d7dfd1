"""Which spins of the Big Six wheel count, and what a wager then wins."""

import pytest

from feltrig.engine.games.big_six.paytables import Symbol
from feltrig.engine.games.big_six.spin import BetweenStops, Spin, Verdict, verdict

PREVIOUS, RESPIN = BetweenStops.PREVIOUS, BetweenStops.RESPIN


@pytest.mark.clause("big_six", "19:47-5.6(b)")
@pytest.mark.parametrize("option", BetweenStops)
def test_5_6_b_three_turns_make_a_valid_spin(option: BetweenStops) -> None:
    assert verdict(Spin(3, Symbol.FIVE), option) == Verdict(Symbol.FIVE, ("19:47-5.6(b)",))
    assert verdict(Spin(3.5, Symbol.FIVE), option).symbol is Symbol.FIVE
    assert verdict(Spin(2.99, Symbol.FIVE), option) == Verdict(None, ("19:47-5.6(b)",))
    assert verdict(Spin(2.99, Symbol.FIVE, between=True), option) == Verdict(None, ("19:47-5.6(b)",))


@pytest.mark.clause("big_six", "19:47-5.6(c)1")
def test_5_6_c_1_between_stops_the_one_passed_last_may_win() -> None:
    judged = verdict(Spin(4, Symbol.JOKER, between=True), PREVIOUS)
    assert judged == Verdict(Symbol.JOKER, ("19:47-5.6(b)", "19:47-5.6(c)1"))
    assert judged.symbol is not None


@pytest.mark.clause("big_six", "19:47-5.6(c)2")
def test_5_6_c_2_between_stops_the_spin_may_be_void() -> None:
    judged = verdict(Spin(4, Symbol.JOKER, between=True), RESPIN)
    assert judged == Verdict(None, ("19:47-5.6(b)", "19:47-5.6(c)2"))
    assert judged.symbol is None
