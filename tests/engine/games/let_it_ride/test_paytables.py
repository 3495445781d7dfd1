"""Let It Ride: what each hand is called in the pay tables, and what it pays."""

import pytest

from feltrig.engine.cards import RANKS, parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.games.let_it_ride.paytables import (
    AWARDS,
    BETS,
    BONUS,
    BONUS_WAGER,
    PAY_TABLES,
    check_odds,
    line,
    line_of,
)
from feltrig.engine.ranking.poker import Category
from feltrig.engine.rulings import Illegal

GAME = "let_it_ride"


@pytest.mark.clause(GAME, "19:47-18.11(b)")
def test_18_11_b_the_odds_of_the_bets() -> None:
    assert list(BETS.items()) == [
        ("royal_flush", 1000),
        ("straight_flush", 200),
        ("four_of_a_kind", 50),
        ("full_house", 11),
        ("flush", 8),
        ("straight", 5),
        ("three_of_a_kind", 3),
        ("two_pair", 2),
        ("pair_of_tens_or_better", 1),
    ]


@pytest.mark.clause(GAME, "19:47-18.11(d)", "19:47-18.6A(a)", "19:47-18.6A(b)")
def test_18_11_d_the_amounts_of_the_bonus_for_one_dollar() -> None:
    assert BONUS_WAGER == 100
    assert list(BONUS.items()) == [
        ("royal_flush", 2_500_000),
        ("straight_flush", 250_000),
        ("four_of_a_kind", 40_000),
        ("full_house", 20_000),
        ("flush", 5_000),
        ("straight", 2_500),
        ("three_of_a_kind", 500),
    ]


@pytest.mark.clause(
    GAME,
    "19:47-18.3(a)",
    "19:47-18.1[Suit]",
    "19:47-18.3(b)",
    "19:47-18.3(b)1",
    "19:47-18.3(b)2",
    "19:47-18.3(b)3",
    "19:47-18.3(b)4",
    "19:47-18.3(b)5",
    "19:47-18.3(b)6",
    "19:47-18.3(b)7",
    "19:47-18.3(b)8",
    "19:47-18.3(b)9",
)
@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("As Ks Qs Js Ts", "royal_flush"),
        ("Ks Qs Js Ts 9s", "straight_flush"),
        ("As 2s 3s 4s 5s", "straight_flush"),
        ("7c 7d 7h 7s 2c", "four_of_a_kind"),
        ("7c 7d 7h 2s 2c", "full_house"),
        ("As Ks Qs Js 9s", "flush"),
        ("Qs Ks As 2s 3s", "flush"),
        ("Ad Ks Qs Js Ts", "straight"),
        ("Ad 2s 3s 4s 5s", "straight"),
        ("Qd Ks As 2s 3s", "high_card"),
        ("7c 7d 7h 3s 2c", "three_of_a_kind"),
        ("7c 7d 2h 2s 3c", "two_pair"),
        ("Tc Td 2h 3s 4c", "pair_of_tens_or_better"),
        ("9c 9d Ah Ks Qc", "pair_of_nines_or_less"),
        ("Ac Kd Qh Js 9c", "high_card"),
    ],
)
def test_18_3_b_five_cards_come_under_one_line(cards: str, name: str) -> None:
    assert line(parse_all(cards.split())) == name


@pytest.mark.clause(GAME, "19:47-18.10(h)", "19:47-18.11(b)")
def test_18_10_h_a_pair_wins_from_tens_up() -> None:
    paid = [BETS.get(line_of(Category.PAIR, rank)) for rank in range(2, len(RANKS) + 2)]
    assert paid == [None] * 8 + [1] * 5


def test_the_tables_are_enumerable_by_name() -> None:
    assert (list(PAY_TABLES), list(AWARDS)) == (["bets"], ["bonus"])
    assert list(PAY_TABLES["bets"].items()) == [("19:47-18.11(b)", BETS)]
    assert list(AWARDS["bonus"].items()) == [("19:47-18.11(d)", BONUS)]
    assert all(key in GAMES[GAME].clauses for tables in (PAY_TABLES["bets"], AWARDS["bonus"]) for key in tables)


@pytest.mark.clause(GAME, "19:47-18.11(b)")
def test_18_11_b_a_licensee_may_pay_more_but_never_less() -> None:
    check_odds(BETS)
    check_odds({**BETS, "flush": 9})
    for name in BETS:
        for lower in ({**BETS, name: BETS[name] - 1}, {key: BETS[key] for key in BETS if key != name}):
            with pytest.raises(Illegal) as refused:
                check_odds(lower)
            assert refused.value.why == f"{name} pays {lower.get(name)}, the least is {BETS[name]}"
            assert refused.value.rules == ("19:47-18.11(b)",)
