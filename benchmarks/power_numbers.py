"""Bad number displays, and how many draws it takes to refuse them."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from power_rows import Row, Samples, Subject, refuses

from feltrig.harness.statistics.core.sequential import RunningTest
from feltrig.harness.statistics.streams import numbers, symbols
from feltrig.harness.statistics.streams.symbols import SymbolSource

K = 7
BLOCK = 64
Random = np.random.Generator


def fair(rng: Random, runs: int, size: int) -> Samples:
    """Every number equally likely."""
    return rng.integers(1, K + 1, (runs, size))


def favoured(rng: Random, runs: int, size: int, excess: float) -> Samples:
    """Number 1 comes more often by this share of its due."""
    chances = np.full(K, (1 - (1 + excess) / K) / (K - 1))
    chances[0] = (1 + excess) / K
    return rng.choice(K, (runs, size), p=chances) + 1


def scaled(rng: Random, runs: int, size: int, values: int) -> Samples:
    """Equally likely values from 0, taken mod 7."""
    return rng.integers(0, values, (runs, size)) % K + 1


def periodic(rng: Random, runs: int, size: int, period: int) -> Samples:
    """A sequence of this length, again and again."""
    return np.tile(fair(rng, runs, period), (1, -(-size // period)))[:, :size]


def sticky(rng: Random, runs: int, size: int, chance: float) -> Samples:
    """The last number again, with this chance."""
    return kept(fair(rng, runs, size), rng.random((runs, size)) < chance)


def never_repeating(rng: Random, runs: int, size: int) -> Samples:
    """Any number but the last."""
    return np.cumsum(rng.integers(1, K, (runs, size)), axis=1) % K + 1


def recurrent(rng: Random, runs: int, size: int, order: int) -> Samples:
    """A linear rule mod 7 on the last numbers, another one in each run."""
    taps = rng.integers(0, K, (runs, order))
    taps[:, 0] = rng.integers(1, K, runs)
    drawn = np.zeros((runs, max(size, order)), dtype=np.int64)
    drawn[:, :order] = rng.integers(0, K, (runs, order))
    for t in range(order, size):
        drawn[:, t] = (taps * drawn[:, t - order : t]).sum(axis=1) % K
    return drawn[:, :size] + 1


def reseeded(rng: Random, runs: int, size: int, seeds: int, length: int) -> Samples:
    """Power-ups of so many draws each, whose generator starts from one of few seeds."""
    sequences = fair(rng, runs * seeds, length).reshape(runs, seeds, length)
    chosen = rng.integers(0, seeds, (runs, -(-size // length)))
    return np.take_along_axis(sequences, chosen[:, :, None], axis=1).reshape(runs, -1)[:, :size]


def kept(drawn: NDArray[Any], keep: NDArray[np.bool_]) -> Samples:
    """Each draw, or the one before it where it is kept."""
    keep[:, 0] = False
    times = np.arange(drawn.shape[1]).reshape(-1, *[1] * (drawn.ndim - 2))
    source = np.maximum.accumulate(np.where(keep, 0, times), axis=1)
    return np.take_along_axis(drawn, source, axis=1)


ROWS = (
    Row("one number +50 %", partial(favoured, excess=0.5), "1,024", 1217, 684, 1487),
    Row("one number +20 %", partial(favoured, excess=0.2), "5,792", 6888, 3790, 8192),
    Row("0...15 mod 7", partial(scaled, values=16), "1,024", 1217, 677, 1349),
    Row("period 50", partial(periodic, period=50), "608", 64, 58, 58),
    Row("period 200", partial(periodic, period=200), "4,096", 215, 209, 209),
    Row("period 500", partial(periodic, period=500), "never", 512, 510, 510),
    Row("repeats its last number, p = 0.3", partial(sticky, chance=0.3), "never", 90, 43, None),
    Row("repeats its last number, p = 0.1", partial(sticky, chance=0.1), "never", 724, 501, None),
    Row("repeats its last number, p = 0.05", partial(sticky, chance=0.05), "never", 2435, 1897, None),
    Row("never repeats", never_repeating, "never", 53, 110, 129),
    Row("linear recurrence mod 7, order 8", partial(recurrent, order=8), "never", 24, None, None),
    Row("60 start-up seeds, 10 draws each", partial(reseeded, seeds=60, length=10), "3,444", 256, 244, 512),
)


def refused(samples: Samples, sizes: list[int], level: float) -> dict[int, NDArray[np.bool_]]:
    """Which runs the battery refuses after so many draws."""
    return {size: np.array([_refuses(run[:size], level) for run in samples]) for size in sizes}


def _refuses(run: NDArray[Any], level: float) -> bool:
    return refuses(numbers.ROWS, (numbers.symbols_of(run, K),), SymbolSource(K), size=len(run), level=level)


def refused_by_habit(samples: Samples, sizes: list[int], level: float) -> dict[int, NDArray[np.bool_]]:
    """Which runs the chi-square of the frequencies refuses."""
    return {
        size: np.array([symbols.frequencies([numbers.symbols_of(run[:size], K)]).p <= level for run in samples])
        for size in sizes
    }


def stopped(samples: Samples, level: float) -> NDArray[np.float64]:
    """After how many draws the running test refuses each run."""
    return np.array([stopping(run, numbers.sequential(level)) for run in samples])


def stopping(run: NDArray[Any], running: RunningTest) -> float:
    """After how many samples a running test refuses this run; infinite where it does not."""
    for start in range(0, len(run), BLOCK):
        if running.add(run[start : start + BLOCK]):
            break
    return float(running.refused_at or np.inf)


SUBJECT = Subject("numbers 1-7", "draws", "chi-square of the frequencies", ROWS, refused, refused_by_habit, stopped)
