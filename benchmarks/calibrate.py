"""By how much the critical value of the tests of shuffles exceeds Bonferroni's, for small samples of good machines.

    python benchmarks/calibrate.py [--repetitions N] [--cards N ...] [--sizes N ...] [--check]

Prints harness/statistics/shuffles/critical.tsv. Each figure is the lower end of a confidence interval, so that chance
in this simulation does not make the tests too bold. With --check: the share of good machines that are refused.
"""

import argparse
import math
import sys

import numpy as np

from feltrig.harness.statistics.shuffles import table
from feltrig.harness.statistics.shuffles.calibration import LEVELS, family_p
from feltrig.harness.statistics.shuffles.deck import CHUNK, Orders, inverse_of, new_deck
from feltrig.harness.statistics.shuffles.measured import STATISTICS, UNKNOWN, Measured, ShuffleSample, Tables, measure

SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24)
CHECKED = (1, 2, 3, 5, 7, 14, 20, 64, 256, 1024)
TOGETHER = 8192
"""Decks that are measured at once."""
SEED = 20261116


def part(measured: Measured, start: int, stop: int) -> Measured:
    """A stretch of the shuffles, as if there had been none before it."""
    values = {name: column[start:stop] for name, column in measured.values.items()}
    for name, statistic in STATISTICS.items():
        if statistic.lag:
            values[name] = values[name].copy()
            values[name][: statistic.lag] = UNKNOWN
    return Measured(measured.n, values, measured.differences[start:stop], measured.groups)


def tabulate(orders: Orders) -> Tables:
    """Counts over a sample."""
    tables = Tables(orders.shape[1])
    for start in range(0, len(orders), CHUNK):
        chunk = np.ascontiguousarray(orders[start : start + CHUNK].T)
        tables.add(chunk, inverse_of(chunk))
    return tables


def smallest(cards: int, count: int, repetitions: int, seed: int) -> np.ndarray:
    """The smallest p-value of all tests, divided by its share, of so many good machines."""
    rng = np.random.default_rng([seed, cards, count])
    order = np.arange(cards, dtype=np.uint8 if cards < 256 else np.uint16)
    found = []
    while len(found) < repetitions:
        runs = min(max(1, TOGETHER // count), repetitions - len(found))
        decks = rng.permuted(np.tile(order, (runs * count, 1)), axis=1)
        measured = measure(decks, groups=new_deck(cards))
        for start in range(0, len(decks), count):
            run = decks[start : start + count]
            sample = ShuffleSample(run, part(measured, start, start + count), tabulate(run))
            found.append(table.smallest(table.look(sample)))
    return np.array(found)


def gain(ordered: np.ndarray, level: float) -> float:
    """Critical value over level, at the lower end of its confidence interval, and at least 1."""
    expected = level * len(ordered)
    rank = math.floor(expected - 1.28 * math.sqrt(expected))
    if rank < 5:
        return 1.0
    # Of values that come more than once, all or none are refused: the last ones of which all are.
    beyond = ordered[rank]
    within = ordered[ordered < beyond]
    return max(1.0, min(math.sqrt(within[-1] * beyond), 1.02 * within[-1]) / level) if len(within) else 1.0


def main() -> None:
    """Prints the table, or checks it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=20_000)
    parser.add_argument("--cards", type=int, nargs="*", default=[52, 53, 54, 312])
    parser.add_argument("--sizes", type=int, nargs="*", default=None)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        print(f"{'cards':>6}{'decks':>7}" + "".join(f"{f'level {level:g}':>14}" for level in LEVELS))
    else:
        print("cards", "shuffles", *(f"{level:g}" for level in LEVELS), sep="\t")
    for cards in options.cards:
        for count in options.sizes or (CHECKED if options.check else SIZES):
            ordered = np.sort(smallest(cards, count, options.repetitions, SEED + options.check))
            if options.check:
                p = np.array([family_p(value, cards, count) for value in ordered])
                print(f"{cards:>6}{count:>7}" + "".join(f"{np.mean(p <= level):>14.4f}" for level in LEVELS))
            else:
                print(cards, count, *(f"{gain(ordered, level):.3f}" for level in LEVELS), sep="\t")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
