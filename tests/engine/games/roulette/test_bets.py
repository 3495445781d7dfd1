"""What wagers pay at least, and which a table takes."""

from dataclasses import replace

import pytest

from feltrig.engine.games.roulette.bets import EVEN_MONEY, FIXED, LEAST_ODDS, Bet, Placed, check_odds, check_place
from feltrig.engine.games.roulette.layout import SEVEN_NUMBERS, STANDARD, Wheel
from feltrig.engine.games.roulette.options import Options
from feltrig.engine.rulings import Illegal

DOUBLE, SINGLE, AS_SINGLE = Wheel.DOUBLE_ZERO, Wheel.SINGLE_ZERO, Wheel.DOUBLE_ZERO_USED_AS_SINGLE


@pytest.mark.clause("roulette", "19:47-5.2(a)")
def test_5_2_a_the_least_odds() -> None:
    assert {bet.value: odds for bet, odds in LEAST_ODDS.items()} == {
        "straight": 35,
        "split": 17,
        "three_numbers": 11,
        "four_numbers": 8,
        "first_five_numbers": 6,
        "six_numbers": 5,
        "seven_numbers": 4,
        "column": 2,
        "dozen": 2,
        "red": 1,
        "black": 1,
        "odd": 1,
        "even": 1,
        "1_to_18": 1,
        "19_to_36": 1,
    }


@pytest.mark.clause("roulette", "19:47-5.2(a)")
@pytest.mark.parametrize("bet", LEAST_ODDS)
def test_5_2_a_a_table_may_pay_more_but_never_less(bet: Bet) -> None:
    least = LEAST_ODDS[bet]
    check_odds({**LEAST_ODDS, bet: least + 1})
    with pytest.raises(Illegal) as refused:
        Options(odds={**LEAST_ODDS, bet: least - 1})
    assert refused.value.rules == ("19:47-5.2(a)",)
    assert refused.value.why == f"{bet.value}: {least - 1} to 1, the least is {least} to 1"
    with pytest.raises(Illegal, match="None to 1"):
        check_odds({other: odds for other, odds in LEAST_ODDS.items() if other is not bet})


def test_the_even_money_wagers_are_those_of_half_the_numbers() -> None:
    assert {bet for bet, covered in FIXED.items() if len(covered) == 18} == EVEN_MONEY
    assert len(EVEN_MONEY) == 6


def test_a_wager_off_the_layout_is_refused_in_words() -> None:
    check_place(Bet.SPLIT, frozenset(("00", "3")), DOUBLE)
    with pytest.raises(Illegal) as refused:
        check_place(Bet.SPLIT, frozenset(("10", "9", "0")), SINGLE)
    assert str(refused.value) == "split on 0, 9, 10: no such place on a layout for single_zero"


def test_another_layout_can_be_laid() -> None:
    odd_splits = replace(STANDARD[SINGLE], splits=frozenset((frozenset(("1", "36")),)))
    check_place(Bet.SPLIT, frozenset(("1", "36")), SINGLE, {SINGLE: odd_splits})
    options = Options(layouts={SINGLE: odd_splits})
    options.check(Placed(Bet.SPLIT, frozenset(("1", "36")), 1))
    with pytest.raises(Illegal):
        options.check(Placed(Bet.SPLIT, frozenset(("1", "2")), 1))


@pytest.mark.clause("roulette", "19:47-5.1(f)", "19:47-5.1(f)2")
def test_5_1_f_seven_numbers_are_for_a_table_that_offers_them() -> None:
    placed = Placed(Bet.SEVEN_NUMBERS, SEVEN_NUMBERS, 500)
    Options(seven_numbers=True).check(placed)
    with pytest.raises(Illegal) as refused:
        Options().check(placed)
    assert refused.value.rules == ("19:47-5.1(f)",)
    assert refused.value.why == "this table does not offer seven numbers"
    with pytest.raises(Illegal, match="no such place"):
        Options(seven_numbers=True).check(replace(placed, numbers=SEVEN_NUMBERS - {"33"}))


@pytest.mark.clause("roulette", "19:47-5.3(d)")
def test_5_3_d_five_adjacent_numbers_are_for_a_table_that_offers_them() -> None:
    placed = Placed(Bet.FIVE_ADJACENT_NUMBERS, frozenset(("3", "26", "0", "32", "15")), 500)
    Options(five_adjacent_numbers=True).check(placed)
    with pytest.raises(Illegal) as refused:
        Options().check(placed)
    assert refused.value.rules == ("19:47-5.3(d)",)
    assert refused.value.why == "this table does not offer five adjacent numbers"


def test_nothing_is_no_wager() -> None:
    Options().check(Placed(Bet.STRAIGHT, frozenset(("7",)), 1))
    with pytest.raises(Illegal, match="wager of 0: nothing is staked"):
        Options().check(Placed(Bet.STRAIGHT, frozenset(("7",)), 0))
