"""Bettors that learn: what they find, and that the others go on when they have lost."""

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.streams import numbers

Ints = NDArray[np.int64]


def refused_after(drawn: Ints) -> int | None:
    running = numbers.sequential()
    running.add(drawn)
    return running.refused_at


def test_a_favoured_number_is_found() -> None:
    drawn = np.random.default_rng(6).choice(7, 1500, p=np.array([1.5, *[5.5 / 6] * 6]) / 7) + 1
    running = numbers.sequential()
    running.add(drawn)
    assert running.refused_at is not None
    assert running.decision().decided_by in {"worst number", "frequencies"}


def test_a_machine_that_breaks_late_is_refused_though_the_learners_had_lost() -> None:
    drawn = np.random.default_rng(7).integers(1, 8, 3000)
    drawn[2900:] = 4
    after = refused_after(drawn)
    assert after is not None
    assert 2900 < after <= 2925
