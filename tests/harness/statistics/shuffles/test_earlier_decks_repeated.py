"""Stretches that come again."""

import numpy as np
import pytest
from fair_decks import fair

from feltrig.harness.statistics.shuffles import earlier_decks


@pytest.mark.parametrize("count", [2, 20, 300])
def test_a_repeated_stretch_is_found_and_chance_repeats_none(count):
    decks = fair(count)
    assert earlier_decks.repeated_runs(decks) == (0, 1)
    rest = decks[-1][~np.isin(decks[-1], decks[0, 10:22])]
    decks[-1] = np.insert(rest, 3, decks[0, 10:22])
    again, p = earlier_decks.repeated_runs(decks)
    assert again >= 1
    assert p <= earlier_decks.RARE


def test_large_samples_are_searched_by_fewer_runs(monkeypatch):
    monkeypatch.setattr(earlier_decks, "MANY", 10)
    decks = fair(50)
    assert earlier_decks.repeated_runs(decks) == (0, 1)
    decks[40] = decks[3]
    assert earlier_decks.repeated_runs(decks)[1] <= earlier_decks.RARE


def test_runs_are_long_enough_for_the_sample():
    assert [earlier_decks.run_length(52, count) for count in (2, 30, 1000, 100_000)] == [5, 6, 8, 10]
    assert earlier_decks.run_length(312, 10) <= 7
