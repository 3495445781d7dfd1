"""Big Six: every symbol of a wheel, by its stops."""

from collections.abc import Iterator, Mapping

from feltrig.engine.games.big_six.paytables import LEAST_ODDS, STOPS, Odds, Symbol, settle
from feltrig.engine.odds.wager import GameOdds, Progress, Source, Wager, Wheel, gathered, silent

CUSTOMARY = "customary wheel"


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """The wagers on the customary wheel, which is outside the rule text (B6-01)."""
    yield from of_wheel(STOPS, CUSTOMARY)


def of_wheel(stops: Mapping[Symbol, int], table: str, odds: Odds = LEAST_ODDS) -> Iterator[Wager]:
    """The wagers on a wheel with these stops."""
    for on in Symbol:
        ends = ((_name(on, result), settle(on, result, 1, odds).net, stops[result]) for result in Symbol)
        yield gathered(on.value, table, ends)


def _name(on: Symbol, result: Symbol) -> str:
    return "win" if on is result else "lose"


ODDS = GameOdds(
    (Source("all wagers", wagers),),
    wheel=Wheel(
        tuple(symbol.value for symbol in Symbol),
        lambda stops, table: of_wheel({Symbol(name): count for name, count in stops.items()}, table),
    ),
)
