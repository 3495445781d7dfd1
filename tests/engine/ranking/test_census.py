"""All hands of a deck or a shoe, counted by category through the public functions."""

from itertools import combinations, combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest

from feltrig.engine.games.supreme_pai_gow.ranking import Kind, rank_two
from feltrig.engine.ranking import many_decks, pai_gow_poker, poker, three_card
from feltrig.engine.ranking.bulk import by_shape
from feltrig.engine.ranking.census import census, hands, shoe_census, shoe_hands
from feltrig.engine.ranking.many_decks import Category as Many
from feltrig.engine.ranking.pai_gow_poker import FlushJoker, Wheel
from feltrig.engine.ranking.three_card import ThreeCard

FIVE_CARDS = (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4)
SIX_CARDS = (6_612_900, 9_730_740, 2_532_816, 732_160, 361_620, 205_792, 165_984, 14_664, 1_656, 188)
FIVE_OF_53 = (1_418_964, 1_215_024, 138_600, 63_360, 20_532, 7_804, 4_368, 828, 180, 24, 1)
"""As published, from the lowest category up."""


@pytest.mark.parametrize(("count", "published"), [(5, FIVE_CARDS), (6, SIX_CARDS)])
def test_census_of_one_deck(count: int, published: tuple[int, ...]) -> None:
    assert sum(published) == comb(52, count)
    assert census(count) == dict(zip(poker.Category, published, strict=True))


@pytest.mark.parametrize("wheel", Wheel)
@pytest.mark.parametrize("flush_joker", FlushJoker)
def test_census_of_a_deck_with_a_joker(wheel: Wheel, flush_joker: FlushJoker) -> None:
    """Options and readings move hands within their categories only."""
    assert sum(FIVE_OF_53) == comb(53, 5)
    found = census(5, pai_gow_poker.ranking(wheel, flush_joker))
    assert found == dict(zip(pai_gow_poker.Category, FIVE_OF_53, strict=True))


def test_census_of_three_cards() -> None:
    assert census(3, three_card.RANKING) == {
        ThreeCard.HIGH_CARD: 16_440,
        ThreeCard.PAIR: 3_744,
        ThreeCard.FLUSH: 1_096,
        ThreeCard.STRAIGHT: 720,
        ThreeCard.THREE_OF_A_KIND: 52,
        ThreeCard.STRAIGHT_FLUSH: 48,
    }


def of_many_decks(decks: int) -> dict[Many, int]:
    """By choosing ranks, then cards of them in one suit; of all hands of a shape, less those in one suit."""
    rank, face = 4 * decks, decks
    patterns = {
        (5,): (13, Many.FIVE_OF_A_KIND, Many.FLUSH_WITH_FIVE_OF_A_KIND),
        (4, 1): (13 * 12, Many.FOUR_OF_A_KIND, Many.FLUSH_WITH_FOUR_OF_A_KIND),
        (3, 2): (13 * 12, Many.FULL_HOUSE, Many.FLUSH_WITH_FULL_HOUSE),
        (3, 1, 1): (13 * comb(12, 2), Many.THREE_OF_A_KIND, Many.FLUSH_WITH_THREE_OF_A_KIND),
        (2, 2, 1): (comb(13, 2) * 11, Many.TWO_PAIRS, Many.FLUSH_WITH_TWO_PAIRS),
        (2, 1, 1, 1): (13 * comb(12, 3), Many.PAIR, Many.FLUSH_WITH_ONE_PAIR),
        (1, 1, 1, 1, 1): (comb(13, 5) - 10, Many.HIGHEST_CARD, Many.FLUSH),
    }
    counts = {Many.ROYAL_FLUSH: 4 * face**5, Many.STRAIGHT_FLUSH: 9 * 4 * face**5}
    counts[Many.STRAIGHT] = 10 * rank**5 - sum(counts.values())
    for sizes, (choices, several, one) in patterns.items():
        counts[one] = choices * 4 * prod(comb(face, size) for size in sizes)
        counts[several] = choices * prod(comb(rank, size) for size in sizes) - counts[one]
    return counts


@pytest.mark.clause("fast_action_holdem", "19:47-21.3(b)")
@pytest.mark.parametrize("decks", [6, 8])
def test_21_3_b_census_of_the_seventeen_ranks(decks: int) -> None:
    expected = of_many_decks(decks)
    assert sum(expected.values()) == comb(52 * decks, 5)
    assert shoe_census(decks, 5, many_decks.RANKING) == expected


def test_a_shoe_of_one_deck_is_a_deck() -> None:
    assert shoe_census(1, 3, three_card.RANKING) == census(3, three_card.RANKING)


def test_34_3_census_of_all_two_card_hands_of_a_deck_with_two_jokers() -> None:
    kinds = tuple(Kind)
    (block,) = hands(54, 2)
    found = np.bincount(by_shape(block, lambda cards: kinds.index(rank_two(cards).kind)))
    assert dict(zip(kinds, found.tolist(), strict=True)) == {
        Kind.PAIR: 79,
        Kind.NON_MATCHING_FACE: 48,
        Kind.POINTS: 1304,
    }


@pytest.mark.parametrize("size", [1, 3, 4, 5, 7])
def test_each_hand_is_dealt_once(size: int) -> None:
    dealt = [tuple(hand) for block in hands(12, size) for hand in block.tolist()]
    assert len(dealt) == comb(12, size)
    assert set(dealt) == set(combinations(range(12), size))


@pytest.mark.parametrize(("deck", "size"), [(52, 7), (54, 4), (53, 5)])
def test_all_hands_of_a_deck_come_in_blocks_of_a_moderate_size(deck: int, size: int) -> None:
    sizes = [block.size for block in hands(deck, size)]
    assert sum(sizes) == size * comb(deck, size)
    assert max(sizes) <= 4_000_000


def test_hands_of_a_shoe_are_all_multisets_and_weigh_as_many_as_there_are() -> None:
    dealt: dict[tuple[int, ...], int] = {}
    for block, ways in shoe_hands(3, 3):
        assert len(block) == len(ways)
        dealt |= zip(map(tuple, block.tolist()), ways.tolist(), strict=True)
    assert set(dealt) == set(combinations_with_replacement(range(52), 3))
    assert sum(dealt.values()) == comb(156, 3)
    assert (dealt[0, 1, 2], dealt[0, 0, 2], dealt[0, 2, 2], dealt[5, 5, 5]) == (27, 9, 9, 1)
