"""The law of a sum: its convolution, its tails, and how the level is divided between them."""

import numpy as np
import pytest

from feltrig.harness.statistics.core import law as law_of_sums
from feltrig.harness.statistics.core.law import leaning, tails, total
from feltrig.harness.statistics.shuffles import laws


def test_a_sum_is_convolved():
    law = laws.fixed_points(5)
    twice = np.convolve(law.probabilities, law.probabilities)
    assert np.allclose(total(law, 2).probabilities, twice)
    below, above = tails(law, 2, 3)
    assert below == pytest.approx(twice[:4].sum())
    assert above == pytest.approx(twice[3:].sum())


@pytest.mark.parametrize("law", [laws.descents(52), laws.inversions(52), laws.fixed_points(52)])
@pytest.mark.parametrize("deviations", [-4, -1.5, 0.4, 2, 4.5])
def test_the_saddlepoint_agrees_with_the_convolution(law, deviations, monkeypatch):
    times = 12
    value = round(law.mean * times + deviations * np.sqrt(law.variance * times))
    exact = tails(law, times, value)
    monkeypatch.setattr(law_of_sums, "CONVOLVED", 0)
    assert tails(law, times, value) == pytest.approx(exact, rel=0.01)


def test_tails_beyond_the_convolution_are_small_and_in_order():
    law = laws.turning_points(52)
    far = [tails(law, 20, value)[0] for value in (340, 300, 200, 40)]
    assert 1e-9 > far[0] > far[1] > far[2] > far[3] >= 0
    assert tails(law, 20, 20 * 50 + 1)[1] == 0
    assert tails(law, 20, -1) == (0, pytest.approx(1))


def test_most_of_the_level_lies_on_the_side_of_the_defects():
    law = laws.coins(10)
    assert leaning(law, 1, 0, -1) == pytest.approx(2**-10 / 0.8)
    assert leaning(law, 1, 0, 1) == pytest.approx(2**-10 / 0.2)
    assert leaning(law, 1, 0, 0) == pytest.approx(2**-9)
    assert leaning(law, 1, 5, 0) == 1
