"""Roulette: which spins count, 5.3(a) and 5.4."""

import pytest

from feltrig.engine.games.roulette.bets import FIXED, Bet, Placed
from feltrig.engine.games.roulette.layout import ORDER, Wheel, is_void
from feltrig.engine.games.roulette.settlement import VOID, Settlement, settle

DOUBLE, SINGLE, AS_SINGLE = Wheel.DOUBLE_ZERO, Wheel.SINGLE_ZERO, Wheel.DOUBLE_ZERO_USED_AS_SINGLE


def fixed(bet: Bet, amount: int = 500) -> Placed:
    return Placed(bet, FIXED[bet], amount)


@pytest.mark.clause("roulette", "19:47-5.2(d)2")
def test_5_2_d_2_double_zero_is_no_spin_on_a_wheel_used_without_it() -> None:
    assert Settlement(0, True, ("19:47-5.2(d)2",)) == VOID
    for bet in FIXED:
        assert settle(fixed(bet), "00", AS_SINGLE) == VOID
    assert is_void("00", AS_SINGLE)
    assert not any(is_void(result, AS_SINGLE) for result in ORDER[SINGLE])
    assert not is_void("00", DOUBLE)
