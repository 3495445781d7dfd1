"""What a player may stake before the deal and on each street: 39.6, 39.10."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.rulings import Illegal


class Street(Enum):
    """When a player may raise."""

    HOLE_CARDS = "hole cards"
    FLOP = "flop"
    RIVER = "turn and river"


@dataclass(frozen=True, slots=True)
class Move:
    """What a street offers to a player who has not raised yet."""

    multiples: tuple[int, ...]
    """The raises, in antes."""
    otherwise: str
    """What a player does who does not raise."""
    rule: str


MOVES: Mapping[Street, Move] = {
    Street.HOLE_CARDS: Move((1, 2, 3), "check", "13:69F-39.10(d)"),
    Street.FLOP: Move((1, 2), "check", "13:69F-39.10(f)"),
    Street.RIVER: Move((1,), "fold", "13:69F-39.10(h)"),
}
"""Whole antes only, and one raise a round: HUH-02."""


@dataclass(frozen=True, slots=True)
class Wager:
    """What one player stakes before the deal, in cents."""

    ante: int
    odds: int
    trips_plus: int = 0
    pocket_bonus: int = 0


def check(wager: Wager, minimum: int = 1, maximum: int | None = None) -> None:
    """Raise Illegal when the wager is not one that the table takes. The limits are the house's, and bind the ante."""
    if wager.ante <= 0:
        raise Illegal("no ante", "13:69F-39.1[ante]")
    if wager.odds != wager.ante:
        raise Illegal(
            f"odds wager of {wager.odds} beside an ante of {wager.ante}: they must be equal", "13:69F-39.6(c)"
        )
    if wager.ante < minimum or (maximum is not None and wager.ante > maximum):
        most = "any amount" if maximum is None else maximum
        raise Illegal(f"ante of {wager.ante}: the table takes {minimum} to {most}", "13:69F-39.10(b)")
    for name, cents in (("trips plus", wager.trips_plus), ("pocket bonus", wager.pocket_bonus)):
        if cents < 0:
            raise Illegal(f"{name} of {cents} cents is no wager", "13:69F-39.6(d)")


def check_raise(street: Street, ante: int, cents: int, raised: bool = False) -> int:
    """How many antes the raise is; raises Illegal when the street does not allow it or the player has `raised`."""
    move = MOVES[street]
    if raised:
        raise Illegal("a second raise in one round", move.rule)
    if cents % ante or cents // ante not in move.multiples:
        times = ", ".join(map(str, move.multiples))
        raise Illegal(f"raise of {cents} on an ante of {ante}: expected {times} times the ante", move.rule)
    return cents // ante
