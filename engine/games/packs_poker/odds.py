"""Pack's Poker: the bonus wagers, by every letter of their pay tables."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np

from feltrig.engine.cards import Card, deck
from feltrig.engine.games.packs_poker import packs_bet_odds
from feltrig.engine.games.packs_poker.hands import five_card_hands, seven_card_hands
from feltrig.engine.games.packs_poker.paytables import PAY_TABLES, Basis, PayTables
from feltrig.engine.games.packs_poker.settlement import settle_bonus, stake_kept
from feltrig.engine.odds import five_cards, seven_cards
from feltrig.engine.odds.wager import GameOdds, Progress, Source, Wager, gathered, silent
from feltrig.engine.ranking.bulk import strengths
from feltrig.engine.ranking.poker import Category, category, strength
from feltrig.engine.ranking.shape import shape

Names = tuple[str, ...]
"""What one hand is called in the pay tables, the rarest name first."""

STAKES = (100, 500)
"""Wagers in cents at which fixed dollar awards are weighed: the return of such a table hangs on the wager (PP-02)."""


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """Every table. What a progressive wager gets from the meter is separate: it depends on how the text is read.

    The meter is taken to hold more than the multiple that the same hand would be paid instead (PP-02).
    """
    for bet, tables in PAY_TABLES.items():
        counts = five_card_counts() if bet.startswith("five_card") else seven_card_counts()
        for letter in tables.tables:
            for stake in STAKES if _has_dollars(tables, letter) else STAKES[:1]:
                yield bonus(bet, tables, letter, stake, counts)


def bonus(bet: str, tables: PayTables, letter: str, stake: int, counts: Mapping[Names, int]) -> Wager:
    """One wager of `stake` cents by one table."""
    table = f"{letter}, ${stake // 100} wager" if _has_dollars(tables, letter) else letter
    found = gathered(bet, table, ((names[0], _net(names, tables, letter, stake), n) for names, n in counts.items()))
    if not any(award.basis is Basis.METER_PERCENT for award in tables.tables[letter].values()):
        return found
    shares = (count * _of_meter(names, tables, letter) for names, count in counts.items())
    return replace(found, of_meter=sum(shares, Fraction()) / found.total)


def _net(names: Names, tables: PayTables, letter: str, stake: int) -> Fraction:
    if _of_meter(names, tables, letter):
        return Fraction(-stake_kept(stake), stake)  # the meter's part is given separately
    return Fraction(settle_bonus(names, tables, letter, stake).net, stake)


@cache
def five_card_counts() -> dict[Names, int]:
    """How many of all hands of five cards have which names. A royal flush is asked one by one for its suit."""
    every = five_cards.every_hand()
    found, first, of_hand, ways = np.unique(
        strengths(every), return_index=True, return_inverse=True, return_counts=True
    )
    counts = Counter[Names]()
    for number, held in enumerate(found.tolist()):
        royal = category(held) is Category.ROYAL_FLUSH
        some = every[of_hand == number] if royal else every[first[number : number + 1]]
        for hand in some.tolist():
            counts[five_card_hands([Card(card) for card in hand])] += 1 if royal else int(ways[number])
    return dict(reversed(counts.items()))


@cache
def seven_card_counts() -> dict[Names, int]:
    """How many of all hands of seven cards have which names. Those that may have several are asked one by one."""
    found = Counter[Names]({(held.name.lower(),): count for held, count in seven_cards.counts().items()})
    for cards in _straight_flushes_of_six():
        found[seven_card_hands(cards)] += 1
        found[(category(strength(cards)).name.lower(),)] -= 1
    return dict(found)


def _straight_flushes_of_six() -> Iterator[tuple[Card, ...]]:
    """All hands of seven cards that hold six or seven of one suit in a row; each once."""
    seen = set[tuple[Card, ...]]()
    for suited in (deck()[start : start + 13] for start in range(0, 52, 13)):
        runs = [six for six in combinations(suited, 6) if shape(six).top is not None]
        seen |= {tuple(sorted((*six, other))) for six in runs for other in deck() if other not in six}
    yield from sorted(seen)


def _has_dollars(tables: PayTables, letter: str) -> bool:
    return any(award.basis is Basis.DOLLARS for award in tables.tables[letter].values())


def _of_meter(names: Names, tables: PayTables, letter: str) -> Fraction:
    """The share of the meter that one hand gets when nobody else does."""
    awards = (tables.tables[letter][name] for name in names if name in tables.tables[letter])
    return next((Fraction(award.amount, 100) for award in awards if award.basis is Basis.METER_PERCENT), Fraction())


ODDS = GameOdds((Source("bonus wagers", wagers), Source("packs_bet", packs_bet_odds.wagers, minutes=True)))
