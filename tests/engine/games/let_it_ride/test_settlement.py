"""Let It Ride: what becomes of the three bets and of the bonus wager."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.games.let_it_ride.paytables import BETS, BONUS
from feltrig.engine.games.let_it_ride.settlement import (
    NO_BONUS,
    BetsSettlement,
    BonusSettlement,
    BonusStake,
    LimitApplies,
    check_bonus,
    check_limit,
    settle_bets,
    settle_bonus,
)
from feltrig.engine.ranking.poker import Category
from feltrig.engine.rulings import Illegal

GAME = "let_it_ride"
LIMIT = 5_000_000
RIDES = ("19:47-18.10(b)1", "19:47-18.10(e)1")

HANDS = [
    ("As Ks Qs Js Ts", Category.ROYAL_FLUSH, 1000, 2_500_000, "19:47-18.3(b)1"),
    ("As 2s 3s 4s 5s", Category.STRAIGHT_FLUSH, 200, 250_000, "19:47-18.3(b)2"),
    ("7c 7d 7h 7s 2c", Category.FOUR_OF_A_KIND, 50, 40_000, "19:47-18.3(b)3"),
    ("7c 7d 7h 2s 2c", Category.FULL_HOUSE, 11, 20_000, "19:47-18.3(b)4"),
    ("As Ks Qs Js 9s", Category.FLUSH, 8, 5_000, "19:47-18.3(b)5"),
    ("Ad 2s 3s 4s 5s", Category.STRAIGHT, 5, 2_500, "19:47-18.3(b)6"),
    ("2c 2d 2h 3s 4c", Category.THREE_OF_A_KIND, 3, 500, "19:47-18.3(b)7"),
    ("3c 3d 2h 2s 4c", Category.TWO_PAIR, 2, None, "19:47-18.3(b)8"),
    ("Ac Ad 2h 3s 4c", Category.PAIR, 1, None, "19:47-18.3(b)9"),
    ("Tc Td 2h 3s 4c", Category.PAIR, 1, None, "19:47-18.3(b)9"),
    ("9c 9d Ah Ks Qc", Category.PAIR, None, None, "19:47-18.3(b)9"),
    ("2c 2d Ah Ks Qc", Category.PAIR, None, None, "19:47-18.3(b)9"),
    ("Ac Kd Qh Js 9c", Category.HIGH_CARD, None, None, "19:47-18.3(b)"),
]

five_cards = st.lists(st.sampled_from(deck()), min_size=5, max_size=5, unique=True)


def cards(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


@pytest.mark.clause(
    GAME,
    "19:47-18.10(g)2",
    "19:47-18.10(h)",
    "19:47-18.11(b)",
    *(f"19:47-18.3(b){line}" for line in range(1, 10)),
)
@pytest.mark.parametrize(("hand", "held", "odds", "bonus", "defined"), HANDS)
def test_18_11_b_every_bet_that_rides_is_paid_the_odds_or_lost(
    hand: str, held: Category, odds: int | None, bonus: int | None, defined: str
) -> None:
    decided = "19:47-18.10(h)" if odds is None else "19:47-18.11(b)"
    rules = ("19:47-18.10(g)1", defined, *RIDES, decided)
    net = 3 * 500 * (-1 if odds is None else odds)
    assert settle_bets(cards(hand), 500, first_rides=True, second_rides=True) == BetsSettlement(
        held, odds, 3, net, rules
    )


@pytest.mark.clause(GAME, "19:47-18.11(d)", "19:47-18.6A(a)", "19:47-18.6A(c)")
@pytest.mark.parametrize(("hand", "held", "odds", "bonus", "defined"), HANDS)
def test_18_11_d_the_bonus_pays_from_three_of_a_kind_and_keeps_its_dollar(
    hand: str, held: Category, odds: int | None, bonus: int | None, defined: str
) -> None:
    """LIR-03."""
    if bonus is None:
        expected = BonusSettlement(0, -100, ("19:47-18.6A(a)",))
    else:
        expected = BonusSettlement(bonus, bonus - 100, ("19:47-18.6A(c)", "19:47-18.11(d)"))
    assert settle_bonus(cards(hand), 100) == expected


@pytest.mark.clause(
    GAME,
    "19:47-18.1[Let it ride]",
    "19:47-18.6(d)",
    "19:47-18.10(b)1",
    "19:47-18.10(b)2",
    "19:47-18.10(e)",
    "19:47-18.10(e)1",
    "19:47-18.10(e)2",
)
@pytest.mark.parametrize(
    ("first", "second", "at_risk", "rules"),
    [
        (True, True, 3, ("19:47-18.10(b)1", "19:47-18.10(e)1")),
        (True, False, 2, ("19:47-18.10(b)1", "19:47-18.10(e)2")),
        (False, True, 2, ("19:47-18.10(b)2", "19:47-18.10(e)1")),
        (False, False, 1, ("19:47-18.10(b)2", "19:47-18.10(e)2")),
    ],
)
def test_18_10_withdrawn_bets_neither_win_nor_lose(
    first: bool, second: bool, at_risk: int, rules: tuple[str, ...]
) -> None:
    won = settle_bets(cards("Tc Td Th 3s 4c"), 700, first_rides=first, second_rides=second)
    assert (won.at_risk, won.net) == (at_risk, 3 * 700 * at_risk)
    assert won.rules[2:4] == rules
    lost = settle_bets(cards("9c 9d Ah 3s 4c"), 700, first_rides=first, second_rides=second)
    assert (lost.at_risk, lost.net) == (at_risk, -700 * at_risk)
    assert lost.rules[2:4] == rules


@pytest.mark.clause(GAME, "19:47-18.11(c)")
@pytest.mark.parametrize(
    ("unit", "first", "aggregate", "per_bet"),
    [
        (1_666, True, 4_998_000, 4_998_000),
        (1_667, True, 5_000_000, 5_001_000),
        (2_500, False, 5_000_000, 5_000_000),
        (2_501, False, 5_000_000, 5_002_000),
        (5_000, True, 5_000_000, 15_000_000),
        (6_000, True, 5_000_000, 15_000_000),
        (6_000, False, 5_000_000, 10_000_000),
    ],
)
def test_18_11_c_the_limit_is_laid_upon_all_bets_of_the_hand(
    unit: int, first: bool, aggregate: int, per_bet: int
) -> None:
    """LIR-04."""
    for applies, net in ((LimitApplies.AGGREGATE, aggregate), (LimitApplies.PER_BET, per_bet)):
        royal = cards("As Ks Qs Js Ts")
        settled = settle_bets(royal, unit, first_rides=first, second_rides=True, limit=LIMIT, limit_applies=applies)
        assert settled.net == net
        cut = net < 1000 * unit * (2 + first)
        assert settled.rules[-1] == ("19:47-18.11(c)" if cut else "19:47-18.11(b)")
        assert "19:47-18.11(b)" in settled.rules


@pytest.mark.clause(GAME, "19:47-18.11(c)")
def test_18_11_c_the_limit_is_aggregate_and_absent_unless_the_licensee_sets_it() -> None:
    royal = cards("As Ks Qs Js Ts")
    assert settle_bets(royal, 10_000, first_rides=True, second_rides=True).net == 30_000_000
    assert settle_bets(royal, 10_000, first_rides=True, second_rides=True, limit=LIMIT).net == LIMIT
    assert settle_bets(royal, 10_000, first_rides=True, second_rides=True, limit=LIMIT + 1).net == LIMIT + 1


@pytest.mark.clause(GAME, "19:47-18.11(c)")
def test_18_11_c_the_limit_spares_the_loser_nothing() -> None:
    lost = settle_bets(cards("Ac Kd Qh Js 9c"), 2_000_000, first_rides=True, second_rides=True, limit=LIMIT)
    assert lost.net == -6_000_000


@pytest.mark.clause(GAME, "19:47-18.11(c)")
def test_18_11_c_a_limit_below_fifty_thousand_dollars_is_refused() -> None:
    check_limit(None)
    check_limit(LIMIT)
    for limit in (LIMIT - 1, 0):
        with pytest.raises(Illegal, match="at least 5000000") as refused:
            settle_bets(cards("Ac Kd Qh Js 9c"), 500, first_rides=True, second_rides=True, limit=limit)
        assert refused.value.rules == ("19:47-18.11(c)",)


@pytest.mark.clause(GAME, "19:47-18.6A(b)")
@pytest.mark.parametrize("wager", [1, 99, 101, 200, 500, -100])
def test_18_6a_b_the_bonus_wager_is_one_dollar(wager: int) -> None:
    with pytest.raises(Illegal, match="expected 100, or none") as refused:
        settle_bonus(cards("Ac Kd Qh Js 9c"), wager)
    assert refused.value.rules == ("19:47-18.6A(b)",)
    check_bonus(100)
    check_bonus(0)


def test_without_a_bonus_wager_nothing_is_paid() -> None:
    assert settle_bonus(cards("As Ks Qs Js Ts"), 0) == NO_BONUS == BonusSettlement(0, 0, ())


def test_lir_03_the_other_reading_returns_the_dollar_of_a_winner_only() -> None:
    assert settle_bonus(cards("2c 2d 2h 3s 4c"), 100, BonusStake.RETURNED).net == 500
    assert settle_bonus(cards("2c 2d 3h 3s 4c"), 100, BonusStake.RETURNED).net == -100


@pytest.mark.clause(GAME, "19:47-18.11(b)", "19:47-18.11(d)")
def test_18_11_posted_odds_and_amounts_are_paid() -> None:
    flush = cards("As Ks Qs Js 9s")
    posted = settle_bets(flush, 500, first_rides=False, second_rides=False, odds={**BETS, "flush": 9})
    assert (posted.odds, posted.net) == (9, 4_500)
    assert settle_bonus(flush, 100, amounts={**BONUS, "flush": 7_500}).payout == 7_500


@pytest.mark.clause(GAME, "19:47-18.6A(d)")
@given(five_cards, st.integers(1, 10**6), st.booleans(), st.booleans())
def test_18_6a_d_a_settlement_follows_the_tables_whatever_the_hand(
    hand: list[Card], unit: int, first: bool, second: bool
) -> None:
    bets = settle_bets(hand, unit, first_rides=first, second_rides=second)
    bonus = settle_bonus(hand, 100)
    assert bets.net == unit * bets.at_risk * (-1 if bets.odds is None else bets.odds)
    assert bonus.net == bonus.payout - 100
    assert (bonus.payout > 0) == (bets.category >= Category.THREE_OF_A_KIND)
    assert all(rule in GAMES[GAME].clauses for rule in (*bets.rules, *bonus.rules))
