"""The ring of seven positions: where the count ends, and where cards and stacks go.

0 is the dealer; 1 to 6 are the betting positions, counterclockwise from the dealer's far right (34.11(b)3ii, SPG-15).
"""

from fractions import Fraction
from itertools import product

DEALER = 0
SEATS = range(1, 7)
POSITIONS = 7
STACKS = range(1, 8)
"""The stacks of a hand deal, counted from the dealer's left."""
HAND_SIZE = 4

Delivery = tuple[tuple[int, int], ...]
"""(stack, position), in the order of delivery."""


def start_position(count: int, base: int = DEALER) -> int:
    """Where a count ends that goes counterclockwise with `base` as number one: 34.11(b)2, 34.11(c), 34.13(h)3."""
    if count < 1:
        raise ValueError(f"count {count}: counting starts at one")
    return (_position(base) + count - 1) % POSITIONS


def counterclockwise(start: int) -> tuple[int, ...]:
    """All seven positions from the start, counting up."""
    _position(start)
    return tuple((start + step) % POSITIONS for step in range(POSITIONS))


def clockwise(start: int) -> tuple[int, ...]:
    """All seven positions from the start, counting down: the order of both shoes, 34.8(c) and 34.10(d)."""
    _position(start)
    return tuple((start - step) % POSITIONS for step in range(POSITIONS))


def hand_deal_stacks() -> tuple[int, ...]:
    """The stack of each card dealt by hand, first card first: there and back again, 34.9(c)."""
    there = tuple(STACKS)
    back = tuple(reversed(STACKS))
    return (there + back) * (HAND_SIZE // 2)


def hand_delivery(start: int, *, always_clockwise: bool = False) -> Delivery:
    """Stacks from the dealer's far right, positions counterclockwise: 34.9(f), taken at its word.

    If its direction is a slip, they go clockwise as in every other deal: `always_clockwise`, SPG-01.
    """
    positions = clockwise(start) if always_clockwise else counterclockwise(start)
    return tuple(zip(reversed(STACKS), positions, strict=True))


def bank_delivery(start: int, first_stack: int) -> Delivery:
    """The stack that the bank chose, then those to its right, around; positions clockwise: 34.13(i)5."""
    if first_stack not in STACKS:
        raise ValueError(f"stack {first_stack}: expected 1 to 7")
    stacks = (*range(first_stack, STACKS.stop), *range(1, first_stack))
    return tuple(zip(stacks, clockwise(start), strict=True))


def next_button(position: int) -> int:
    """Where the button goes after a round: one step clockwise, 34.11(d)."""
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
