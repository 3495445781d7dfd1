"""How the dealer's tiles are set. Outside the rule text: the way is a licensee's, and the one here is ours."""

from collections.abc import Sequence

from feltrig.engine.games.pai_gow.ranking import rank_two, splits
from feltrig.engine.games.pai_gow.tiles import Tile
from feltrig.engine.table.setting import Hands


def strong_low(tiles: Sequence[Tile]) -> Hands[Tile]:
    """Four tiles, in any order, set so that the low hand is as high as possible, and then the high hand."""
    parted = (Hands(high, low) for high, low in splits(sorted(tiles)))
    return max(parted, key=lambda hands: (rank_two(hands.low).strength, rank_two(hands.high).strength))
