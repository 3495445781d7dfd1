"""All streams of a few draws, and the exact law that follows from them."""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import pytest

from feltrig.harness.statistics.streams.symbols import Symbols


def every(k: int, n: int) -> Iterator[Symbols]:
    """All sequences of n draws of k symbols, equally likely by chance."""
    for drawn in product(range(k), repeat=n):
        yield Symbols(np.array(drawn), k)


def assert_exact(statistics: list[int], p_of: Callable[[int], float], upper: bool) -> None:
    """The p-value of each value is the share of sequences at least as extreme."""
    values = np.array(statistics)
    for value in sorted(set(statistics)):
        share = np.mean(values >= value) if upper else np.mean(values <= value)
        assert p_of(value) == pytest.approx(share, abs=1e-9)
