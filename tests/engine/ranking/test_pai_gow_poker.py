"""The ranking of pai gow poker: 11.3."""

import random
from collections import Counter
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltrig.engine.cards import ACE, JOKERS, Card, deck, is_joker, parse_all
from feltrig.engine.ranking import poker
from feltrig.engine.ranking.pai_gow_poker import Category, FlushJoker, Wheel, category, low_strength, ranks, strength

GAME = "pai_gow_poker"

LADDER = [
    ("As Ad Ah Ac X1", "five_aces", (14,)),
    ("As Ks Qs Js Ts", "royal_flush", (14,)),
    ("As 2s 3s 4s 5s", "straight_flush", (5,)),
    ("Kd Qd Jd Td 9d", "straight_flush", (13,)),
    ("6h 5h 4h 3h 2h", "straight_flush", (6,)),
    ("As Ad Ah X1 Ks", "four_of_a_kind", (14, 13)),
    ("Ks Kd Kh Kc X1", "four_of_a_kind", (13, 14)),
    ("2s 2d 2h 2c 3s", "four_of_a_kind", (2, 3)),
    ("As X1 Ah Kc Ks", "full_house", (14, 13)),
    ("2s 2d 2h 3c 3s", "full_house", (2, 3)),
    ("As Ks Qs Js 9s", "flush", (14, 13, 12, 11, 9)),
    ("As Ks Js 9s X1", "flush", (14, 13, 12, 11, 9)),
    ("7d 5d 4d 3d 2d", "flush", (7, 5, 4, 3, 2)),
    ("As Ks Qs Js Td", "straight", (14,)),
    ("5c 4c 3c 2c Ad", "straight", (5,)),
    ("Ks Qs Js Ts 9d", "straight", (13,)),
    ("6h 5h 4h 3h 2c", "straight", (6,)),
    ("As X1 Ah Kc Qs", "three_of_a_kind", (14, 13, 12)),
    ("2s 2d 2h 4c 3s", "three_of_a_kind", (2, 4, 3)),
    ("As X1 Kh Kc Qs", "two_pair", (14, 13, 12)),
    ("3s 3d 2h 2c 4s", "two_pair", (3, 2, 4)),
    ("X1 Ad Kh Qc 9s", "pair", (14, 13, 12, 9)),
    ("2s 2d 9h 8c X1", "pair", (2, 14, 9, 8)),
    ("2s 2d 5h 4c 3s", "pair", (2, 5, 4, 3)),
    ("X1 Kd Qh 9c 8s", "high_card", (14, 13, 12, 9, 8)),
    ("As Kd 4h 3c 2s", "high_card", (14, 13, 4, 3, 2)),
    ("7s 5d 4h 3c 2s", "high_card", (7, 5, 4, 3, 2)),
]
"""From highest to lowest; some flushes and their like are equal in rank."""

JOKER = [
    ("X1 Ks Qs Js Ts", "royal_flush", (14,)),
    ("X1 As Ks Js Ts", "royal_flush", (14,)),
    ("X1 Ks Qs Js 9s", "straight_flush", (13,)),
    ("X1 Kh Qh Jh 9h", "straight_flush", (13,)),
    ("X2 9c 8c 7c 6c", "straight_flush", (10,)),
    ("X1 As 2s 3s 4s", "straight_flush", (5,)),
    ("X1 3s 4s 5s As", "straight_flush", (5,)),
    ("X1 2s 3s 4s 6s", "straight_flush", (6,)),
    ("X1 9s 8s 7s 2s", "flush", (14, 9, 8, 7, 2)),
    ("X1 As Ks Qs 2s", "flush", (14, 13, 12, 11, 2)),
    ("X1 As Ks Qs 9s", "flush", (14, 13, 12, 11, 9)),
    ("X1 Kc Qs Js Ts", "straight", (14,)),
    ("X1 Qc Js Ts 9s", "straight", (13,)),
    ("X1 Qc Js 9s 8s", "straight", (12,)),
    ("X1 2c 3s 4s 5s", "straight", (5,)),
    ("X1 3c 4s 5s 6s", "straight", (7,)),
    ("X1 Ac 2s 4s 5s", "straight", (5,)),
    ("X1 Ac Kd 2s 3s", "pair", (14, 13, 3, 2)),
    ("X1 Kc Kd Ks Qs", "three_of_a_kind", (13, 14, 12)),
    ("X1 Kc Kd Qs Qh", "two_pair", (13, 12, 14)),
    ("X1 Kc Kd Ks Kh", "four_of_a_kind", (13, 14)),
    ("X1 Ac Ad Ks Kh 2c 3c", "full_house", (14, 13)),
    ("X1 Ac Ad As Kh Ah 3c", "five_aces", (14,)),
    ("X1 2c 3d 4h 9s Jc Kd", "high_card", (14, 13, 11, 9, 4)),
    ("X1 9c 8c 7d 6c 2d Ks", "straight", (10,)),
    ("X1 9c 8c 7c 6c 2c Ts", "straight_flush", (10,)),
    ("X1 9c 8c 3c 6d 2c Ks", "flush", (14, 9, 8, 3, 2)),
    ("X1 9c 8c 3c Jc 2c Ac", "flush", (14, 13, 11, 9, 8)),
    ("9c 8c 3c Jc 2c Ac Ad", "flush", (14, 11, 9, 8, 3)),
]

ALWAYS = settings(derandomize=True, deadline=None)
NATURALS = st.lists(st.sampled_from(deck()), min_size=4, max_size=6, unique=True)


def hand(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def found(cards: str, wheel: Wheel = Wheel.SECOND_HIGHEST) -> tuple[str, tuple[int, ...]]:
    held = strength(hand(cards), wheel)
    return category(held).name.lower(), ranks(held)


@pytest.mark.clause(GAME, *(f"19:47-11.3(b){place}" for place in range(1, 11)))
@pytest.mark.parametrize(("cards", "called", "deciding"), LADDER)
def test_11_3_b_category_and_deciding_ranks(cards: str, called: str, deciding: tuple[int, ...]) -> None:
    assert found(cards) == (called, deciding)


@pytest.mark.clause(GAME, "19:47-11.3(a)", "19:47-11.3(b)", "19:47-11.3(b)3", "19:47-11.3(b)7", "19:47-11.3(e)")
def test_11_3_b_no_hand_of_the_ladder_is_beaten_by_the_next() -> None:
    for higher, lower in pairwise(LADDER):
        first, second = strength(hand(higher[0])), strength(hand(lower[0]))
        assert first == second if higher[1:] == lower[1:] else first > second
    assert {called for _, called, _ in LADDER} == {held.name.lower() for held in Category}


@pytest.mark.clause(GAME, "19:47-11.3(a)", "19:47-11.3(c)")
@pytest.mark.parametrize(("cards", "called", "deciding"), JOKER)
def test_11_3_c_a_joker_is_an_ace_or_completes_a_straight_or_a_flush(
    cards: str, called: str, deciding: tuple[int, ...]
) -> None:
    assert found(cards) == (called, deciding)


@pytest.mark.clause(GAME, "19:47-11.3(d)")
def test_11_3_d_the_wheel_ranks_lowest_when_the_licensee_chooses_so() -> None:
    for suited, straight in (("s", "s"), ("s", "d")):
        hands = [
            f"A{suited} 2s 3s 4s 5{straight}",
            f"6{suited} 5s 4s 3s 2{straight}",
            f"K{suited} Qs Js Ts 9{straight}",
        ]
        wheel, lowest, king = (strength(hand(cards), Wheel.LOWEST) for cards in hands)
        assert wheel < lowest < king
        assert ranks(wheel) == (5,)
    assert strength(hand("Ks Qs Js Ts 9d"), Wheel.LOWEST) < strength(hand("As Ks Qs Js Td"), Wheel.LOWEST)
    assert found("As Ks Qs Js Td", Wheel.LOWEST) == ("straight", (14,))
    assert found("As Ks Qs Js Ts", Wheel.LOWEST) == ("royal_flush", (14,))


@pytest.mark.clause(GAME, "19:47-11.3(c)", "19:47-11.3(d)")
def test_pgp_01_a_joker_with_2_3_4_5_is_an_ace_or_a_six_whichever_is_higher() -> None:
    assert found("X1 2c 3s 4s 5s", Wheel.LOWEST) == ("straight", (6,))
    assert found("X1 2s 3s 4s 5s", Wheel.LOWEST) == ("straight_flush", (6,))
    assert found("X1 Ac 2s 3s 4s", Wheel.LOWEST) == ("straight", (5,))
    assert found("X1 2s 3s 4s 5s", Wheel.SECOND_HIGHEST) == ("straight_flush", (5,))


@pytest.mark.clause(GAME, "19:47-11.3(b)6", "19:47-11.3(e)")
def test_pgp_03_the_joker_of_a_flush_may_be_read_as_an_ace_beside_the_ace() -> None:
    with_ace, without = hand("X1 As Ks Qs 2s"), hand("X1 Ks Qs Ts 2s")
    assert ranks(strength(with_ace, flush_joker=FlushJoker.ACE)) == (14, 14, 13, 12, 2)
    assert ranks(strength(without, flush_joker=FlushJoker.ACE)) == (14, 13, 12, 10, 2) == ranks(strength(without))
    assert strength(with_ace, flush_joker=FlushJoker.ACE) > strength(hand("Ad Kd Qd Jd 9d"))
    assert ranks(strength(hand("X1 As Ks Qs 9s 8s 2c"), flush_joker=FlushJoker.ACE)) == (14, 14, 13, 12, 9)
    assert category(strength(hand("X1 As Ks Qs Js"), flush_joker=FlushJoker.ACE)) is Category.ROYAL_FLUSH
    assert category(strength(hand("X1 2s 3s 4s 6s"), flush_joker=FlushJoker.ACE)) is Category.STRAIGHT_FLUSH


def by_substitution(cards: tuple[Card, ...], wheel: Wheel, flush_joker: FlushJoker) -> tuple[int, ...]:
    """The best of five cards by trying every card for the joker: category, place of a straight, ranks."""
    naturals = [card for card in cards if not is_joker(card)]
    if len(naturals) == 5:
        return scored(naturals, wheel)
    aces = [Card(ACE + 13 * suit) for suit in range(4)]
    other_suit = [ace for ace in aces if {ace // 13} != {card // 13 for card in naturals}]
    as_ace = max(scored([*naturals, ace], wheel) for ace in other_suit)
    completed = [scored([*naturals, card], wheel) for card in deck() if card not in naturals]
    completed = [score for score in completed if score[0] in (4, 5, 8, 9)]
    if flush_joker is FlushJoker.ACE and len({card // 13 for card in naturals}) == 1:
        held = sorted((card % 13 for card in naturals), reverse=True)
        completed = [(5, 0, ACE, *held), *(score for score in completed if score[0] != 5)]
    return max(as_ace, *completed) if completed else as_ace


def scored(cards: list[Card], wheel: Wheel) -> tuple[int, ...]:
    counts = Counter(card % 13 for card in cards)
    held = [rank for rank, _ in sorted(counts.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)]
    sizes = sorted(counts.values(), reverse=True)
    tops = [top for top in range(3, 13) if set(held) == {rank % 13 for rank in range(top - 4, top + 1)}]
    suited = len({card // 13 for card in cards}) == 1
    if tops:
        place = {12: 14, 3: 13 if wheel is Wheel.SECOND_HIGHEST else 1}.get(tops[0], tops[0])
        return (9 if tops[0] == 12 else 8, place) if suited else (4, place)
    groups = {(5,): 10, (4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1,) * 5: 0}
    return (5 if suited else groups[tuple(sizes)], 0, *held)


@pytest.mark.clause(GAME, "19:47-11.3(b)", "19:47-11.3(c)", "19:47-11.3(d)")
@pytest.mark.parametrize("wheel", Wheel)
@pytest.mark.parametrize("flush_joker", FlushJoker)
def test_11_3_c_order_agrees_with_trying_every_card_for_the_joker(wheel: Wheel, flush_joker: FlushJoker) -> None:
    rng = random.Random(11)
    low = [card for card in deck() if card % 13 in (0, 1, 2, 3, ACE)]
    hands = [tuple(rng.sample(deck(jokers=1), 5)) for _ in range(100)]
    for some in (deck(), deck()[:13], low):
        hands += [(*rng.sample(some, 4), JOKERS[0]) for _ in range(100)]
    pairs = [(strength(cards, wheel, flush_joker), by_substitution(cards, wheel, flush_joker)) for cards in hands]
    assert all(category(ours) == theirs[0] for ours, theirs in pairs)
    for (ours, theirs), (below, their_below) in pairwise(sorted(pairs, reverse=True)):
        assert (ours > below, ours == below) == (theirs > their_below, theirs == their_below)


@ALWAYS
@given(NATURALS.filter(lambda cards: len(cards) > 4), st.sampled_from(JOKERS))
def test_a_joker_more_never_makes_a_hand_worse(cards: list[Card], joker: Card) -> None:
    assert strength([*cards, joker]) >= strength(cards)


@ALWAYS
@given(NATURALS, st.integers(0, 3))
def test_a_joker_is_at_least_as_good_as_an_ace(cards: list[Card], suit: int) -> None:
    ace = Card(ACE + 13 * suit)
    held = [card for card in cards if card != ace]
    if len(held) >= 4:
        assert strength([*held, JOKERS[0]]) >= strength([*held, ace])


@ALWAYS
@given(NATURALS, st.randoms())
def test_the_order_of_the_cards_and_which_joker_do_not_matter(cards: list[Card], rng: random.Random) -> None:
    assert strength(rng.sample([*cards, JOKERS[1]], len(cards) + 1)) == strength([JOKERS[0], *cards])


@ALWAYS
@given(NATURALS, st.sampled_from(Wheel), st.sampled_from(FlushJoker))
def test_the_strength_of_more_cards_is_that_of_their_best_five(
    cards: list[Card], wheel: Wheel, flush_joker: FlushJoker
) -> None:
    held = [*cards, JOKERS[0]]
    assert strength(held, wheel, flush_joker) == max(
        strength(five, wheel, flush_joker) for five in combinations(held, 5)
    )


@ALWAYS
@given(st.lists(st.sampled_from(deck()), min_size=5, max_size=7, unique=True))
def test_without_a_joker_categories_are_the_common_ones(cards: list[Card]) -> None:
    assert category(strength(cards)) == poker.category(poker.strength(cards))


@pytest.mark.clause(GAME, "19:47-11.3(a)", "19:47-11.3(b)10", "19:47-11.3(e)")
def test_11_3_b_10_low_hands_are_pairs_or_high_cards_and_the_joker_is_an_ace() -> None:
    ladder = ["X1 As", "Ks Kd", "2s 2d", "X1 Ks", "As Qd", "Ks Qd", "3s 2s"]
    found = [low_strength(hand(cards)) for cards in ladder]
    assert [(category(held).name.lower(), ranks(held)) for held in found] == [
        ("pair", (14,)),
        ("pair", (13,)),
        ("pair", (2,)),
        ("high_card", (14, 13)),
        ("high_card", (14, 12)),
        ("high_card", (13, 12)),
        ("high_card", (3, 2)),
    ]
    assert found == sorted(set(found), reverse=True)
    for cards in ladder:
        assert {low_strength(order) for order in permutations(hand(cards))} == {low_strength(hand(cards))}


def test_a_low_hand_compares_with_a_high_hand() -> None:
    assert low_strength(hand("Ks Kd")) < strength(hand("Kh Kc 4d 3d 2d")) < low_strength(hand("As Ad"))
    assert low_strength(hand("As Kd")) < strength(hand("Ah Kc 4d 3d 2d")) < low_strength(hand("2s 2d"))


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("As Ks Qs Js", "expected 5 to 7 cards"),
        ("As Ks Qs Js Ts 9s 8s 7s", "expected 5 to 7 cards"),
        ("X1 X2 Qs Js Ts", "2 jokers, expected at most 1"),
    ],
)
def test_high_hands_that_cannot_be_are_refused(cards: str, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        strength(hand(cards))


@pytest.mark.parametrize("cards", ["As", "As Ks Qs"])
def test_low_hands_have_two_cards(cards: str) -> None:
    with pytest.raises(ValueError, match="expected two cards"):
        low_strength(hand(cards))
