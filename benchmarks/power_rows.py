"""What a table of benchmarks/power.py consists of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.core.rows import SampleT, SetupT, StatisticRow, allowed

Samples = NDArray[Any]
"""Runs of one machine: the first axis counts runs, the second the samples of a run in order."""


@dataclass(frozen=True, slots=True)
class Row:
    """A defect, how to make runs of it, and the figures to compare with; None where there is none."""

    defect: str
    make: Callable[[np.random.Generator, int, int], Samples]
    """Generator, number of runs, samples per run."""
    habit: str
    """Samples that the habitual test needs, as it was measured."""
    battery: int | None
    """Samples for 0.99 power with the battery; None: not to be caught."""
    mean: float | None
    """Mean of the stopping time of the sequential test."""
    late: float | None
    """Its 99th percentile."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One table: its rows, and how runs are judged."""

    title: str
    unit: str
    habit: str
    """The test that labs use by habit."""
    rows: tuple[Row, ...]
    refused: Callable[[Samples, list[int], float], dict[int, NDArray[np.bool_]]]
    """For each of these sample sizes, which runs the battery refuses after so many samples, at this level."""
    refused_by_habit: Callable[[Samples, list[int], float], dict[int, NDArray[np.bool_]]]
    stopped: Callable[[Samples, float], NDArray[np.float64]]
    """After how many samples the sequential test refuses each run; infinite where it does not."""


def refuses(
    rows: Sequence[StatisticRow[SampleT, SetupT]], sample: SampleT, setup: SetupT, *, size: int, level: float
) -> bool:
    """The decision alone, made as soon as one test makes it: for simulations."""
    used = allowed(rows, setup, size)
    shared = sum(test.share for _, test in used)
    return any(test.see(sample).p * shared / test.share <= level for _, test in used)
