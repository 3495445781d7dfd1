"""Cards and seats: ranks that come to one place or player too often."""

import numpy as np
import pytest
from long_samples import decks_of, swapped_to

from feltrig.harness.statistics.shuffles import faces, judged
from feltrig.harness.statistics.shuffles.deck import faces_of, new_deck


def ace_to_the_seventh_seat(rng):
    """An ace comes to one seat of seven too often."""
    decks = decks_of(rng)
    for deck in decks:
        if rng.random() < 0.4:
            swapped_to(deck, 12 + 13 * rng.integers(4), 6 + 7 * rng.integers(6))
    return decks


def ace_at_a_place(rng):
    """Some ace comes at the fifth place too often."""
    decks = decks_of(rng)
    for deck in decks:
        if rng.random() < 0.1:
            swapped_to(deck, 12 + 13 * rng.integers(4), 4)
    return decks


@pytest.mark.parametrize("machine", [ace_to_the_seventh_seat, ace_at_a_place])
def test_a_bad_machine_is_refused_by_its_seats(machine):
    decision = judged.fixed(machine(np.random.default_rng(3)))
    assert decision.refused
    assert decision.decided_by == "seats", [(o.name, o.p_value) for o in decision.outcomes if o.p_value < 1e-3]


def test_waves_of_ranks_are_orthonormal_and_leave_jokers_out() -> None:
    known = new_deck(54)
    assert known is not None
    waves = faces.rank_waves(known)
    assert waves @ waves.T == pytest.approx(np.eye(len(waves)), abs=1e-12)
    assert waves.sum(axis=1) == pytest.approx(np.zeros(len(waves)), abs=1e-12)
    assert waves[:, 52:] == pytest.approx(np.zeros((len(waves), 2)), abs=1e-12)
    assert np.isfinite(faces.rank_waves(faces_of((0, 13, 1, 26)))).all()
