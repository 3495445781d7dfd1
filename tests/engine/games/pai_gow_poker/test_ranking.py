"""How high and low hands rank and compare at pai gow poker: 11.3."""

import pytest

from feltrig.engine.cards import Card, parse_all
from feltrig.engine.games.pai_gow_poker.ranking import (
    CLAUSES,
    WHEEL,
    Readings,
    TieBreak,
    compare_high,
    compare_low,
    rank_high,
    rank_low,
    set_fault,
)
from feltrig.engine.ranking.pai_gow_poker import Category, FlushJoker, Wheel

LOWEST = Readings(Wheel.LOWEST)


def cards(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def higher(first: str, second: str, readings: Readings | None = None) -> str:
    found = compare_high(cards(first), cards(second), readings or Readings())
    return "first" if found.first_by > 0 else "second" if found.first_by < 0 else "copy"


FROM_HIGHEST = [
    ("X1 As Ad Ah Ac", Category.FIVE_ACES, None, None),
    ("As Ks Qs Js Ts", Category.ROYAL_FLUSH, None, None),
    ("As 2s 3s 4s 5s", Category.STRAIGHT_FLUSH, WHEEL, None),
    ("Kd Qd Jd Td 9d", Category.STRAIGHT_FLUSH, 13, None),
    ("6h 5h 4h 3h 2h", Category.STRAIGHT_FLUSH, 6, None),
    ("As Ad Ah Ac 2d", Category.FOUR_OF_A_KIND, None, (14, 2)),
    ("2s 2d 2h 2c Ad", Category.FOUR_OF_A_KIND, None, (2, 14)),
    ("As Ad Ah Kc Kd", Category.FULL_HOUSE, None, (14, 13)),
    ("2s 2d 2h 3c 3d", Category.FULL_HOUSE, None, (2, 3)),
    ("As Ks Qs Js 9s", Category.FLUSH, None, (14, 13, 12, 11, 9)),
    ("7s 5s 4s 3s 2s", Category.FLUSH, None, (7, 5, 4, 3, 2)),
    ("As Ks Qs Js Td", Category.STRAIGHT, 14, None),
    ("As 2s 3s 4s 5d", Category.STRAIGHT, WHEEL, None),
    ("Ks Qs Js Ts 9d", Category.STRAIGHT, 13, None),
    ("6s 5s 4s 3s 2d", Category.STRAIGHT, 6, None),
    ("As Ad Ah Kc 2d", Category.THREE_OF_A_KIND, None, (14, 13, 2)),
    ("2s 2d 2h Kc Qd", Category.THREE_OF_A_KIND, None, (2, 13, 12)),
    ("As Ad Kh Kc 2d", Category.TWO_PAIR, None, (14, 13, 2)),
    ("3s 3d 2h 2c Ad", Category.TWO_PAIR, None, (3, 2, 14)),
    ("As Ad Kh Qc 2d", Category.PAIR, None, (14, 13, 12, 2)),
    ("2s 2d Kh Qc Jd", Category.PAIR, None, (2, 13, 12, 11)),
    ("As Kd Qh Jc 9d", Category.HIGH_CARD, None, (14, 13, 12, 11, 9)),
    ("7s 5d 4h 3c 2d", Category.HIGH_CARD, None, (7, 5, 4, 3, 2)),
]
"""The highest and the lowest of each category as 11.3(b) names them, from the highest hand to the lowest."""


@pytest.mark.clause("pai_gow_poker", *dict.fromkeys(CLAUSES.values()))
@pytest.mark.parametrize(("hand", "category", "top", "ranks"), FROM_HIGHEST)
def test_11_3_b_hands_are_named(
    hand: str, category: Category, top: int | str | None, ranks: tuple[int, ...] | None
) -> None:
    found = rank_high(cards(hand))
    assert (found.category, found.straight_top, found.ranks) == (category, top, ranks)
    assert found.rules[0] == CLAUSES[category]


@pytest.mark.clause("pai_gow_poker", "19:47-11.3(b)", *dict.fromkeys(CLAUSES.values()))
def test_11_3_b_hands_are_in_order() -> None:
    strengths = [rank_high(cards(hand)).strength for hand, *_ in FROM_HIGHEST]
    assert strengths == sorted(set(strengths), reverse=True)


@pytest.mark.clause("pai_gow_poker", "19:47-11.3(b)")
def test_11_3_b_each_category_is_defined_by_its_own_clause() -> None:
    numbered = [f"19:47-11.3(b){place}" for place in range(1, 11)]
    assert [CLAUSES[category] for category in sorted(Category, reverse=True)] == [*numbered, "19:47-11.3(e)"]


@pytest.mark.clause("pai_gow_poker", "19:47-11.3(d)")
def test_11_3_d_the_licensee_may_make_the_wheel_the_lowest_straight_and_straight_flush() -> None:
    for suited, other in (("s s s s s", "h h h h h"), ("s s s s d", "h h h h c")):
        wheel, six, king = (
            " ".join(rank + suit for rank, suit in zip(ranks, suits.split(), strict=True))
            for ranks, suits in (("A2345", suited), ("65432", other), ("KQJT9", other))
        )
        assert higher(wheel, king) == higher(wheel, six) == "first"
        assert higher(wheel, six, LOWEST) == "second"
        assert rank_high(cards(wheel), LOWEST).straight_top == WHEEL
        assert rank_high(cards(wheel), LOWEST).rules[-1] == "19:47-11.3(d)"
        assert "19:47-11.3(d)" not in rank_high(cards(wheel)).rules
        assert "19:47-11.3(d)" not in rank_high(cards(six), LOWEST).rules


@pytest.mark.clause("pai_gow_poker", "19:47-11.3(a)")
@pytest.mark.parametrize(
    ("hand", "category", "ranks"),
    [
        ("X1 Kd Qh 9c 2d", Category.HIGH_CARD, (14, 13, 12, 9, 2)),
        ("X1 Ad Qh 9c 2d", Category.PAIR, (14, 12, 9, 2)),
        ("X1 Kd Kh 9c 2d", Category.PAIR, (13, 14, 9, 2)),
        ("X1 Kd Kh 9c 9d", Category.TWO_PAIR, (13, 9, 14)),
        ("X1 Ad Kh 9c 9d", Category.TWO_PAIR, (14, 9, 13)),
        ("X1 Kd Kh Kc 9d", Category.THREE_OF_A_KIND, (13, 14, 9)),
        ("X1 Ad Ah Kc 9d", Category.THREE_OF_A_KIND, (14, 13, 9)),
        ("X1 Ad Ah Kc Kd", Category.FULL_HOUSE, (14, 13)),
        ("X1 Ad Kh Kc Kd", Category.FULL_HOUSE, (13, 14)),
        ("X1 Kd Kh Kc Ks", Category.FOUR_OF_A_KIND, (13, 14)),
        ("X1 Ad Ah Ac Ks", Category.FOUR_OF_A_KIND, (14, 13)),
    ],
)
def test_11_3_a_the_joker_is_an_ace(hand: str, category: Category, ranks: tuple[int, ...]) -> None:
    found = rank_high(cards(hand))
    assert (found.category, found.ranks) == (category, ranks)
    assert found.rules == (CLAUSES[category], "19:47-11.3(a)")


@pytest.mark.clause("pai_gow_poker", "19:47-11.3(c)")
@pytest.mark.parametrize(
    ("hand", "category", "top"),
    [
        ("X1 Ks Qs Js Ts", Category.ROYAL_FLUSH, None),
        ("X1 As Ks Js Ts", Category.ROYAL_FLUSH, None),
        ("X1 Ks Qs Js 9s", Category.STRAIGHT_FLUSH, 13),
        ("X1 As 2s 4s 5s", Category.STRAIGHT_FLUSH, WHEEL),
        ("X1 2s 3s 4s 5s", Category.STRAIGHT_FLUSH, WHEEL),
        ("X1 Ks Qs Js Td", Category.STRAIGHT, 14),
        ("X1 9s 8s 7s 6d", Category.STRAIGHT, 10),
        ("X1 9s 8s 7s 5d", Category.STRAIGHT, 9),
        ("X1 2s 3s 4s 5d", Category.STRAIGHT, WHEEL),
        ("X1 3s 4s 5s 6d", Category.STRAIGHT, 7),
        ("X1 As 3s 4s 5d", Category.STRAIGHT, WHEEL),
    ],
)
def test_11_3_c_the_joker_completes_the_best_straight(hand: str, category: Category, top: int | str | None) -> None:
    found = rank_high(cards(hand))
    assert (found.category, found.straight_top, found.ranks) == (category, top, None)
    assert found.rules == (CLAUSES[category], "19:47-11.3(c)")


@pytest.mark.clause("pai_gow_poker", "19:47-11.3(c)", "19:47-11.3(d)")
def test_11_3_d_with_a_low_wheel_the_joker_beside_2_3_4_5_is_a_six() -> None:
    assert rank_high(cards("X1 2s 3s 4s 5d"), LOWEST).straight_top == 6
    assert rank_high(cards("X1 2s 3s 4s 5s"), LOWEST).straight_top == 6
    assert rank_high(cards("X1 As 2s 3s 4s"), LOWEST).straight_top == WHEEL


def test_pgp_03_a_joker_in_a_flush_is_the_highest_card_that_is_missing_or_a_second_ace() -> None:
    assert rank_high(cards("X1 As Ks 9s 2s")).ranks == (14, 13, 12, 9, 2)
    assert rank_high(cards("X1 Ks 9s 4s 2s")).ranks == (14, 13, 9, 4, 2)
    twice = Readings(flush_joker=FlushJoker.ACE)
    assert rank_high(cards("X1 As Ks 9s 2s"), twice).ranks == (14, 14, 13, 9, 2)
    assert higher("X1 As Ks 9s 2s", "Ad Kd Qd 9d 3d") == "second"
    assert higher("X1 As Ks 9s 2s", "Ad Kd Qd 9d 3d", twice) == "first"
    assert higher("X1 As Ks 9s 2s", "Ad Kd Qd 9d 2d") == "copy"


@pytest.mark.clause("pai_gow_poker", "19:47-11.3(e)")
@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("As Kd Qh Jc 9d", "Ac Kh Qd Js 8d", "first"),
        ("As Kd Qh Jc 9d", "Ac Kh Qd Js 9h", "copy"),
        ("As Ad Kh Qc 2d", "Ac Ah Ks Qd 3d", "second"),
        ("As Ad Kh Kc 2d", "Ac Ah Ks Kd 3d", "second"),
        ("As Ad Ah Kc 2d", "Ks Kd Kh Ac Qd", "first"),
        ("9s 8d 7h 6c 5d", "9d 8h 7c 6s 5h", "copy"),
        ("As Ks Qs Js Ts", "Ad Kd Qd Jd Td", "copy"),
        ("X1 Kd 9h 8c 2d", "As Kh 9s 8h 2h", "copy"),
        ("2s 2d Ah Qc Jd", "Ks Kd Qh Jc Td", "second"),
    ],
)
def test_11_3_e_groups_decide_and_then_the_highest_card_that_the_other_hand_lacks(
    first: str, second: str, expected: str
) -> None:
    assert higher(first, second) == expected
    assert higher(second, first) == {"first": "second", "second": "first", "copy": "copy"}[expected]
    assert "19:47-11.3(e)" in compare_high(cards(first), cards(second)).rules


def test_hands_of_two_categories_need_no_tie_break() -> None:
    found = compare_high(cards("As Ad Ah Kc 2d"), cards("Ks Kd Ac Qh Qd"))
    assert found.first_by > 0
    assert found.rules == ("19:47-11.3(b)8", "19:47-11.3(b)9")


def test_pgp_04_read_literally_a_kicker_decides_before_the_pair() -> None:
    literal = Readings(tie_break=TieBreak.LITERAL)
    assert higher("2s 2d Ah Qc Jd", "Ks Kd Qh Jc Td", literal) == "first"
    assert higher("X1 2d 2h Qc Jd", "Ks Kd Qh Jh Td", literal) == "first"
    assert higher("As Ad Ah Kc 2d", "Ks Kd Kh Ac Qd", literal) == "first"
    assert higher("X1 As Ks 9s 2s", "Ad Kd Qd 9d 3d", literal) == "second"
    assert higher("As 2s 3s 4s 5d", "Ks Qs Js Ts 9d", literal) == "first"
    assert higher("As 2s 3s 4s 5d", "Ks Qs Js Ts 9d", Readings(Wheel.LOWEST, tie_break=TieBreak.LITERAL)) == "second"
    assert higher("As Ks Qs Js Ts", "X1 Kd Qd Jd Td", literal) == "copy"
    assert higher("As Ad Ah Kc 2d", "Ks Kd Ac Qh Qd", literal) == "first"


@pytest.mark.clause("pai_gow_poker", "19:47-11.3(a)", "19:47-11.3(b)10", "19:47-11.3(e)")
@pytest.mark.parametrize(
    ("hand", "category", "ranks", "rules"),
    [
        ("X1 As", Category.PAIR, (14,), ("19:47-11.3(b)10", "19:47-11.3(a)")),
        ("X1 Ks", Category.HIGH_CARD, (14, 13), ("19:47-11.3(e)", "19:47-11.3(a)")),
        ("2s 2d", Category.PAIR, (2,), ("19:47-11.3(b)10",)),
        ("2s Kd", Category.HIGH_CARD, (13, 2), ("19:47-11.3(e)",)),
    ],
)
def test_a_low_hand_is_a_pair_or_two_cards(
    hand: str, category: Category, ranks: tuple[int, ...], rules: tuple[str, ...]
) -> None:
    found = rank_low(cards(hand))
    assert (found.category, found.straight_top, found.ranks, found.rules) == (category, None, ranks, rules)


@pytest.mark.parametrize(
    ("first", "second", "sign"),
    [
        ("2s 2d", "As Kd", 1),
        ("As Kd", "Ad Ks", 0),
        ("As Qd", "Ad Ks", -1),
        ("X1 2s", "Kd Qd", 1),
        ("X1 As", "Ad Ah", 0),
    ],
)
def test_low_hands_compare(first: str, second: str, sign: int) -> None:
    found = compare_low(cards(first), cards(second)).first_by
    assert (found > 0) - (found < 0) == sign


@pytest.mark.parametrize(
    ("high", "low", "fault"),
    [
        ("As Ad Kh Qc 2d", "Ks Kd", None),
        ("Ks Kd Qh Jc 2d", "As Ad", "the low hand is higher than the high hand"),
        ("As Ad Kh Qc 2d", "Ah Ac", None),  # the high hand has the kickers
        ("As Qd Jh 9c 2d", "Ah Ks", "the low hand is higher than the high hand"),
        ("As Qd Jh 9c 2d", "Ah Qs", None),
        ("As Qd Jh 9c", "Ah Ks 2d", "4 cards in the high hand and 3 in the low hand, expected 5 and 2"),
        ("As Qd Jh 9c 2d", "Ah", "5 cards in the high hand and 1 in the low hand, expected 5 and 2"),
    ],
)
def test_by_custom_the_low_hand_may_not_be_higher(high: str, low: str, fault: str | None) -> None:
    assert set_fault(cards(high), cards(low)) == fault


def test_a_high_hand_has_five_cards() -> None:
    with pytest.raises(ValueError, match=r"^high hand \(.*\): expected five cards$"):
        rank_high(cards("As Ad Ah Ac"))
    with pytest.raises(ValueError, match=r"^high hand \(.*\): expected five cards$"):
        rank_high(cards("As Ad Ah Ac Ks Qs"))
