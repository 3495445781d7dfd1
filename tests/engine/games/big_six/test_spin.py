"""Which spins of the Big Six wheel count, and what a wager then wins."""

import pytest

from feltrig.engine.games.big_six.paytables import LEAST_ODDS, Symbol
from feltrig.engine.games.big_six.settlement import Settlement, settle
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
    assert not judged.respin


@pytest.mark.clause("big_six", "19:47-5.6(c)2")
def test_5_6_c_2_between_stops_the_spin_may_be_void() -> None:
    judged = verdict(Spin(4, Symbol.JOKER, between=True), RESPIN)
    assert judged == Verdict(None, ("19:47-5.6(b)", "19:47-5.6(c)2"))
    assert judged.respin


@pytest.mark.clause("big_six", "19:47-5.5(a)")
@pytest.mark.parametrize("result", Symbol)
def test_5_5_a_a_wager_wins_on_its_own_symbol_only(result: Symbol) -> None:
    for on in Symbol:
        net = LEAST_ODDS[on] * 300 if on is result else -300
        assert settle(on, result, 300) == Settlement(net, ("19:47-5.5(a)",))


def test_a_wager_is_paid_what_the_table_posts() -> None:
    assert settle(Symbol.FLAG, Symbol.FLAG, 100, {**LEAST_ODDS, Symbol.FLAG: 50}).net == 5000
    assert settle(Symbol.JOKER, Symbol.FLAG, 100, {**LEAST_ODDS, Symbol.FLAG: 50}).net == -100
