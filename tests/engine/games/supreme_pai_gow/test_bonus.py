"""The bonus wager: which hands qualify, the pay table, the limit, shared royals."""

from collections import Counter
from fractions import Fraction
from math import comb

import pytest

from feltrig.engine.cards import Card, parse, parse_all
from feltrig.engine.games import GAMES
from feltrig.engine.games.supreme_pai_gow.bonus import (
    DEFAULT,
    LEAST_ODDS,
    PAY_TABLE,
    AceRuns,
    BonusReadings,
    Category,
    category,
    net,
    payout_limit,
    shared_royals,
)
from feltrig.engine.ranking.bulk import by_shape
from feltrig.engine.ranking.census import hands

OUTCOMES = (*Category, None)
COUNTS = {
    Category.FOUR_ACES: 1,
    Category.ROYAL_FLUSH: 4,
    Category.TWO_JOKERS_TWO_ACES: 6,
    Category.FOUR_OF_A_KIND: 12,
    Category.STRAIGHT_FLUSH: 100,
    Category.THREE_OF_A_KIND: 2600,
    Category.FLUSH: 2816,
    Category.TWO_PAIR: 2880,
    Category.STRAIGHT: 3624,
    Category.TWO_JOKERS: 1232,
    Category.ANY_OTHER_PAIR: 89_856,
    None: 213_120,
}


def hand(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def found(text: str, readings: BonusReadings = DEFAULT) -> str | None:
    held = category(hand(text), readings)
    return None if held is None else held.value


def edge(counts: Counter[Category | None]) -> Fraction:
    paid = sum(n * (-1 if held is None else LEAST_ODDS[held]) for held, n in counts.items())
    return Fraction(-paid, sum(counts.values()))


def census(readings: BonusReadings = DEFAULT) -> Counter[Category | None]:
    """How many of all four-card hands are of each category."""
    counts = Counter[Category | None]()
    for block in hands(54, 4):
        numbers = by_shape(block, lambda cards: OUTCOMES.index(category(cards, readings)))
        counts.update(OUTCOMES[number] for number in numbers.tolist())
    return counts


@pytest.mark.clause("supreme_pai_gow", "34.3(c)")
def test_34_3_c_census_of_all_four_card_hands() -> None:
    counts = census()
    assert sum(counts.values()) == comb(54, 4) == 316_251
    assert counts == COUNTS


@pytest.mark.clause("supreme_pai_gow", "34.14(a)")
def test_34_14_a_house_edge_of_the_least_pay_table() -> None:
    assert edge(Counter(COUNTS)) == Fraction(20_004, 316_251)
    assert round(float(edge(Counter(COUNTS))) * 100, 4) == 6.3254


@pytest.mark.clause("supreme_pai_gow", "34.3(c)")
def test_34_3_c_edge_when_two_jokers_cannot_be_three_and_six() -> None:
    """The other reading of SPG-06b: sixteen hands fall to two jokers."""
    counts = census(BonusReadings(jokers_as_3_and_6=False))
    assert counts[Category.TWO_JOKERS] == COUNTS[Category.TWO_JOKERS] + 16
    assert round(float(edge(counts)) * 100, 4) == 6.3595


@pytest.mark.clause("supreme_pai_gow", "34.3(c)")
def test_34_3_c_edge_when_jokers_complete_flushes() -> None:
    """The other reading of SPG-07 would favour the player."""
    counts = census(BonusReadings(joker_completes_flush=True))
    assert counts[Category.FLUSH] == COUNTS[Category.FLUSH] + 2540
    assert round(float(edge(counts)) * 100, 2) == -0.42


@pytest.mark.clause("supreme_pai_gow", "34.3(c)")
@pytest.mark.parametrize(("runs", "percent"), [(AceRuns.HIGH, 7.24), (AceRuns.LOW, 6.88)])
def test_34_3_c_edge_when_the_ace_ends_runs_on_one_side_only(runs: AceRuns, percent: float) -> None:
    """The other readings of SPG-08; the royal flush stays what it is."""
    counts = census(BonusReadings(ace_runs=runs))
    assert counts[Category.ROYAL_FLUSH] == 4
    assert round(float(edge(counts)) * 100, 2) == percent


PAY_LINES = [
    ("As Ad Ah Ac", "four_aces", 1000, "34.3(c)1"),
    ("Ah Kh Qh Jh", "royal_flush", 500, "34.3(c)2"),
    ("X1 X2 Ad Ac", "two_jokers_two_aces", 200, "34.3(c)3"),
    ("7s 7d 7h 7c", "four_of_a_kind", 100, "34.3(c)4"),
    ("9d Td Jd Qd", "straight_flush", 25, "34.3(c)5"),
    ("As Ad Ah Ks", "three_of_a_kind", 10, "34.3(c)6"),
    ("2s 9s Js Ks", "flush", 8, "34.3(c)7"),
    ("2s 2c Ks Kd", "two_pair", 7, "34.3(c)8"),
    ("9d Ts Jd Qd", "straight", 6, "34.3(c)9"),
    ("X1 X2 9d Kd", "two_jokers", 4, "34.3(c)10"),
    ("9c 9d 2h 5s", "any_other_pair", 1, "34.3(c)11"),
]


@pytest.mark.clause(
    "supreme_pai_gow",
    "34.3(c)1",
    "34.3(c)2",
    "34.3(c)3",
    "34.3(c)4",
    "34.3(c)5",
    "34.3(c)6",
    "34.3(c)7",
    "34.3(c)8",
    "34.3(c)9",
    "34.3(c)10",
    "34.3(c)11",
    "34.14(a)",
    "34.1 Suit",
)
@pytest.mark.parametrize(("cards", "name", "odds", "rule"), PAY_LINES)
def test_34_14_a_every_line_of_the_pay_table(cards: str, name: str, odds: int, rule: str) -> None:
    held = category(hand(cards))
    assert held is not None
    assert (held.value, PAY_TABLE[held].odds, PAY_TABLE[held].rule) == (name, odds, rule)
    assert net(hand(cards), 500, 100) == 500 * odds


@pytest.mark.clause(
    "supreme_pai_gow",
    "34.3(c)1",
    "34.3(c)2",
    "34.3(c)3",
    "34.3(c)4",
    "34.3(c)5",
    "34.3(c)6",
    "34.3(c)7",
    "34.3(c)8",
    "34.3(c)9",
    "34.3(c)10",
    "34.3(c)11",
    "34.14(a)",
)
def test_34_14_a_the_pay_table_is_complete_and_its_rules_are_registered() -> None:
    assert (
        [name for _, name, _, _ in PAY_LINES] == [held.value for held in PAY_TABLE] == [held.value for held in Category]
    )
    assert all(line.rule in GAMES["supreme_pai_gow"].clauses for line in PAY_TABLE.values())


@pytest.mark.clause("supreme_pai_gow", "34.12(h)")
def test_34_12_h_a_hand_that_does_not_qualify_loses_the_bonus_wager() -> None:
    assert net(hand("2c 5d 9h Ks"), 500, 100) == -500


@pytest.mark.clause("supreme_pai_gow", "34.3(c)")
@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("X1 2c 4d 5h", "straight"),
        ("X1 3c 4d 5h", "straight"),
        ("X2 4c 5d 7h", "straight"),
        ("X1 7c 8d 9h", "straight"),
        ("X1 Ac 2d 4h", "straight"),
        ("X1 2d 4d 5d", "straight_flush"),
        ("X2 5h 7h 8h", "straight_flush"),
        ("X1 X2 4c 5d", "straight"),
        ("X1 X2 4h 5h", "straight_flush"),
        ("X1 X2 4h 4d", "two_pair"),
        ("X1 X2 Kh Qh", "two_jokers"),
        ("X1 9c Td Jh", None),
        ("X1 Ah Kh Qh", None),
        ("X1 2h 9h Jh", None),
        ("X1 7c 7d 9h", "any_other_pair"),
        ("X1 7c 7d 7h", "three_of_a_kind"),
        ("X1 Ac Ad Ah", "three_of_a_kind"),
        ("X1 3c 6d 9h", None),
        ("X1 2c 3d 4h", None),
    ],
)
def test_34_3_c_a_joker_is_a_three_or_a_six_of_a_run_and_nothing_else(cards: str, name: str | None) -> None:
    assert found(cards) == name


@pytest.mark.clause("supreme_pai_gow", "34.3(c)5")
@pytest.mark.parametrize(
    ("cards", "both", "high", "low"),
    [
        ("Ac 2d 3h 4s", "straight", None, "straight"),
        ("Ac Kd Qh Js", "straight", "straight", None),
        ("Ac 2c 3c 4c", "straight_flush", "flush", "straight_flush"),
        ("Ac Kc Qc Jc", "royal_flush", "royal_flush", "royal_flush"),
        ("X1 Ac 2d 4h", "straight", None, "straight"),
        ("Kc Ad 2h 3s", None, None, None),
    ],
)
def test_34_3_c_5_and_9_the_ace_ends_runs(cards: str, both: str | None, high: str | None, low: str | None) -> None:
    """SPG-08; no reading lets a run go around the ace."""
    read = [found(cards, BonusReadings(ace_runs=runs)) for runs in (AceRuns.BOTH, AceRuns.HIGH, AceRuns.LOW)]
    assert read == [both, high, low]


@pytest.mark.clause("supreme_pai_gow", "34.3(c)")
def test_34_3_c_readings_of_the_joker() -> None:
    """SPG-06b and SPG-07."""
    apart = BonusReadings(jokers_as_3_and_6=False)
    assert [found(cards, apart) for cards in ("X1 X2 4c 5d", "X1 X2 4h 5h", "X1 3c 4d 5h")] == [
        "two_jokers",
        "two_jokers",
        "straight",
    ]
    flushes = BonusReadings(joker_completes_flush=True)
    assert [found(cards, flushes) for cards in ("X1 2h 9h Jh", "X1 X2 9h Jh", "X1 Ah Kh Qh", "X1 2d 4d 5d")] == [
        "flush",
        "flush",
        "flush",
        "straight_flush",
    ]


@pytest.mark.clause("supreme_pai_gow", "34.14(b)")
def test_34_14_b_the_limit_is_fifty_thousand_dollars_or_a_thousand_least_wagers() -> None:
    assert payout_limit(500) == 5_000_000
    assert payout_limit(5_000) == 5_000_000
    assert payout_limit(5_001) == 5_001_000
    assert payout_limit(10_000) == 10_000_000


@pytest.mark.clause("supreme_pai_gow", "34.14(b)")
@pytest.mark.parametrize(
    ("cards", "wager", "minimum", "paid"),
    [
        ("As Ad Ah Ac", 10_000, 500, 5_000_000),
        ("As Ad Ah Ac", 5_000, 500, 5_000_000),
        ("As Ad Ah Ac", 4_999, 500, 4_999_000),
        ("As Ad Ah Ac", 10_000, 10_000, 10_000_000),
        ("Ah Kh Qh Jh", 10_001, 500, 5_000_000),
        ("7s 7d 7h 7c", 60_000, 500, 5_000_000),
    ],
)
def test_34_14_b_one_player_is_paid_up_to_the_limit(cards: str, wager: int, minimum: int, paid: int) -> None:
    assert net(hand(cards), wager, minimum) == paid


@pytest.mark.clause("supreme_pai_gow", "34.14(b)")
def test_34_14_b_royals_share_the_limit_by_their_wagers() -> None:
    assert shared_royals({1: 10_000, 4: 30_000}, 500) == {1: 1_250_000, 4: 3_750_000}


@pytest.mark.clause("supreme_pai_gow", "34.14(b)")
def test_34_14_b_royals_within_the_limit_are_paid_in_full() -> None:
    """SPG-11: the limit is no gift."""
    assert shared_royals({1: 100, 4: 100}, 500) == {1: 50_000, 4: 50_000}
    assert shared_royals({2: 5_000, 3: 5_000}, 500) == {2: 2_500_000, 3: 2_500_000}
    assert shared_royals({}, 500) == {}


@pytest.mark.clause("supreme_pai_gow", "34.14(b)")
def test_34_14_b_a_single_royal_is_limited_like_any_hand() -> None:
    assert shared_royals({6: 20_000}, 500) == {6: 5_000_000}


@pytest.mark.clause("supreme_pai_gow", "34.14(b)")
def test_34_14_b_shares_that_are_no_whole_cents_stay_exact() -> None:
    shares = shared_royals({1: 10_000, 2: 10_000, 3: 10_000}, 500)
    assert shares == dict.fromkeys((1, 2, 3), Fraction(5_000_000, 3))
    assert sum(shares.values()) == 5_000_000


@pytest.mark.clause("supreme_pai_gow", "34.14(a)")
def test_34_14_a_a_more_generous_table_pays_more_and_raises_the_limit() -> None:
    generous = {**LEAST_ODDS, Category.FOUR_ACES: 2000}
    assert net(hand("As Ad Ah Ac"), 1_000, 500, odds=generous) == 2_000_000
    assert payout_limit(5_000, generous) == 10_000_000


def test_four_different_cards_are_needed() -> None:
    with pytest.raises(ValueError, match="four different"):
        category(hand("As Ad Ah"))
    with pytest.raises(ValueError, match="four different"):
        category((parse("As"),) * 4)
