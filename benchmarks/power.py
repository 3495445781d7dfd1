"""How many samples it takes to refuse each bad machine with power 0.99, at level 0.01.

    python benchmarks/power.py [--only shuffles numbers dice] [--rows TEXT ...] [--runs N] [--quick] [--seed N]

Beside each figure stands the one to compare with, and the ratio: of the battery (fixed samples), and of the mean and
the 99th percentile of the stopping time of the sequential test, with the part of the level that it has in a plan. The
habit of labs is measured as well, up to a limit; what was measured elsewhere stands in brackets. The power counts as
reached when it is within one standard error, of that number of runs, of 0.99. Exit status 1 when a ratio exceeds 1.25.
"""

import argparse
import importlib
import sys
import time

import numpy as np
from power_rows import Row, Samples, Subject

from feltrig.harness.statistics.core.planned import one_by_one

LEVEL, POWER, LIMIT = 0.01, 0.99, 1.25
SUBJECTS = ("shuffles", "numbers", "dice")
STEPS = sorted({round(2 ** (k / 4)) for k in range(57)})
"""Sample sizes that are tried: four in each doubling."""
FEWEST, TOGETHER = 200, 60_000
"""Rows that need many samples get fewer runs: about so many samples in all, but not fewer runs than this."""
HABIT = 304
"""The habitual test is tried up to this size."""


def least(subject: Subject, samples: Samples, start: int, judge: str) -> int | None:
    """The least of the sizes at which enough runs are refused, by bisection; None when the samples do not suffice."""
    sizes = [size for size in STEPS if size <= samples.shape[1]]
    decide = getattr(subject, judge)

    def enough(size: int) -> bool:
        share = np.mean(decide(samples, [size], LEVEL)[size])
        return bool(share >= POWER - np.sqrt(POWER * (1 - POWER) / len(samples)))

    low, high = 0, len(sizes)
    probe = next((i for i, size in enumerate(sizes) if size >= start), len(sizes) - 1)
    while low < high:
        if enough(sizes[probe]):
            high = probe
        else:
            low = probe + 1
        # Look near first: the answer is seldom far from the figure to compare with.
        probe = max(low, high - 1) if high < len(sizes) else min(low, len(sizes) - 1)
    return sizes[high] if high < len(sizes) else None


def measured(row: Row, subject: Subject, runs: int, seed: int) -> tuple[list[str], float]:
    """The cells of a row, and its worst ratio."""
    rng = np.random.default_rng([seed, *row.defect.encode()])
    runs = max(min(runs, FEWEST), min(runs, TOGETHER // int(row.late or row.battery or 1)))
    cells, worst = [], 0.0
    habit = least(subject, row.make(rng, max(40, runs // 4), HABIT), 64, "refused_by_habit")
    cells.append(f"{habit or f'> {HABIT}'} ({row.habit})")
    if row.battery is None:
        return [*cells, "", "", ""], worst
    needed = least(subject, row.make(rng, runs, max(4, round(1.5 * row.battery))), row.battery, "refused")
    ratio = needed / row.battery if needed else np.inf
    cells.append(f"{needed or 'more'} / {row.battery} = {ratio:.2f}")
    worst = max(worst, ratio)
    if row.mean is None:
        return [*cells, "", ""], worst
    longest = max(4, round(1.6 * (row.late or 3 * row.mean)))
    times = subject.stopped(row.make(rng, runs, longest), one_by_one(LEVEL))
    mean, late = np.minimum(times, longest).mean(), np.sort(times)[int(np.ceil(POWER * runs)) - 1]
    cells.append(f"{mean:.1f} / {row.mean:g} = {mean / row.mean:.2f}")
    worst = max(worst, mean / row.mean)
    if row.late is None:
        return [*cells, f"{late:.0f}"], worst
    cells.append(f"{late:.0f} / {row.late:g} = {late / row.late:.2f}")
    return cells, max(worst, late / row.late)


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=SUBJECTS, default=list(SUBJECTS))
    parser.add_argument("--rows", nargs="*", default=[""], help="only defects whose name contains one of these")
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--quick", action="store_true", help="100 runs of each")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    runs = 100 if options.quick else options.runs
    begin, worst = time.perf_counter(), 0.0
    for name in options.only:
        subject: Subject = importlib.import_module(f"power_{name}").SUBJECT
        print(f"{subject.title}: {subject.unit} for power {POWER} at level {LEVEL}; up to {runs} runs of each")
        print(f"{'defect':38}{subject.habit:32}{'battery':22}{'sequential mean':24}{'sequential q99':24}")
        for row in subject.rows:
            if any(text in row.defect for text in options.rows):
                cells, ratio = measured(row, subject, runs, options.seed)
                worst = max(worst, ratio)
                print(f"{row.defect:38}{cells[0]:32}{cells[1]:22}{cells[2]:24}{cells[3]:24}", flush=True)
    print(f"largest ratio {worst:.2f}, {time.perf_counter() - begin:.0f} s")
    sys.exit(int(worst > LIMIT))


if __name__ == "__main__":
    main()
