"""Cards by positions: cells that are too full, too even or empty."""

import numpy as np
from calibrate import tabulate
from fair_decks import fair, put, spoilt

from feltrig.harness.statistics.shuffles import cells


def test_a_card_that_stays_is_found():
    rng = np.random.default_rng(3)

    def stays(deck):
        if rng.random() < 0.4:
            put(deck, 0, 0)

    assert cells.worst_cell(spoilt(stays))[1] < 1e-4


def test_cards_that_move_by_one_step_are_found():
    rng = np.random.default_rng(3)

    def moved(deck):
        for card in np.flatnonzero(rng.random(52) < 0.1):
            put(deck, int(card), (int(card) + 7) % 52)

    assert cells.displacement(spoilt(moved))[1] < 1e-6


def test_cells_that_are_too_even_are_suspicious():
    base = np.random.default_rng(1).permutation(52)
    even = np.array([np.roll(base, shift) for shift in range(52)], dtype=np.uint8)
    assert cells.coincidences(tabulate(even))[1] < 1e-6


def test_a_cell_that_stays_empty_is_seen_when_the_sample_is_large():
    decks = fair(1500)
    top = decks[:, 0] == 0
    decks[top] = decks[top][:, ::-1]
    assert cells.empty_cell(tabulate(decks))[1] < 1e-4
