"""What wagers win and lose, what zero takes, and which spins count."""

from fractions import Fraction

import pytest

from feltrig.engine.games.roulette.bets import EVEN_MONEY, FIXED, LEAST_ODDS, Bet, Placed, places
from feltrig.engine.games.roulette.layout import ORDER, Wheel
from feltrig.engine.games.roulette.settlement import Settlement, ZeroOption, settle, winning_payout
from feltrig.engine.rulings import Illegal

DOUBLE, SINGLE, AS_SINGLE = Wheel.DOUBLE_ZERO, Wheel.SINGLE_ZERO, Wheel.DOUBLE_ZERO_USED_AS_SINGLE
HALF, ENTIRE = ZeroOption.HALF, ZeroOption.ENTIRE
EVEN_BETS = sorted(EVEN_MONEY, key=lambda bet: bet.value)


def fixed(bet: Bet, amount: int = 500) -> Placed:
    return Placed(bet, FIXED[bet], amount)


@pytest.mark.clause("roulette", "19:47-5.2(a)")
@pytest.mark.parametrize("bet", LEAST_ODDS)
def test_5_2_a_every_place_wins_on_its_numbers_and_loses_on_all_others(bet: Bet) -> None:
    for place in places(bet, DOUBLE):
        for result in ORDER[DOUBLE]:
            settled = settle(Placed(bet, place, 200), result, DOUBLE, ENTIRE)
            assert settled.net == (200 * LEAST_ODDS[bet] if result in place else -200)
            assert not settled.respin


@pytest.mark.clause("roulette", "19:47-5.1(e)13", "19:47-5.1(e)14", "19:47-5.1(f)")
@pytest.mark.parametrize(
    ("bet", "wins_on", "loses_on", "odds", "rule"),
    [
        (Bet.ONE_TO_18, "1 18", "19 36", 1, "19:47-5.1(e)13"),
        (Bet.NINETEEN_TO_36, "19 36", "1 18", 1, "19:47-5.1(e)14"),
        (Bet.SEVEN_NUMBERS, "10 11 12 13 14 15 33", "9 16 32 34 0", 4, "19:47-5.1(f)"),
    ],
)
def test_5_1_the_wagers_that_the_text_defines(bet: Bet, wins_on: str, loses_on: str, odds: int, rule: str) -> None:
    for result in wins_on.split():
        assert settle(fixed(bet), result, SINGLE) == Settlement(500 * odds, False, ("19:47-5.2(a)", rule))
    for result in loses_on.split():
        assert settle(fixed(bet), result, SINGLE) == Settlement(-500, False, (rule,))


def test_a_wager_is_settled_by_the_odds_rule_when_the_text_says_no_more_of_it() -> None:
    assert settle(fixed(Bet.RED), "1", SINGLE) == Settlement(500, False, ("19:47-5.2(a)",))
    assert settle(fixed(Bet.RED), "2", SINGLE) == Settlement(-500, False, ("19:47-5.2(a)",))
    assert settle(fixed(Bet.RED), "1", SINGLE, odds={**LEAST_ODDS, Bet.RED: 2}).net == 1000


@pytest.mark.clause("roulette", "19:47-5.2(b)")
@pytest.mark.parametrize("bet", EVEN_BETS)
@pytest.mark.parametrize("result", ["0", "00"])
def test_5_2_b_on_a_double_zero_wheel_zero_takes_half_or_all(bet: Bet, result: str) -> None:
    assert settle(fixed(bet), result, DOUBLE, HALF) == Settlement(-250, False, ("19:47-5.2(b)",))
    assert settle(fixed(bet), result, DOUBLE, ENTIRE) == Settlement(-500, False, ("19:47-5.2(b)",))
    assert settle(fixed(bet, 501), result, DOUBLE, HALF).net == Fraction(-501, 2)
    with pytest.raises(Illegal) as refused:
        settle(fixed(bet), result, DOUBLE)
    assert refused.value.rules == ("19:47-5.2(b)",)
    assert refused.value.why == "on a double zero wheel, zero takes half or all of an even-money wager"


@pytest.mark.clause("roulette", "19:47-5.2(b)")
def test_5_2_b_the_option_is_for_zero_and_for_even_money_only() -> None:
    assert settle(fixed(Bet.RED), "2", DOUBLE, HALF).net == -500
    assert settle(Placed(Bet.COLUMN, frozenset("147"), 500), "00", DOUBLE, HALF).net == -500
    assert settle(fixed(Bet.SEVEN_NUMBERS), "0", DOUBLE, HALF).net == -500
    assert settle(Placed(Bet.STRAIGHT, frozenset(("0",)), 500), "0", DOUBLE).net == 17500


@pytest.mark.clause("roulette", "19:47-5.2(c)", "19:47-5.2(d)3")
@pytest.mark.parametrize("bet", EVEN_BETS)
@pytest.mark.parametrize("zero", [None, HALF, ENTIRE])
def test_5_2_c_and_d_3_single_zero_takes_all(bet: Bet, zero: ZeroOption | None) -> None:
    assert settle(fixed(bet), "0", SINGLE, zero) == Settlement(-500, False, ("19:47-5.2(c)",))
    assert settle(fixed(bet), "0", AS_SINGLE, zero) == Settlement(-500, False, ("19:47-5.2(d)3",))


@pytest.mark.clause("roulette", "19:47-5.3(d)")
def test_5_3_d_a_fifth_of_five_adjacent_numbers_is_paid_as_a_straight() -> None:
    placed = Placed(Bet.FIVE_ADJACENT_NUMBERS, frozenset(("0", "28", "9", "26", "30")), 500)
    rules = ("19:47-5.2(a)", "19:47-5.3(d)")
    assert settle(placed, "9", DOUBLE) == Settlement(35 * 100 - 400, False, rules)
    assert settle(placed, "11", DOUBLE) == Settlement(-500, False, ("19:47-5.3(d)",))
    assert winning_payout(Bet.FIVE_ADJACENT_NUMBERS, 501) == Fraction(31 * 501, 5)
    assert winning_payout(Bet.FIVE_ADJACENT_NUMBERS, 500, {Bet.STRAIGHT: 36}) == 3200
