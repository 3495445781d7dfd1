"""The running test of a stream, for numbers and rolls alike."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.core.acceptance import Acceptance
from feltrig.harness.statistics.core.purses import Through
from feltrig.harness.statistics.core.results import Detectable, counted
from feltrig.harness.statistics.core.rows import StatisticRow, stakes
from feltrig.harness.statistics.core.sequential import RunningTest
from feltrig.harness.statistics.streams.chi_square import Ints
from feltrig.harness.statistics.streams.source import SymbolSource


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

    shown = [stake._replace(bettors=Through(_from_zero, stake.bettors)) for stake in stakes(rows, source)]
    return RunningTest(shown, level=level, unit=unit, acceptance=acceptance, detectable=could_show)


def excess_ratios(size: float, k: int) -> tuple[float, float]:
    """Log likelihood ratios when a symbol that exceeds its due by this share comes, and when it does not."""
    due = 1 / k
    return math.log1p(size), math.log((1 - due * (1 + size)) / (1 - due))


def _from_zero(block: NDArray[Any]) -> Ints:
    return np.asarray(block, dtype=np.int64) - 1
