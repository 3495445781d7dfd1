"""What the tests of shuffles cost beside making the shuffles: 100,000 permutations of 52.

    python benchmarks/battery.py [--shuffles N] [--cards N] [--repeat N]

Both are timed in the same run, by the processor time of this process, the best of some repetitions.
"""

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np

from feltrig.harness.statistics.shuffles.judged import fixed

LIMIT = 10


def best(times: int, work: Callable[[], object]) -> float:
    """The least processor time of so many repetitions."""
    taken = []
    for _ in range(times):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return min(taken)


def main() -> None:
    """Prints both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shuffles", type=int, default=100_000)
    parser.add_argument("--cards", type=int, default=52)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    loaded = np.tile(np.arange(options.cards), (options.shuffles, 1))
    decks = rng.permuted(loaded, axis=1)
    fixed(decks[:100])
    making = best(options.repeat, lambda: rng.permuted(loaded, axis=1))
    judging = best(options.repeat, lambda: fixed(decks))
    ratio = judging / making
    print(f"{options.shuffles} permutations of {options.cards}: made in {making:.3f} s, judged in {judging:.3f} s")
    print(f"ratio {ratio:.1f}, limit {LIMIT}")
    sys.exit(int(ratio >= LIMIT))


if __name__ == "__main__":
    main()
