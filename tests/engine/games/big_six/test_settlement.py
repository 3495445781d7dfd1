"""Big Six: a wager wins on its own symbol, 5.5."""

import pytest

from feltrig.engine.games.big_six.paytables import LEAST_ODDS, Settlement, Symbol, settle


@pytest.mark.clause("big_six", "19:47-5.5(a)")
@pytest.mark.parametrize("result", Symbol)
def test_5_5_a_a_wager_wins_on_its_own_symbol_only(result: Symbol) -> None:
    for on in Symbol:
        net = LEAST_ODDS[on] * 300 if on is result else -300
        assert settle(on, result, 300) == Settlement(net, ("19:47-5.5(a)",))


def test_a_wager_is_paid_what_the_table_posts() -> None:
    assert settle(Symbol.FLAG, Symbol.FLAG, 100, {**LEAST_ODDS, Symbol.FLAG: 50}).net == 5000
    assert settle(Symbol.JOKER, Symbol.FLAG, 100, {**LEAST_ODDS, Symbol.FLAG: 50}).net == -100
