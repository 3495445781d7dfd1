"""Where the forty-nine cards go: the deals from a manual shoe (11.8) and from the hand (11.8A)."""

from feltrig.engine.table.positions import POSITIONS, STACKS, Delivery, clockwise

HAND_SIZE = 7
DECK_SIZE = 53
REMAINDER = DECK_SIZE - POSITIONS * HAND_SIZE
"""The four cards that must be left after every deal: 11.8(d), 11.8A(d)."""


def shoe_deal(start: int) -> tuple[int, ...]:
    """The position of each card from a manual shoe, first card first: singly and clockwise, 11.8(c)."""
    return clockwise(start) * HAND_SIZE


def hand_deal_stacks() -> tuple[int, ...]:
    """The stack, from the dealer's left, of each card dealt by hand: there and back again, 11.8A(c)."""
    there, back = tuple(STACKS), tuple(reversed(STACKS))
    return tuple(stack for layer in range(HAND_SIZE) for stack in (back if layer % 2 else there))


def hand_delivery(start: int) -> Delivery:
    """Stacks from the dealer's far left, positions clockwise: 11.8A(f)."""
    return tuple(zip(STACKS, clockwise(start), strict=True))
