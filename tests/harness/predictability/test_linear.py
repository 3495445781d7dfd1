"""Linear generators from known bits of their outputs."""

from itertools import islice

import numpy as np
import pytest

from feltrig.harness.predictability.linear import LINEAR, solved
from feltrig.harness.predictability.whole_search import OutOfTime

SHORT = [linear for linear in LINEAR if linear.words < 100]


@pytest.mark.parametrize("linear", SHORT, ids=lambda linear: linear.name)
def test_the_outputs_that_follow_are_found_from_one_bit_of_each(linear):
    rng = np.random.default_rng(4)
    state = [int(word) for word in rng.integers(1 << 20, 1 << 32, linear.words)]
    outputs = list(islice(linear.outputs(state), linear.bits + 100))
    known = [(number, 31, outputs[number] >> 31 & 1) for number in range(linear.bits + 60)]
    found = solved(linear, known)
    assert found is not None
    assert list(islice(linear.outputs(found), len(outputs))) == outputs


def test_bits_of_no_generator_have_no_state():
    rng = np.random.default_rng(4)
    known = [(number, 31, int(rng.integers(2))) for number in range(SHORT[0].bits + 60)]
    assert solved(SHORT[0], known) is None


def test_it_ends_when_the_time_is_used_up():
    with pytest.raises(OutOfTime):
        solved(SHORT[0], [(0, 31, 1)] * 70, lambda: False)


def test_mt19937_is_that_of_numpy():
    mt = next(linear for linear in LINEAR if linear.name == "MT19937")
    source = np.random.RandomState(5)
    words = [int(word) for word in source.get_state()[1]]
    expected = [int(number) for number in source.randint(0, 1 << 32, 1300, dtype=np.uint32)]
    assert list(islice(mt.outputs(words), 1300)) == expected
