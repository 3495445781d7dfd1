"""The ring of seven positions that the pai gow games and their like share: where a count ends, who comes next.

0 is the dealer; 1 to 6 are the betting positions, counterclockwise from the dealer's far right.
"""

from fractions import Fraction
from itertools import product

from feltrig.engine.table.house import DEALER

SEATS = range(1, 7)
POSITIONS = 7
STACKS = range(1, 8)
"""The stacks of a hand deal, counted from the dealer's left."""

Delivery = tuple[tuple[int, int], ...]
"""(stack, position), in the order of delivery."""


def start_position(count: int, base: int = DEALER) -> int:
    """Where a count ends that goes counterclockwise with `base` as number one."""
    if count < 1:
        raise ValueError(f"count {count}: counting starts at one")
    return (_position(base) + count - 1) % POSITIONS


def counterclockwise(start: int) -> tuple[int, ...]:
    """All seven positions from the start, counting up."""
    _position(start)
    return tuple((start + step) % POSITIONS for step in range(POSITIONS))


def clockwise(start: int) -> tuple[int, ...]:
    """All seven positions from the start, counting down."""
    _position(start)
    return tuple((start - step) % POSITIONS for step in range(POSITIONS))


def next_button(position: int) -> int:
    """Where the button goes after a round: one step clockwise."""
    return (_position(position) - 1) % POSITIONS


def dice_weights(base: int = DEALER) -> tuple[Fraction, ...]:
    """The probability that three fair dice start each position, by position. They are not equal (SPG-16)."""
    ways = [0] * POSITIONS
    for dice in product(range(1, 7), repeat=3):
        ways[start_position(sum(dice), base)] += 1
    return tuple(Fraction(n, 6**3) for n in ways)


def _position(position: int) -> int:
    if not 0 <= position < POSITIONS:
        raise ValueError(f"position {position}: expected 0 (the dealer) to 6")
    return position
