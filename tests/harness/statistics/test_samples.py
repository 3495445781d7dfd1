"""The registry of sorts of samples."""

import subprocess
import sys

import pytest

from feltrig.harness.statistics import SAMPLES
from feltrig.harness.statistics.core.rows import bets


def test_naming_a_test_of_a_plan_does_not_load_numpy():
    program = (
        "import sys, feltrig.harness.statistics.core.planned; sys.exit(not {'numpy', 'scipy'}.isdisjoint(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize("name", SAMPLES)
def test_every_row_has_a_test_and_a_name_of_its_own(name):
    sort = SAMPLES[name]
    assert sort.name == name
    assert len({row.name for row in sort.rows}) == len(sort.rows)
    for row in sort.rows:
        assert row.looks_for
        assert row.fixed is not None or bets(row), row.name
        assert all(bet.percent > 0 for bet in bets(row))
