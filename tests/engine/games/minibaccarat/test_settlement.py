"""What wagers win: custom, which a table may replace; and what a table may choose."""

from fractions import Fraction

import pytest

from feltrig.engine.games.minibaccarat.coup import Result
from feltrig.engine.games.minibaccarat.settlement import Payouts, Settlement, settle
from feltrig.engine.money import vigorish

PLAYER, BANKER, TIE = Result.PLAYER, Result.BANKER, Result.TIE


@pytest.mark.parametrize(
    ("on", "result", "settled"),
    [
        (PLAYER, PLAYER, Settlement(1000)),
        (PLAYER, BANKER, Settlement(-1000)),
        (PLAYER, TIE, Settlement(0)),
        (BANKER, BANKER, Settlement(950, 50)),
        (BANKER, PLAYER, Settlement(-1000)),
        (BANKER, TIE, Settlement(0)),
        (TIE, TIE, Settlement(8000)),
        (TIE, PLAYER, Settlement(-1000)),
        (TIE, BANKER, Settlement(-1000)),
    ],
)
def test_the_customary_payouts(on: Result, result: Result, settled: Settlement) -> None:
    assert settle(on, result, 1000) == settled


def test_only_a_win_on_the_bankers_hand_costs_a_commission() -> None:
    for on in Result:
        for result in Result:
            assert settle(on, result, 1000).commission == (50 if on is result is BANKER else 0)


def test_the_commission_is_exact() -> None:
    assert settle(BANKER, BANKER, 1010) == Settlement(Fraction(1919, 2), Fraction(101, 2))


def test_every_payout_can_be_replaced() -> None:
    own = Payouts(
        player=Fraction(2),
        banker=Fraction(1, 2),
        tie=Fraction(9),
        commission=lambda won: vigorish(won, "round_up_to_25_cents"),
        tie_pushes=False,
    )
    assert settle(PLAYER, PLAYER, 1000, own) == Settlement(2000)
    assert settle(BANKER, BANKER, 1000, own) == Settlement(475, 25)
    assert settle(TIE, TIE, 1000, own) == Settlement(9000)
    assert settle(PLAYER, TIE, 1000, own) == Settlement(-1000)
