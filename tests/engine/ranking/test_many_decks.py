"""The seventeen ranks of fast action hold'em: 21.3."""

import random
from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, parse_all
from feltrig.engine.ranking.many_decks import Category, category, ranks, strength

GAME = "fast_action_holdem"

LADDER = [
    ("As As As As As", "flush_with_five_of_a_kind", 1, (14,)),
    ("2d 2d 2d 2d 2d", "flush_with_five_of_a_kind", 1, (2,)),
    ("As Ks Qs Js Ts", "royal_flush", 2, (14,)),
    ("As As As As Ks", "flush_with_four_of_a_kind", 3, (14, 13)),
    ("2d 2d 2d 2d 3d", "flush_with_four_of_a_kind", 3, (2, 3)),
    ("Ks Qs Js Ts 9s", "straight_flush", 4, (13,)),
    ("5h 4h 3h 2h Ah", "straight_flush", 4, (5,)),
    ("As As As Ks Ks", "flush_with_full_house", 5, (14, 13)),
    ("2c 2c 2c 3c 3c", "flush_with_full_house", 5, (2, 3)),
    ("As Ad Ah Ac As", "five_of_a_kind", 6, (14,)),
    ("2c 2c 2c 2c 2d", "five_of_a_kind", 6, (2,)),
    ("As As As Ks Qs", "flush_with_three_of_a_kind", 7, (14, 13, 12)),
    ("2h 2h 2h 4h 3h", "flush_with_three_of_a_kind", 7, (2, 4, 3)),
    ("As As Ks Ks Qs", "flush_with_two_pairs", 8, (14, 13, 12)),
    ("3d 3d 2d 2d 4d", "flush_with_two_pairs", 8, (3, 2, 4)),
    ("As As Ks Qs Js", "flush_with_one_pair", 9, (14, 13, 12, 11)),
    ("2d 2d 5d 4d 3d", "flush_with_one_pair", 9, (2, 5, 4, 3)),
    ("As Ad Ah Ac Ks", "four_of_a_kind", 10, (14, 13)),
    ("2s 2s 2s 2s 3d", "four_of_a_kind", 10, (2, 3)),
    ("As Ad Ah Kc Ks", "full_house", 11, (14, 13)),
    ("2s 2s 2s 3s 3d", "full_house", 11, (2, 3)),
    ("As Ks Qs Js 9s", "flush", 12, (14, 13, 12, 11, 9)),
    ("7d 5d 4d 3d 2d", "flush", 12, (7, 5, 4, 3, 2)),
    ("As Ks Qs Js Td", "straight", 13, (14,)),
    ("6h 5h 4h 3h 2c", "straight", 13, (6,)),
    ("5c 4c 3c 2c Ad", "straight", 13, (5,)),
    ("As As As Ks Qd", "three_of_a_kind", 14, (14, 13, 12)),
    ("2s 2d 2h 4c 3s", "three_of_a_kind", 14, (2, 4, 3)),
    ("As As Ks Ks Qd", "two_pairs", 15, (14, 13, 12)),
    ("3s 3d 2h 2c 4s", "two_pairs", 15, (3, 2, 4)),
    ("As As Ks Qs Jd", "pair", 16, (14, 13, 12, 11)),
    ("2s 2d 5h 4c 3s", "pair", 16, (2, 5, 4, 3)),
    ("As Kd Qh Jc 9s", "highest_card", 17, (14, 13, 12, 11, 9)),
    ("7s 5d 4h 3c 2s", "highest_card", 17, (7, 5, 4, 3, 2)),
]
"""From highest to lowest."""

BEST = [
    ("6h 2d 5s 9h Js Kd Kc", "pair", (13, 11, 9, 6)),
    ("As As As Ks Qs Ad Ah", "five_of_a_kind", (14,)),
    ("As As Ks Qs Js Ad Ah", "flush_with_one_pair", (14, 13, 12, 11)),
    ("As As As As Ks Ad Ah", "flush_with_four_of_a_kind", (14, 13)),
    ("9s 9s 9s 9s 9s 9s 9s", "flush_with_five_of_a_kind", (9,)),
    ("9s 9s 9s 9s Ts Ts Ts", "flush_with_four_of_a_kind", (9, 10)),
    ("9s 9s 9s 8s 7s 6s 5s", "straight_flush", (9,)),
    ("9s 9s 9s 8d 8d 8s 5s", "flush_with_three_of_a_kind", (9, 8, 5)),
    ("9s 9s 8s 8s 7s 7s Ad", "flush_with_two_pairs", (9, 8, 7)),
    ("9s 8s 7s 6s 2s 2d 2h", "flush", (9, 8, 7, 6, 2)),
    ("As Ks Qs Js Ts As As", "royal_flush", (14,)),
    ("9s 9d 9s 9h 8s 8d", "four_of_a_kind", (9, 8)),
]

ALWAYS = settings(derandomize=True, deadline=None)
FEW_FACES = st.sampled_from([card for card in deck() if card % 13 > 6 and card // 13 < 2])
CARDS = st.lists(st.sampled_from(deck()) | FEW_FACES, min_size=5, max_size=7)


def hand(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


@pytest.mark.clause(GAME, *(f"19:47-21.3(b){place}" for place in range(1, 18)))
@pytest.mark.parametrize(("cards", "called", "place", "deciding"), LADDER)
def test_21_3_b_category_place_and_deciding_ranks(
    cards: str, called: str, place: int, deciding: tuple[int, ...]
) -> None:
    found = strength(hand(cards))
    held = category(found)
    assert (held.name.lower(), held.place, ranks(found)) == (called, place, deciding)


@pytest.mark.clause(GAME, "19:47-21.3(a)", "19:47-21.3(b)", "19:47-21.3(c)")
def test_21_3_every_hand_of_the_ladder_beats_the_next() -> None:
    assert all(strength(hand(higher[0])) > strength(hand(lower[0])) for higher, lower in pairwise(LADDER))
    assert {place for _, _, place, _ in LADDER} == set(range(1, 18)) == {held.place for held in Category}


@pytest.mark.clause(GAME, "19:47-21.3(b)")
@pytest.mark.parametrize(("cards", "called", "deciding"), BEST)
def test_21_3_b_the_best_five_of_more(cards: str, called: str, deciding: tuple[int, ...]) -> None:
    found = strength(hand(cards))
    assert (category(found).name.lower(), ranks(found)) == (called, deciding)


def scored(cards: list[Card]) -> tuple[int, ...]:
    """Place in 21.3(b), negated, and the ranks that decide; found by counting."""
    counts = Counter(card % 13 + 2 for card in cards)
    held = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    sizes = "".join(str(counts[rank]) for rank in held)
    suited = len({card // 13 for card in cards}) == 1
    tops = [top for top in range(5, 15) if set(held) == {rank if rank > 1 else 14 for rank in range(top - 4, top + 1)}]
    if tops:
        return (-(2 if tops == [14] else 4) if suited else -13, *tops)
    one_suit = {"5": 1, "41": 3, "32": 5, "311": 7, "221": 8, "2111": 9, "11111": 12}
    several = {"5": 6, "41": 10, "32": 11, "311": 14, "221": 15, "2111": 16, "11111": 17}
    return (-(one_suit if suited else several)[sizes], *held)


@pytest.mark.clause(GAME, "19:47-21.3(a)", "19:47-21.3(b)", "19:47-21.3(c)")
def test_21_3_order_agrees_with_counting_on_hands_from_small_and_full_shoes() -> None:
    rng = random.Random(21)
    shoes = [
        [card for card in deck() if card // 13 < suits and card % 13 >= least]
        for suits in (1, 2, 4)
        for least in (0, 9)
    ]
    hands = [rng.choices(shoe, k=5) for shoe in shoes for _ in range(400)]
    pairs = [(strength(cards), scored(cards)) for cards in hands]
    assert all(category(ours).place == -theirs[0] and ranks(ours) == theirs[1:] for ours, theirs in pairs)
    assert [theirs for _, theirs in sorted(pairs)] == sorted(theirs for _, theirs in pairs)


@ALWAYS
@given(CARDS)
def test_the_strength_of_more_cards_is_that_of_their_best_five(cards: list[Card]) -> None:
    assert strength(cards) == max(map(strength, combinations(cards, 5)))


@ALWAYS
@given(CARDS, st.randoms())
def test_the_order_of_the_cards_does_not_matter(cards: list[Card], rng: random.Random) -> None:
    assert strength(rng.sample(cards, len(cards))) == strength(cards)


@pytest.mark.parametrize("count", [4, 8])
def test_other_numbers_of_cards_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="expected 5 to 7 cards"):
        strength(deck()[:count])


def test_a_joker_is_refused() -> None:
    with pytest.raises(ValueError, match="1 jokers, expected at most 0"):
        strength(hand("As As As As X1"))
