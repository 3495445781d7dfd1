"""Double Down Stud: what each hand is called in the pay table, and what it pays."""

import pytest

from feltrig.engine.cards import parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.games.double_down_stud.paytables import PAY_TABLES, PAYOUT_LIMIT, WAGER, check_odds, line, line_of
from feltrig.engine.ranking.poker import Category
from feltrig.engine.rulings import Illegal

GAME = "double_down_stud"


@pytest.mark.clause(GAME, "19:47-17.10(b)", "19:47-17.10(c)")
def test_17_10_b_the_odds_and_the_limit() -> None:
    assert list(WAGER.items()) == [
        ("royal_flush", 1000),
        ("straight_flush", 100),
        ("four_of_a_kind", 25),
        ("full_house", 10),
        ("flush", 8),
        ("straight", 5),
        ("three_of_a_kind", 3),
        ("two_pair", 2),
        ("pair_of_jacks_or_better", 1),
        ("pair_of_sixes_to_tens", 0),
    ]
    assert PAYOUT_LIMIT == 10_000_000


@pytest.mark.clause(
    GAME,
    "19:47-17.5(a)",
    "19:47-17.5(b)",
    "19:47-17.5(b)1",
    "19:47-17.5(b)2",
    "19:47-17.5(b)3",
    "19:47-17.5(b)4",
    "19:47-17.5(b)5",
    "19:47-17.5(b)6",
    "19:47-17.5(b)7",
    "19:47-17.5(b)8",
    "19:47-17.5(b)9",
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
        ("Ad Ks Qs Js Ts", "straight"),
        ("Ad 2s 3s 4s 5s", "straight"),
        ("Kd As 2s 3s 4s", "high_card"),
        ("7c 7d 7h 3s 2c", "three_of_a_kind"),
        ("7c 7d 2h 2s 3c", "two_pair"),
        ("Jc Jd 2h 3s 4c", "pair_of_jacks_or_better"),
        ("Tc Td 2h 3s 4c", "pair_of_sixes_to_tens"),
        ("5c 5d Ah Ks Qc", "pair_of_fives_or_less"),
        ("Ac Kd Qh Js 9c", "high_card"),
    ],
)
def test_17_5_b_five_cards_come_under_one_line(cards: str, name: str) -> None:
    assert line(parse_all(cards.split())) == name


@pytest.mark.clause(GAME, "19:47-17.9(a)", "19:47-17.9(b)", "19:47-17.9(c)", "19:47-17.10(b)")
def test_17_9_pairs_lose_to_fives_push_to_tens_and_win_from_jacks() -> None:
    names = [line_of(Category.PAIR, rank) for rank in range(2, 15)]
    assert names == ["pair_of_fives_or_less"] * 4 + ["pair_of_sixes_to_tens"] * 5 + ["pair_of_jacks_or_better"] * 4
    assert [WAGER.get(name) for name in names] == [None] * 4 + [0] * 5 + [1] * 4


def test_the_table_is_enumerable_by_name() -> None:
    assert list(PAY_TABLES) == ["wager"]
    assert list(PAY_TABLES["wager"].items()) == [("19:47-17.10(b)", WAGER)]
    assert all(key in GAMES[GAME].clauses for key in PAY_TABLES["wager"])


@pytest.mark.clause(GAME, "19:47-17.10(b)")
def test_17_10_b_a_licensee_may_pay_more_but_never_less() -> None:
    check_odds(WAGER)
    check_odds({**WAGER, "straight": 6})
    for name in WAGER:
        for lower in ({**WAGER, name: WAGER[name] - 1}, {key: WAGER[key] for key in WAGER if key != name}):
            with pytest.raises(Illegal) as refused:
                check_odds(lower)
            assert refused.value.why == f"{name} pays {lower.get(name)}, the least is {WAGER[name]}"
            assert refused.value.rules == ("19:47-17.10(b)",)
