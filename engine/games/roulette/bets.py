"""The wagers, what they pay at least, and which numbers they cover."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.games.roulette import layout
from feltrig.engine.games.roulette.layout import STANDARD, Layout, Numbers, Wheel
from feltrig.engine.rulings import Illegal


class Bet(Enum):
    """The wagers of 19:47-5.2(a) from the highest odds to the lowest; then the one of 19:47-5.3(d)."""

    STRAIGHT = "straight"
    SPLIT = "split"
    THREE_NUMBERS = "three_numbers"
    FOUR_NUMBERS = "four_numbers"
    FIRST_FIVE_NUMBERS = "first_five_numbers"
    SIX_NUMBERS = "six_numbers"
    SEVEN_NUMBERS = "seven_numbers"
    COLUMN = "column"
    DOZEN = "dozen"
    RED = "red"
    BLACK = "black"
    ODD = "odd"
    EVEN = "even"
    ONE_TO_18 = "1_to_18"
    NINETEEN_TO_36 = "19_to_36"
    FIVE_ADJACENT_NUMBERS = "five_adjacent_numbers"


Odds = Mapping[Bet, int]
"""What a wager pays, to 1. Five adjacent numbers have no odds of their own: a fifth is paid as a straight."""

LEAST_ODDS: Odds = {
    Bet.STRAIGHT: 35,
    Bet.SPLIT: 17,
    Bet.THREE_NUMBERS: 11,
    Bet.FOUR_NUMBERS: 8,
    Bet.FIRST_FIVE_NUMBERS: 6,
    Bet.SIX_NUMBERS: 5,
    Bet.SEVEN_NUMBERS: 4,
    Bet.COLUMN: 2,
    Bet.DOZEN: 2,
    Bet.RED: 1,
    Bet.BLACK: 1,
    Bet.ODD: 1,
    Bet.EVEN: 1,
    Bet.ONE_TO_18: 1,
    Bet.NINETEEN_TO_36: 1,
}
"""19:47-5.2(a)."""

EVEN_MONEY = frozenset((Bet.RED, Bet.BLACK, Bet.ODD, Bet.EVEN, Bet.ONE_TO_18, Bet.NINETEEN_TO_36))
"""The wagers that the rules of zero concern: 19:47-5.2(b) to (d)."""

FIXED: Mapping[Bet, Numbers] = {
    Bet.FIRST_FIVE_NUMBERS: layout.FIRST_FIVE,
    Bet.SEVEN_NUMBERS: layout.SEVEN_NUMBERS,
    Bet.RED: layout.RED,
    Bet.BLACK: layout.BLACK,
    Bet.ODD: layout.ODD,
    Bet.EVEN: layout.EVEN,
    Bet.ONE_TO_18: layout.ONE_TO_18,
    Bet.NINETEEN_TO_36: layout.NINETEEN_TO_36,
}
"""What a wager covers whose place on the layout is the only one of its kind."""

THIRDS: Mapping[Bet, tuple[Numbers, ...]] = {Bet.COLUMN: layout.COLUMNS, Bet.DOZEN: layout.DOZENS}
"""The first, second and third of each."""

DEFINED: Mapping[Bet, str] = {
    Bet.ONE_TO_18: "19:47-5.1(e)13",
    Bet.NINETEEN_TO_36: "19:47-5.1(e)14",
    Bet.SEVEN_NUMBERS: "19:47-5.1(f)",
    Bet.FIVE_ADJACENT_NUMBERS: "19:47-5.3(d)",
}
"""The wagers that the text says something about, besides their odds."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A wager on the layout: what it is, which numbers it covers, and how many cents it is."""

    bet: Bet
    numbers: Numbers
    amount: int


def check_odds(odds: Odds) -> None:
    """Raise Illegal when a posted table pays less than the least odds, or leaves a wager out."""
    for bet, least in LEAST_ODDS.items():
        if (paid := odds.get(bet)) is None or paid < least:
            raise Illegal(f"{bet.value}: {paid} to 1, the least is {least} to 1", "19:47-5.2(a)")


def third(bet: Bet, which: int) -> Numbers:
    """The numbers of a column or a dozen, 1 to 3."""
    if which not in (1, 2, 3):
        raise Illegal(f"{bet.value} {which}: expected 1 to 3")
    return THIRDS[bet][which - 1]


def check_place(bet: Bet, numbers: Numbers, wheel: Wheel, layouts: Mapping[Wheel, Layout] = STANDARD) -> None:
    """Raise Illegal when the layout of the table has no place for such a wager on these numbers."""
    if numbers not in places(bet, wheel, layouts):
        shown = ", ".join(sorted(numbers, key=lambda pocket: (len(pocket), pocket)))
        raise Illegal(f"{bet.value} on {shown}: no such place on a layout for {wheel.value}")


def places(bet: Bet, wheel: Wheel, layouts: Mapping[Wheel, Layout] = STANDARD) -> frozenset[Numbers]:
    """All groups of numbers on which such a wager can be placed."""
    here = layouts[wheel]
    if bet is Bet.FIRST_FIVE_NUMBERS and wheel is not Wheel.DOUBLE_ZERO:
        return frozenset()
    if bet in FIXED:
        return frozenset((FIXED[bet],))
    if bet in THIRDS:
        return frozenset(THIRDS[bet])
    if bet is Bet.STRAIGHT:
        return frozenset(frozenset((pocket,)) for pocket in layout.played(wheel))
    return {
        Bet.SPLIT: here.splits,
        Bet.THREE_NUMBERS: here.threes,
        Bet.FOUR_NUMBERS: here.fours,
        Bet.SIX_NUMBERS: here.sixes,
        Bet.FIVE_ADJACENT_NUMBERS: here.neighbours,
    }[bet]
