"""What is looked for in numbers that a machine shows, each of 1 to k equally likely; a display has 1 to 7."""

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from feltrig.harness.statistics.core.files import lines, some, whole
from feltrig.harness.statistics.core.p_values import Ints
from feltrig.harness.statistics.core.purses import Purse
from feltrig.harness.statistics.core.results import Decision
from feltrig.harness.statistics.core.rows import Betting, FixedTest, StatisticRow, decide
from feltrig.harness.statistics.core.sequential import Bettors, RunningTest
from feltrig.harness.statistics.core.sort import Acceptance, SampleSort
from feltrig.harness.statistics.streams import bettors, lags, passages, reach, recurrence, runs, symbols
from feltrig.harness.statistics.streams.bettors import CELLS, learner, running
from feltrig.harness.statistics.streams.learners import Echoes, Matches, View
from feltrig.harness.statistics.streams.symbols import Symbols, SymbolSource, of_each, of_each_pair, samples

UNIT = "draws"
HIGHEST = 7
COLUMNS = ("number", "value", "draw", "result")
STEPS = (*range(1, 17), *(1 << power for power in range(5, 14)))
"""Lags at which steps are learned: short ones, and those after which the low bits of a generator come again."""
TABLED = 8
"""Lags at which each number is learned from one before."""
NEAR, FAR = 48, 512
"""Lags up to which matches are learned, with all strengths and with one."""
LOOPS = 8
"""Lags at which a learner of changes looks for matches."""

Stream = tuple[Symbols]
NumberRow = StatisticRow[Stream, SymbolSource]

_one = partial(reach.excess, "one number")
_copied = partial(reach.copying, "a number copied from an earlier one")
_twice = partial(reach.passage, "numbers")
_linear = partial(reach.recurrence, "number")

_preferred = learner([View()])
_steps = learner([View(((lag, sign),)) for lag in STEPS for sign in (-1, 1)], CELLS[1:])
_after = learner([View(context=lags) for lags in ((1,), (1, 2), *((lag,) for lag in range(2, TABLED + 1)))])


def _near(source: SymbolSource) -> Bettors:
    return Purse(Matches(Echoes(NEAR), source.k, bettors.MATCHES[:2], bettors.COPIED, 1 / (4.0 + np.arange(NEAR))))


def _far(source: SymbolSource) -> Bettors:
    return Purse(Matches(Echoes(FAR), source.k, (3.0,), (), 1 / (4.0 + np.arange(FAR))))


ROWS: tuple[NumberRow, ...] = (
    NumberRow("frequencies", "a number that comes too often or too seldom",
        FixedTest(3, symbols.frequencies, _one), Betting(8, _preferred)),
    NumberRow("worst number", "one number that comes too often or too seldom",
        FixedTest(2, symbols.worst_symbol, _one), Betting(18, bettors.one_symbol)),
    NumberRow("turning points", "numbers that swing too often or too seldom",
        FixedTest(0.5, runs.turning_points, _copied, samples(8)), None),
    NumberRow("low and high", "low and high numbers that clump or alternate",
        FixedTest(0.5, runs.low_high_runs, _copied, samples(8)), None),
    NumberRow("drift", "frequencies that change slowly", FixedTest(0.5, symbols.drift, _one, of_each(10)), None),
    NumberRow("stretches", "a stretch in which a number is preferred, or a fault that began late",
        FixedTest(0.5, symbols.stretches, _one, samples(32)),
        Betting(5, lambda source: bettors.changes(source, range(1, LOOPS + 1)))),
    NumberRow("beginning", "numbers that are preferred at first",
        FixedTest(0.5, symbols.beginning, _one, samples(128)), None),
    NumberRow("triples", "a number that depends on the two before",
        FixedTest(1, partial(lags.serial, order=2), _copied, of_each_pair(4)), None),
    NumberRow("poker", "too many or too few different numbers in five",
        FixedTest(0.5, symbols.poker, _copied, samples(25)), None),
    NumberRow("pairs", "a number that depends on the one before",
        FixedTest(1, partial(lags.serial, order=1), _copied, of_each(4)), None),
    NumberRow("lagged pairs", "a number that depends on one some draws before",
        FixedTest(0.5, lags.tables, _copied, of_each(8)), Betting(6, _after)),
    NumberRow("far lagged pairs", "a number that depends on one long before",
        FixedTest(0.5, lags.far_tables, _copied, of_each_pair(20)), None),
    NumberRow("distant steps", "a step from some draws before that is preferred",
        FixedTest(0.5, lags.distant_pairs, _copied, samples(16)), None),
    NumberRow("triplets", "a number made from two earlier ones",
        FixedTest(0.5, lags.triplets, _copied, samples(24)), Betting(3, bettors.triplets)),
    NumberRow("steps", "a difference from, or sum with, an earlier number that is preferred",
        FixedTest(1.5, lags.neighbours, _copied, samples(10)), Betting(7, _steps)),
    NumberRow("repeats", "a number repeated at once too often or too seldom",
        FixedTest(3, lags.matches, _copied, samples(2)), Betting(20, bettors.kept_symbol)),
    NumberRow("recency", "numbers that depend on how long they did not come",
        FixedTest(1, symbols.recency, _one, of_each(2)), Betting(6, bettors.recency)),
    NumberRow("runs and gaps", "numbers in a row, or away for long",
        FixedTest(0.5, runs.runs_and_gaps, _one, of_each(32)), None),
    NumberRow("evenness", "numbers that come more evenly than chance allows",
        FixedTest(1, symbols.evenness, _one, of_each(2)), None),
    NumberRow("periods", "numbers that depend on the position in a cycle",
        FixedTest(0.5, symbols.periods, _one, of_each(8)), Betting(3, bettors.periods)),
    NumberRow("rhythms", "numbers that come more often at a time of any cycle",
        FixedTest(0.5, symbols.rhythms, _one, of_each(192)), None),
    NumberRow("agreement", "numbers that agree with those a fixed time before",
        FixedTest(1.5, lags.agreement, _copied, samples(12)), (Betting(8, _near), Betting(3, _far))),
    NumberRow("passages", "passages that come again: a cycle, a seed used twice",
        FixedTest(2, passages.repeated, _twice, samples(8)), Betting(8, bettors.replays)),
    NumberRow("recurrence", "numbers made from earlier ones by a linear rule",
        FixedTest(2, recurrence.recurrences, _linear, samples(8)), Betting(5, bettors.rules)),
    NumberRow("loops", "a stretch in which the machine is stuck or loops",
        FixedTest(1, passages.loops, _twice, samples(4)), None),
)  # fmt: skip
"""In the order of a report. Of fixed tests that are equally certain the later one decides."""


def fixed(values: ArrayLike, level: float = 0.01, highest: int = HIGHEST) -> Decision:
    """One decision about numbers from 1 to `highest`, in the order in which they were drawn."""
    drawn = symbols_of(values, highest)
    return decide(ROWS, (drawn,), SymbolSource(highest), size=len(drawn), level=level, unit=UNIT)


def symbols_of(values: ArrayLike, highest: int = HIGHEST) -> Symbols:
    """The numbers as symbols; ValueError for an empty sample, or a number out of range."""
    drawn = np.asarray(values, dtype=np.int64)
    if drawn.ndim != 1 or len(drawn) == 0 or drawn.min() < 1 or drawn.max() > highest:
        raise ValueError(f"expected a sequence of numbers from 1 to {highest}")
    return Symbols(drawn - 1, highest)


def sequential(level: float = 0.01, acceptance: Acceptance | None = None, highest: int = HIGHEST) -> RunningTest:
    """The running test of numbers from 1 to `highest`, to which blocks of them are added."""
    return running(ROWS, SymbolSource(highest), level, UNIT, _one, acceptance)


def read(file: Path, highest: int = HIGHEST) -> Ints:
    """Draws 1 to `highest`, in order; a line may hold several."""
    drawn = []
    for line in lines(file, COLUMNS):
        cells = line.take(COLUMNS) if isinstance(line.cells, dict) else line.cells
        if cells is None:
            raise line.bad(line.cells, f"a draw: expected a column {' or '.join(COLUMNS)}")
        several = cells if isinstance(cells, list) else [cells]
        drawn += [whole(line, value, 1, highest, "a number") for value in several]
    return some(file, drawn, "draws")


NUMBERS = SampleSort(
    name="numbers",
    unit=UNIT,
    rows=ROWS,
    fixed=fixed,
    sequential=sequential,
    read=read,
    sound=lambda _, sample: sample["number"] in range(1, HIGHEST + 1),
    values=lambda taken, _: [sample["number"] for sample in taken],
)
