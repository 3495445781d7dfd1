"""What a licensee chooses at a Big Six table."""

from dataclasses import dataclass, field

from feltrig.engine.games.big_six.paytables import LEAST_ODDS, STOPS, Odds, Symbol, check_odds, stops
from feltrig.engine.games.big_six.spin import BetweenStops


def _customary_wheel() -> tuple[Symbol, ...]:
    return tuple(symbol for symbol, count in STOPS.items() for _ in range(count))


@dataclass(frozen=True)
class Options:
    """A table's choices. An illegal one raises Illegal with the rule that forbids it."""

    between_stops: BetweenStops = BetweenStops.PREVIOUS
    """Posted on a sign at the table: 19:47-5.6(d)."""
    odds: Odds = field(default_factory=lambda: LEAST_ODDS)
    wheel: tuple[Symbol, ...] = field(default_factory=_customary_wheel)
    """The stops of the wheel, in any order that the makers chose: outside the rule text (B6-01)."""

    def __post_init__(self) -> None:
        check_odds(self.odds)
        stops(self.wheel)
