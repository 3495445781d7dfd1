"""Bettors against a machine that rolls dice play a fair game with one stake."""

import math
from itertools import product

import numpy as np
import pytest

from feltrig.harness.statistics.core.rows import stakes
from feltrig.harness.statistics.streams import dice
from feltrig.harness.statistics.streams.symbols import SymbolSource


def test_every_bettor_plays_a_fair_game() -> None:
    """Over all sequences of rolls, which chance makes equally likely, the mean wealth is exactly what it was."""
    number, k, n = 2, 2, 3
    wealth = np.zeros(18)
    for faces in product(range(k), repeat=number * n):
        for at, stake in enumerate(stakes(dice.ROWS, SymbolSource(k, number))):
            logs = stake.bettors.bets(np.array(faces).reshape(n, number))
            assert logs.shape == (n, 1)
            wealth[at] += math.exp(float(logs.sum())) / k ** (number * n)
    assert wealth == pytest.approx(np.ones(18))


def test_the_shares_of_the_bettors_are_one_stake() -> None:
    assert sum(stake.share for stake in stakes(dice.ROWS, SymbolSource(6, 3))) == pytest.approx(1)
    assert sum(stake.share for stake in stakes(dice.ROWS, SymbolSource(6, 1))) < 1
