"""Bad dice shakers, and how many rolls it takes to refuse them."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from power_numbers import kept, stopping
from power_rows import Row, Samples, Subject, refuses

from feltrig.harness.statistics.streams import dice, symbols
from feltrig.harness.statistics.streams.symbols import SymbolSource

DICE, K = 3, 6
Random = np.random.Generator


def fair(rng: Random, runs: int, size: int) -> Samples:
    """Three fair dice."""
    return rng.integers(1, K + 1, (runs, size, DICE))


def loaded(rng: Random, runs: int, size: int, excess: float, dice_loaded: int = 1) -> Samples:
    """Some dice show a six more often by this share of its due."""
    rolled = fair(rng, runs, size)
    chances = np.full(K, (1 - (1 + excess) / K) / (K - 1))
    chances[-1] = (1 + excess) / K
    rolled[..., :dice_loaded] = rng.choice(K, (runs, size, dice_loaded), p=chances) + 1
    return rolled


def copying(rng: Random, runs: int, size: int, chance: float) -> Samples:
    """The second die copies the first, with this chance."""
    rolled = fair(rng, runs, size)
    rolled[..., 1] = np.where(rng.random((runs, size)) < chance, rolled[..., 0], rolled[..., 1])
    return rolled


def keeping(rng: Random, runs: int, size: int, chance: float) -> Samples:
    """Each die keeps its face, with this chance."""
    return kept(fair(rng, runs, size), rng.random((runs, size, DICE)) < chance)


def repeating(rng: Random, runs: int, size: int, chance: float) -> Samples:
    """The whole roll is the last one again, with this chance."""
    again = rng.random((runs, size, 1)) < chance
    return kept(fair(rng, runs, size), np.broadcast_to(again, (runs, size, DICE)).copy())


ROWS = (
    Row("one die, one face +50 %", partial(loaded, excess=0.5), "1,024", 1024, 627, 1323),
    Row("one die, one face +20 %", partial(loaded, excess=0.2), "5,792", 6888, 3538, 7756),
    Row("all dice, one face +20 %", partial(loaded, excess=0.2, dice_loaded=DICE), "2,896", 2048, 1089, 2550),
    Row("a face missing", partial(loaded, excess=-1.0), "90", 64, 68, 96),
    Row("second die copies the first, p = 0.2", partial(copying, chance=0.2), "never", 304, 167, 364),
    Row("second die copies the first, p = 0.05", partial(copying, chance=0.05), "never", 4096, 2275, 4765),
    Row("each die keeps its face, p = 0.2", partial(keeping, chance=0.2), "never", 76, 39, 82),
    Row("each die keeps its face, p = 0.05", partial(keeping, chance=0.05), "never", 1024, 556, 1337),
    Row("whole roll repeats, p = 0.1", partial(repeating, chance=0.1), "never", 90, 38, 120),
    Row("whole roll repeats, p = 0.02", partial(repeating, chance=0.02), "never", 861, 395, 1336),
)


def refused(samples: Samples, sizes: list[int], level: float) -> dict[int, NDArray[np.bool_]]:
    """Which runs the battery refuses after so many rolls."""
    return {size: np.array([_refuses(run[:size], level) for run in samples]) for size in sizes}


def _refuses(run: NDArray[Any], level: float) -> bool:
    return refuses(dice.ROWS, dice.rolls_of(run, K), SymbolSource(K, DICE), size=len(run), level=level)


def refused_by_habit(samples: Samples, sizes: list[int], level: float) -> dict[int, NDArray[np.bool_]]:
    """Which runs the chi-square of the faces of each die refuses."""
    return {size: np.array([_habit(run[:size]) <= level for run in samples]) for size in sizes}


def _habit(run: NDArray[Any]) -> float:
    return symbols.frequencies(dice.rolls_of(run).dice).p


def stopped(samples: Samples, level: float) -> NDArray[np.float64]:
    """After how many rolls the running test refuses each run."""
    return np.array([stopping(run, dice.sequential(level)) for run in samples])


SUBJECT = Subject("three dice", "rolls", "chi-square of the faces", ROWS, refused, refused_by_habit, stopped)
