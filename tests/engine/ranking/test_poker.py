"""The common ranking, against a ladder of hands and two independent evaluators."""

import random
import warnings
from itertools import combinations, pairwise

import phevaluator
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, name, parse_all
from feltrig.engine.ranking.poker import Category, category, ranks, strength

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it calls pyparsing by names of long ago
    import eval7
LADDER = [
    ("As Ks Qs Js Ts", "royal_flush", (14,)),
    ("Kd Qd Jd Td 9d", "straight_flush", (13,)),
    ("6h 5h 4h 3h 2h", "straight_flush", (6,)),
    ("5c 4c 3c 2c Ac", "straight_flush", (5,)),
    ("As Ad Ah Ac Ks", "four_of_a_kind", (14, 13)),
    ("As Ad Ah Ac 2s", "four_of_a_kind", (14, 2)),
    ("2s 2d 2h 2c As", "four_of_a_kind", (2, 14)),
    ("As Ad Ah Kc Ks", "full_house", (14, 13)),
    ("Ks Kd Kh Ac As", "full_house", (13, 14)),
    ("2s 2d 2h 3c 3s", "full_house", (2, 3)),
    ("As Ks Qs Js 9s", "flush", (14, 13, 12, 11, 9)),
    ("As Ks Qs Js 8s", "flush", (14, 13, 12, 11, 8)),
    ("7d 5d 4d 3d 2d", "flush", (7, 5, 4, 3, 2)),
    ("As Ks Qs Js Td", "straight", (14,)),
    ("6h 5h 4h 3h 2c", "straight", (6,)),
    ("5c 4c 3c 2c Ad", "straight", (5,)),
    ("As Ad Ah Kc Qs", "three_of_a_kind", (14, 13, 12)),
    ("2s 2d 2h Ac Ks", "three_of_a_kind", (2, 14, 13)),
    ("2s 2d 2h 4c 3s", "three_of_a_kind", (2, 4, 3)),
    ("As Ad Kh Kc Qs", "two_pair", (14, 13, 12)),
    ("As Ad 2h 2c Ks", "two_pair", (14, 2, 13)),
    ("Ks Kd Qh Qc As", "two_pair", (13, 12, 14)),
    ("3s 3d 2h 2c 4s", "two_pair", (3, 2, 4)),
    ("As Ad Kh Qc Js", "pair", (14, 13, 12, 11)),
    ("2s 2d Ah Kc Qs", "pair", (2, 14, 13, 12)),
    ("2s 2d 5h 4c 3s", "pair", (2, 5, 4, 3)),
    ("As Kd Qh Jc 9s", "high_card", (14, 13, 12, 11, 9)),
    ("As Kd Qh 3c 2s", "high_card", (14, 13, 12, 3, 2)),
    ("Ks Ad 2h 3c 4s", "high_card", (14, 13, 4, 3, 2)),
    ("7s 5d 4h 3c 2s", "high_card", (7, 5, 4, 3, 2)),
]
"""From highest to lowest."""
BEST = [
    ("6h 2d 5s 9h Js Kd Kc", "pair", (13, 11, 9, 6)),
    ("Kd Kc 9h 9s 5s 5d Ac", "two_pair", (13, 9, 14)),
    ("Kd Kc 9h 9s 5s 5d 6c", "two_pair", (13, 9, 6)),
    ("9d 9c 9h 5s 5d 5c Ac", "full_house", (9, 5)),
    ("9d 9c 9h 5s 5d Kc Kd", "full_house", (9, 13)),
    ("9d 9c 9h 9s 5d 5c Ac", "four_of_a_kind", (9, 14)),
    ("As 2s 3s 4s 5s 6d 7c", "straight_flush", (5,)),
    ("As 2d 3s 4s 5s 6d 7c", "straight", (7,)),
    ("As 2d 3s 4s 5s Kd Kc", "straight", (5,)),
    ("As Ks Qs Js Ts 9s 8s", "royal_flush", (14,)),
    ("2s 9s Js Qs Ks 3s 4s", "flush", (13, 12, 11, 9, 4)),
    ("2s 9s Js Qs Ks 3s Ad", "flush", (13, 12, 11, 9, 3)),
    ("2c 3c 4c 5c 6d 7d 9c", "flush", (9, 5, 4, 3, 2)),
    ("9d 9c 9h As Ks Qd", "three_of_a_kind", (9, 14, 13)),
    ("9h 8h 7h 6h 5h 4h", "straight_flush", (9,)),
    ("2d 3d 4d 5d 7d Ad", "straight_flush", (5,)),
    ("2h 2d 3h 3d 4h 4d", "two_pair", (4, 3, 2)),
    ("2d 3d 4d 6d 7d 8c", "flush", (7, 6, 4, 3, 2)),
]
"""Of six and seven cards."""
ALWAYS = settings(derandomize=True, deadline=None)
CARDS = st.lists(st.sampled_from(deck()), min_size=5, max_size=7, unique=True)


def hand(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


@pytest.mark.parametrize(("cards", "called", "deciding"), [*LADDER, *BEST])
def test_category_and_deciding_ranks(cards: str, called: str, deciding: tuple[int, ...]) -> None:
    found = strength(hand(cards))
    assert (category(found).name.lower(), ranks(found)) == (called, deciding)


@pytest.mark.clause("double_down_stud", "19:47-17.5(a)", "19:47-17.5(b)")
@pytest.mark.clause("let_it_ride", "19:47-18.3(a)", "19:47-18.3(b)")
@pytest.mark.clause("heads_up_holdem", "13:69F-39.5(a)", "13:69F-39.5(b)")
@pytest.mark.clause("packs_poker", "13:69F-43.5(a)", "13:69F-43.5(b)")
def test_every_hand_of_the_ladder_beats_the_next() -> None:
    assert all(strength(hand(higher[0])) > strength(hand(lower[0])) for higher, lower in pairwise(LADDER))
    assert {called for _, called, _ in LADDER} == {held.name.lower() for held in Category}


@pytest.mark.parametrize("count", [5, 6, 7])
def test_order_agrees_with_phevaluator_and_eval7_on_twenty_thousand_hands(count: int) -> None:
    rng = random.Random(count)
    hands = [rng.sample(deck(), count) for _ in range(20_000)]
    pieces = {card: eval7.Card(name(card)) for card in deck()}
    ours = [strength(cards) for cards in hands]
    theirs = [eval7.evaluate([pieces[card] for card in cards]) for cards in hands]
    others = [-phevaluator.evaluate_cards(*map(name, cards)) for cards in hands]
    # The same order with the same ties: strengths and theirs ascend together, and step up together.
    for higher, lower in pairwise(sorted(zip(ours, theirs, others, strict=True), reverse=True)):
        steps = [above - below for above, below in zip(higher, lower, strict=True)]
        assert all(step > 0 for step in steps) or not any(steps)


@ALWAYS
@given(CARDS, st.randoms())
def test_the_order_of_the_cards_does_not_matter(cards: list[Card], rng: random.Random) -> None:
    assert strength(rng.sample(cards, len(cards))) == strength(tuple(cards))


@ALWAYS
@given(CARDS)
def test_the_strength_of_more_cards_is_that_of_their_best_five(cards: list[Card]) -> None:
    assert strength(cards) == max(map(strength, combinations(cards, 5)))


@pytest.mark.clause("let_it_ride", "19:47-18.1[Suit]", "19:47-18.3(a)")
@pytest.mark.clause("heads_up_holdem", "13:69F-39.1[suit]")
@pytest.mark.clause("packs_poker", "13:69F-43.1[suit]")
@ALWAYS
@given(CARDS, st.permutations(range(4)))
def test_suits_are_equal(cards: list[Card], suits: list[int]) -> None:
    assert strength([Card(card % 13 + 13 * suits[card // 13]) for card in cards]) == strength(cards)


@pytest.mark.parametrize("count", [0, 3, 4, 8])
def test_other_numbers_of_cards_are_refused(count: int) -> None:
    with pytest.raises(ValueError, match="expected five, six or seven cards"):
        strength(deck()[:count])


@pytest.mark.parametrize("cards", ["X1 2c 3c 4c 5c", "Ac Ac Ad Ah As", "2c 3c 4c 5c 6c X2", "Ac Ac Kc Qc Jc"])
def test_jokers_and_cards_held_twice_are_refused_where_they_show(cards: str) -> None:
    with pytest.raises(ValueError, match="expected different cards without jokers"):
        strength(hand(cards))
