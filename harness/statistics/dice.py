"""The battery for machines that roll dice: each die, all together, against each other and against the last roll."""

import math
from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np
from numpy.typing import ArrayLike

from feltrig.harness.statistics import (
    detectable,
    lags,
    orderings,
    passages,
    recurrence,
    repetition,
    roll_memory,
    rolls,
    symbols,
)
from feltrig.harness.statistics.coincidences import Ints
from feltrig.harness.statistics.dice_bettors import families
from feltrig.harness.statistics.holm import Probe, Seen, decide, either
from feltrig.harness.statistics.outcome import Decision
from feltrig.harness.statistics.rolls import Rolls
from feltrig.harness.statistics.sequential import Acceptance, Effect, Evidence
from feltrig.harness.statistics.symbols import Symbols
from feltrig.harness.statistics.wagers import Through

UNIT = "rolls"
DICE, FACES = 3, 6

Streams = Callable[[list[Symbols]], Seen]


def fixed(values: ArrayLike, level: float = 0.01, faces: int = FACES) -> Decision:
    """One decision about rolls, one row each, in the order in which they fell; the dice must be told apart."""
    rolled = rolls_of(values, faces)
    size, dice = rolled.faces.shape
    probes = battery(dice, faces, level)
    least = partial(detectable.excess, "one face of one die", faces)
    return decide(probes, rolled, size=size, level=level, unit=UNIT, least=least)


def rolls_of(values: ArrayLike, faces: int = FACES) -> Rolls:
    """Faces from 1 as symbols; ValueError for an empty sample, or a face out of range."""
    rolled = np.asarray(values, dtype=np.int64)
    if rolled.ndim != 2 or rolled.size == 0 or rolled.min() < 1 or rolled.max() > faces:
        raise ValueError(f"expected rolls of one or more dice with faces from 1 to {faces}")
    return Rolls(rolled - 1, faces)


def evidence(
    level: float = 0.01, dice: int = DICE, faces: int = FACES, acceptance: Acceptance | None = None
) -> Evidence:
    """The running test of rolls, to which blocks of them are added."""
    return Evidence(
        [(share, Through(_from_zero, family)) for share, family in families(dice, faces)],
        level=level,
        unit=UNIT,
        acceptance=acceptance,
        detectable=detectable.sentence(detectable.excess("one face of one die", faces, level), UNIT),
    )


def excesses(size: float, dice: int = DICE, faces: int = FACES) -> tuple[Effect, ...]:
    """The effects that one face of one die comes more often by this share of its due, for a plan to exclude."""
    due = 1 / faces
    more, less = math.log1p(size), math.log((1 - due * (1 + size)) / (1 - due))
    return tuple(
        Effect(
            f"face {face} of die {die + 1} {100 * size:.3g} % too often",
            size,
            partial(lambda die, face, block: np.where(np.asarray(block)[:, die] == face, more, less), die, face),
        )
        for die in range(dice)
        for face in range(1, faces + 1)
    )


def _from_zero(block: Ints) -> Ints:
    return np.asarray(block, dtype=np.int64) - 1


def _of(kind: Callable[[Rolls], list[Symbols]], test: Streams) -> Callable[[Rolls], Seen]:
    """A test of streams, of one kind of the streams that rolls are made of."""
    return lambda rolled: test(kind(rolled))


def _any(*views: Callable[[Rolls], Seen]) -> Callable[[Rolls], Seen]:
    """The strongest of several tests."""
    return lambda rolled: either(*(view(rolled) for view in views))


each = partial(_of, lambda rolled: rolled.dice)
pooled = partial(_of, lambda rolled: rolled.pooled)
whole = partial(_of, lambda rolled: rolled.whole)
combined = partial(_of, lambda rolled: rolled.combined)


@lru_cache(maxsize=16)
def battery(dice: int = DICE, k: int = FACES, level: float = 0.01) -> tuple[Probe[Rolls], ...]:
    """The tests of so many dice; the level only tells what each of them could detect."""
    one = detectable.excess("one face of one die", k, level)
    all_of = detectable.excess("one face of all dice", k, level, dice)
    seat = detectable.excess("one starting position of seven", 7, level)
    copies = detectable.copying("one die copied from another", k, level)
    keeps = detectable.copying("a face kept by each die", k, level, dice)
    again = detectable.copying("a whole roll repeated", k**dice, level)
    twice = detectable.passage("faces", k, level, dice)
    linear = detectable.recurrence("face", 2, level, recurrence.BLOCKS[-1])

    stretches = _any(each(symbols.stretches), pooled(symbols.stretches))
    beginning = _any(each(symbols.beginning), pooled(symbols.beginning))
    far_tables = _any(each(lags.far_tables), pooled(lags.far_tables))
    runs_and_gaps = _any(each(repetition.runs_and_gaps), whole(repetition.runs_and_gaps))
    triples = pooled(partial(lags.serial, order=2))
    agreement = _any(each(lags.agreement), pooled(lags.agreement), whole(lags.agreement))
    rules = _of(lambda rolled: [*rolled.pooled, *rolled.dice], recurrence.recurrences)
    loops = _any(each(passages.loops), whole(passages.loops))
    several = (
        Probe("whole rolls", "rolls that are preferred", whole(symbols.frequencies), again, 8),
        Probe("preferred rolls", "one roll, or set of faces", roll_memory.preferred_rolls, again, 128, 0.5),
        Probe("after totals", "a face that depends on an earlier total", roll_memory.after_totals, copies, 80 * k, 0.5),
        Probe("kept totals", "a total as some rolls before", roll_memory.kept_totals, copies, 80 * k, 0.5),
        Probe("turned rolls", "an earlier roll turned over", roll_memory.turned_rolls, again, 32, 0.5),
        Probe("tables of dice", "a die that depends on another, or a last face", rolls.tables_of_dice, copies, 4 * k),
        Probe("combinations", "dice that do not fall independently", combined(symbols.frequencies), copies, 2, 2),
        Probe("patterns", "pairs or triples too often or too seldom", rolls.patterns, copies, 8, 0.5),
        Probe("equal dice", "two dice that agree, or complement each other", rolls.equal_dice, copies, 2, 2),
        Probe("kept combinations", "sums or differences of dice that stay", rolls.kept_combinations, copies, 8),
    )
    return (
        Probe("faces", "a die that prefers a face", each(symbols.frequencies), one, 1, 2),
        Probe("worst face", "one face of one die too often or too seldom", each(symbols.worst_symbol), one, 1, 3),
        Probe("opposite faces", "a weighted or a shaved die", rolls.opposite_faces, one),
        Probe("pooled faces", "a face that all dice prefer", pooled(symbols.frequencies), all_of, 1, 2),
        Probe("worst pooled face", "one face of all dice too often or seldom", pooled(symbols.worst_symbol), all_of),
        Probe("totals", "sums that do not follow their law", rolls.totals, seat, 30),
        Probe("starting position", "a position that the dice prefer", rolls.starting_position, seat, 40),
        Probe("total runs", "low and high totals that clump or alternate", rolls.total_runs, copies, 8, 0.5),
        Probe("turning points", "faces that swing too often or seldom", each(orderings.turning_points), copies, 8, 0.5),
        Probe("low and high", "low and high faces that clump", each(orderings.low_high_runs), copies, 8, 0.5),
        Probe("drift", "frequencies that change slowly", each(symbols.drift), one, 10 * k, 0.5),
        Probe("stretches", "a stretch in which a face is preferred", stretches, one, 32, 0.5),
        Probe("beginning", "faces that are preferred at first", beginning, one, 128, 0.5),
        Probe("triples", "a face that depends on the two before", triples, copies, 4 * k * k),
        Probe("tables", "a face that depends on one some rolls before", each(lags.tables), copies, 8 * k, 0.5),
        *(several if dice > 1 else ()),
        Probe("far tables", "a face that depends on one long before", far_tables, copies, 20 * k * k, 0.5),
        Probe("distant pairs", "a step from some rolls before", each(lags.distant_pairs), copies, 16, 0.5),
        Probe("triplets", "faces made from two earlier ones", pooled(lags.triplets), copies, 16, 0.5),
        Probe("neighbours", "a step from the last face that is preferred", each(lags.neighbours), copies, 10),
        Probe("recency", "faces that depend on how long they did not come", each(symbols.recency), one, 2 * k, 0.5),
        Probe("runs and gaps", "faces, or rolls, in a row, or away for long", runs_and_gaps, one, 32 * k, 0.5),
        Probe("evenness", "faces that come more evenly than chance allows", each(symbols.evenness), one, 2 * k),
        Probe("periods", "faces that depend on the position in a cycle", each(symbols.periods), one, 8 * k, 0.5),
        Probe("rhythms", "rolls that depend on the time of any cycle", roll_memory.roll_rhythms, one, 192 * k, 0.5),
        Probe("last faces", "a die that shows what it, or another, showed last", rolls.last_faces, copies, 8),
        Probe("persistence", "dice that keep their face", each(lags.matches), keeps, 2, 3),
        Probe("equal rolls", "rolls that repeat the last one", rolls.equal_rolls, again, 2, 9),
        Probe("agreement", "rolls, or dice, as they were a fixed time before", agreement, keeps, 12),
        Probe("passages", "rolls that come again: a cycle, a seed used twice", pooled(passages.repeated), twice, 8),
        Probe("recurrence", "faces made from earlier ones by a linear rule", rules, linear, 8),
        Probe("loops", "a stretch in which dice are stuck or loop", loops, twice, 4),
    )
