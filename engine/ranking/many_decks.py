"""The seventeen ranks of fast action hold'em (21.3): six or eight decks, where one card may be held several times."""

from collections.abc import Sequence
from enum import IntEnum

from feltrig.engine.cards import Card
from feltrig.engine.ranking import lookup
from feltrig.engine.ranking.shape import Ranking, category_number, deciding_ranks


class Category(IntEnum):
    """The categories of 21.3(b), from lowest to highest."""

    HIGHEST_CARD = 0
    PAIR = 1
    TWO_PAIRS = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    FLUSH_WITH_ONE_PAIR = 8
    FLUSH_WITH_TWO_PAIRS = 9
    FLUSH_WITH_THREE_OF_A_KIND = 10
    FIVE_OF_A_KIND = 11
    FLUSH_WITH_FULL_HOUSE = 12
    STRAIGHT_FLUSH = 13
    FLUSH_WITH_FOUR_OF_A_KIND = 14
    ROYAL_FLUSH = 15
    FLUSH_WITH_FIVE_OF_A_KIND = 16

    @property
    def place(self) -> int:
        """1 the highest, 17 the lowest, as 21.3(b) counts."""
        return len(Category) - self


RANKING = Ranking(
    size=5,
    groups={
        (1, 1, 1, 1, 1): (Category.HIGHEST_CARD, Category.FLUSH),
        (2, 1, 1, 1): (Category.PAIR, Category.FLUSH_WITH_ONE_PAIR),
        (2, 2, 1): (Category.TWO_PAIRS, Category.FLUSH_WITH_TWO_PAIRS),
        (3, 1, 1): (Category.THREE_OF_A_KIND, Category.FLUSH_WITH_THREE_OF_A_KIND),
        (3, 2): (Category.FULL_HOUSE, Category.FLUSH_WITH_FULL_HOUSE),
        (4, 1): (Category.FOUR_OF_A_KIND, Category.FLUSH_WITH_FOUR_OF_A_KIND),
        (5,): (Category.FIVE_OF_A_KIND, Category.FLUSH_WITH_FIVE_OF_A_KIND),
    },
    straight=Category.STRAIGHT,
    straight_flush=Category.STRAIGHT_FLUSH,
    royal_flush=Category.ROYAL_FLUSH,
)


def strength(cards: Sequence[Card]) -> int:
    """The strength of the best five of 5, 6 or 7 cards; higher is better, equal is a copy (21.3(c))."""
    return lookup.strength(RANKING, cards)


def category(strength: int) -> Category:
    """The category of a strength."""
    return Category(category_number(strength))


def ranks(strength: int) -> tuple[int, ...]:
    """The deciding ranks of a strength, 2 to 14, groups first; of a straight its top, which is 5 for A-2-3-4-5."""
    return deciding_ranks(strength)
