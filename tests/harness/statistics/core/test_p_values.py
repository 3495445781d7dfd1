"""The strongest of several looks."""

import pytest

from feltrig.harness.statistics.core.p_values import NOTHING, either


def test_the_strongest_of_several_looks_is_corrected_for_their_number():
    assert either((1, 0.2), (2, 0.01), (3, 0.5)) == (2, pytest.approx(0.03))
    assert either((1, 0.7), (2, 0.9)).p == 1
    assert either() == NOTHING
