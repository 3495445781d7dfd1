"""The settlement of two hands of tiles, which is customary where the text is cut off."""

from fractions import Fraction

import pytest

from feltrig.engine.games.pai_gow.ranking import ZeroZero
from feltrig.engine.games.pai_gow.settlement import settle, settle_bank
from feltrig.engine.games.pai_gow.tiles import Tile
from feltrig.engine.table.commission import Settlement, Stake, settle_wager
from feltrig.engine.table.result import Outcome
from feltrig.engine.table.setting import Hands


def hands(high: str, low: str) -> Hands:
    one, other = (tuple(Tile(name) for name in text.split()) for text in (high, low))
    return Hands(one, other)


DEALER = hands("5-6 5-6", "1-3 2-2")
"""The ninth pair and eight points with a four."""


@pytest.mark.parametrize(
    ("high", "low", "outcome", "net", "vigorish"),
    [
        ("6-6 6-6", "1-1 3-3", Outcome.WIN, 950, 50),
        ("6-6 6-6", "1-5 5-5", Outcome.PUSH, 0, 0),
        ("1-1 1-6", "1-4 3-4", Outcome.LOSE, -1000, 0),
        ("1-1 1-6", "4-4 5-5", Outcome.PUSH, 0, 0),  # eight with the third tile beats eight with the fourth
        ("1-1 1-6", "1-3 4-6", Outcome.LOSE, -1000, 0),
        ("1-4 3-4", "6-6 6-6", Outcome.LOSE, -1000, 0),  # foul
    ],
)
def test_both_hands_must_win_and_one_each_is_a_push(
    high: str, low: str, outcome: Outcome, net: int, vigorish: int
) -> None:
    settled = settle(hands(high, low), DEALER, 1000)
    assert (settled.outcome, settled.net, settled.vigorish) == (outcome, net, vigorish)


def test_a_settlement_cites_how_the_hands_compare_or_why_the_setting_is_foul() -> None:
    won = settle(hands("6-6 6-6", "1-1 3-3"), DEALER, 1000)
    assert won.rules == ("19:47-10.2(b)", "19:47-10.2(d)", "19:47-10.2(g)", "19:47-10.2(f)")
    foul = settle(hands("1-4 3-4", "6-6 6-6"), DEALER, 1000)
    assert foul.rules == ("19:47-10.1[High hand]",)


@pytest.mark.clause("pai_gow", "19:47-10.2(c)", "19:47-10.2(h)")
def test_10_2_c_and_h_copies_in_both_hands_lose() -> None:
    copied = settle(hands("6-6 4-5", "5-6 1-6"), hands("6-6 3-6", "5-6 3-4"), 1000)
    assert copied.outcome is Outcome.LOSE
    assert {"19:47-10.2(c)", "19:47-10.2(h)"} <= set(copied.rules)


def test_pg_01_and_pg_03_are_arguments() -> None:
    equal = hands("6-6 4-5", "6-6 3-6")
    weak = hands("1-3 2-2", "1-4 5-6")
    assert settle(equal, weak, 1000).outcome is Outcome.WIN
    assert settle(equal, weak, 1000, equal_is_legal=False).outcome is Outcome.LOSE
    nothing, less = hands("6-6 6-6", "5-5 4-6"), hands("5-6 5-6", "2-2 1-5")
    assert settle(nothing, less, 1000).outcome is Outcome.WIN
    assert settle(nothing, less, 1000, zero_zero=ZeroZero.COPY).outcome is Outcome.PUSH


def test_vigorish_is_exact_or_rounded_up() -> None:
    assert settle_wager(Outcome.WIN, 1010) == Settlement(Outcome.WIN, Fraction(1919, 2), Fraction(101, 2), ())
    assert settle_wager(Outcome.WIN, 1010, "round_up_to_25_cents") == Settlement(Outcome.WIN, 935, 75, ())
    assert settle_wager(Outcome.PUSH, 1010, "exact", ("x",)) == Settlement(Outcome.PUSH, 0, 0, ("x",))


def test_a_bank_is_settled_as_in_the_sister_game_but_no_clause_of_this_one_says_so() -> None:
    settled = settle_bank({1: Stake(10_000, Outcome.LOSE), 2: Stake(4000, Outcome.WIN)}, Stake(500, Outcome.WIN))
    assert (settled.surplus, settled.bank_vigorish, settled.bank_net) == (5500, 275, 5225)
    assert settled.players_net == {1: -10_000, 2: 3800}
    assert settled.dealer_wager_net == 500
    assert settled.rules == ()
    shared = settle_bank({1: Stake(1000, Outcome.LOSE)}, co_bank=True, rounding="round_up_to_25_cents")
    assert (shared.house_share_net, shared.bank_vigorish, shared.bank_net) == (500, 25, 475)
