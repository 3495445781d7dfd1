"""How the dealer's hands are set. Outside the rule text: the way is a licensee's, and the one here is ours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from feltrig.engine.cards import Card
from feltrig.engine.games.pai_gow_poker import ranking
from feltrig.engine.games.pai_gow_poker.ranking import Readings, rank_high, rank_low
from feltrig.engine.ranking.pai_gow_poker import Category
from feltrig.engine.table.setting import Hands


@dataclass(frozen=True, slots=True)
class _Split:
    hands: Hands[Card]
    high_category: Category
    high: int
    low_category: Category
    low: int


def pairs_apart(cards: Sequence[Card], readings: Readings = ranking.DEFAULT) -> Hands[Card]:
    """Seven cards set legally, in whatever order they come.

    A pair goes to the low hand when one is left for the high hand; otherwise the high hand gets the best category that
    there is, and the low hand the highest cards that it does not need.
    """
    if len(cards) != 7 or len(set(cards)) != 7:
        raise ValueError(f"cards {tuple(cards)}: expected seven different cards to set")
    splits = list(_splits(sorted(cards), readings))
    apart = [split for split in splits if split.low_category is Category.PAIR and split.high_category >= Category.PAIR]
    if apart:
        return max(apart, key=lambda split: (split.low, split.high)).hands
    return max(splits, key=lambda split: (split.high_category, split.low, split.high)).hands


def _splits(cards: Sequence[Card], readings: Readings) -> Iterator[_Split]:
    """All legal settings."""
    for low in combinations(cards, 2):
        high = tuple(card for card in cards if card not in low)
        upper, lower = rank_high(high, readings), rank_low(low)
        if upper.strength >= lower.strength:
            yield _Split(Hands(high, low), upper.category, upper.strength, lower.category, lower.strength)
