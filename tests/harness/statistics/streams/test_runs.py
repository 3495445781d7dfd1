"""The laws of runs and turning points, against all sequences of a few draws."""

from itertools import pairwise, product

import numpy as np
import pytest
from every_stream import every

from feltrig.harness.statistics.streams import runs
from feltrig.harness.statistics.streams.symbols import Symbols


@pytest.mark.parametrize(("k", "n"), [(2, 10), (3, 7), (4, 6)])
def test_turning_points_of_symbols_follow_their_law(k: int, n: int) -> None:
    law = np.zeros(n + 1)
    for stream in every(k, n):
        steps = np.sign(np.diff(stream.x))
        law[int((steps[1:] * steps[:-1] < 0).sum())] += k**-n
    assert np.allclose(runs._turning_law(n, k), law)


def test_the_moments_of_turning_points_grow_with_the_sample() -> None:
    for n in (20, 60):
        assert runs._cumulants(n, 7) == pytest.approx(runs._cumulants_of(runs._turning_law(n, 7)))


def test_runs_of_low_and_high_follow_wald_and_wolfowitz() -> None:
    low, high = 4, 5
    seen = [
        1 + sum(a != b for a, b in pairwise(order))
        for order in product((0, 1), repeat=low + high)
        if sum(order) == high
    ]
    for value in range(2, low + high + 1):
        below, above = np.mean(np.array(seen) <= value), np.mean(np.array(seen) >= value)
        assert runs.runs_law(low, high, value) == pytest.approx(min(1, 2 * min(below, above)))


@pytest.mark.parametrize(("k", "n"), [(2, 10), (3, 7)])
def test_an_absence_is_no_likelier_than_it_says(k: int, n: int) -> None:
    p = np.array([runs.absence(Symbols(np.array(x), k)).p for x in product(range(k), repeat=n)])
    for value in np.unique(p):
        assert np.mean(p <= value) <= value + 1e-12


def test_the_expected_number_of_runs_is_that_of_all_sequences() -> None:
    k, n, least = 3, 8, 2
    counts = []
    for x in product(range(k), repeat=n):
        ends = np.flatnonzero(np.diff(x))
        counts.append(int((np.diff(ends, prepend=-1, append=n - 1) - 1 >= least).sum()))
    assert np.mean(counts) == pytest.approx((1 + (n - 1 - least) * (1 - 1 / k)) * k**-least)
