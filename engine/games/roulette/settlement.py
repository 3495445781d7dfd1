"""What a wager wins or loses when the ball has come to rest."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from feltrig.engine.games.roulette.bets import DEFINED, EVEN_MONEY, LEAST_ODDS, Bet, Odds, Placed
from feltrig.engine.games.roulette.layout import ZEROS, Pocket, Wheel, is_void
from feltrig.engine.money import Cents, exact
from feltrig.engine.rulings import Illegal

ODDS_RULE = "19:47-5.2(a)"


class ZeroOption(Enum):
    """How much of an even-money wager zero takes on a double zero wheel: 19:47-5.2(b)."""

    HALF = "half"
    ENTIRE = "entire"


ZERO_RULES = {
    Wheel.DOUBLE_ZERO: "19:47-5.2(b)",
    Wheel.SINGLE_ZERO: "19:47-5.2(c)",
    Wheel.DOUBLE_ZERO_USED_AS_SINGLE: "19:47-5.2(d)3",
}


@dataclass(frozen=True, slots=True)
class Settlement:
    """One wager, settled: its gain (+) or loss (-) without the stake."""

    net: Cents
    respin: bool
    """No wager moves, and the wheel is spun again."""
    rules: tuple[str, ...]


VOID = Settlement(0, True, ("19:47-5.2(d)2",))


def winning_payout(bet: Bet, amount: int, odds: Odds = LEAST_ODDS) -> Cents:
    """What a winning wager gains. Of five adjacent numbers a fifth is paid as a straight, the rest is lost: 5.3(d)."""
    if bet is Bet.FIVE_ADJACENT_NUMBERS:
        return exact(Fraction(odds[Bet.STRAIGHT] * amount - 4 * amount, 5))
    return odds[bet] * amount


def settle(
    placed: Placed, result: Pocket, wheel: Wheel, zero: ZeroOption | None = None, odds: Odds = LEAST_ODDS
) -> Settlement:
    """A wager after a valid spin. The option bears on a double zero wheel only, where it must be chosen."""
    if is_void(result, wheel):
        return VOID
    defined = (DEFINED[placed.bet],) if placed.bet in DEFINED else ()
    if result in placed.numbers:
        return Settlement(winning_payout(placed.bet, placed.amount, odds), False, (ODDS_RULE, *defined))
    if result in ZEROS and placed.bet in EVEN_MONEY:
        return Settlement(-_taken_by_zero(placed.amount, wheel, zero), False, (ZERO_RULES[wheel],))
    return Settlement(-placed.amount, False, (*defined,) or (ODDS_RULE,))


def _taken_by_zero(amount: int, wheel: Wheel, zero: ZeroOption | None) -> Cents:
    if wheel is not Wheel.DOUBLE_ZERO:
        return amount
    if zero is None:
        raise Illegal("on a double zero wheel, zero takes half or all of an even-money wager", "19:47-5.2(b)")
    return exact(Fraction(amount, 2)) if zero is ZeroOption.HALF else amount
