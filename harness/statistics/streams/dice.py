"""What is looked for in rolls of dice: each die, all together, against each other and against earlier rolls."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from feltrig.harness.statistics.core.files import lines, listed, some, whole
from feltrig.harness.statistics.core.p_values import FixedResult, Ints, either
from feltrig.harness.statistics.core.results import Decision, Detectable
from feltrig.harness.statistics.core.rows import Betting, FixedTest, StatisticRow, decide
from feltrig.harness.statistics.core.sequential import RunningTest
from feltrig.harness.statistics.core.sort import Acceptance, SampleSort
from feltrig.harness.statistics.streams import bettors, lags, passages, reach, roll_bettors, rolls, runs, symbols
from feltrig.harness.statistics.streams.bettors import running
from feltrig.harness.statistics.streams.recurrence import recurrences
from feltrig.harness.statistics.streams.roll_bettors import in_turn
from feltrig.harness.statistics.streams.rolls import Rolls
from feltrig.harness.statistics.streams.symbols import Least, Symbols, SymbolSource, of_each, of_each_pair, samples

UNIT = "rolls"
DICE, FACES = 3, 6
COLUMNS = ("dice", "roll", "faces")

Streams = Callable[[list[Symbols]], FixedResult]
RollRow = StatisticRow[Rolls, SymbolSource]


def _of(kind: Callable[[Rolls], list[Symbols]], test: Streams) -> Callable[[Rolls], FixedResult]:
    """A test of streams, of one kind of the streams that rolls are made of."""
    return lambda rolled: test(kind(rolled))


def _any(*views: Callable[[Rolls], FixedResult]) -> Callable[[Rolls], FixedResult]:
    """The strongest of several tests."""
    return lambda rolled: either(*(view(rolled) for view in views))


each = partial(_of, lambda rolled: rolled.dice)
pooled = partial(_of, lambda rolled: rolled.pooled)
whole_roll = partial(_of, lambda rolled: rolled.whole)
combined = partial(_of, lambda rolled: rolled.combined)


def _several(least: Least) -> Least:
    """At least this many rolls of two dice or more."""
    return lambda source: least(source) if source.dice > 1 else math.inf


_agreement = _any(each(lags.agreement), pooled(lags.agreement), whole_roll(lags.agreement))
_one = partial(reach.excess, "one face of one die")
_copies = partial(reach.copying, "one die copied from another")


def _all(source: SymbolSource, n: int, level: float) -> Detectable:
    return reach.excess("one face of all dice", source, n * source.dice, level)


def _seat(_: SymbolSource, n: int, level: float) -> Detectable:
    return reach.excess("one starting position of seven", SymbolSource(7), n, level)


def _keeps(source: SymbolSource, n: int, level: float) -> Detectable:
    return reach.copying("a face kept by each die", source, max(n - 1, 1) * source.dice + 1, level)


def _again(source: SymbolSource, n: int, level: float) -> Detectable:
    return reach.copying("a whole roll repeated", SymbolSource(source.k**source.dice), n, level)


def _twice(source: SymbolSource, n: int, level: float) -> Detectable:
    return reach.passage("faces", source, n * source.dice, level)


def _linear(_: SymbolSource, n: int, level: float) -> Detectable:
    return reach.recurrence("face", SymbolSource(2), n, level)


ROWS: tuple[RollRow, ...] = (
    RollRow("faces", "a die that prefers a face", FixedTest(2, each(symbols.frequencies), _one), None),
    RollRow("worst face", "one face of one die too often or too seldom",
        FixedTest(3, each(symbols.worst_symbol), _one), Betting(10, roll_bettors.one_face)),
    RollRow("opposite faces", "a weighted or a shaved die", FixedTest(1, rolls.opposite_faces, _one), None),
    RollRow("pooled faces", "a face that all dice prefer", FixedTest(2, pooled(symbols.frequencies), _all), None),
    RollRow("worst pooled face", "one face of all dice too often or too seldom",
        FixedTest(1, pooled(symbols.worst_symbol), _all), Betting(11.5, in_turn(bettors.one_symbol))),
    RollRow("totals", "totals that do not follow their law",
        FixedTest(1, rolls.totals, _seat, samples(30)), Betting(4, roll_bettors.classes)),
    RollRow("starting position", "a position that the dice prefer",
        FixedTest(1, rolls.starting_position, _seat, samples(40)), None),
    RollRow("total runs", "low and high totals that clump or alternate",
        FixedTest(0.5, rolls.total_runs, _copies, samples(8)), None),
    RollRow("turning points", "faces that swing too often or too seldom",
        FixedTest(0.5, each(runs.turning_points), _copies, samples(8)), None),
    RollRow("low and high", "low and high faces that clump or alternate",
        FixedTest(0.5, each(runs.low_high_runs), _copies, samples(8)), None),
    RollRow("drift", "frequencies that change slowly", FixedTest(0.5, each(symbols.drift), _one, of_each(10)), None),
    RollRow("stretches", "a stretch in which a face is preferred, or a fault that began late",
        FixedTest(0.5, _any(each(symbols.stretches), pooled(symbols.stretches)), _one, samples(32)),
        Betting(4.5, roll_bettors.changes)),
    RollRow("beginning", "faces that are preferred at first",
        FixedTest(0.5, _any(each(symbols.beginning), pooled(symbols.beginning)), _one, samples(128)), None),
    RollRow("triples", "a face that depends on the two before",
        FixedTest(1, pooled(partial(lags.serial, order=2)), _copies, of_each_pair(4)), None),
    RollRow("lagged pairs", "a face that depends on one some rolls before",
        FixedTest(0.5, each(lags.tables), _copies, of_each(8)), None),
    RollRow("whole rolls", "rolls that are preferred",
        FixedTest(1, whole_roll(symbols.frequencies), _again, _several(samples(8))), None),
    RollRow("preferred rolls", "one roll, or one set of faces, that is preferred",
        FixedTest(0.5, rolls.preferred_rolls, _again, _several(samples(128))), None),
    RollRow("after totals", "a face that depends on an earlier total",
        FixedTest(0.5, rolls.after_totals, _copies, _several(of_each(80))), None),
    RollRow("kept totals", "totals, or positions, that stay as they were some rolls before",
        FixedTest(0.5, rolls.kept_totals, _copies, _several(of_each(80))),
        Betting(1.5, roll_bettors.kept_classes)),
    RollRow("turned rolls", "an earlier roll turned over",
        FixedTest(0.5, rolls.turned_rolls, _again, _several(samples(32))), None),
    RollRow("pairs of dice", "a die that depends on another, or on a last face",
        FixedTest(1, rolls.tables_of_dice, _copies, _several(of_each(4))), Betting(4, roll_bettors.pairs_of_dice)),
    RollRow("combinations", "dice that do not fall independently",
        FixedTest(2, combined(symbols.frequencies), _copies, _several(samples(2))),
        Betting(6, roll_bettors.combinations)),
    RollRow("patterns", "pairs or triples too often or too seldom",
        FixedTest(0.5, rolls.patterns, _copies, _several(samples(8))), None),
    RollRow("equal dice", "two dice that agree, or complement each other",
        FixedTest(2, rolls.equal_dice, _copies, _several(samples(2))), Betting(11.5, roll_bettors.equal_dice)),
    RollRow("kept combinations", "sums or differences of dice that depend on the last roll",
        FixedTest(1, rolls.kept_combinations, _copies, _several(samples(8))),
        Betting(4, roll_bettors.kept_combinations)),
    RollRow("far lagged pairs", "a face that depends on one long before",
        FixedTest(0.5, _any(each(lags.far_tables), pooled(lags.far_tables)), _copies, of_each_pair(20)), None),
    RollRow("distant steps", "a step from some rolls before that is preferred",
        FixedTest(0.5, each(lags.distant_pairs), _copies, samples(16)), None),
    RollRow("triplets", "faces made from two earlier ones",
        FixedTest(0.5, pooled(lags.triplets), _copies, samples(16)), Betting(1.5, in_turn(bettors.triplets))),
    RollRow("steps", "a step from the last face that is preferred",
        FixedTest(1, each(lags.neighbours), _copies, samples(10)), None),
    RollRow("recency", "faces that depend on how long they did not come",
        FixedTest(0.5, each(symbols.recency), _one, of_each(2)), Betting(2, in_turn(bettors.recency))),
    RollRow("runs and gaps", "faces, or rolls, in a row, or away for long",
        FixedTest(0.5, _any(each(runs.runs_and_gaps), whole_roll(runs.runs_and_gaps)), _one, of_each(32)),
        None),
    RollRow("evenness", "faces that come more evenly than chance allows",
        FixedTest(1, each(symbols.evenness), _one, of_each(2)), None),
    RollRow("periods", "faces that depend on the position in a cycle",
        FixedTest(0.5, each(symbols.periods), _one, of_each(8)), Betting(1, in_turn(bettors.periods))),
    RollRow("rhythms", "rolls that depend on the time of any cycle",
        FixedTest(0.5, rolls.roll_rhythms, _one, of_each(192)), None),
    RollRow("last faces", "a die that shows what it, or another, showed last",
        FixedTest(1, rolls.last_faces, _copies, samples(8)), Betting(4, roll_bettors.last_faces)),
    RollRow("persistence", "dice that keep their face",
        FixedTest(3, each(lags.matches), _keeps, samples(2)), Betting(13, in_turn(bettors.kept_symbol))),
    RollRow("equal rolls", "rolls that repeat the last one",
        FixedTest(9, rolls.equal_rolls, _again, samples(2)), Betting(12, roll_bettors.equal_rolls)),
    RollRow("agreement", "rolls, or dice, as they were a fixed time before",
        FixedTest(1, _agreement, _keeps, samples(12)), Betting(2.5, roll_bettors.old_rolls)),
    RollRow("passages", "rolls that come again: a cycle, a seed used twice",
        FixedTest(1, pooled(passages.repeated), _twice, samples(8)), Betting(4.5, in_turn(bettors.replays))),
    RollRow("recurrence", "faces made from earlier ones by a linear rule",
        FixedTest(1, _of(lambda rolled: [*rolled.pooled, *rolled.dice], recurrences), _linear, samples(8)),
        Betting(2.5, in_turn(bettors.rules))),
    RollRow("loops", "a stretch in which dice are stuck or loop",
        FixedTest(1, _any(each(passages.loops), whole_roll(passages.loops)), _twice, samples(4)), None),
)  # fmt: skip
"""In the order of a report. Of fixed tests that are equally certain the later one decides."""


def fixed(values: ArrayLike, level: float = 0.01, faces: int = FACES) -> Decision:
    """One decision about rolls, one row each, in the order in which they fell; the dice must be told apart."""
    rolled = rolls_of(values, faces)
    size, dice = rolled.faces.shape
    return decide(ROWS, rolled, SymbolSource(faces, dice), size=size, level=level, unit=UNIT)


def rolls_of(values: ArrayLike, faces: int = FACES) -> Rolls:
    """Faces from 1 as symbols; ValueError for an empty sample, or a face out of range."""
    rolled = np.asarray(values, dtype=np.int64)
    if rolled.ndim != 2 or rolled.size == 0 or rolled.min() < 1 or rolled.max() > faces:
        raise ValueError(f"expected rolls of one or more dice with faces from 1 to {faces}")
    return Rolls(rolled - 1, faces)


def sequential(
    level: float = 0.01, acceptance: Acceptance | None = None, dice: int = DICE, faces: int = FACES
) -> RunningTest:
    """The running test of rolls, to which blocks of them are added."""
    return running(ROWS, SymbolSource(faces, dice), level, UNIT, _one, acceptance)


def read(file: Path, dice: int = DICE, faces: int = FACES) -> Ints:
    """Rolls, one row each: the faces of the dice in the order in which the file has them."""
    rolled = []
    for line in lines(file, COLUMNS):
        cells = line.take(COLUMNS)
        if cells is None:
            cells = list(line.cells.values()) if isinstance(line.cells, dict) else line.cells
        cells = listed(cells)
        if len(cells) != dice:
            raise line.bad(cells, f"a roll of {dice} dice")
        rolled.append([whole(line, value, 1, faces, "a face") for value in cells])
    return some(file, rolled, "rolls")


def _sound(_: Mapping[str, Any], sample: Mapping[str, Any]) -> bool:
    return len(sample["dice"]) == DICE and all(1 <= die <= FACES for die in sample["dice"])


ROLLS = SampleSort(
    name="rolls",
    unit=UNIT,
    rows=ROWS,
    fixed=fixed,
    sequential=sequential,
    read=read,
    sound=_sound,
    values=lambda taken, _: [sample["dice"] for sample in taken],
)
