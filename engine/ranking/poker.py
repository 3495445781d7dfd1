"""The common ranking of poker hands: the best five of five, six or seven cards of one deck without jokers."""

from array import array
from collections.abc import Sequence
from enum import IntEnum
from itertools import combinations_with_replacement
from typing import NoReturn

from feltrig.engine.cards import Card
from feltrig.engine.ranking.shape import Ranking, category_number, deciding_ranks


class Category(IntEnum):
    """The categories, from lowest to highest."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


RANKING = Ranking(
    size=5,
    groups={
        (1, 1, 1, 1, 1): (Category.HIGH_CARD, Category.FLUSH),
        (2, 1, 1, 1): (Category.PAIR, None),
        (2, 2, 1): (Category.TWO_PAIR, None),
        (3, 1, 1): (Category.THREE_OF_A_KIND, None),
        (3, 2): (Category.FULL_HOUSE, None),
        (4, 1): (Category.FOUR_OF_A_KIND, None),
    },
    straight=Category.STRAIGHT,
    straight_flush=Category.STRAIGHT_FLUSH,
    royal_flush=Category.ROYAL_FLUSH,
)

# The key of a hand is the sum of its cards' keys: ranks above, suits in the lowest nine bits. They are not the octal
# keys of the other rankings because these are short: the sum is fast, and may be the place in an array.
_RANK_KEYS_5 = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
"""Five of these, each at most four times, have a sum that no other five have."""
_RANK_KEYS_7 = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""Seven of these, each at most four times, have a sum that no other seven have; nor have six."""
_SUIT_KEYS = (0, 1, 8, 57)
"""Seven of these, or fewer, have a sum that no other as many have."""


def _card_keys(rank_keys: Sequence[int]) -> list[int]:
    return [rank_keys[card % 13] << 9 | _SUIT_KEYS[card // 13] for card in range(52)]


def _flushes(count: int) -> list[Sequence[int] | None]:
    """For each sum of suit keys: if there is a flush, the bit of each card's rank in its suit, and 0 in other suits."""
    found: list[Sequence[int] | None] = [None] * (1 << 9)
    for suits in combinations_with_replacement(range(4), count):
        for suit in range(4):
            if suits.count(suit) >= 5:
                bits = [(card // 13 == suit) << card % 13 for card in range(52)]
                found[sum(_SUIT_KEYS[held] for held in suits)] = bits
    return found


_KEYS_5, _KEYS_7 = map(_card_keys, (_RANK_KEYS_5, _RANK_KEYS_7))
_FLUSHES_5, _FLUSHES_6, _FLUSHES_7 = map(_flushes, (5, 6, 7))

# Filled when the first such hand is ranked; 0 stands where there is no hand.
_PLAIN_5, _PLAIN_6, _PLAIN_7 = array("I"), array("I"), array("I")
"""The strengths without a flush, by the sum of rank keys."""
_SUITED = array("I")
"""The strengths of flushes, by the bits of their ranks."""


def strength(cards: Sequence[Card]) -> int:
    """The strength of the best five of 5, 6 or 7 different cards; higher is better, equal is a tie."""
    try:
        # Written out: loops over the cards would take most of the time.
        if len(cards) == 7:
            a, b, c, d, e, f, g = cards
            keys = _KEYS_7
            key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g]
            suit = _FLUSHES_7[key & 511]
            if suit is None:
                return _PLAIN_7[key >> 9] or _refuse(cards)
            return _SUITED[suit[a] | suit[b] | suit[c] | suit[d] | suit[e] | suit[f] | suit[g]] or _refuse(cards)
        if len(cards) == 5:
            a, b, c, d, e = cards
            keys = _KEYS_5
            key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
            suit = _FLUSHES_5[key & 511]
            if suit is None:
                return _PLAIN_5[key >> 9] or _refuse(cards)
            return _SUITED[suit[a] | suit[b] | suit[c] | suit[d] | suit[e]] or _refuse(cards)
        if len(cards) == 6:
            a, b, c, d, e, f = cards
            keys = _KEYS_7
            key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f]
            suit = _FLUSHES_6[key & 511]
            if suit is None:
                return _PLAIN_6[key >> 9] or _refuse(cards)
            return _SUITED[suit[a] | suit[b] | suit[c] | suit[d] | suit[e] | suit[f]] or _refuse(cards)
    except IndexError:
        return strength(cards) if _filled(len(cards)) else _refuse(cards)
    raise ValueError(f"poker hand {tuple(cards)}: expected five, six or seven cards")


def category(strength: int) -> Category:
    """The category of a strength."""
    return Category(category_number(strength))


def ranks(strength: int) -> tuple[int, ...]:
    """The deciding ranks of a strength, 2 to 14, groups first; of a straight its top, which is 5 for A-2-3-4-5."""
    return deciding_ranks(strength)


def _refuse(cards: Sequence[Card]) -> NoReturn:
    raise ValueError(f"poker hand {tuple(cards)}: expected different cards without jokers")


def _filled(count: int) -> bool:
    """Fill the tables for hands of a size, unless they are filled."""
    from feltrig.engine.ranking import tables  # noqa: PLC0415 - numpy is slow to import, and few commands rank hands

    plain, rank_keys = {5: (_PLAIN_5, _RANK_KEYS_5), 6: (_PLAIN_6, _RANK_KEYS_7), 7: (_PLAIN_7, _RANK_KEYS_7)}[count]
    if plain:
        return False
    plain.frombytes(tables.by_sum(tables.plain(RANKING), (count,), 4, rank_keys).tobytes())
    if not _SUITED:
        bits = [1 << rank for rank in range(13)]
        _SUITED.frombytes(tables.by_sum(tables.suited(RANKING), range(8), 1, bits).tobytes())
    return True
