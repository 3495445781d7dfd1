"""What Big Six pays at least, and what a wheel must carry."""

import pytest

from feltrig.engine.games.big_six.options import Options
from feltrig.engine.games.big_six.paytables import LEAST_ODDS, STOPS, Symbol, check_odds, stops
from feltrig.engine.rulings import Illegal


@pytest.mark.clause("big_six", "19:47-5.5(a)")
def test_5_5_a_the_least_odds_of_each_symbol() -> None:
    assert {symbol.value: odds for symbol, odds in LEAST_ODDS.items()} == {
        "1": 1,
        "2": 2,
        "5": 5,
        "10": 10,
        "20": 20,
        "joker": 45,
        "flag": 45,
    }


@pytest.mark.clause("big_six", "19:47-5.5(a)")
@pytest.mark.parametrize("symbol", Symbol)
def test_5_5_a_a_table_may_pay_more_but_never_less(symbol: Symbol) -> None:
    least = LEAST_ODDS[symbol]
    check_odds(dict(LEAST_ODDS))
    check_odds({**LEAST_ODDS, symbol: least + 1})
    with pytest.raises(Illegal) as refused:
        Options(odds={**LEAST_ODDS, symbol: least - 1})
    assert refused.value.rules == ("19:47-5.5(a)",)
    assert refused.value.why == f"{symbol.value}: {least - 1} to 1, the least is {least} to 1"


@pytest.mark.clause("big_six", "19:47-5.5(a)")
def test_5_5_a_a_table_must_pay_every_symbol() -> None:
    without_the_dollar: dict[Symbol, int] = {
        symbol: odds for symbol, odds in LEAST_ODDS.items() if symbol is not Symbol.ONE
    }
    with pytest.raises(Illegal, match="1: None to 1"):
        check_odds(without_the_dollar)


def test_the_customary_wheel_has_54_stops_and_is_outside_the_rule_text() -> None:
    assert [STOPS[symbol] for symbol in Symbol] == [24, 15, 7, 4, 2, 1, 1]
    assert stops(Options().wheel) == STOPS
    assert len(Options().wheel) == 54


def test_any_other_wheel_will_do_if_every_wager_can_win() -> None:
    assert stops(Options(wheel=(*Symbol, Symbol.FLAG)).wheel) == {**dict.fromkeys(Symbol, 1), Symbol.FLAG: 2}
    with pytest.raises(Illegal, match="wheel: no stop for flag"):
        Options(wheel=tuple(Symbol)[:-1])
