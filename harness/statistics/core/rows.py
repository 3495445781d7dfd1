"""A row of a table of tests: one named thing that is looked for, with its fixed test and its bettors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from feltrig.harness.statistics.core.fixed_result import FixedResult
from feltrig.harness.statistics.core.results import Detectable
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
