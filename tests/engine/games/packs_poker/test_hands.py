"""Which hand is higher, and what the cards are called in the pay tables."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine.cards import Card, deck, parse_all, suit
from feltrig.engine.games import GAMES
from feltrig.engine.games.packs_poker.hands import RULES, compare, five_card_hands, seven_card_hands
from feltrig.engine.games.packs_poker.readings import Kickers, TopHand
from feltrig.engine.ranking.poker import Category, category, strength


def hand(text: str) -> tuple[Card, ...]:
    return parse_all(text.split())


def higher(first: str, second: str, kickers: Kickers = Kickers.STANDARD) -> int:
    found = compare(strength(hand(first)), strength(hand(second)), kickers)
    return (found > 0) - (found < 0)


LADDER = {
    "13:69F-43.5(b)1": ("As Ks Qs Js Ts", "Ad Kd Qd Jd Td"),
    "13:69F-43.5(b)2": ("Kd Qd Jd Td 9d", "6s 5s 4s 3s 2s", "Ac 2c 3c 4c 5c"),
    "13:69F-43.5(b)3": ("Ac Ad Ah As 2c", "Kc Kd Kh Ks Ac", "2c 2d 2h 2s Ac"),
    "13:69F-43.5(b)4": ("Ac Ad Ah Ks Kc", "Kc Kd Kh As Ac", "3c 3d 3h 2s 2c", "2c 2d 2h As Ac", "2c 2d 2h 3s 3c"),
    "13:69F-43.5(b)5": ("Ac Kc Qc Jc 9c", "Ac Kc Qc Jc 8c", "7d 5d 4d 3d 2d"),
    "13:69F-43.5(b)6": ("Ac Kd Qc Jc Tc", "6c 5d 4c 3c 2c", "Ac 2d 3c 4c 5c"),
    "13:69F-43.5(b)7": ("Ac Ad Ah 3s 2c", "Kc Kd Kh As Qc", "2c 2d 2h As Kc"),
    "13:69F-43.5(b)8": ("Ac Ad Kh Ks 2c", "Ac Ad 3h 3s Kc", "Kc Kd Qh Qs Ac", "3c 3d 2h 2s Ac"),
    "13:69F-43.5(b)9": ("Ac Ad 4h 3s 2c", "Kc Kd Ah Qs Jc", "2c 2d Ah Ks Qc"),
    "none": ("Ac Kd Qh Js 9c", "Qc Kd Ac 2s 3c", "7c 5d 4h 3s 2c"),
}
"""From highest to lowest, by the clause that names the hand. The royal flushes are equal, the others are not."""


@pytest.mark.clause("packs_poker", "13:69F-43.5(a)", "13:69F-43.5(b)", "13:69F-43.1[rank]", *list(LADDER)[:-1])
def test_hands_stand_in_the_order_of_the_text() -> None:
    order = [(clause, cards) for clause, held in LADDER.items() for cards in held]
    for (clause, first), (other, second) in combinations(order, 2):
        assert higher(first, second) == (0 if clause == other == "13:69F-43.5(b)1" else 1), (first, second)


@pytest.mark.clause("packs_poker", "13:69F-43.5(b)", *list(LADDER)[:-1])
@pytest.mark.parametrize("place", range(10))
def test_each_hand_has_its_category(place: int) -> None:
    clause, held = list(LADDER.items())[place]
    assert {category(strength(hand(cards))) for cards in held} == {Category.ROYAL_FLUSH - place}
    name = Category(Category.ROYAL_FLUSH - place).name.lower()
    assert RULES.get(name, "none") == clause


@pytest.mark.clause("packs_poker", "13:69F-43.5(b)6")
def test_an_ace_does_not_join_a_king_and_a_two() -> None:
    assert category(strength(hand("Qc Kd Ac 2s 3c"))) is Category.HIGH_CARD


def test_kickers_decide_unless_the_text_is_read_without_them() -> None:
    for first, second in (
        ("Ac Ad 4h 3s 2c", "Ah As 5h 3c 2d"),
        ("Ac Ad Kh Ks 2c", "Ah As Kd Kc 3c"),
        ("Ac Ad Ah 3s 2c", "Ac Ad Ah 4s 2c"),
        ("Ac Ad Ah As 2c", "Ac Ad Ah As 3c"),
        ("7d 5d 4d 3d 2d", "Ac Kc Qc Jc 9c"),
        ("7c 5d 4h 3s 2c", "Ac Kd Qh Js 9c"),
    ):
        assert higher(first, second) == -1
        assert higher(first, second, Kickers.NONE) == 0


@pytest.mark.parametrize("place", range(10))
def test_without_kickers_the_text_still_orders_its_own_ranks(place: int) -> None:
    clause, held = list(LADDER.items())[place]
    for first, second in combinations(held, 2):
        equal = clause in ("13:69F-43.5(b)1", "13:69F-43.5(b)5", "none")
        assert higher(first, second, Kickers.NONE) == (0 if equal else 1)
        assert higher(second, first, Kickers.NONE) == (0 if equal else -1)


def test_without_kickers_a_better_category_is_still_higher() -> None:
    assert higher("2c 2d Ah Ks Qc", "Ac Kd Qh Js 9c", Kickers.NONE) == 1
    assert higher("Ac Kd Qh Js 9c", "2c 2d Ah Ks Qc", Kickers.NONE) == -1


@pytest.mark.clause("packs_poker", "13:69F-43.1[suit]")
@given(st.permutations(deck()), st.permutations(range(4)))
def test_no_suit_is_higher_than_another(cards: list[Card], suits: list[int]) -> None:
    player, dealer = cards[:7], cards[7:14]
    moved = [[Card(card % 13 + 13 * suits[suit(card)]) for card in held] for held in (player, dealer)]
    assert compare(*map(strength, (player, dealer))) == compare(*map(strength, moved))


FIVE_CARDS = {
    "As Ks Qs Js Ts": ("royal_flush",),
    "Ad Kd Qd Jd Td": ("diamond_royal_flush", "royal_flush"),
    "Td Kd Qd Ad Jd": ("diamond_royal_flush", "royal_flush"),
    "Kd Qd Jd Td 9d": ("straight_flush",),
    "Ac Ad Ah As 2c": ("four_of_a_kind",),
    "Ac Ad Ah 2s 2c": ("full_house",),
    "Ac Kc Qc Jc 9c": ("flush",),
    "Ad Kd Qd Jd Tc": ("straight",),
    "Jc Jd Jh As 2c": ("three_of_a_kind",),
    "Jc Jd 2h 2s Ac": ("two_pair",),
    "Ac Ad 4h 3s 2c": ("pair_jacks_or_better",),
    "Jc Jd 4h 3s 2c": ("pair_jacks_or_better",),
    "Tc Td Ah Ks Qc": ("pair_2_to_10",),
    "2c 2d Ah Ks Qc": ("pair_2_to_10",),
    "Ac Kd Qh Js 9c": ("high_card",),
}


@pytest.mark.clause("packs_poker", "13:69F-43.5(c)", "13:69F-43.1[five-card-bonus-wager]")
@pytest.mark.parametrize("cards", FIVE_CARDS)
def test_what_five_cards_are_called(cards: str) -> None:
    assert five_card_hands(hand(cards)) == FIVE_CARDS[cards]


TOP, SIX = "seven_card_straight_flush", "six_card_royal_flush"

SEVEN_CARDS = {
    "As Ks Qs Js Ts 9s 8s": (TOP, SIX, "royal_flush"),
    "Kh Qh Jh Th 9h 8h 7h": (TOP, "straight_flush"),
    "7c 6c 5c 4c 3c 2c Ac": (TOP, "straight_flush"),
    "As Ks Qs Js Ts 9s 7s": (SIX, "royal_flush"),
    "As Ks Qs Js Ts 9s 8h": (SIX, "royal_flush"),
    "Ah Kh Qh Jh Th 9h Ac": (SIX, "royal_flush"),
    "As Ks Qs Js Ts 9h 8s": ("royal_flush",),
    "Ks Qs Js Ts 9s 8s As": (TOP, SIX, "royal_flush"),
    "Ks Qs Js Ts 9s 8s 6s": ("straight_flush",),
    "Ks Qs Js Ts 9s 8s 7h": ("straight_flush",),
    "Ac Ad Ah As Kc Kd Kh": ("four_of_a_kind",),
    "Ac Ad Ah Ks Kc Qd Qh": ("full_house",),
    "Ac Kc Qc Jc 9c 8c 7c": ("flush",),
    "Ac 2d 3h 4s 5c 5d 5h": ("straight",),
    "9c 9d 9h As Kc 2d 3h": ("three_of_a_kind",),
    "9c 9d 8h 8s 7c 7d 2h": ("two_pair",),
    "9c 9d Ah Ks 2c 3d 4h": ("pair",),
    "Ac Kd Qh Js 9c 3d 2h": ("high_card",),
}


@pytest.mark.clause(
    "packs_poker", "13:69F-43.5(d)", "13:69F-43.5(d)1", "13:69F-43.5(d)2", "13:69F-43.1[seven-card-bonus-wager]"
)
@pytest.mark.parametrize("cards", SEVEN_CARDS)
def test_what_seven_cards_are_called(cards: str) -> None:
    assert seven_card_hands(hand(cards)) == SEVEN_CARDS[cards]


@pytest.mark.clause("packs_poker", "13:69F-43.5(d)1")
def test_read_as_defined_only_ace_to_eight_is_the_top_hand() -> None:
    for cards, names in SEVEN_CARDS.items():
        royal = names[:2] == (TOP, SIX)
        expected = names if royal else tuple(name for name in names if name != TOP)
        assert seven_card_hands(hand(cards), TopHand.ROYAL) == expected


def test_of_each_suit_eight_hands_are_the_top_hand_and_one_of_them_a_royal() -> None:
    suited = list(combinations(deck()[:13], 7))
    assert sum(TOP in seven_card_hands(cards) for cards in suited) == 8
    assert sum(TOP in seven_card_hands(cards, TopHand.ROYAL) for cards in suited) == 1


def test_of_each_suit_every_seventh_card_goes_with_the_six_card_royal() -> None:
    six = hand("Ad Kd Qd Jd Td 9d")
    others = [card for card in deck() if card not in six]
    assert [SIX in seven_card_hands((*six, card)) for card in others] == [True] * 46


def test_every_name_but_the_high_card_has_a_clause_of_the_register() -> None:
    names = {name for names in (*FIVE_CARDS.values(), *SEVEN_CARDS.values()) for name in names} - {"high_card"}
    assert names == set(RULES)
    assert set(RULES.values()) <= set(GAMES["packs_poker"].clauses)
