"""The pay tables of the bonus wagers, as printed: 43.11(b) and (c). A row here is a column there, from the top down."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from feltrig.engine.games.packs_poker.hands import (
    DIAMOND_ROYAL,
    JACKS_OR_BETTER,
    LOW_PAIR,
    SEVEN_CARD_TOP,
    SIX_CARD_ROYAL,
)


class Basis(Enum):
    """What the figure in a pay table means."""

    TO_1 = "to 1"
    """Times the wager, and the stake comes back."""
    MULTIPLE = "multiple of the wager"
    """Times the wager, for 1: the stake does not come back (PP-04)."""
    DOLLARS = "dollars"
    """Whatever the wager, and the stake comes back."""
    METER_PERCENT = "percent of the meter"
    """Whatever the wager: 43.12(d)3."""
    PUSH = "push"


@dataclass(frozen=True, slots=True)
class Award:
    """One cell of a pay table."""

    basis: Basis
    amount: int


PayTable = Mapping[str, Award]
"""By the name of the hand, the rarest first. A hand that is not in it loses: the text has N/A, or leaves it out."""


@dataclass(frozen=True, slots=True)
class PayTables:
    """The tables among which the licensee selects for one wager, by letter."""

    clause: str
    tables: Mapping[str, PayTable]


_FIVE_CARD = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    JACKS_OR_BETTER,
    LOW_PAIR,
)
_SEVEN_CARD = (SEVEN_CARD_TOP, SIX_CARD_ROYAL, *_FIVE_CARD[:8])

_Cell = int | Literal["push"] | None
_Columns = Mapping[str, tuple[_Cell, ...]]

_FIVE_CARD_FIXED: _Columns = {
    "A": (1000, 250, 100, 50, 25, 10, 4, 3, 2),
    "B": (1000, 200, 100, 50, 25, 8, 5, 4, 2),
    "C": (1000, 500, 250, 30, 20, 10, 5, 3, 2),
    "D": (1000, 250, 100, 25, 20, 10, 5, 4, 2, None),
    "E": (1000, 250, 100, 25, 20, 10, 3, 2, 1, "push"),
}

_FIVE_CARD_PROGRESSIVE: _Columns = {
    "A": (100, 1000, 500, 100, 50, 25, 10, 5, 4, 3),
    "B": (100, 1000, 500, 200, 100, 50, 10, 5, 4, 2),
    "C": (100, 1000, 500, 100, 25, 20, 10, 5, 4, 3),
    "D": (100, 1000, 250, 100, 50, 25, 20, 5, 4, 3, None),
    "E": (100, 1000, 250, 100, 25, 20, 10, 4, 3, 2, "push"),
}

# B and E are alike in print (PP-07).
_SEVEN_CARD_FIXED: _Columns = {
    "A": (50_000, 5_000, 500, 200, 50, 5, 4, 2, 1, "push"),
    "B": (50_000, 5_000, 500, 200, 100, 10, 5, 2, 1, None),
    "C": (10_000, 5_000, 500, 200, 50, 10, 5, 3, 2, None),
    "D": (25_000, 5_000, 500, 200, 50, 5, 4, 2, 1, "push"),
    "E": (50_000, 5_000, 500, 200, 100, 10, 5, 2, 1, None),
    "F": (10_000, 5_000, 500, 100, 50, 10, 5, 3, 2, None),
    "G": (50_000, 5_000, 500, 100, 50, 10, 5, 3, 2),
    "H": (25_000, 2_500, 400, 200, 50, 10, 4, 3, 2),
    "I": (10_000, 5_000, 500, 250, 100, 10, 5, 3, None),
    "J": (25_000, 5_000, 500, 250, 100, 10, 5, 4),
    "K": (50_000, 5_000, 250, 200, 50, 10, 5, 4),
    "L": (50_000, 5_000, 500, 250, 50, 15, 10, None),
    "M": (50_000, 5_000, 500, 250, 100, 25),
    "N": (25_000, 5_000, 500, 200, 50, 10, 4, 3, 2),
    "O": (25_000, 5_000, 500, 100, 50, 10, 5, 3, 2),
    "P": (25_000, 5_000, 500, 150, 50, 10, 5, 3, 2),
    "Q": (25_000, 5_000, 500, 100, 50, 10, 4, 3, 3),
    "R": (25_000, 5_000, 500, 100, 50, 15, 3, 2, 2),
    "S": (25_000, 5_000, 500, 100, 50, 10, 5, 4, 2),
    "T": (25_000, 5_000, 500, 100, 50, 10, 5, 3, 3),
    "U": (25_000, 5_000, 500, 150, 75, 10, 6, 4, None),
    "V": (25_000, 5_000, 500, 100, 50, 10, 7, 5, None),
    "W": (25_000, 5_000, 500, 100, 50, 10, 8, 5),
}

_SEVEN_CARD_PROGRESSIVE: _Columns = {
    "A": (100, 10, 500, 200, 50, 5, 4, 3, 2, 1),
    "B": (100, 10, 500, 200, 100, 10, 5, 3, 2, None),
    "C": (100, 10, 500, 200, 50, 10, 5, 4, 3, None),
    "D": (100, 10, 500, 250, 50, 10, 5, 4, 2),
    "E": (100, 10, 1000, 200, 25, 10, 5, 4, 3),
    "F": (100, 10, 500, 100, 50, 10, 4, 3, 2),
    "G": (100, 10, 500, 100, 50, 10, 5, 4, 3),
    "H": (100, 10, 1000, 250, 50, 10, 5, 4, 2),
    "I": (100, 10, 500, 250, 100, 10, 5, 4, None),
    "J": (100, 10, 1000, 250, 50, 10, 5, 4),
    "K": (100, 10, 500, 100, 50, 20, 5, 2),
    "L": (100, 10, 500, 250, 75, 15, 10, None),
    "M": (100, 10, 500, 250, 100, 25),
}


def _tables(
    clause: str, hands: tuple[str, ...], columns: _Columns, basis: Basis, tops: Mapping[str, Basis] | None = None
) -> PayTables:
    """The printed columns as tables; `tops` are the hands whose figures have another basis than the others."""

    def award(hand: str, cell: int | Literal["push"]) -> Award:
        return Award(Basis.PUSH, 0) if cell == "push" else Award((tops or {}).get(hand, basis), cell)

    def table(column: tuple[_Cell, ...]) -> PayTable:
        cells = zip(hands, column, strict=False)
        return {hand: award(hand, cell) for hand, cell in cells if cell is not None}

    return PayTables(clause, {letter: table(column) for letter, column in columns.items()})


FIVE_CARD = _tables("13:69F-43.11(b)1", _FIVE_CARD, _FIVE_CARD_FIXED, Basis.TO_1)
FIVE_CARD_PROGRESSIVE = _tables(
    "13:69F-43.11(b)2",
    (DIAMOND_ROYAL, *_FIVE_CARD),
    _FIVE_CARD_PROGRESSIVE,
    Basis.MULTIPLE,
    {DIAMOND_ROYAL: Basis.METER_PERCENT},
)
SEVEN_CARD = _tables(
    "13:69F-43.11(c)1",
    _SEVEN_CARD,
    _SEVEN_CARD_FIXED,
    Basis.TO_1,
    {SEVEN_CARD_TOP: Basis.DOLLARS, SIX_CARD_ROYAL: Basis.DOLLARS},
)
SEVEN_CARD_PROGRESSIVE = _tables(
    "13:69F-43.11(c)2",
    _SEVEN_CARD,
    _SEVEN_CARD_PROGRESSIVE,
    Basis.MULTIPLE,
    {SEVEN_CARD_TOP: Basis.METER_PERCENT, SIX_CARD_ROYAL: Basis.METER_PERCENT},
)

PAY_TABLES: Mapping[str, PayTables] = {
    "five_card_bonus": FIVE_CARD,
    "five_card_bonus_progressive": FIVE_CARD_PROGRESSIVE,
    "seven_card_bonus": SEVEN_CARD,
    "seven_card_bonus_progressive": SEVEN_CARD_PROGRESSIVE,
}
"""All of them, by wager."""
