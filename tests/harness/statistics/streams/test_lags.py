"""Draws and earlier ones: agreement, sums, and tables at all lags."""

import numpy as np
from every_stream import every

from feltrig.harness.statistics.streams import lags
from feltrig.harness.statistics.streams.symbols import Symbols


def test_sums_of_three_draws_are_equally_likely() -> None:
    total = sum(lags._counts(stream, (1, 3), (-1, 1)) for stream in every(3, 6))
    assert np.array_equal(total, np.full(3, 3 * 3**5))


def test_agreement_by_transforms_is_agreement() -> None:
    for k in (2, 6, 7):
        x = np.random.default_rng(k).integers(0, k, 50)
        assert lags.agreements(x, k).tolist() == [int((x[lag:] == x[: 50 - lag]).sum()) for lag in range(50)]


def test_tables_at_all_lags_are_those_counted_one_by_one() -> None:
    stream = Symbols(np.random.default_rng(1).integers(0, 5, 700), 5)
    at = np.array([1, 13, 300, 699])
    for lag, table in zip(at, lags.tables_at(stream, at), strict=True):
        counted = np.zeros((5, 5), np.int64)
        np.add.at(counted, (stream.x[:-lag], stream.x[lag:]), 1)
        assert (table == counted).all()
