"""Fast Action Hold'em: how often four cards are a natural, and five cards each of the seventeen ranks."""

from collections.abc import Iterator
from math import comb

from feltrig.engine.cards import RANKS
from feltrig.engine.games.fast_action_holdem.houseway import DEALT
from feltrig.engine.games.fast_action_holdem.ranking import DECKS
from feltrig.engine.odds.wager import GameOdds, LeftOut, Progress, Source, Wager, silent
from feltrig.engine.ranking.census import shoe_census
from feltrig.engine.ranking.many_decks import RANKING, Category


def naturals(progress: Progress = silent) -> Iterator[Wager]:
    """The four cards as dealt: a natural is paid at once (21.8(b)); what the others win is not in the text (FAH-01)."""
    for decks in DECKS:
        of_one_rank = len(RANKS) * comb(4 * decks, DEALT)
        others = comb(52 * decks, DEALT) - of_one_rank
        yield Wager("four_cards_dealt", f"{decks} decks", {"natural": of_one_rank, "other": others}, None)


def five_cards(progress: Progress = silent) -> Iterator[Wager]:
    """Five cards from a full shoe: 21.3(b)."""
    for done, decks in enumerate(DECKS):
        progress("shoes", done, len(DECKS))
        found = shoe_census(decks, RANKING.size, RANKING)
        outcomes = {category.name.lower(): found[category] for category in reversed(Category)}
        yield Wager("five_cards", f"{decks} decks", outcomes, None)


ODDS = GameOdds(
    (Source("four_cards_dealt", naturals), Source("five_cards", five_cards)),
    (LeftOut("wager", "the text is cut off before it says what a higher hand wins (FAH-01)"),),
)
