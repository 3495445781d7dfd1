"""Where the twenty-eight cards go: the order of a hand deal, and which stack goes to which position."""

from feltrig.engine.table.positions import STACKS, Delivery, clockwise, counterclockwise

HAND_SIZE = 4


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
