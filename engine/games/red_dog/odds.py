"""Red Dog: all three cards from a shoe, and the raise where it gains."""

from collections import Counter
from collections.abc import Iterator
from itertools import product

from feltrig.engine.cards import RANKS, Card
from feltrig.engine.games.red_dog.paytables import SPREADS, Odds
from feltrig.engine.games.red_dog.settlement import Outcome, settle, spread
from feltrig.engine.odds.wager import GameOdds, Net, Progress, Source, Wager, gathered, silent

DECKS = (1, 2, 4, 6, 8)
"""Any number may be played: 6.1(a)."""

_RANKS = range(len(RANKS))


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """The wager by number of decks, raised by as much wherever that gains on average."""
    return (wager(decks) for decks in DECKS)


def wager(decks: int, odds: Odds = SPREADS) -> Wager:
    """The wager when players raise at the best spreads."""
    raised = raises(decks, odds)
    return gathered("wager", f"{decks} decks" if decks > 1 else "1 deck", _ends(decks, odds, raised))


def raises(decks: int, odds: Odds = SPREADS) -> frozenset[int]:
    """The spreads on which a raise gains on average."""
    gains = Counter[int]()
    for cards, ways in _rounds(decks):
        between = spread(cards[0], cards[1])
        if between is not None:
            gains[between] += ways * settle(*cards, 1, odds=odds).net
    return frozenset(+gains)  # without those at or below zero


def _ends(decks: int, odds: Odds, raised: frozenset[int]) -> Iterator[tuple[str, Net, int]]:
    for cards, ways in _rounds(decks):
        doubled = spread(cards[0], cards[1]) in raised
        settled = settle(*cards, 1, int(doubled), odds=odds)
        name = f"win_spread_{settled.spread}" if settled.outcome is Outcome.WIN else settled.outcome.value
        yield f"{name}_raised" if doubled else name, settled.net, ways


def _rounds(decks: int) -> Iterator[tuple[tuple[Card, Card, Card], int]]:
    """All ranks that three cards can have in their order, a club for each, and in how many ways."""
    each = 4 * decks
    for first, second, third in product(_RANKS, repeat=3):
        ways = each * (each - (second == first)) * (each - (third == first) - (third == second))
        yield (Card(first), Card(second), Card(third)), ways


ODDS = GameOdds((Source("wager", wagers),))
