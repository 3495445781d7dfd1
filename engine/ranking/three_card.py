"""The ranking of three-card hands (20.3): a straight beats a flush, and three of a kind beats both."""

from collections.abc import Sequence
from enum import IntEnum

from feltrig.engine.cards import Card
from feltrig.engine.ranking import lookup
from feltrig.engine.ranking.shape import Ranking, category_number, deciding_ranks


class ThreeCard(IntEnum):
    """The categories of 20.3(b), from lowest to highest."""

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5


RANKING = Ranking(
    size=3,
    groups={
        (1, 1, 1): (ThreeCard.HIGH_CARD, ThreeCard.FLUSH),
        (2, 1): (ThreeCard.PAIR, None),
        (3,): (ThreeCard.THREE_OF_A_KIND, None),
    },
    straight=ThreeCard.STRAIGHT,
    straight_flush=ThreeCard.STRAIGHT_FLUSH,
)


def strength(cards: Sequence[Card]) -> int:
    """The strength of three different cards; higher is better, equal is a draw (20.3(c))."""
    if len(cards) != 3:
        raise ValueError(f"hand {tuple(cards)}: expected three cards")
    return lookup.strength(RANKING, cards)


def category(strength: int) -> ThreeCard:
    """The category of a strength."""
    return ThreeCard(category_number(strength))


def ranks(strength: int) -> tuple[int, ...]:
    """The deciding ranks of a strength, 2 to 14, groups first; of a straight its top, which is 3 for A-2-3."""
    return deciding_ranks(strength)
