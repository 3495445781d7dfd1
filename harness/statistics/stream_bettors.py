"""The bettors against a stream of k equally likely symbols: a display of numbers, or the faces of dice in turn."""

import numpy as np

from feltrig.harness.statistics import lags
from feltrig.harness.statistics.predictors import Replays, Rules
from feltrig.harness.statistics.sequential import Family
from feltrig.harness.statistics.symbol_learners import Changes, Echoes, Learner, Matches, Recency, View, Views

SYMBOLS = (3.0, 30.0, 300.0, 3000.0)
"""Strengths with which a learner of one symbol, or of a match, trusts the fair chance: so many draws' worth."""
MATCHES = (0.5, 50.0, 500.0)
COPIED = (0.08, 0.3)
"""Shares of copies that are bet on as they are."""
CELLS = (0.25, 2.0, 16.0, 128.0)
"""Pseudo-counts of each cell of the learners of all symbols."""
STEPS = (*range(1, 17), *(1 << power for power in range(5, 14)))
"""Lags at which steps are learned: short ones, and those after which the low bits of a generator come again."""
TABLED = 8
"""Lags at which each symbol is learned from one before."""
NEAR, FAR = 48, 512
"""Lags up to which matches are learned, with all strengths and with one."""
TAPS = tuple(taps for taps in lags.TAPS if taps[1] <= 5 or taps[1] in range(11, 400))
"""Pairs of lags of which the sum or difference is learned."""
PERIODS = 16
"""Cycles of positions, up to this length, in which the symbols are learned."""
WINDOWS = (12.0, 64.0, 400.0)
"""Draws that a learner of changes remembers."""
LOOPS = 8
"""Lags at which it looks for matches."""


def bettors(k: int, symbol: str) -> list[tuple[float, Family]]:
    """Families, with their shares of the stake; `symbol` is what the reports call one."""
    cells = [k * count for count in CELLS]
    steps = [View(((lag, sign),)) for lag in STEPS for sign in (-1, 1)]
    triplets = [View(tuple(zip(taps, signs, strict=True))) for taps in TAPS for signs in lags.SIGNS]
    tables = [View(context=(1,)), View(context=(1, 2)), *(View(context=(lag,)) for lag in range(2, TABLED + 1))]
    singles, periods = [View(shift=-s) for s in range(k)], [View(period=p) for p in range(2, PERIODS + 1)]
    near, far = 1 / (4.0 + np.arange(NEAR)), 1 / (4.0 + np.arange(FAR))
    back = Views([View(((1, -1),))], k)
    return [
        (0.08, Learner("frequencies", f"a {symbol} that is preferred", Views([View()], k), k, cells)),
        (0.18, Matches(f"one {symbol}", f"one {symbol} too often or too seldom", Views(singles, k), k, SYMBOLS)),
        (0.2, Matches("repeats", f"a {symbol} repeated too often or too seldom", back, k, MATCHES, COPIED)),
        (0.07, Learner("steps", f"a step from an earlier {symbol} that is preferred", Views(steps, k), k, cells[1:])),
        (0.06, Learner("tables", f"a {symbol} that depends on earlier ones", Views(tables, k), k, cells)),
        (0.03, Learner("triplets", f"a {symbol} made from two earlier ones", Views(triplets, k), k, cells[:3:2])),
        (0.06, Learner("recency", f"a {symbol} that depends on how long it did not come", Recency(k), k, cells)),
        (0.03, Learner("periods", f"a {symbol} that depends on the draw's number", Views(periods, k), k, cells[1:])),
        (0.08, Matches("near agreement", "what came a short time before", Echoes(NEAR), k, MATCHES[:2], COPIED, near)),
        (0.03, Matches("far agreement", "what came a fixed time before", Echoes(FAR), k, (3.0,), (), far)),
        (0.08, Replays("replays", "passages that come again: a cycle, a seed used twice", k, (0.5, 0.02))),
        (0.05, Rules("recurrence", f"a {symbol} made from earlier ones by a linear rule", k, 0.003)),
        (0.05, Changes("changes", "a fault that began late, or a stretch of it", k, WINDOWS, range(1, LOOPS + 1))),
    ]
