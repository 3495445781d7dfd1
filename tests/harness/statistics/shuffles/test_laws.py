"""Exact laws of one shuffle against all permutations of a small deck, and their sums."""

from itertools import permutations

import numpy as np
import pytest

from feltrig.harness.statistics.core.law import tails
from feltrig.harness.statistics.shuffles import laws
from feltrig.harness.statistics.shuffles.measured import STATISTICS, measure

SMALL = 7
ALL = np.array(list(permutations(range(SMALL))), dtype=np.uint8)


def share(values):
    return np.bincount(values) / len(values)


def agrees(law, values):
    seen = np.zeros(law.low + len(law.probabilities))
    seen[: values.max() + 1] = share(values)
    return np.allclose(seen[law.low :], law.probabilities, atol=1e-12) and not seen[: law.low].any()


@pytest.mark.parametrize("name", [name for name, statistic in STATISTICS.items() if not statistic.lag])
def test_the_law_of_a_statistic_is_that_of_all_permutations(name):
    assert agrees(STATISTICS[name].law(SMALL), measure(ALL).values[name])


def test_valleys_have_their_law():
    rises = ALL[:, 1:] > ALL[:, :-1]
    assert agrees(laws.valleys(SMALL), (rises[:, 1:] & ~rises[:, :-1]).sum(axis=1))


@pytest.mark.parametrize("sizes", [(3, 4), (2, 2, 3), (1, 1, 5)])
def test_neighbours_of_one_group_have_their_law(sizes):
    group = np.repeat(np.arange(len(sizes)), sizes)[ALL]
    assert agrees(laws.same_neighbours(sizes), (group[:, 1:] == group[:, :-1]).sum(axis=1))


def test_following_faces_of_several_decks_have_their_law():
    decks = np.array(list(permutations(range(6))))
    face = np.repeat(np.arange(3), 2)[decks]
    assert agrees(laws.next_faces(3, 2), (face[:, 1:] == face[:, :-1] + 1).sum(axis=1))
    assert np.allclose(laws.next_faces(52, 1).probabilities, laws.adjacencies(52).probabilities)


@pytest.mark.parametrize(
    ("law", "mean", "variance"),
    [
        (laws.descents(52), 51 / 2, 53 / 12),
        (laws.turning_points(52), 2 * 50 / 3, (16 * 52 - 29) / 90),
        (laws.valleys(52), 50 / 3, 2 * 53 / 45),
        (laws.inversions(52), 52 * 51 / 4, 52 * 51 * 109 / 72),
        (laws.fixed_points(52), 1, 1),
        (laws.cycles(52), 4.538044, 2.912157),
        (laws.descents(312), 311 / 2, 313 / 12),
        (laws.turning_points(312), 2 * 310 / 3, (16 * 312 - 29) / 90),
        (laws.inversions(312), 312 * 311 / 4, 312 * 311 * 629 / 72),
    ],
)
def test_the_moments_of_large_decks_are_the_known_ones(law, mean, variance):
    assert law.probabilities.sum() == pytest.approx(1, abs=1e-9)
    assert law.mean == pytest.approx(mean, rel=1e-6)
    assert law.variance == pytest.approx(variance, rel=1e-6)


def test_rare_values_keep_their_precision():
    assert laws.inversions(52).probabilities[0] == pytest.approx(1 / 8.0658175170943878e67, rel=1e-9)
    assert tails(laws.descents(52), 1, 0)[0] == pytest.approx(1 / 8.0658175170943878e67, rel=1e-9)
