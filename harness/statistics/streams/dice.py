"""What is looked for in rolls of dice: each die, all together, against each other and against earlier rolls."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from feltrig.harness.statistics.core.acceptance import Acceptance, Effect
from feltrig.harness.statistics.core.files import Ints, lines, listed, some, whole
from feltrig.harness.statistics.core.fixed import decide
from feltrig.harness.statistics.core.results import Decision, Detectable
from feltrig.harness.statistics.core.rows import Bet, Fixed, Row
from feltrig.harness.statistics.core.seen import Seen, either
from feltrig.harness.statistics.core.sequential import RunningTest
from feltrig.harness.statistics.core.sort import SampleSort
from feltrig.harness.statistics.streams import (
    bettors,
    lags,
    orderings,
    passages,
    reach,
    recurrence,
    repetition,
    roll_bettors,
    roll_memory,
    rolls,
    symbols,
)
from feltrig.harness.statistics.streams.roll_bettors import in_turn
from feltrig.harness.statistics.streams.rolls import Rolls
from feltrig.harness.statistics.streams.running import excess_ratios, running
from feltrig.harness.statistics.streams.source import Least, Source, of_each, of_each_pair, samples
from feltrig.harness.statistics.streams.symbols import Symbols

UNIT = "rolls"
DICE, FACES = 3, 6
COLUMNS = ("dice", "roll", "faces")

Streams = Callable[[list[Symbols]], Seen]


def _of(kind: Callable[[Rolls], list[Symbols]], test: Streams) -> Callable[[Rolls], Seen]:
    """A test of streams, of one kind of the streams that rolls are made of."""
    return lambda rolled: test(kind(rolled))


def _any(*views: Callable[[Rolls], Seen]) -> Callable[[Rolls], Seen]:
    """The strongest of several tests."""
    return lambda rolled: either(*(view(rolled) for view in views))


each = partial(_of, lambda rolled: rolled.dice)
pooled = partial(_of, lambda rolled: rolled.pooled)
whole_roll = partial(_of, lambda rolled: rolled.whole)
combined = partial(_of, lambda rolled: rolled.combined)


def _several(least: Least) -> Least:
    """At least so many rolls of two dice or more."""
    return lambda source: least(source) if source.dice > 1 else math.inf


_one = partial(reach.excess, "one face of one die")
_copies = partial(reach.copying, "one die copied from another")


def _all(source: Source, n: int, level: float) -> Detectable:
    return reach.excess("one face of all dice", source, n * source.dice, level)


def _seat(_: Source, n: int, level: float) -> Detectable:
    return reach.excess("one starting position of seven", Source(7), n, level)


def _keeps(source: Source, n: int, level: float) -> Detectable:
    return reach.copying("a face kept by each die", source, max(n - 1, 1) * source.dice + 1, level)


def _again(source: Source, n: int, level: float) -> Detectable:
    return reach.copying("a whole roll repeated", Source(source.k**source.dice), n, level)


def _twice(source: Source, n: int, level: float) -> Detectable:
    return reach.passage("faces", source, n * source.dice, level)


def _linear(_: Source, n: int, level: float) -> Detectable:
    return reach.recurrence("face", Source(2), n, level)


ROWS: tuple[Row[Rolls, Source], ...] = (
    Row("faces", "a die that prefers a face",
        Fixed(2, each(symbols.frequencies), _one), None),  # among the combinations, one by one
    Row("worst face", "one face of one die too often or too seldom",
        Fixed(3, each(symbols.worst_symbol), _one), Bet(10, roll_bettors.one_face)),
    Row("opposite faces", "a weighted or a shaved die", Fixed(1, rolls.opposite_faces, _one), None),
    Row("pooled faces", "a face that all dice prefer", Fixed(2, pooled(symbols.frequencies), _all), None),
    Row("worst pooled face", "one face of all dice too often or too seldom",
        Fixed(1, pooled(symbols.worst_symbol), _all), Bet(11.5, in_turn(bettors.one_symbol))),
    Row("totals", "totals that do not follow their law",
        Fixed(1, rolls.totals, _seat, samples(30)),
        Bet(4, roll_bettors.classes)),  # and starting positions, and rolls that are preferred
    Row("starting position", "a position that the dice prefer",
        Fixed(1, rolls.starting_position, _seat, samples(40)), None),  # among the totals, one by one
    Row("total runs", "low and high totals that clump or alternate",
        Fixed(0.5, rolls.total_runs, _copies, samples(8)), None),
    Row("turning points", "faces that swing too often or too seldom",
        Fixed(0.5, each(orderings.turning_points), _copies, samples(8)), None),
    Row("low and high", "low and high faces that clump or alternate",
        Fixed(0.5, each(orderings.low_high_runs), _copies, samples(8)), None),
    Row("drift", "frequencies that change slowly", Fixed(0.5, each(symbols.drift), _one, of_each(10)), None),
    Row("stretches", "a stretch in which a face is preferred, or a fault that began late",
        Fixed(0.5, _any(each(symbols.stretches), pooled(symbols.stretches)), _one, samples(32)),
        Bet(4.5, roll_bettors.changes)),
    Row("beginning", "faces that are preferred at first",
        Fixed(0.5, _any(each(symbols.beginning), pooled(symbols.beginning)), _one, samples(128)), None),
    Row("triples", "a face that depends on the two before",
        Fixed(1, pooled(partial(lags.serial, order=2)), _copies, of_each_pair(4)), None),
    Row("lagged pairs", "a face that depends on one some rolls before",
        Fixed(0.5, each(lags.tables), _copies, of_each(8)), None),
    Row("whole rolls", "rolls that are preferred",
        Fixed(1, whole_roll(symbols.frequencies), _again, _several(samples(8))), None),  # among the totals, one by one
    Row("preferred rolls", "one roll, or one set of faces, that is preferred",
        Fixed(0.5, roll_memory.preferred_rolls, _again, _several(samples(128))), None),  # among the totals, one by one
    Row("after totals", "a face that depends on an earlier total",
        Fixed(0.5, roll_memory.after_totals, _copies, _several(of_each(80))), None),
    Row("kept totals", "totals, or positions, that stay as they were some rolls before",
        Fixed(0.5, roll_memory.kept_totals, _copies, _several(of_each(80))), Bet(1.5, roll_bettors.kept_classes)),
    Row("turned rolls", "an earlier roll turned over",
        Fixed(0.5, roll_memory.turned_rolls, _again, _several(samples(32))), None),
    Row("pairs of dice", "a die that depends on another, or on a last face",
        Fixed(1, rolls.tables_of_dice, _copies, _several(of_each(4))), Bet(4, roll_bettors.pairs_of_dice)),
    Row("combinations", "dice that do not fall independently",
        Fixed(2, combined(symbols.frequencies), _copies, _several(samples(2))), Bet(6, roll_bettors.combinations)),
    Row("patterns", "pairs or triples too often or too seldom",
        Fixed(0.5, rolls.patterns, _copies, _several(samples(8))), None),
    Row("equal dice", "two dice that agree, or complement each other",
        Fixed(2, rolls.equal_dice, _copies, _several(samples(2))), Bet(11.5, roll_bettors.equal_dice)),
    Row("kept combinations", "sums or differences of dice that depend on the last roll",
        Fixed(1, rolls.kept_combinations, _copies, _several(samples(8))), Bet(4, roll_bettors.kept_combinations)),
    Row("far lagged pairs", "a face that depends on one long before",
        Fixed(0.5, _any(each(lags.far_tables), pooled(lags.far_tables)), _copies, of_each_pair(20)), None),
    Row("distant steps", "a step from some rolls before that is preferred",
        Fixed(0.5, each(lags.distant_pairs), _copies, samples(16)), None),
    Row("triplets", "faces made from two earlier ones",
        Fixed(0.5, pooled(lags.triplets), _copies, samples(16)), Bet(1.5, in_turn(bettors.triplets))),
    Row("steps", "a step from the last face that is preferred",
        Fixed(1, each(lags.neighbours), _copies, samples(10)), None),  # among the kept combinations, one by one
    Row("recency", "faces that depend on how long they did not come",
        Fixed(0.5, each(symbols.recency), _one, of_each(2)), Bet(2, in_turn(bettors.recency))),
    Row("runs and gaps", "faces, or rolls, in a row, or away for long",
        Fixed(0.5, _any(each(repetition.runs_and_gaps), whole_roll(repetition.runs_and_gaps)), _one, of_each(32)),
        None),
    Row("evenness", "faces that come more evenly than chance allows",
        Fixed(1, each(symbols.evenness), _one, of_each(2)), None),
    Row("periods", "faces that depend on the position in a cycle",
        Fixed(0.5, each(symbols.periods), _one, of_each(8)), Bet(1, in_turn(bettors.periods))),
    Row("rhythms", "rolls that depend on the time of any cycle",
        Fixed(0.5, roll_memory.roll_rhythms, _one, of_each(192)), None),
    Row("last faces", "a die that shows what it, or another, showed last",
        Fixed(1, rolls.last_faces, _copies, samples(8)), Bet(4, roll_bettors.last_faces)),
    Row("persistence", "dice that keep their face",
        Fixed(3, each(lags.matches), _keeps, samples(2)), Bet(13, in_turn(bettors.kept_symbol))),
    Row("equal rolls", "rolls that repeat the last one",
        Fixed(9, rolls.equal_rolls, _again, samples(2)), Bet(12, roll_bettors.equal_rolls)),
    Row("agreement", "rolls, or dice, as they were a fixed time before",
        Fixed(1, _any(each(lags.agreement), pooled(lags.agreement), whole_roll(lags.agreement)), _keeps, samples(12)),
        Bet(2.5, roll_bettors.old_rolls)),
    Row("passages", "rolls that come again: a cycle, a seed used twice",
        Fixed(1, pooled(passages.repeated), _twice, samples(8)), Bet(4.5, in_turn(bettors.replays))),
    Row("recurrence", "faces made from earlier ones by a linear rule",
        Fixed(1, _of(lambda rolled: [*rolled.pooled, *rolled.dice], recurrence.recurrences), _linear, samples(8)),
        Bet(2.5, in_turn(bettors.rules))),
    Row("loops", "a stretch in which dice are stuck or loop",
        Fixed(1, _any(each(passages.loops), whole_roll(passages.loops)), _twice, samples(4)),
        None),  # among the stretches, one by one
)  # fmt: skip
"""In the order of a report. Of fixed tests that are equally certain the later one decides."""


def fixed(values: ArrayLike, level: float = 0.01, faces: int = FACES) -> Decision:
    """One decision about rolls, one row each, in the order in which they fell; the dice must be told apart."""
    rolled = rolls_of(values, faces)
    size, dice = rolled.faces.shape
    return decide(ROWS, rolled, Source(faces, dice), size=size, level=level, unit=UNIT)


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
    return running(ROWS, Source(faces, dice), level, UNIT, _one, acceptance)


def excesses(size: float, dice: int = DICE, faces: int = FACES) -> tuple[Effect, ...]:
    """The effects that one face of one die comes more often by this share of its due, for a plan to exclude."""
    more, less = excess_ratios(size, faces)
    return tuple(
        Effect(
            f"face {face} of die {die + 1} {100 * size:.3g} % too often",
            size,
            partial(lambda die, face, block: np.where(np.asarray(block)[:, die] == face, more, less), die, face),
        )
        for die in range(dice)
        for face in range(1, faces + 1)
    )


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
