"""How high and low hands rank, compare and may be set: 11.3. The numbers come from the kernel, the words from here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from feltrig.engine.cards import Card, is_joker
from feltrig.engine.ranking import pai_gow_poker as kernel
from feltrig.engine.ranking.pai_gow_poker import Category, FlushJoker, Wheel
from feltrig.engine.ranking.shape import WHEEL_TOP, literal

WHEEL = "A-2-3-4-5"
"""How the straight is called in which the ace is low."""

CLAUSES: Mapping[Category, str] = {
    Category.FIVE_ACES: "19:47-11.3(b)1",
    Category.ROYAL_FLUSH: "19:47-11.3(b)2",
    Category.STRAIGHT_FLUSH: "19:47-11.3(b)3",
    Category.FOUR_OF_A_KIND: "19:47-11.3(b)4",
    Category.FULL_HOUSE: "19:47-11.3(b)5",
    Category.FLUSH: "19:47-11.3(b)6",
    Category.STRAIGHT: "19:47-11.3(b)7",
    Category.THREE_OF_A_KIND: "19:47-11.3(b)8",
    Category.TWO_PAIR: "19:47-11.3(b)9",
    Category.PAIR: "19:47-11.3(b)10",
    Category.HIGH_CARD: "19:47-11.3(e)",
}
"""What defines each category, from highest to lowest."""

_STRAIGHTS = (Category.STRAIGHT, Category.STRAIGHT_FLUSH)
_COMPLETED = (*_STRAIGHTS, Category.FLUSH, Category.ROYAL_FLUSH)
_UNIQUE = (Category.FIVE_ACES, Category.ROYAL_FLUSH)


class TieBreak(Enum):
    """What decides between high hands of one category: PGP-04."""

    GROUP_RANKS_FIRST = "group_ranks_first"
    LITERAL = "literal"
    """The highest card that the other hand lacks, even before the rank of a pair."""


@dataclass(frozen=True, slots=True)
class Readings:
    """How the text is read, and what the licensee chose, where there is a choice."""

    wheel: Wheel = Wheel.SECOND_HIGHEST
    """11.3(d)."""
    flush_joker: FlushJoker = FlushJoker.HIGHEST_MISSING
    tie_break: TieBreak = TieBreak.GROUP_RANKS_FIRST


DEFAULT = Readings()


@dataclass(frozen=True, slots=True)
class HandRank:
    """The rank of a high or of a low hand."""

    category: Category
    straight_top: int | str | None
    """Of a straight or straight flush: 6 to 14, or WHEEL."""
    ranks: tuple[int, ...] | None
    """The deciding ranks, 2 to 14, groups first; None where none is left to decide, or the top of a straight does."""
    strength: int
    """Higher is better, equal is a copy; a low hand's can be compared with a high hand's."""
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two high hands or two low hands, compared."""

    first_by: int
    """Above zero when the first is higher, below when the second is, zero for a copy: 11.3(e)."""
    rules: tuple[str, ...]


def rank_high(cards: Sequence[Card], readings: Readings = DEFAULT) -> HandRank:
    """The rank of a high hand: five different cards, of which one may be the joker."""
    if len(cards) != 5:
        raise ValueError(f"high hand {tuple(cards)}: expected five cards")
    strength = kernel.strength(cards, readings.wheel, readings.flush_joker)
    category, ranks = kernel.category(strength), kernel.ranks(strength)
    rules = [CLAUSES[category]]
    if any(map(is_joker, cards)):
        rules.append("19:47-11.3(c)" if category in _COMPLETED else "19:47-11.3(a)")
    if category not in _STRAIGHTS:
        return HandRank(category, None, None if category in _UNIQUE else ranks, strength, tuple(rules))
    (top,) = ranks
    if top != WHEEL_TOP:
        return HandRank(category, top, None, strength, tuple(rules))
    if readings.wheel is Wheel.LOWEST:
        rules.append("19:47-11.3(d)")
    return HandRank(category, WHEEL, None, strength, tuple(rules))


def rank_low(cards: Sequence[Card]) -> HandRank:
    """The rank of a low hand: two different cards, of which one may be the joker, which is an ace here."""
    strength = kernel.low_strength(cards)
    category = kernel.category(strength)
    rules = (CLAUSES[category], *(("19:47-11.3(a)",) if any(map(is_joker, cards)) else ()))
    return HandRank(category, None, kernel.ranks(strength), strength, rules)


def compare_high(first: Sequence[Card], second: Sequence[Card], readings: Readings = DEFAULT) -> Comparison:
    """Which of two high hands is higher."""
    one, other = rank_high(first, readings), rank_high(second, readings)
    found = _compared(one, other)
    if readings.tie_break is TieBreak.GROUP_RANKS_FIRST:
        return found
    order = kernel.ranking(readings.wheel, readings.flush_joker)
    return replace(found, first_by=literal(order, one.strength) - literal(order, other.strength))


def compare_low(first: Sequence[Card], second: Sequence[Card]) -> Comparison:
    """Which of two low hands is higher."""
    return _compared(rank_low(first), rank_low(second))


def set_fault(high: Sequence[Card], low: Sequence[Card], readings: Readings = DEFAULT) -> str | None:
    """What is wrong with a setting, None when it is legal. Outside the rule text, which lacks 11.9: customary."""
    if len(high) != 5 or len(low) != 2:
        return f"{len(high)} cards in the high hand and {len(low)} in the low hand, expected 5 and 2"
    if rank_high(high, readings).strength < rank_low(low).strength:
        return "the low hand is higher than the high hand"
    return None


def _compared(one: HandRank, other: HandRank) -> Comparison:
    rules = dict.fromkeys((*one.rules, *other.rules))
    if one.category is other.category:
        rules["19:47-11.3(e)"] = None
    return Comparison(one.strength - other.strength, tuple(rules))
