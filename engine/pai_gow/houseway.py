"""How the dealer's tiles are set. Outside the rule text: the way is a licensee's, and the one here is ours."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from feltrig.engine.pai_gow.ranking import rank_two, splits
from feltrig.engine.pai_gow.tiles import Tile


@dataclass(frozen=True, slots=True)
class Hands:
    """Tiles as they were set: two and two, unless the setting is foul."""

    high: tuple[Tile, ...]
    low: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class HouseWay:
    """A way of setting hands, with its version and where it comes from."""

    name: str
    version: str
    source: str
    set: Callable[[Sequence[Tile]], Hands]


def strong_low(tiles: Sequence[Tile]) -> Hands:
    """Four tiles set so that the low hand is as high as can be, and then the high hand; in whatever order they come."""
    parted = (Hands(high, low) for high, low in splits(sorted(tiles)))
    return max(parted, key=lambda hands: (rank_two(hands.low).strength, rank_two(hands.high).strength))


DEFAULT = HouseWay("strong low", "1", "ours: not a licensee's submission", strong_low)
