"""Cards that come out a little earlier or later than they went in."""

import numpy as np
from fair_decks import put, spoilt

from feltrig.harness.statistics.shuffles import drift


def test_cards_that_come_out_a_little_earlier_than_they_went_in_drift():
    rng = np.random.default_rng(3)

    def earlier(deck):
        for _ in range(6):
            a, b = sorted(rng.integers(0, 52, 2))
            deck[[a, b]] = sorted(deck[[a, b]])

    assert drift.smooth(spoilt(earlier), drift.SMOOTH)[1] < 1e-4


def test_a_card_that_is_bound_to_a_few_places_is_found():
    rng = np.random.default_rng(3)

    def bound(deck):
        if rng.random() < 0.6:
            put(deck, 30, int(rng.integers(10, 16)))

    assert drift.worst_window(spoilt(bound))[1] < 1e-4
