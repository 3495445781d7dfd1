"""Pai Gow: how often two tiles of the 496 make each kind of hand."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from feltrig.engine.games.pai_gow.ranking import Kind, TileRank, rank_two
from feltrig.engine.games.pai_gow.tiles import tile_set
from feltrig.engine.odds.wager import GameOdds, LeftOut, Progress, Source, Wager, silent


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """Two tiles of a set, the pairs by their place in 10.2(b)."""
    ranked = (rank_two(two) for two in combinations(tile_set(), 2))
    found = Counter(map(_name, sorted(ranked, key=lambda rank: rank.strength, reverse=True)))
    yield Wager("two_tiles", "10.2", dict(found), None)


def _name(found: TileRank) -> str:
    return f"pair_{found.pair_rank}" if found.kind is Kind.PAIR else f"value_{found.value}"


ODDS = GameOdds(
    (Source("two_tiles", wagers),),
    (LeftOut("wager", "depends on how the hands are set, and the text is cut off before the settlement"),),
)
