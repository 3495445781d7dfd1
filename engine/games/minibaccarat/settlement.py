"""What wagers on the hands win or lose. The whole of it is outside the rule text, which is cut off after Table 1:
the customary payouts stand here as the default that a table's configuration may replace."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from feltrig.engine.games.minibaccarat.coup import Result
from feltrig.engine.money import Cents, exact, vigorish


def five_percent(won: Cents) -> Cents:
    """The customary commission, not rounded."""
    return vigorish(won, "exact")


@dataclass(frozen=True, slots=True)
class Payouts:
    """What a table pays, to 1."""

    player: Fraction = Fraction(1)
    banker: Fraction = Fraction(1)
    tie: Fraction = Fraction(8)
    commission: Callable[[Cents], Cents] = five_percent
    """What the house takes of a win on the Banker's Hand."""
    tie_pushes: bool = True
    """Whether wagers on the two hands are returned when they tie."""


CUSTOMARY = Payouts()


@dataclass(frozen=True, slots=True)
class Settlement:
    """One wager, settled: its gain (+) or loss (-) without the stake, after the commission."""

    net: Cents
    commission: Cents = 0


def settle(on: Result, result: Result, wager: int, payouts: Payouts = CUSTOMARY) -> Settlement:
    """A wager on one of the three results."""
    if on is not result:
        pushes = result is Result.TIE and payouts.tie_pushes
        return Settlement(0 if pushes else -wager)
    if on is not Result.BANKER:
        return Settlement(exact((payouts.player if on is Result.PLAYER else payouts.tie) * wager))
    won = exact(payouts.banker * wager)
    taken = payouts.commission(won)
    return Settlement(exact(won - taken), taken)
