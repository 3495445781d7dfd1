"""The bonus wager: which four cards qualify (34.3(c)), what they pay and how much at most (34.14)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache

from feltrig.engine.cards import Card, is_joker
from feltrig.engine.money import Cents, exact
from feltrig.engine.ranking.shape import ACE, shape


class Category(Enum):
    """The hands that qualify, from highest to lowest."""

    FOUR_ACES = "four_aces"
    ROYAL_FLUSH = "royal_flush"
    TWO_JOKERS_TWO_ACES = "two_jokers_two_aces"
    FOUR_OF_A_KIND = "four_of_a_kind"
    STRAIGHT_FLUSH = "straight_flush"
    THREE_OF_A_KIND = "three_of_a_kind"
    FLUSH = "flush"
    TWO_PAIR = "two_pair"
    STRAIGHT = "straight"
    TWO_JOKERS = "two_jokers"
    ANY_OTHER_PAIR = "any_other_pair"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the pay table: the least odds (to 1), and the rule that defines the hand."""

    odds: int
    rule: str


PAY_TABLE: Mapping[Category, Line] = {
    Category.FOUR_ACES: Line(1000, "34.3(c)1"),
    Category.ROYAL_FLUSH: Line(500, "34.3(c)2"),
    Category.TWO_JOKERS_TWO_ACES: Line(200, "34.3(c)3"),
    Category.FOUR_OF_A_KIND: Line(100, "34.3(c)4"),
    Category.STRAIGHT_FLUSH: Line(25, "34.3(c)5"),
    Category.THREE_OF_A_KIND: Line(10, "34.3(c)6"),
    Category.FLUSH: Line(8, "34.3(c)7"),
    Category.TWO_PAIR: Line(7, "34.3(c)8"),
    Category.STRAIGHT: Line(6, "34.3(c)9"),
    Category.TWO_JOKERS: Line(4, "34.3(c)10"),
    Category.ANY_OTHER_PAIR: Line(1, "34.3(c)11"),
}
"""34.14(a)."""

Odds = Mapping[Category, int]
"""What a licensee's posted table pays, to 1."""

LEAST_ODDS: Odds = {category: line.odds for category, line in PAY_TABLE.items()}

PAYOUT_LIMIT = 50_000_00
"""34.14(b), in cents."""


class AceRuns(Enum):
    """Which runs of four the ace ends: SPG-08."""

    BOTH = "both"
    HIGH = "A-K-Q-J only"
    LOW = "A-2-3-4 only"


@dataclass(frozen=True, slots=True)
class BonusReadings:
    """How the text is read where it can be read in more than one way."""

    jokers_as_3_and_6: bool = True
    """Two jokers with a 4 and a 5 make 3-4-5-6: SPG-06b."""
    joker_completes_flush: bool = False
    """SPG-07."""
    ace_runs: AceRuns = AceRuns.BOTH


DEFAULT = BonusReadings()


_MATCHES: Mapping[tuple[int, tuple[int, ...]], Category] = {
    (0, (4,)): Category.FOUR_OF_A_KIND,
    (0, (3, 1)): Category.THREE_OF_A_KIND,
    (1, (3,)): Category.THREE_OF_A_KIND,
    (0, (2, 2)): Category.TWO_PAIR,
    (2, (2,)): Category.TWO_PAIR,
    (2, (1, 1)): Category.TWO_JOKERS,
    (0, (2, 1, 1)): Category.ANY_OTHER_PAIR,
    (1, (2, 1)): Category.ANY_OTHER_PAIR,
}
"""What the number of jokers and the sizes of the groups of equal ranks make. A joker matches nothing: 34.3(c)."""

_OF_ACES = {
    Category.FOUR_OF_A_KIND: Category.FOUR_ACES,
    Category.TWO_PAIR: Category.TWO_JOKERS_TWO_ACES,
}
"""What a hand becomes when its only rank is the ace."""

_ACE_HIGH = frozenset((ACE, 13, 12, 11))
_ACE_LOW = frozenset((ACE, 2, 3, 4))
_RUNS = (_ACE_LOW, *(frozenset(range(lowest, lowest + 4)) for lowest in range(2, 11)), _ACE_HIGH)


def category(cards: Sequence[Card], readings: BonusReadings = DEFAULT) -> Category | None:
    """The highest hand that four different cards form, or None when they do not qualify."""
    if len(cards) != 4 or len(set(cards)) != 4:
        raise ValueError(f"bonus hand {tuple(cards)}: expected four different cards")
    naturals = [card for card in cards if not is_joker(card)]
    seen = shape(naturals)
    jokers = 4 - len(naturals)
    matched = _MATCHES.get((jokers, seen.groups))
    if seen.ranks == (ACE,) and matched is not None:
        return _OF_ACES.get(matched, matched)
    if len(seen.ranks) < len(naturals):
        return matched
    held = frozenset(seen.ranks)
    run = held in _completed_by_jokers(readings)[jokers]
    if seen.suited:
        if held == _ACE_HIGH:
            return Category.ROYAL_FLUSH
        if run:
            return Category.STRAIGHT_FLUSH
        if jokers == 0 or readings.joker_completes_flush:
            return Category.FLUSH
    return Category.STRAIGHT if run else matched


@cache
def _completed_by_jokers(readings: BonusReadings) -> tuple[frozenset[frozenset[int]], ...]:
    """The natural ranks that 0, 1 or 2 jokers, as a 3 or a 6, complete to a run of four."""
    barred = {AceRuns.BOTH: None, AceRuns.HIGH: _ACE_LOW, AceRuns.LOW: _ACE_HIGH}[readings.ace_runs]
    runs = [run for run in _RUNS if run != barred]
    fills = [[frozenset[int]()], [frozenset((3,)), frozenset((6,))]]
    fills.append([frozenset((3, 6))] if readings.jokers_as_3_and_6 else [])
    return tuple(frozenset(run - fill for run in runs for fill in some if fill <= run) for some in fills)


def payout_limit(minimum_bonus: int, odds: Odds = LEAST_ODDS) -> int:
    """The most that one player's bonus wager pays, in cents: 34.14(b), at the least wager that the table takes."""
    return max(PAYOUT_LIMIT, max(odds.values()) * minimum_bonus)


def payout(found: Category, wager: int, table_minimum: int, odds: Odds = LEAST_ODDS) -> int:
    """What one winning bonus wager pays, within the limit."""
    return min(odds[found] * wager, payout_limit(table_minimum, odds))


def net(
    cards: Sequence[Card],
    wager: int,
    table_minimum: int,
    readings: BonusReadings = DEFAULT,
    odds: Odds = LEAST_ODDS,
) -> Cents:
    """What one player gains or loses by the bonus wager, when nobody else holds a royal flush."""
    found = category(cards, readings)
    return -wager if found is None else payout(found, wager, table_minimum, odds)


def shared_royals(
    wagers: Mapping[int, int], table_minimum: int, odds: Odds = LEAST_ODDS, always_share: bool = False
) -> dict[int, Cents]:
    """What the royal flushes of one round pay, by seat: two or more share the limit once they exceed it.

    By the letter they share it always, however little they staked: `always_share`, SPG-11.
    """
    limit = payout_limit(table_minimum, odds)
    staked = sum(wagers.values())
    if odds[Category.ROYAL_FLUSH] * staked <= limit and not (always_share and len(wagers) > 1 and staked):
        return {seat: odds[Category.ROYAL_FLUSH] * wager for seat, wager in wagers.items()}
    return {seat: exact(Fraction(limit * wager, staked)) for seat, wager in wagers.items()}
