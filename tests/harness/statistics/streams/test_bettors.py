"""Bettors against a stream of symbols play a fair game with one stake."""

import math
from itertools import product

import numpy as np
import pytest

from feltrig.harness.statistics.core.rows import stakes
from feltrig.harness.statistics.streams import numbers
from feltrig.harness.statistics.streams.symbols import SymbolSource


@pytest.mark.parametrize(("k", "n"), [(2, 7), (3, 4)])
def test_every_bettor_plays_a_fair_game(k: int, n: int) -> None:
    """Over all sequences, which chance makes equally likely, the mean wealth is exactly what it was."""
    wealth = np.zeros(13)
    for drawn in product(range(k), repeat=n):
        for at, stake in enumerate(stakes(numbers.ROWS, SymbolSource(k))):
            wealth[at] += math.exp(float(stake.bettors.bets(np.array(drawn)).sum())) / k**n
    assert wealth == pytest.approx(np.ones(13))


def test_the_shares_of_the_bettors_are_one_stake() -> None:
    assert sum(stake.share for stake in stakes(numbers.ROWS, SymbolSource(7))) == pytest.approx(1)
