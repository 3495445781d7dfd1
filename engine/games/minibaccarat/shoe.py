"""The stack and the shoe: who cuts, where, what is burned, and when the last hand is dealt."""

from collections.abc import Iterable

DEALER = 0


LEAST_STOP = 14
"""Cards behind the cutting card that ends the shoe: 19:47-7.5(f)."""

BURN = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))
"""How many more cards the first one burns: 19:47-7.5(f). Here a ten is ten, unlike in play."""


def cut_offer(seats: Iterable[int]) -> tuple[int, ...]:
    """Who is offered the cut in turn: the highest seat, then clockwise, the dealer last (19:47-7.5(d)).

    Seats are numbered counterclockwise from the dealer's right.
    """
    return (*sorted(seats, reverse=True), DEALER)
