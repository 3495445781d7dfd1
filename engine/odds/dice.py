"""Where three dice start the deal: which positions, in how many of the 216 rolls."""

from collections.abc import Iterator

from feltrig.engine.odds.wager import Progress, Wager, silent
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.positions import dice_weights

ROLLS = 6**3


def start_positions(progress: Progress = silent) -> Iterator[Wager]:
    """The start of the deal. It pays nothing, and not all positions are equally likely (SPG-16)."""
    ways = {position: int(weight * ROLLS) for position, weight in enumerate(dice_weights())}
    outcomes = {"dealer" if position == DEALER else f"seat_{position}": count for position, count in ways.items()}
    yield Wager("start_position", "three dice", outcomes, None)
