"""Who is handed the cards of a hand, when they are dealt face down: 19:47-7.7(c)3."""

from collections.abc import Mapping


def viewer(wagers: Mapping[int, int]) -> int | None:
    """The seat with the highest wager on a hand; None when nobody wagered on it.

    Of equal wagers it is the seat closest to the dealer counterclockwise, that is, the lowest number: 7.7(c)3v.
    """
    highest = max(wagers.values(), default=0)
    return min((seat for seat, wager in wagers.items() if wager == highest > 0), default=None)
