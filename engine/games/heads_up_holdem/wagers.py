"""What a player may stake on each street: 39.10."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


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
