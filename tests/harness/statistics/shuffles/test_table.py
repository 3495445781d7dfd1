"""The battery, its shares of the level, and its calibration."""

import numpy as np
import pytest
from calibrate import part, tabulate

from feltrig.harness.statistics.shuffles import table
from feltrig.harness.statistics.shuffles.calibration import family_p
from feltrig.harness.statistics.shuffles.deck import new_deck
from feltrig.harness.statistics.shuffles.measured import ShuffleSample, measure, sample_of


def test_the_shares_of_the_level_sum_to_one():
    assert sum(share for _, share, _ in table.look(sample_of(np.arange(52)[None]))) == pytest.approx(1)
    assert table.SHARED == 100  # the calibration holds for these shares
    assert len({row.name for row in table.ROWS}) == len(table.ROWS)


@pytest.mark.parametrize("count", [1, 4, 20])
def test_good_machines_are_refused_at_most_as_often_as_the_level_allows(count):
    runs, level = 120, 0.05
    rng = np.random.default_rng(count)
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (runs * count, 1)), axis=1)
    measured = measure(decks, groups=new_deck(52))
    refused = 0
    for start in range(0, len(decks), count):
        run = decks[start : start + count]
        found = table.look(ShuffleSample(run, part(measured, start, start + count), tabulate(run)))
        refused += family_p(table.smallest(found), 52, count) <= level
    assert refused / runs <= level + 3 * np.sqrt(level * (1 - level) / runs)


def test_a_test_of_groups_counts_only_what_the_deck_has():
    plain = np.random.default_rng(1).permuted(np.tile(np.arange(10), (5, 1)), axis=1)
    found = {row.name: seen for row, _, seen in table.look(sample_of(plain))}
    assert found["grouped faces"] == (0, 1)
