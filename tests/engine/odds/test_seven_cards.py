"""The census of all hands of seven cards."""

from feltrig.engine.odds.seven_cards import counts
from feltrig.engine.ranking.poker import Category


def test_the_census_is_the_published_one() -> None:
    assert sum(counts().values()) == 133_784_560
    assert {category: counts()[category] for category in (Category.ROYAL_FLUSH, Category.FLUSH, Category.PAIR)} == {
        Category.ROYAL_FLUSH: 4_324,
        Category.FLUSH: 4_047_644,
        Category.PAIR: 58_627_800,
    }
