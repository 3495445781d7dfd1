"""What a wager at the Big Six wheel wins or loses."""

from dataclasses import dataclass

from feltrig.engine.games.big_six.paytables import LEAST_ODDS, Odds, Symbol

RULE = "19:47-5.5(a)"


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
