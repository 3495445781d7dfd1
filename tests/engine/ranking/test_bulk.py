"""Strengths of many hands at once: the same numbers as one by one."""

import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from feltrig.engine.cards import JOKERS, Card, deck, is_joker
from feltrig.engine.games.supreme_pai_gow import bonus
from feltrig.engine.ranking import many_decks, pai_gow_poker, poker, three_card
from feltrig.engine.ranking.bulk import by_shape, categories, strengths
from feltrig.engine.ranking.pai_gow_poker import FlushJoker, Wheel
from feltrig.engine.ranking.shape import Ranking

LOWEST_AND_ACE = pai_gow_poker.ranking(Wheel.LOWEST, FlushJoker.ACE)


def lowest_and_ace(cards: Sequence[Card]) -> int:
    return pai_gow_poker.strength(cards, Wheel.LOWEST, FlushJoker.ACE)


ONE_DECK = [
    (poker.RANKING, poker.strength, 5),
    (poker.RANKING, poker.strength, 6),
    (poker.RANKING, poker.strength, 7),
    (three_card.RANKING, three_card.strength, 3),
    (pai_gow_poker.ranking(), pai_gow_poker.strength, 5),
    (pai_gow_poker.ranking(), pai_gow_poker.strength, 6),
    (pai_gow_poker.ranking(), pai_gow_poker.strength, 7),
    (LOWEST_AND_ACE, lowest_and_ace, 5),
    (LOWEST_AND_ACE, lowest_and_ace, 7),
]


@pytest.mark.parametrize(("ranking", "one", "count"), ONE_DECK)
def test_many_hands_of_one_deck_have_the_strengths_of_each(
    ranking: Ranking, one: Callable[[Sequence[Card]], int], count: int
) -> None:
    rng = random.Random(count)
    one_suit = (*deck()[:13], *JOKERS[: ranking.joker])
    hands = [rng.sample(cards, count) for cards in (deck(jokers=ranking.joker), one_suit) for _ in range(1500)]
    assert strengths(np.array(hands), ranking).tolist() == [one(cards) for cards in hands]


@pytest.mark.parametrize("count", [5, 6, 7])
def test_many_hands_of_many_decks_have_the_strengths_of_each(count: int) -> None:
    rng = random.Random(count)
    shoes = [[card for card in deck() if card // 13 < suits and card % 13 > 7] for suits in (1, 2, 4)]
    hands = [rng.choices(shoe, k=count) for shoe in (*shoes, deck()) for _ in range(700)]
    found = strengths(np.array(hands, np.uint8), many_decks.RANKING)
    assert found.tolist() == [many_decks.strength(cards) for cards in hands]
    assert categories(found).tolist() == [many_decks.category(strength) for strength in found.tolist()]


def test_more_hands_than_are_ranked_in_one_step() -> None:
    rng = np.random.default_rng(4)
    few = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (500, 1)), axis=1)[:, :7]
    many = np.tile(few, (100, 1))
    found = strengths(many).reshape(100, 500)
    assert found[0].tolist() == [poker.strength(cards) for cards in few.tolist()]
    assert (found == found[0]).all()


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int16, np.int32, np.int64, np.uint16])
def test_any_kind_and_layout_of_integers_will_do(kind: type[np.integer]) -> None:
    hands = np.array([[12, 11, 10, 9, 8, 0], [13, 0, 26, 39, 5, 6]], kind)
    expected = [poker.strength(cards) for cards in hands.tolist()]
    assert strengths(hands).tolist() == expected
    assert strengths(np.asfortranarray(hands)).tolist() == expected
    assert strengths(np.repeat(hands, 2, axis=1)[:, ::2]).tolist() == expected


def test_no_hands_have_no_strengths() -> None:
    assert strengths(np.zeros((0, 5), np.uint8)).tolist() == []
    assert strengths(np.zeros((0, 5), np.int64), pai_gow_poker.ranking()).tolist() == []
    assert by_shape(np.zeros((0, 5), np.int64), len).tolist() == []


@pytest.mark.parametrize(
    ("hands", "ranking", "expected"),
    [
        ([0, 1, 2, 3, 4], poker.RANKING, r"shape \(5,\): expected rows of 5 to 7 cards"),
        ([[0, 1, 2, 3]], poker.RANKING, r"shape \(1, 4\): expected rows of 5 to 7 cards"),
        ([[0, 1, 2, 3, 4, 5, 6, 7]], poker.RANKING, "expected rows of 5 to 7 cards"),
        ([[0, 1]], three_card.RANKING, "expected rows of 3 to 7 cards"),
        ([[0, 1, 2, 3, 52]], poker.RANKING, "card 52, expected at most 51"),
        ([[54, 1, 2, 3, 4]], pai_gow_poker.ranking(), "card 54, expected at most 53"),
        ([[0, 1, 2, 3, -1]], poker.RANKING, "-1 is not a card"),
        ([[0, 1, 2, 52, 53]], pai_gow_poker.ranking(), "2 jokers in one hand, expected at most 1"),
    ],
)
def test_arrays_that_hold_no_hands_are_refused(hands: list[list[int]], ranking: Ranking, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        strengths(np.array(hands), ranking)


def test_a_function_of_the_shape_gives_each_hand_what_it_gives_alone() -> None:
    """Four cards with two jokers, where only some suits and ranks tell hands apart."""
    rng = random.Random(54)
    outcomes = (*bonus.Category, None)
    some = [card for card in deck(jokers=2) if is_joker(card) or card % 13 in (1, 2, 3, 4, 12)]
    hands = [rng.sample(cards, 4) for cards in (deck(jokers=2), deck()[:13], some) for _ in range(1000)]
    asked = []

    def classify(cards: Sequence[Card]) -> int:
        asked.append(cards)
        return outcomes.index(bonus.category(cards))

    assert by_shape(np.array(hands), classify).tolist() == [outcomes.index(bonus.category(cards)) for cards in hands]
    assert len(asked) < len(hands) / 2


def test_a_shape_is_told_apart_by_ranks_jokers_and_one_suit() -> None:
    hands = np.array([[0, 1], [1, 0], [13, 14], [0, 14], [0, 2], [52, 0], [13, 53], [52, 53], [39, 40], [0, 13]])
    numbers = iter(range(10))
    found = by_shape(hands, lambda cards: next(numbers)).tolist()
    alike = [[place for place in range(10) if found[place] == value] for value in sorted(set(found))]
    assert sorted(alike) == [[0, 1, 2, 8], [3], [4], [5, 6], [7], [9]]


@pytest.mark.parametrize("shape", [(2, 8), (2, 0), (4,)])
def test_shapes_have_one_to_seven_cards(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected rows of 1 to 7 cards"):
        by_shape(np.zeros(shape, np.uint8), len)
