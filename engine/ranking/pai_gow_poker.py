"""The ranking of pai gow poker (11.3): a deck with one joker, five aces, and A-2-3-4-5 next to the highest straight."""

from collections.abc import Sequence
from enum import Enum, IntEnum
from functools import cache

from feltrig.engine.cards import Card, is_joker
from feltrig.engine.ranking import lookup, poker
from feltrig.engine.ranking.shape import ACE, WHEEL_TOP, Ranking, category_number, deciding_ranks, packed


class Category(IntEnum):
    """The categories of 11.3(b), from lowest to highest."""

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
    FIVE_ACES = 10


class Wheel(Enum):
    """Where A-2-3-4-5 stands among the straights, and among the straight flushes: 11.3(d)."""

    SECOND_HIGHEST = "second_highest"
    """Below A-K-Q-J-10 alone; the highest straight flush, since the royal flush is a category of its own (PGP-02)."""
    LOWEST = "lowest"


class FlushJoker(Enum):
    """The rank of a joker that completes a flush: PGP-03."""

    HIGHEST_MISSING = "highest_missing"
    ACE = "ace"
    """Even beside the ace of the suit."""


_HIGHEST_STRAIGHT = 15
_PLACES = {
    Wheel.SECOND_HIGHEST: {ACE: _HIGHEST_STRAIGHT, WHEEL_TOP: ACE},
    Wheel.LOWEST: {ACE: _HIGHEST_STRAIGHT},
}
"""A-K-Q-J-10 stands one above the ace, which leaves that place to A-2-3-4-5."""
_TOPS = {_HIGHEST_STRAIGHT: ACE, ACE: WHEEL_TOP}


@cache
def ranking(wheel: Wheel = Wheel.SECOND_HIGHEST, flush_joker: FlushJoker = FlushJoker.HIGHEST_MISSING) -> Ranking:
    """The order of high hands under a licensee's option and a reading."""
    return Ranking(
        size=5,
        groups={**poker.RANKING.groups, (5,): (Category.FIVE_ACES, None)},
        straight=Category.STRAIGHT,
        straight_flush=Category.STRAIGHT_FLUSH,
        royal_flush=Category.ROYAL_FLUSH,
        places=_PLACES[wheel],
        joker=True,
        ace_twice=flush_joker is FlushJoker.ACE,
    )


def strength(
    cards: Sequence[Card],
    wheel: Wheel = Wheel.SECOND_HIGHEST,
    flush_joker: FlushJoker = FlushJoker.HIGHEST_MISSING,
) -> int:
    """The strength of the best high hand among 5, 6 or 7 cards with at most one joker; equal is a copy (11.3(e))."""
    return lookup.strength(ranking(wheel, flush_joker), cards)


def low_strength(cards: Sequence[Card]) -> int:
    """The strength of a low hand of two cards, which compares with that of a high hand too."""
    if len(cards) != 2:
        raise ValueError(f"low hand {tuple(cards)}: expected two cards")
    held = sorted((ACE if is_joker(card) else card % 13 + 2 for card in cards), reverse=True)  # 11.3(a)
    if held[0] == held[1]:
        return packed(Category.PAIR, held[:1])
    return packed(Category.HIGH_CARD, held)


def category(strength: int) -> Category:
    """The category of a strength."""
    return Category(category_number(strength))


def ranks(strength: int) -> tuple[int, ...]:
    """The deciding ranks of a strength, 2 to 14, groups first; of a straight its top, which is 5 for A-2-3-4-5."""
    found = deciding_ranks(strength)
    if category(strength) in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        return (_TOPS.get(found[0], found[0]),)
    return found
