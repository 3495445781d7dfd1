"""The shoe: what is burned, which side of a double shoe is dealt from, and how the cards come back."""

from dataclasses import dataclass
from enum import Enum

from feltrig.engine.cards import Card, suit

RED_SUITS = (1, 2)
"""Diamonds and hearts."""


class Side(Enum):
    """A side of a double shoe."""

    LEFT = "left"
    RIGHT = "right"


class Use(Enum):
    """What becomes of a determinant card: 19:47-2.6(d)2."""

    FIRST_CARD = "first card of the first player"
    BURNED = "burned in the segregated area"


@dataclass(frozen=True, slots=True)
class Determined:
    """What a determinant card decided."""

    side: Side
    """The round is dealt from here."""
    use: Use
    rules: tuple[str, ...] = ("19:47-2.6(d)1", "19:47-2.6(d)2")


def determine(card: Card, drawn_from: Side, red_suits: Side) -> Determined:
    """What the card drawn before a round decides, on a table where hearts and diamonds stand for that side."""
    red = suit(card) in RED_SUITS
    side = red_suits if red else _other(red_suits)
    return Determined(side, Use.FIRST_CARD if side is drawn_from else Use.BURNED)


def _other(side: Side) -> Side:
    return Side.RIGHT if side is Side.LEFT else Side.LEFT
