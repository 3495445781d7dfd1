"""Pai Gow Poker: how often five cards of a deck with a joker make each high hand."""

from collections.abc import Iterator

from feltrig.engine.odds.wager import SET_HANDS, GameOdds, LeftOut, Progress, Source, Wager, silent
from feltrig.engine.ranking.census import census
from feltrig.engine.ranking.pai_gow_poker import Category, ranking


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """Five cards of fifty-three: 11.3(b)."""
    progress("hands", 0, 1)
    found = census(5, ranking())
    outcomes = {category.name.lower(): found[category] for category in reversed(Category)}
    yield Wager("five_cards", "11.3(b)", outcomes, None)


ODDS = GameOdds((Source("five_cards", wagers),), (LeftOut("wager", SET_HANDS),))
