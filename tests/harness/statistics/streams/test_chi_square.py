"""The law of the chi-square, against all sequences of a few draws."""

import numpy as np
import pytest
from every_stream import every

from feltrig.harness.statistics.core import tails
from feltrig.harness.statistics.streams import chi_square


@pytest.mark.parametrize(("k", "n"), [(2, 9), (3, 7), (7, 4)])
def test_the_tails_of_a_chi_square_are_those_of_all_sequences(k: int, n: int) -> None:
    rows = np.array([stream.counts for stream in every(k, n)])
    seen = chi_square.pairs(rows)
    for tail, compare in ((chi_square.uneven, np.greater_equal), (chi_square.even, np.less_equal)):
        for row, value, p in zip(rows, seen, tail(rows), strict=True):
            if p < chi_square.SMALL:
                assert p == pytest.approx(np.mean(compare(seen, value)), abs=1e-9), row


def test_above_the_exact_law_pearson_takes_over_without_a_step() -> None:
    drawn = np.random.default_rng(1).multinomial(chi_square.EXACT, np.full(7, 1 / 7), 1000)
    exact = chi_square.uneven(drawn)
    moments = chi_square._moments(drawn.sum(axis=1), 7)
    near = tails.pearson_above(chi_square.pairs(drawn) - 0.5, *moments)
    telling = (exact > 1e-3) & (exact < chi_square.SMALL)
    assert telling.sum() >= 15
    assert np.allclose(near[telling], exact[telling], rtol=0.07)


def test_the_chi_square_is_the_one_of_the_books() -> None:
    counts = np.array([3, 5, 9, 1, 0, 7, 3])
    expected = counts.sum() / 7
    assert chi_square.chi_square(counts) == pytest.approx(((counts - expected) ** 2 / expected).sum())
