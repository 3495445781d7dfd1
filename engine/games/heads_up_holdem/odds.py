"""Heads Up Hold'em: the pocket bonus over all C(52,2) hands, trips plus over all C(52,7)."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from feltrig.engine.cards import deck
from feltrig.engine.games.heads_up_holdem import best_play
from feltrig.engine.games.heads_up_holdem.paytables import POCKET_BONUS, TRIPS_PLUS
from feltrig.engine.games.heads_up_holdem.settlement import pocket_hand
from feltrig.engine.odds import seven_cards
from feltrig.engine.odds.wager import GameOdds, Progress, Source, Wager, paid, silent

NOTHING = "nothing"


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """The two optional wagers by each of their tables."""
    pockets = Counter(pocket_hand(hole) or NOTHING for hole in combinations(deck(), 2))
    for number, odds in POCKET_BONUS.items():
        yield paid("pocket_bonus", f"39.11(i), {number}", pockets, odds)
    hands = {category.name.lower(): count for category, count in seven_cards.counts().items()}
    for number, odds in TRIPS_PLUS.items():
        yield paid("trips_plus", f"39.11(g), {number}", hands, odds)


ODDS = GameOdds(
    (Source("pocket_bonus, trips_plus", wagers), Source("ante_raise_and_odds", best_play.wagers, minutes=True))
)
