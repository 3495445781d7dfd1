"""A plan's level is shared between looking after every sample and one last look."""

import pytest

from feltrig.harness.statistics.core.planned import LAST_LOOK, one_by_one


def test_what_the_bettors_have_and_the_last_look_are_the_level() -> None:
    assert one_by_one(0.01) + 0.01 * LAST_LOOK == pytest.approx(0.01)
