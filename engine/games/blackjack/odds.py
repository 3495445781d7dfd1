"""Blackjack: the insurance. The rest of the game is cut off in the text."""

from collections.abc import Iterator

from feltrig.engine.cards import deck, parse
from feltrig.engine.games.blackjack.points import is_ten
from feltrig.engine.games.blackjack.settlement import settle_insurance
from feltrig.engine.odds.wager import GameOdds, LeftOut, Progress, Source, Wager, gathered, silent

DECKS = (4, 6, 8)
"""Outside the rule text."""
_ACE = parse("As")


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """Insurance by number of decks, when nothing is seen but the dealer's ace: 2.9."""
    for decks in DECKS:
        ends = (
            ("ten_value" if is_ten(card) else "other", settle_insurance(card, 1).net, decks - (card == _ACE))
            for card in deck()
        )
        yield gathered("insurance", f"{decks} decks", ends)


ODDS = GameOdds(
    (Source("insurance", wagers),),
    (LeftOut("wager", "the text is cut off before it says how hands are drawn and settled"),),
)
