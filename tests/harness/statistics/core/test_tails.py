"""The tails of the laws, against all sequences of a few draws."""

from every_stream import assert_exact, every

from feltrig.harness.statistics.core import tails


def test_repeats_at_once_are_binomial() -> None:
    counts = [int((stream.x[1:] == stream.x[:-1]).sum()) for stream in every(3, 7)]
    assert_exact(counts, lambda count: float(tails.binomial_above(6, 1 / 3, count)), upper=True)
