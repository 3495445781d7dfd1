"""The strength of one hand, looked up in tables that are built when the first such hand is ranked."""

from collections.abc import Mapping, Sequence
from functools import cache

from feltrig.engine.cards import Card
from feltrig.engine.ranking.shape import Ranking

MOST = 7
"""No game ranks more cards together."""

_DIGITS = tuple(1 << 3 * (card % 13) for card in range(52))


def strength(ranking: Ranking, cards: Sequence[Card]) -> int:
    """The strength of the best hand among at least as many cards as form one, and at most seven."""
    if not ranking.size <= len(cards) <= MOST:
        raise ValueError(f"hand {tuple(cards)}: expected {ranking.size} to {MOST} cards")
    suits = [0, 0, 0, 0]
    jokers = 0
    for card in cards:
        if card < 52:
            suits[card // 13] += _DIGITS[card]
        else:
            jokers += 1
    if jokers > ranking.joker:
        raise ValueError(f"hand {tuple(cards)}: {jokers} jokers, expected at most {int(ranking.joker)}")
    plain, suited = _tables(ranking, len(cards) - jokers, jokers > 0)
    found = plain[sum(suits)]
    for key in suits:
        if key in suited:
            return max(found, suited[key])
    return found


@cache
def _tables(ranking: Ranking, naturals: int, joker: bool) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """The strengths of `naturals` natural cards by the key of their ranks, and those of the cards in one suit."""
    from feltrig.engine.ranking import tables  # noqa: PLC0415 - numpy is slow to import, and few commands rank hands

    plain = tables.by_key(tables.plain(ranking, joker), (naturals,))
    suited = tables.by_key(tables.suited(ranking, joker), range(naturals + 1))
    return plain, suited
