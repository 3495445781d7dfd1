"""Critical values of the family of tests, as they were tabled."""

import numpy as np
import pytest

from feltrig.harness.statistics.shuffles import calibration
from feltrig.harness.statistics.shuffles.calibration import LEVELS, family_p, gains


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
