"""Roulette: every wager on every wheel, pocket by pocket."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from feltrig.engine.games.roulette.bets import EVEN_MONEY, Bet, Placed, places
from feltrig.engine.games.roulette.layout import Wheel, played
from feltrig.engine.games.roulette.settlement import ZeroOption, settle
from feltrig.engine.odds.wager import GameOdds, Net, Progress, Source, Wager, silent

_STAKE = 10
"""Divides by the two of half a wager and by the five of five adjacent numbers."""

_ZEROS: dict[Wheel, tuple[ZeroOption | None, ...]] = {Wheel.DOUBLE_ZERO: tuple(ZeroOption)}


def wagers(progress: Progress = silent) -> Iterator[Wager]:
    """All wagers that a wheel's layout has. The option of zero makes two tables of an even-money wager: 5.2(b)."""
    for wheel in Wheel:
        for bet in Bet:
            if not places(bet, wheel):
                continue
            options = _ZEROS.get(wheel, (None,))
            for zero in options if bet in EVEN_MONEY else options[:1]:
                yield _wager(bet, wheel, zero)


def _wager(bet: Bet, wheel: Wheel, zero: ZeroOption | None) -> Wager:
    """All places of one kind return the same, so one of them stands for all."""
    placed = Placed(bet, min(places(bet, wheel), key=sorted), _STAKE)
    # A void spin moves no wager and is spun again (5.2(d)2), so only the compartments in play are counted.
    counts = Counter(Fraction(settle(placed, pocket, wheel, zero).net, _STAKE) for pocket in played(wheel))
    names = {net: _name(net) for net in counts}
    nets: dict[str, Net] = {names[net]: net for net in counts}
    table = wheel.value if zero is None or bet not in EVEN_MONEY else f"{wheel.value}, zero takes {zero.value}"
    return Wager(bet.value, table, {names[net]: counts[net] for net in sorted(counts, reverse=True)}, nets)


def _name(net: Fraction) -> str:
    if net > 0:
        return "win"
    return "lose" if net == -1 else "lose_half"


ODDS = GameOdds((Source("all wagers", wagers),))
