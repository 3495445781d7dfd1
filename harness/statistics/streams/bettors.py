"""Bettors against streams of k equally likely symbols: what numbers on a display and faces of dice have in common."""

from collections.abc import Iterable

from feltrig.harness.statistics.core.sequential import Bettors
from feltrig.harness.statistics.streams import lags
from feltrig.harness.statistics.streams.learners import Changes, Learner, Matches, Recency, View, Views
from feltrig.harness.statistics.streams.passages import Replays
from feltrig.harness.statistics.streams.recurrence import Rules
from feltrig.harness.statistics.streams.source import SymbolSource

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


def strengths(k: int) -> list[float]:
    """Pseudo-counts of a learner of k symbols, from the weakest to the strongest."""
    return [k * count for count in CELLS]


def one_symbol(source: SymbolSource) -> Bettors:
    """On one symbol that comes too often or too seldom."""
    return Matches(Views([View(shift=-symbol) for symbol in range(source.k)], source.k), source.k, SYMBOLS)


def kept_symbol(source: SymbolSource) -> Bettors:
    """On the symbol of the last sample."""
    return Matches(Views([View(((source.dice, -1),))], source.k), source.k, MATCHES, COPIED)


def triplets(source: SymbolSource) -> Bettors:
    """On a symbol made from two earlier ones."""
    views = [View(tuple(zip(taps, signs, strict=True))) for taps in TAPS for signs in lags.SIGNS]
    return Learner(Views(views, source.k), source.k, strengths(source.k)[:3:2])


def recency(source: SymbolSource) -> Bettors:
    """On symbols that depend on how long they did not come."""
    return Learner(Recency(source.k), source.k, strengths(source.k))


def periods(source: SymbolSource) -> Bettors:
    """On symbols that depend on the position in a cycle of samples."""
    views = [View(period=source.dice * period) for period in range(2, PERIODS + 1)]
    return Learner(Views(views, source.k), source.k, strengths(source.k)[1:])


def replays(source: SymbolSource) -> Bettors:
    """On passages that come again."""
    return Replays(source.k, REPLAYED)


def rules(source: SymbolSource) -> Bettors:
    """On symbols made from earlier ones by a linear rule."""
    return Rules(source.k, RULED)


def changes(source: SymbolSource, near: Iterable[int]) -> Bettors:
    """On a fault that began late, or a stretch of it: in the symbols, or in matches at these lags."""
    return Changes(source.k, WINDOWS, tuple(near))
