"""What the Big Six wheel carries, and what a wager on it wins or loses."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.rulings import Illegal

RULE = "19:47-5.5(a)"


class Symbol(Enum):
    """What a wager is made on: a dollar amount, the joker, the flag."""

    ONE = "1"
    TWO = "2"
    FIVE = "5"
    TEN = "10"
    TWENTY = "20"
    JOKER = "joker"
    FLAG = "flag"


Odds = Mapping[Symbol, int]
"""What a wager pays, to 1."""

LEAST_ODDS: Odds = {
    Symbol.ONE: 1,
    Symbol.TWO: 2,
    Symbol.FIVE: 5,
    Symbol.TEN: 10,
    Symbol.TWENTY: 20,
    Symbol.JOKER: 45,
    Symbol.FLAG: 45,
}
"""19:47-5.5(a)."""

STOPS: Mapping[Symbol, int] = {
    Symbol.ONE: 24,
    Symbol.TWO: 15,
    Symbol.FIVE: 7,
    Symbol.TEN: 4,
    Symbol.TWENTY: 2,
    Symbol.JOKER: 1,
    Symbol.FLAG: 1,
}
"""How often each symbol stands on the customary wheel of 54 stops: outside the rule text (B6-01), so a table may
have any other wheel."""


def check_odds(odds: Odds) -> None:
    """Raise Illegal when a posted table pays less than the least odds, or leaves a symbol out."""
    for symbol, least in LEAST_ODDS.items():
        if (paid := odds.get(symbol)) is None or paid < least:
            raise Illegal(f"{symbol.value}: {paid} to 1, the least is {least} to 1", "19:47-5.5(a)")


def stops(wheel: Sequence[Symbol]) -> dict[Symbol, int]:
    """How often each symbol stands on a wheel; raises Illegal when a wager could never win on it."""
    found = Counter(wheel)
    for symbol in Symbol:
        if not found[symbol]:
            raise Illegal(f"wheel: no stop for {symbol.value}")
    return {symbol: found[symbol] for symbol in Symbol}


@dataclass(frozen=True, slots=True)
class Settlement:
    """One wager, settled: its gain (+) or loss (-) without the stake."""

    net: int
    rules: tuple[str, ...] = (RULE,)


def winning_payout(symbol: Symbol, wager: int, odds: Odds = LEAST_ODDS) -> int:
    """What a winning wager pays, in cents."""
    return odds[symbol] * wager


def settle(on: Symbol, result: Symbol, wager: int, odds: Odds = LEAST_ODDS) -> Settlement:
    """A wager on one symbol after a valid spin that came to another, or to the same."""
    return Settlement(winning_payout(on, wager, odds) if on is result else -wager)
