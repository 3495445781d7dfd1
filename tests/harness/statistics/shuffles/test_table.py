"""The battery, its shares of the level, and its calibration."""

import numpy as np
import pytest
from calibrate import part, tabulate

from feltrig.harness.statistics.shuffles import calibration, table
from feltrig.harness.statistics.shuffles.calibration import LEVELS, family_p, gains
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


@pytest.fixture
def small_table(tmp_path, monkeypatch):
    file = tmp_path / "critical.tsv"
    file.write_text("cards\tshuffles\t0.001\t0.01\t0.05\n52\t1\t1\t3\t2.5\n52\t4\t0.7\t2\t2\n")
    monkeypatch.setattr(calibration, "TABLE", file)
    calibration._table.cache_clear()
    yield
    calibration._table.cache_clear()


@pytest.mark.usefixtures("small_table")
def test_between_tabled_sizes_the_lesser_gain_holds_and_beyond_them_none():
    assert gains(52, 1) == (1, 3, 2.5)
    assert gains(52, 4) == (1, 2, 2)
    assert gains(52, 3) == (1, 2, 2)
    assert gains(52, 5) == (1, 1, 1)
    assert gains(40, 1) == (1, 1, 1)


@pytest.mark.usefixtures("small_table")
def test_the_family_p_value_is_the_level_at_its_critical_value_and_never_above_bonferroni():
    assert family_p(0.03, 52, 1) == pytest.approx(0.01)
    assert family_p(0.125, 52, 1) == pytest.approx(0.05)
    assert family_p(1e-9, 52, 1) == 1e-9
    assert family_p(5.0, 52, 1) == 1
    grid = np.geomspace(1e-6, 3, 200)
    p = [family_p(value, 52, 1) for value in grid]
    assert p == sorted(p)
    assert all(seen <= value for seen, value in zip(p, grid, strict=True))


def test_the_table_of_the_package_is_read_and_reasonable():
    for n in (52, 54):
        for count in (1, 2, 3, 8):
            assert all(1 <= gain < 6 for gain in gains(n, count))
            knots = [level * gain for level, gain in zip(LEVELS, gains(n, count), strict=True)]
            assert knots == sorted(knots)
