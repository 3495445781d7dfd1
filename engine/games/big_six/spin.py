"""Which spins of the Big Six wheel count, and what they show."""

from dataclasses import dataclass
from enum import Enum

from feltrig.engine.games.big_six.paytables import Symbol

LEAST_TURNS = 3
"""Full turns of a valid spin: 19:47-5.6(b)."""


class BetweenStops(Enum):
    """What the licensee does when the clapper rests between two stops: 19:47-5.6(c)."""

    PREVIOUS = "previous"
    RESPIN = "respin"


BETWEEN_RULES = {BetweenStops.PREVIOUS: "19:47-5.6(c)1", BetweenStops.RESPIN: "19:47-5.6(c)2"}


@dataclass(frozen=True, slots=True)
class Spin:
    """One spin as it was seen. The wheel may turn either way, so its direction is not asked."""

    turns: float
    symbol: Symbol
    """Where the clapper rests; between two stops, the one that it passed last."""
    between: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a spin decides: the winning symbol, or None when the wheel is spun again."""

    symbol: Symbol | None
    rules: tuple[str, ...]


def verdict(spin: Spin, option: BetweenStops) -> Verdict:
    """What the spin decides. 5.6(b) calls a short spin invalid; that it is spun again is outside the rule text."""
    if spin.turns < LEAST_TURNS:
        return Verdict(None, ("19:47-5.6(b)",))
    if not spin.between:
        return Verdict(spin.symbol, ("19:47-5.6(b)",))
    symbol = spin.symbol if option is BetweenStops.PREVIOUS else None
    return Verdict(symbol, ("19:47-5.6(b)", BETWEEN_RULES[option]))
