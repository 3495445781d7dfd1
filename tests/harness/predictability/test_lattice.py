"""States by lattice reduction."""

import numpy as np
import pytest
from weak_machines import congruential

from feltrig.harness.predictability.lattice import reduced, states_by_size

A, C, M = 6364136223846793005, 1442695040888963407, 1 << 64
STATE = 0x0123456789ABCDEF


def test_a_reduced_basis_is_short_and_of_the_same_lattice():
    rows = [[1, 0, 12345], [0, 1, 54321], [0, 0, 99991]]
    short = np.array(reduced(rows), dtype=float)
    assert abs(round(float(np.linalg.det(short)))) == 99991
    assert np.prod(np.linalg.norm(short, axis=1)) < 2 * 99991


@pytest.mark.parametrize(("c", "size"), [(C, 24), (None, 38)])
def test_a_state_of_64_bits_follows_from_the_sizes_of_some_draws(c, size):
    outputs = congruential(A, C, M, STATE)
    first = next(outputs)
    bounds = [52] * size
    draws = [first * 52 // M, *(next(outputs) * 52 // M for _ in range(size - 1))]
    state, increment = states_by_size(A, c, M, draws, bounds, size)
    if c is not None:
        assert (state, increment) == (first, C)
    following = congruential(A, increment, M, state)  # other increments give the same sizes
    assert [state * 52 // M, *(next(following) * 52 // M for _ in range(size - 1))] == draws
