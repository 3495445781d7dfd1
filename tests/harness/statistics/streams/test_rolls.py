"""Rolls of dice: their totals, and what one roll keeps of another."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from feltrig.harness.statistics.streams import rolls
from feltrig.harness.statistics.streams.rolls import Rolls


def test_rolls_turned_over_are_those_counted_one_by_one() -> None:
    x = np.random.default_rng(1).integers(0, 4, 200)
    found = rolls._distances(x, 3 - x)
    for lag in (1, 7, 150):
        assert found[lag] == (x[lag:] == 3 - x[:-lag]).sum()


def test_kept_totals_vary_as_they_should() -> None:
    rng, n, lag = np.random.default_rng(1), 600, 1
    law = rolls.total_law(3, 6)
    pair, triple = (law**2).sum(), (law**3).sum()
    totals = rng.integers(1, 7, (3000, n, 3)).sum(axis=2)
    kept = (totals[:, lag:] == totals[:, :-lag]).sum(axis=1)
    assert kept.mean() == pytest.approx((n - lag) * pair, rel=0.01)
    assert kept.var() == pytest.approx((n - lag) * pair * (1 - pair) + 2 * (n - 2 * lag) * (triple - pair**2), rel=0.1)


def test_few_rolls_say_nothing_of_rhythms() -> None:
    assert rolls.roll_rhythms(Rolls(np.zeros((10, 3), np.int64), 6)).p == 1.0


def test_totals_and_positions_follow_the_law_of_three_dice() -> None:
    totals = Counter(sum(roll) for roll in product(range(1, 7), repeat=3))
    law = rolls.total_law(3, 6)
    assert {total: round(216 * chance) for total, chance in enumerate(law) if chance} == dict(totals)
    assert np.rint(216 * rolls.position_law(law, 7)).tolist() == [31] * 6 + [30]
    assert np.rint(216 * rolls.position_law(law, 8)).tolist() == [28, 28, 28, 28, 27, 25, 25, 27]


def test_a_total_of_eight_is_the_dealer_and_of_fourteen_the_seventh_position() -> None:
    assert [int((total - 1) % 7) + 1 for total in (8, 14)] == [1, 7]
    seen = rolls.starting_position(Rolls(np.tile([[0, 1, 4]], (216, 1)), 6))
    assert seen.p < 1e-100


def test_combinations_of_fair_dice_are_equally_likely() -> None:
    every = Rolls(np.array(list(product(range(6), repeat=3))), 6)
    assert len(every.combined) == 10
    for stream in (*every.combined, *every.dice, *every.pooled, *every.whole):
        assert len(set(stream.counts.tolist())) == 1


def test_cells_of_unequal_chances_are_joined_until_enough_is_expected() -> None:
    groups = list(rolls._grouped(np.array([0.0, 1.0, 3.0, 6.0, 7.0, 2.0, 4.0, 1.0, 0.0])))
    assert [(group.start, group.stop) for group in groups] == [(0, 4), (4, 5), (5, 8)]


def test_a_roll_of_all_totals_in_due_proportion_fits_their_law() -> None:
    every = Rolls(np.array(list(product(range(6), repeat=3))), 6)
    assert rolls.totals(every).statistic == pytest.approx(0)
    assert rolls.starting_position(every).statistic == pytest.approx(0)
