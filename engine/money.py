"""Exact money: whole cents, or fractions of a cent where a commission or a share does not come out even."""

from fractions import Fraction

Cents = int | Fraction

VIGORISH = Fraction(5, 100)
"""What the house takes of a win: five percent, 34.12(i)."""

ROUNDING: dict[str, int | None] = {"exact": None, "round_up_to_25_cents": 25}
"""The smallest coin of a commission, by the name of the licensee's choice; None when it is not rounded."""


def exact(x: Fraction | int) -> Cents:
    """The same amount, as an integer when it is whole."""
    return x.numerator if x.denominator == 1 else x


def vigorish(won: Cents, rounding: str) -> Cents:
    """The commission on an amount won; rounding only ever goes up (34.12(i), SPG-10)."""
    if won < 0:
        raise ValueError(f"won {won}: a commission is taken of a win only")
    if rounding not in ROUNDING:
        raise ValueError(f"vigorish rounding {rounding!r}: expected one of {', '.join(ROUNDING)}")
    commission = won * VIGORISH
    coin = ROUNDING[rounding]
    if coin is None:
        return exact(commission)
    return -(-commission // coin) * coin
