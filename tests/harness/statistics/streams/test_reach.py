"""How many draws an effect needs, and what a sample resolves."""

import pytest

from feltrig.harness.statistics.streams import reach
from feltrig.harness.statistics.streams.symbols import SymbolSource


@pytest.mark.parametrize(
    ("excess", "k", "draws"), [(0.1, 7, 13_908), (0.1, 6, 11_015), (0.05, 7, 55_632), (0.05, 6, 44_060)]
)
def test_the_draws_that_an_excess_needs_are_the_published_ones(excess: float, k: int, draws: int) -> None:
    assert reach.least_excess(draws, k) == pytest.approx(excess, rel=2e-4)


def test_ten_thousand_draws_resolve_about_twelve_percent() -> None:
    assert reach.least_excess(10_000, 7) == pytest.approx(0.118, abs=5e-4)
    assert reach.excess("one number", SymbolSource(7), 10_000, 0.01).effect == pytest.approx(0.118, abs=5e-4)


def test_a_handful_of_draws_detects_nothing_and_says_so() -> None:
    assert reach.excess("one number", SymbolSource(7), 3, 0.01).effect is None
    assert reach.copying("a copy", SymbolSource(7), 2, 0.01).effect is None
    assert reach.recurrence("number", SymbolSource(7), 3, 0.01).effect is None
