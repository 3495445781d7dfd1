"""Statistics of a whole sample."""

import numpy as np
import pytest
from calibrate import tabulate
from fair_decks import fair

from feltrig.harness.statistics.shuffles import cells, drift, pairs

TABLE_TESTS = {
    "cards by positions": cells.coincidences,
    "fullest cell": cells.worst_cell,
    "sticking cards": pairs.worst_pair,
    "neighbour differences": pairs.differences,
    "displacements": cells.displacement,
    "drift": lambda tables: drift.smooth(tables, drift.SMOOTH),
    "bumps": lambda tables: drift.smooth(tables, drift.FINE),
    "one-card drift": drift.worst_wave,
    "one-card window": drift.worst_window,
    "precedence": pairs.worst_precedence,
    "emptiest cell": cells.empty_cell,
}


@pytest.mark.parametrize("count", [1, 5, 40])
def test_good_machines_have_large_p_values_as_often_as_they_should(count):
    samples = [tabulate(fair(count, seed=seed)) for seed in range(100)]
    for name, test in TABLE_TESTS.items():
        p = np.array([test(tables)[1] for tables in samples])
        assert ((p >= 0) & (p <= 1)).all(), name
        assert (p <= 0.1).mean() <= 0.1 + 3.3 * 0.03, name
        assert (p <= 0.01).mean() <= 0.05, name
