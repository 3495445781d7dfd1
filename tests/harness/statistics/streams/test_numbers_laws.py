"""The laws behind the tests of symbol streams, against all sequences of a few draws."""

from collections.abc import Callable

import numpy as np
import pytest
from every_stream import every
from numpy.typing import NDArray

from feltrig.harness.statistics.core.p_values import FixedResult
from feltrig.harness.statistics.streams import chi_square, lags, passages, symbols
from feltrig.harness.statistics.streams.symbols import Symbols

Ints = NDArray[np.int64]


@pytest.mark.parametrize(("k", "n"), [(2, 8), (3, 5)])
def test_no_p_value_is_smaller_than_the_share_of_sequences_that_have_it(k: int, n: int) -> None:
    tests: dict[str, Callable[[list[Symbols]], FixedResult]] = {
        "repeated": passages.repeated,
        "loops": passages.loops,
        "agreement": lags.agreement,
        "matches": lags.matches,
        "neighbours": lags.neighbours,
        "recency": symbols.recency,
        "worst symbol": symbols.worst_symbol,
        "poker": symbols.poker,
    }
    found = {name: np.array([test([stream]).p for stream in every(k, n)]) for name, test in tests.items()}
    for name, p in found.items():
        # Where nothing is amiss, a p-value need not be exact.
        for level in np.unique(p[p < chi_square.SMALL]):
            assert np.mean(p <= level) <= level + 1e-9, (name, level)
