"""The battery for machines that show one of k numbers, each equally likely: a display of 1 to 7."""

import math
from functools import lru_cache, partial

import numpy as np
from numpy.typing import ArrayLike

from feltrig.harness.statistics import detectable, lags, orderings, passages, recurrence, repetition, rhythms, symbols
from feltrig.harness.statistics.coincidences import Ints
from feltrig.harness.statistics.holm import Probe, decide
from feltrig.harness.statistics.outcome import Decision
from feltrig.harness.statistics.sequential import Acceptance, Effect, Evidence
from feltrig.harness.statistics.stream_bettors import bettors
from feltrig.harness.statistics.symbols import Symbols
from feltrig.harness.statistics.wagers import Through

UNIT = "draws"
HIGHEST = 7

Stream = tuple[Symbols]


def fixed(values: ArrayLike, level: float = 0.01, highest: int = HIGHEST) -> Decision:
    """One decision about numbers from 1 to `highest`, in the order in which they were drawn."""
    drawn = symbols_of(values, highest)
    probes = battery(highest, level)
    least = partial(detectable.excess, "one number", highest)
    return decide(probes, (drawn,), size=len(drawn), level=level, unit=UNIT, least=least)


def symbols_of(values: ArrayLike, highest: int = HIGHEST) -> Symbols:
    """The numbers as symbols; ValueError for an empty sample, or a number out of range."""
    drawn = np.asarray(values, dtype=np.int64)
    if drawn.ndim != 1 or len(drawn) == 0 or drawn.min() < 1 or drawn.max() > highest:
        raise ValueError(f"expected a sequence of numbers from 1 to {highest}")
    return Symbols(drawn - 1, highest)


def evidence(level: float = 0.01, highest: int = HIGHEST, acceptance: Acceptance | None = None) -> Evidence:
    """The running test of numbers from 1 to `highest`, to which blocks of them are added."""
    families = [(share, Through(_from_zero, family)) for share, family in bettors(highest, "number")]
    return Evidence(
        families,
        level=level,
        unit=UNIT,
        acceptance=acceptance,
        detectable=detectable.sentence(detectable.excess("one number", highest, level), UNIT),
    )


def excesses(size: float, highest: int = HIGHEST) -> tuple[Effect, ...]:
    """The effects that one number comes more often by this share of its due, for a plan to exclude."""
    due = 1 / highest
    more, less = math.log1p(size), math.log((1 - due * (1 + size)) / (1 - due))
    return tuple(
        Effect(
            f"number {number} {100 * size:.3g} % too often",
            size,
            partial(lambda number, block: np.where(np.asarray(block) == number, more, less), number),
        )
        for number in range(1, highest + 1)
    )


def _from_zero(block: Ints) -> Ints:
    return np.asarray(block, dtype=np.int64) - 1


@lru_cache(maxsize=16)
def battery(k: int = HIGHEST, level: float = 0.01) -> tuple[Probe[Stream], ...]:
    """The tests of k numbers; the level only tells what each of them could detect."""
    one = detectable.excess("one number", k, level)
    copied = detectable.copying("a number copied from an earlier one", k, level)
    twice = detectable.passage("numbers", k, level)
    linear = detectable.recurrence("number", k, level, recurrence.BLOCKS[-1])
    after_one, after_two = partial(lags.serial, order=1), partial(lags.serial, order=2)
    return (
        Probe("frequencies", "a number that comes too often or too seldom", symbols.frequencies, one, 1, 3),
        Probe("worst number", "one number that comes too often or too seldom", symbols.worst_symbol, one, 1, 2),
        Probe("turning points", "numbers that swing too often or too seldom", orderings.turning_points, copied, 8, 0.5),
        Probe("low and high", "low and high numbers that clump or alternate", orderings.low_high_runs, copied, 8, 0.5),
        Probe("drift", "frequencies that change slowly", symbols.drift, one, 10 * k, 0.5),
        Probe("stretches", "a stretch in which a number is preferred", symbols.stretches, one, 32, 0.5),
        Probe("beginning", "numbers that are preferred at first", symbols.beginning, one, 128, 0.5),
        Probe("triples", "a number that depends on the two before", after_two, copied, 4 * k * k),
        Probe("poker", "too many or too few different numbers in five", symbols.poker, copied, 25, 0.5),
        Probe("pairs", "a number that depends on the one before", after_one, copied, 4 * k),
        Probe("tables", "a number that depends on one some draws before", lags.tables, copied, 8 * k, 0.5),
        Probe("far tables", "a number that depends on one long before", lags.far_tables, copied, 20 * k * k, 0.5),
        Probe("distant pairs", "a step from some draws before that is preferred", lags.distant_pairs, copied, 16, 0.5),
        Probe("triplets", "a number made from two earlier ones", lags.triplets, copied, 24, 0.5),
        Probe("neighbours", "a difference or sum of neighbours that is preferred", lags.neighbours, copied, 10, 1.5),
        Probe("repeats", "a number repeated at once too often or too seldom", lags.matches, copied, 2, 3),
        Probe("recency", "numbers that depend on how long they did not come", symbols.recency, one, 2 * k),
        Probe("runs and gaps", "numbers in a row, or away for long", repetition.runs_and_gaps, one, 32 * k, 0.5),
        Probe("evenness", "numbers that come more evenly than chance allows", symbols.evenness, one, 2 * k),
        Probe("periods", "numbers that depend on the position in a cycle", symbols.periods, one, 8 * k, 0.5),
        Probe("rhythms", "numbers that come more often at a time of any cycle", rhythms.rhythms, one, 192 * k, 0.5),
        Probe("agreement", "numbers that agree with those a fixed time before", lags.agreement, copied, 12, 1.5),
        Probe("passages", "passages that come again: a cycle, a seed used twice", passages.repeated, twice, 8, 2),
        Probe("recurrence", "numbers made from earlier ones by a linear rule", recurrence.recurrences, linear, 8, 2),
        Probe("loops", "a stretch in which the machine is stuck or loops", passages.loops, twice, 4),
    )
