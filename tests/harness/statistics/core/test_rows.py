"""A table of tests: what its rows add up to, and which of them a sample allows."""

import math

import numpy as np
import pytest
from power_rows import refuses

from feltrig.harness.statistics.core.p_values import FixedResult
from feltrig.harness.statistics.core.results import Detectable
from feltrig.harness.statistics.core.rows import Betting, FixedTest, StatisticRow, allowed, decide, stakes


class Idle:
    """Bettors that never bet."""

    weights = np.ones(1)

    def bets(self, block):
        return np.zeros((len(block), 1))


def fixed(p, share=1, least=1):
    """A test that sees this p-value in every sample."""
    return FixedTest(share, lambda _: FixedResult(7, p), lambda *_: Detectable(None, "nothing"), lambda _: least)


def betting(percent, makes=Idle):
    return Betting(percent, lambda _: makes())


def test_a_row_may_have_one_bet_several_or_none():
    rows = [
        StatisticRow("one", "", None, betting(30)),
        StatisticRow("several", "", None, (betting(20), betting(10))),
        StatisticRow("none", "", fixed(0.5), None),
        StatisticRow("nothing to bet on", "", None, betting(40, makes=lambda: None)),
    ]
    made = stakes(rows, None)
    assert [(stake.name, stake.share) for stake in made] == [("one", 0.3), ("several", 0.2), ("several", 0.1)]


def test_a_table_that_gives_out_too_much_shrinks_alike():
    rows = [StatisticRow("old", "", None, betting(100)), StatisticRow("new", "", None, betting(25))]
    assert [stake.share for stake in stakes(rows, None)] == pytest.approx([0.8, 0.2])


def test_a_test_is_left_out_of_smaller_samples_and_its_share_goes_to_the_others():
    rows = [StatisticRow("a", "x", fixed(0.01, share=3), None), StatisticRow("b", "y", fixed(0.9, least=100), None)]
    assert [row.name for row, _ in allowed(rows, None, 99)] == ["a"]
    assert decide(rows, None, None, size=99, level=0.01, unit="draws").p_value == pytest.approx(0.01)
    assert decide(rows, None, None, size=100, level=0.01, unit="draws").p_value == pytest.approx(0.01 * 4 / 3)
    assert refuses(rows, None, None, size=99, level=0.01)
    assert not refuses(rows, None, None, size=100, level=0.01)


def test_a_test_that_no_size_allows_is_never_made():
    rows = [StatisticRow("a", "x", fixed(0.5), None), StatisticRow("b", "y", fixed(0.0, least=math.inf), None)]
    assert not decide(rows, None, None, size=10**9, level=0.01, unit="draws").refused
