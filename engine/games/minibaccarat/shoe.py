"""The stack and the shoe: who cuts, where, what is burned, and when the last hand is dealt."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from feltrig.engine.cards import RANKS, Card, rank
from feltrig.engine.rulings import Illegal

DEALER = 0

LEAST_CUT = 10
"""Cards before and behind the cutting card: 19:47-7.5(e)."""

LEAST_STOP = 14
"""Cards behind the cutting card that ends the shoe: 19:47-7.5(f)."""

BURN = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))
"""How many more cards the first one burns: 19:47-7.5(f). Here a ten is ten, unlike in play."""


@dataclass(frozen=True, slots=True)
class Burned:
    """The opening of a shoe: what was shown and discarded, and what is left to deal."""

    discarded: tuple[Card, ...]
    shoe: tuple[Card, ...]


def cut_offer(seats: Iterable[int]) -> tuple[int, ...]:
    """Who is offered the cut in turn: the highest seat, then clockwise, the dealer last (19:47-7.5(d)).

    Seats are numbered counterclockwise from the dealer's right.
    """
    return (*sorted(seats, reverse=True), DEALER)


def recut_by(offer: Sequence[int], last: int, option: str) -> int:
    """Who cuts again when a supervisor says so, the `last` one or the `next` entitled: 19:47-7.5(g)."""
    if option not in ("last", "next"):
        raise ValueError(f"recut {option!r}: expected last or next")
    if option == "last" or last == DEALER:  # nobody is entitled after the dealer
        return last
    return offer[offer.index(last) + 1]


def cut(stack: Sequence[Card], depth: int) -> tuple[Card, ...]:
    """The stack with all cards in front of the cutting card put to the back: 19:47-7.5(e), (f)."""
    if not LEAST_CUT <= depth <= len(stack) - LEAST_CUT:
        raise Illegal(f"cut at {depth}: at least {LEAST_CUT} cards from either end", "19:47-7.5(e)")
    return (*stack[depth:], *stack[:depth])


def check_stop(behind: int) -> None:
    """Raise Illegal when fewer cards lie behind the cutting card than the shoe must keep."""
    if behind < LEAST_STOP:
        raise Illegal(f"cutting card {behind} from the back: at least {LEAST_STOP}", "19:47-7.5(f)")


def burn(stack: Sequence[Card]) -> Burned:
    """Discard the first card and as many more as it says, all of them shown: 19:47-7.5(f)."""
    count = 1 + BURN[RANKS[rank(stack[0])]]
    return Burned(tuple(stack[:count]), tuple(stack[count:]))


def may_start(hand: int, stopped_in: int | None) -> bool:
    """Whether this hand of the shoe may be dealt, when the cutting card appeared in that one: 19:47-7.8(e)."""
    return stopped_in is None or hand <= stopped_in + 1


def is_last(hand: int, stopped_in: int | None) -> bool:
    """Whether this hand is announced as the last before the reshuffle: 19:47-7.8(e)."""
    return stopped_in is not None and hand == stopped_in + 1
