"""The ranking of three-card hands: 20.3."""

from itertools import combinations, pairwise, permutations

import pytest

from feltrig.engine.cards import Card, deck, parse_all
from feltrig.engine.ranking.three_card import ThreeCard, category, ranks, strength

GAME = "three_card_poker"

LADDER = [
    ("As Ks Qs", "straight_flush", (14,)),
    ("Kd Qd Jd", "straight_flush", (13,)),
    ("4h 3h 2h", "straight_flush", (4,)),
    ("3c 2c Ac", "straight_flush", (3,)),
    ("As Ad Ah", "three_of_a_kind", (14,)),
    ("2s 2d 2h", "three_of_a_kind", (2,)),
    ("As Ks Qd", "straight", (14,)),
    ("4h 3h 2c", "straight", (4,)),
    ("3c 2c Ad", "straight", (3,)),
    ("As Ks Js", "flush", (14, 13, 11)),
    ("Ks As 2s", "flush", (14, 13, 2)),
    ("5d 3d 2d", "flush", (5, 3, 2)),
    ("As Ad Kh", "pair", (14, 13)),
    ("2s 2d Ah", "pair", (2, 14)),
    ("2s 2d 3h", "pair", (2, 3)),
    ("As Kd Jh", "high_card", (14, 13, 11)),
    ("Ks Ad 2h", "high_card", (14, 13, 2)),
    ("Qs 3d 2h", "high_card", (12, 3, 2)),
    ("5s 3d 2h", "high_card", (5, 3, 2)),
]
"""From highest to lowest."""


def hand(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


@pytest.mark.clause(GAME, *(f"19:47-20.3(b){place}" for place in range(1, 6)))
@pytest.mark.parametrize(("cards", "called", "deciding"), LADDER)
def test_20_3_b_category_and_deciding_ranks(cards: str, called: str, deciding: tuple[int, ...]) -> None:
    for order in permutations(hand(cards)):
        found = strength(order)
        assert (category(found).name.lower(), ranks(found)) == (called, deciding)


@pytest.mark.clause(GAME, "19:47-20.3(a)", "19:47-20.3(b)", "19:47-20.3(c)")
def test_20_3_every_hand_of_the_ladder_beats_the_next() -> None:
    assert all(strength(hand(higher[0])) > strength(hand(lower[0])) for higher, lower in pairwise(LADDER))
    assert {called for _, called, _ in LADDER} == {held.name.lower() for held in ThreeCard}


@pytest.mark.clause(GAME, "19:47-20.3(a)", "19:47-20.3(c)")
def test_20_3_c_hands_draw_when_only_suits_differ() -> None:
    assert strength(hand("As Kd Jh")) == strength(hand("Jc Ah Ks"))
    assert strength(hand("2s 4s 6s")) == strength(hand("6d 4d 2d"))


def test_20_3_there_are_as_many_strengths_as_shapes() -> None:
    """455 multisets of ranks, and the 286 sets again in one suit."""
    assert len({strength(cards) for cards in combinations(deck(), 3)}) == 741


@pytest.mark.parametrize("cards", ["As Ks", "As Ks Qs Js", ""])
def test_other_numbers_of_cards_are_refused(cards: str) -> None:
    with pytest.raises(ValueError, match="expected three cards"):
        strength(hand(cards))


def test_a_joker_is_refused() -> None:
    with pytest.raises(ValueError, match="1 jokers, expected at most 0"):
        strength(hand("As Ks X1"))
