"""What all rankings share: groups of equal ranks, one suit, consecutive ranks, and strength as one number.

A strength holds the category in its high bits and the deciding ranks below, four bits each, so that a higher number is
a better hand. Ranks are 2 to 14 here, the ace 14.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from feltrig.engine.cards import Card

ACE = 14
WHEEL_TOP = 5
"""The top of A-2-3-4-5."""
CATEGORY_SHIFT = 20
"""Where the category stands in a strength; five deciding ranks fit below."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What the ranks and suits of some cards make, before a game names it."""

    groups: tuple[int, ...]
    """How many cards share a rank, the largest group first."""
    ranks: tuple[int, ...]
    """The rank of each group; of groups of one size the higher rank first."""
    suited: bool
    top: int | None
    """The highest rank when all ranks are consecutive; an ace below the two does not count as highest."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A game's order of hands, as data: which category each shape is."""

    size: int
    """How many cards form a hand."""
    groups: Mapping[tuple[int, ...], tuple[int, int | None]]
    """What groups of equal ranks are, in several suits and in one suit; None where one deck cannot form them."""
    straight: int
    straight_flush: int
    royal_flush: int | None = None
    """What a straight flush with the ace at its top is, when it has a name of its own."""
    places: Mapping[int, int] = field(default_factory=dict)
    """Where straights stand among each other by their top, when not by the top itself."""
    joker: bool = False
    """One joker may be held: an ace, or any card that completes a straight or a flush."""
    ace_twice: bool = False
    """A joker that completes a flush is an ace even beside the ace of the suit."""


def shape(cards: Sequence[Card]) -> Shape:
    """The shape of one or more cards, none of them a joker."""
    ranks = [card % 13 + 2 for card in cards]
    held = sorted(set(ranks), reverse=True)
    top = _run_top(held) if len(held) == len(ranks) else None
    held.sort(key=ranks.count, reverse=True)
    suited = len({card // 13 for card in cards}) == 1
    return Shape(tuple(map(ranks.count, held)), tuple(held), suited, top)


def packed(category: int, ranks: Iterable[int]) -> int:
    """The strength of a category and at most five deciding ranks."""
    strength = category << CATEGORY_SHIFT
    for place, rank in enumerate(ranks, start=1):
        strength |= rank << (CATEGORY_SHIFT - 4 * place)
    return strength


def category_number(strength: int) -> int:
    """The category of a strength, as the number that its game gave it."""
    return strength >> CATEGORY_SHIFT


def deciding_ranks(strength: int) -> tuple[int, ...]:
    """The ranks that decide between hands of one category, the weightiest first."""
    nibbles = (strength >> shift & 15 for shift in range(CATEGORY_SHIFT - 4, -1, -4))
    return tuple(rank for rank in nibbles if rank)


def literal(ranking: Ranking, strength: int) -> int:
    """The strength when, within a category, the single highest card decides even before the groups: PGP-04."""
    for groups, names in ranking.groups.items():
        if category_number(strength) in names:
            held = zip(deciding_ranks(strength), groups, strict=False)
            ranks = sorted((rank for rank, size in held for _ in range(size)), reverse=True)
            return packed(category_number(strength), ranks)
    return strength


def _run_top(ranks: Sequence[int]) -> int | None:
    """The highest of different ranks, given descending, if they are consecutive; an ace may stand below the two."""
    size = len(ranks)
    if ranks[0] - ranks[-1] == size - 1:
        return ranks[0]
    return size if ranks[0] == ACE and ranks[1] == size else None
