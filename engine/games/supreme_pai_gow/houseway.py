"""How the licensee has the dealer's hands set: 34.12(d). The way is an input; the one here is ours, to play with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from feltrig.engine.cards import Card
from feltrig.engine.games.supreme_pai_gow.ranking import Hand, level, rank_two
from feltrig.engine.table.setting import Hands


@dataclass(frozen=True, slots=True)
class HouseWay:
    """A submitted way of setting hands, with its version and where it comes from (SPG-20)."""

    name: str
    version: str
    source: str
    set: Callable[[Sequence[Card]], Hands[Card]]


@dataclass(frozen=True, slots=True)
class Rule:
    """Applies when some split reaches both floors; of those that do, it takes the best by the preferred hand."""

    high: int
    """The level of the least high hand."""
    low: int
    prefer: Hand


BALANCED = (
    Rule(
        high=level(9), low=level(7), prefer=Hand.HIGH
    ),  # both hands strong: make the high hand as strong as that allows
    Rule(high=level(9), low=level(0), prefer=Hand.HIGH),  # one hand strong: make sure of it
    Rule(high=level(0), low=level(0), prefer=Hand.LOW),  # neither: make the low hand as strong as can be
)
"""In points or better; the first rule that applies sets the hands."""


def balanced(cards: Sequence[Card]) -> Hands[Card]:
    """Four different cards set by BALANCED, always legally and whatever order they come in."""
    splits = _splits(cards)
    for rule in BALANCED:
        reached = [split for split in splits if _reaches(split, rule)]
        if reached:
            return min(reached, key=_by_high if rule.prefer is Hand.HIGH else _by_low)
    raise AssertionError("the last rule applies to every hand")


DEFAULT = HouseWay("balanced", "1", "ours: not a licensee's submission", balanced)


def _splits(cards: Sequence[Card]) -> tuple[Hands[Card], ...]:
    """The three ways to part four cards into two and two, the higher part as the high hand."""
    if len(cards) != 4 or len(set(cards)) != 4:
        raise ValueError(f"cards {tuple(cards)}: expected four different cards to set")
    a, b, c, d = sorted(cards)
    parts = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
    return tuple(Hands(*sorted(part, key=_order)) for part in parts)


def _reaches(split: Hands[Card], rule: Rule) -> bool:
    return rank_two(split.high).level <= rule.high and rank_two(split.low).level <= rule.low


def _order(hand: tuple[Card, ...]) -> int:
    return rank_two(hand).order


def _by_high(split: Hands[Card]) -> tuple[int, int]:
    return _order(split.high), _order(split.low)


def _by_low(split: Hands[Card]) -> tuple[int, int]:
    return _order(split.low), _order(split.high)
