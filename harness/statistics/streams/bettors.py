"""Bettors against streams of k equally likely symbols, and the running test that numbers and rolls have in common."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.core.p_values import Ints
from feltrig.harness.statistics.core.purses import Purse, Through
from feltrig.harness.statistics.core.results import Detectable, counted
from feltrig.harness.statistics.core.rows import StatisticRow, stakes
from feltrig.harness.statistics.core.sequential import Bettors, RunningTest
from feltrig.harness.statistics.core.sort import Acceptance
from feltrig.harness.statistics.streams import lags
from feltrig.harness.statistics.streams.learners import Changes, Derived, Learner, Matches, Recency, View, Views
from feltrig.harness.statistics.streams.passages import Replays
from feltrig.harness.statistics.streams.recurrence import Rules
from feltrig.harness.statistics.streams.symbols import SymbolSource

Against = Callable[[SymbolSource], Bettors]

SYMBOLS = (3.0, 30.0, 300.0, 3000.0)
"""Strengths with which a learner of one symbol, or of a match, trusts the fair chance: so many draws' worth."""
MATCHES = (0.5, 50.0, 500.0)
COPIED = (0.08, 0.3)
"""Shares of copies that are bet on as they are."""
CELLS = (0.25, 2.0, 16.0, 128.0)
"""Pseudo-counts of each cell of the learners of all symbols."""
TAPS = tuple(taps for taps in lags.TAPS if taps[1] <= 5 or taps[1] in range(11, 400))
"""Pairs of lags of which the sum or difference is learned."""
PERIODS = 16
"""Cycles of positions, up to this length, in which the symbols are learned."""
WINDOWS = (12.0, 64.0, 400.0)
"""Draws that a learner of changes remembers."""
REPLAYED = (0.5, 0.02)
"""Odds that a passage just longer than chance would find is a replay."""
RULED = 0.003
"""Odds that there is a linear rule, before it was right even once."""


def learner(views: Sequence[View], cells: Sequence[float] = CELLS) -> Against:
    """Bettors that learn what is seen in these views, with these pseudo-counts of each cell."""
    return lambda source: learning(Views(views, source.k), source.k, cells)


def learning(derived: Derived, k: int, cells: Sequence[float] = CELLS) -> Bettors:
    """A learner of what is derived of k symbols."""
    return Purse(Learner(derived, k, [k * count for count in cells]))


def one_symbol(source: SymbolSource) -> Bettors:
    """On one symbol that comes too often or too seldom."""
    return Purse(Matches(Views([View(shift=-symbol) for symbol in range(source.k)], source.k), source.k, SYMBOLS))


def kept_symbol(source: SymbolSource) -> Bettors:
    """On the symbol of the last sample."""
    return Purse(Matches(Views([View(((source.dice, -1),))], source.k), source.k, MATCHES, COPIED))


triplets = learner([View(tuple(zip(taps, signs, strict=True))) for taps in TAPS for signs in lags.SIGNS], CELLS[:3:2])
"""On a symbol made from two earlier ones."""


def recency(source: SymbolSource) -> Bettors:
    """On symbols that depend on how long they did not come."""
    return learning(Recency(source.k), source.k)


def periods(source: SymbolSource) -> Bettors:
    """On symbols that depend on the position in a cycle of samples."""
    return learner([View(period=source.dice * period) for period in range(2, PERIODS + 1)], CELLS[1:])(source)


def replays(source: SymbolSource) -> Bettors:
    """On passages that come again."""
    return Purse(Replays(source.k, REPLAYED), late=True)


def rules(source: SymbolSource) -> Bettors:
    """On symbols made from earlier ones by a linear rule."""
    return Purse(Rules(source.k, RULED), late=True)


def changes(source: SymbolSource, near: Iterable[int]) -> Bettors:
    """On a fault that began late, or a stretch of it: in the symbols, or in matches at these lags."""
    return Purse(Changes(source.k, WINDOWS, tuple(near)), late=True)


def running(
    rows: Sequence[StatisticRow[Any, SymbolSource]],
    source: SymbolSource,
    level: float,
    unit: str,
    reach: Callable[[SymbolSource, int, float], Detectable],
    acceptance: Acceptance | None,
) -> RunningTest:
    """Takes blocks of symbols from 1 to k, as machines show them. `reach` is what a report says a sample shows."""

    def could_show(count: int) -> Detectable:
        found = reach(source, count, level)
        return Detectable(found.effect, f"{counted(count, unit)} would show {found.words}")

    def from_zero(block: NDArray[Any]) -> Ints:
        return np.asarray(block, dtype=np.int64) - 1

    shown = [stake._replace(bettors=Through(from_zero, stake.bettors)) for stake in stakes(rows, source)]
    return RunningTest(shown, level=level, unit=unit, acceptance=acceptance, detectable=could_show)
