"""A table of tests: rows of what is looked for, the stakes of all bettors, one decision by all fixed tests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from feltrig.harness.statistics.core.p_values import FixedResult
from feltrig.harness.statistics.core.results import Decision, Detectable, StatisticResult
from feltrig.harness.statistics.core.sequential import Bettors, StakedBettors

SampleT = TypeVar("SampleT")
SetupT = TypeVar("SetupT")
"""What a fair machine is known by: the deck, the number of symbols, the dice."""


@dataclass(frozen=True, slots=True)
class FixedTest(Generic[SampleT, SetupT]):
    """The test of a whole sample. `share` is its part of the level, relative to the shares of the others."""

    share: float
    see: Callable[[SampleT], FixedResult]
    detectable: Callable[[SetupT, int, float], Detectable]
    """The smallest effect that a sample of this size shows at this level."""
    least: Callable[[SetupT], float] = lambda _: 1
    """Smaller samples are left to the other tests; infinite if the machine has nothing that could be tested."""


@dataclass(frozen=True, slots=True)
class Betting(Generic[SetupT]):
    """Bettors that look for it one sample at a time. `percent` is their part of the stake."""

    percent: float
    against: Callable[[SetupT], Bettors | None]
    """Bettors against such a machine, made anew for each test; None if it has nothing to bet on."""


@dataclass(frozen=True)  # without slots, so that a table can name its own sort of row: `ShuffleRow(...)`
class StatisticRow(Generic[SampleT, SetupT]):
    """What is looked for. A fixed or a sequential test that does not exist is None."""

    name: str
    looks_for: str
    fixed: FixedTest[SampleT, SetupT] | None
    sequential: Betting[SetupT] | tuple[Betting[SetupT], ...] | None


def stakes(rows: Sequence[StatisticRow[SampleT, SetupT]], setup: SetupT) -> list[StakedBettors]:
    """The bettors of all rows. If a table gives out more than 100 percent, all parts shrink alike."""
    given = [(row, bet) for row in rows for bet in bets(row)]
    whole = max(100.0, round(sum(bet.percent for _, bet in given), 9))
    made = ((row, bet, bet.against(setup)) for row, bet in given)
    return [
        StakedBettors(row.name, row.looks_for, bet.percent / whole, bettors)
        for row, bet, bettors in made
        if bettors is not None
    ]


def bets(row: StatisticRow[SampleT, SetupT]) -> tuple[Betting[SetupT], ...]:
    """The bets of a row, none if it has no sequential test."""
    if isinstance(row.sequential, Betting):
        return (row.sequential,)
    return row.sequential or ()


def decide(
    rows: Sequence[StatisticRow[SampleT, SetupT]], sample: SampleT, setup: SetupT, *, size: int, level: float, unit: str
) -> Decision:
    """Runs the tests that a sample of this size allows. When none refuses the machine, the report says what the first
    of them would have found."""
    used = allowed(rows, setup, size)
    seen = [test.see(sample) for _, test in used]
    shared = sum(test.share for _, test in used)
    family = [min(1.0, view.p * shared / test.share) for (_, test), view in zip(used, seen, strict=True)]
    # Of tests that are equally certain the later one in the table decides: it tells more precisely what is wrong.
    at = len(family) - 1 - int(np.argmin(family[::-1]))
    refused = family[at] <= level
    row, first = used[0]
    found = first.detectable(setup, size, level * first.share / shared)
    passed = (
        f"none of {len(used)} tests refuses {size} {unit}; {row.name}, at its share of the level, finds {found.words}"
    )
    decisive = used[at][0]
    why = f"{decisive.looks_for} (p = {seen[at].p:.2g}, of the family {family[at]:.2g})"
    return Decision(
        level=level,
        refused=refused,
        finished=True,
        method=f"{len(used)} tests, each with its share of the level (Bonferroni, weighted)",
        outcomes=tuple(
            StatisticResult(row.name, row.looks_for, *view, None, size, unit, test.detectable(setup, size, level))
            for (row, test), view in zip(used, seen, strict=True)
        ),
        decided_by=decisive.name,
        p_value=family[at],
        log_e=None,
        sample=size,
        unit=unit,
        reason=why if refused else passed,
    )


def allowed(
    rows: Sequence[StatisticRow[SampleT, SetupT]], setup: SetupT, size: int
) -> list[tuple[StatisticRow[SampleT, SetupT], FixedTest[SampleT, SetupT]]]:
    """The rows whose fixed test a sample of this size allows, each with that test."""
    return [(row, row.fixed) for row in rows if row.fixed is not None and size >= row.fixed.least(setup)]
