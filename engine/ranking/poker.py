"""The common ranking of poker hands: the best five of five, six or seven cards of one deck without jokers."""

from collections.abc import Sequence
from enum import IntEnum
from itertools import combinations_with_replacement

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

# The key of a hand is the sum of its cards' keys: ranks above, suits below. The table of keys is not the octal one of
# the other rankings because these fit into one digit of a Python integer, which makes the sum half as slow again.
_RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
"""Seven of these, each at most four times, have a sum that no other seven have; the same holds for five and six."""
_SUIT_KEYS = (0, 1, 8, 57)
"""Seven of these have a sum that no other seven have."""
_SUIT_BITS = 9
_SUITS = (1 << _SUIT_BITS) - 1
_KEYS = [_RANK_KEYS[card % 13] << _SUIT_BITS | _SUIT_KEYS[card // 13] for card in range(52)]

Bits = Sequence[int]
"""For each card the bit of its rank, if it has the suit of the flush."""


def _flushes(count: int) -> list[Bits | None]:
    """For each sum of so many suit keys the flush in it, if there is one."""
    found: list[Bits | None] = [None] * (_SUITS + 1)
    for suits in combinations_with_replacement(range(4), count):
        for suit in range(4):
            if suits.count(suit) >= 5:
                bits = [(card // 13 == suit) << card % 13 for card in range(52)]
                found[sum(_SUIT_KEYS[held] for held in suits)] = bits
    return found


_FLUSHES_5, _FLUSHES_6, _FLUSHES_7 = map(_flushes, (5, 6, 7))

_PLAIN_5: dict[int, int] = {}
_PLAIN_6: dict[int, int] = {}
_PLAIN_7: dict[int, int] = {}
"""The strength by the sum of rank keys, without a flush. Filled when the first hand is ranked."""
_SUITED: dict[int, int] = {}
"""The strength by the set of ranks in the suit of a flush."""


def strength(cards: Sequence[Card]) -> int:
    """The strength of the best five of 5, 6 or 7 different cards; higher is better, equal is a tie."""
    keys = _KEYS
    try:
        # Written out, since a loop over the cards would take most of the time.
        if len(cards) == 7:
            a, b, c, d, e, f, g = cards
            key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f] + keys[g]
            flush = _FLUSHES_7[key & _SUITS]
            if flush is None:
                return _PLAIN_7[key >> _SUIT_BITS]
        elif len(cards) == 5:
            a, b, c, d, e = cards
            key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e]
            flush = _FLUSHES_5[key & _SUITS]
            if flush is None:
                return _PLAIN_5[key >> _SUIT_BITS]
        elif len(cards) == 6:
            a, b, c, d, e, f = cards
            key = keys[a] + keys[b] + keys[c] + keys[d] + keys[e] + keys[f]
            flush = _FLUSHES_6[key & _SUITS]
            if flush is None:
                return _PLAIN_6[key >> _SUIT_BITS]
        else:
            raise ValueError(f"poker hand {tuple(cards)}: expected five, six or seven cards")
        ranks = 0
        for card in cards:
            ranks |= flush[card]
        return _SUITED[ranks]
    except LookupError:
        if _SUITED:
            raise ValueError(f"poker hand {tuple(cards)}: expected different cards without jokers") from None
    _fill()
    return strength(cards)


def category(strength: int) -> Category:
    """The category of a strength."""
    return Category(category_number(strength))


def ranks(strength: int) -> tuple[int, ...]:
    """The deciding ranks of a strength, 2 to 14, groups first; of a straight its top, which is 5 for A-2-3-4-5."""
    return deciding_ranks(strength)


def _fill() -> None:
    """Build the tables."""
    from feltrig.engine.ranking import tables  # noqa: PLC0415 - numpy is slow to import, and few commands rank hands

    most = tables.COUNTS.max(axis=1)
    plain = tables.plain(RANKING) * (most <= 4)
    suited = tables.suited(RANKING) * (most == 1)
    keys = tables.COUNTS @ _RANK_KEYS
    for count, table in ((5, _PLAIN_5), (6, _PLAIN_6), (7, _PLAIN_7)):
        table.update(tables.by_key(plain, range(count, count + 1), keys))
    _SUITED.update(tables.by_key(suited, range(5, 8), tables.ranks_held()[0]))
