"""Cards and time, cards and seats, cards and each other: machines that are fair on the whole, or card by card."""

import numpy as np
from calibrate import tabulate
from long_samples import N, decks_of, five_apart, wanders

from feltrig.harness.statistics.core.p_values import NOTHING
from feltrig.harness.statistics.shuffles import faces, pairs, rhythms
from feltrig.harness.statistics.shuffles.deck import faces_of

FACES = faces_of(tuple(range(N)))


def _p_values(decks, known=FACES):
    return (
        rhythms.rhythms(decks, known),
        faces.seated_ranks(tabulate(decks), known),
        pairs.kept_distances(decks, known),
    )


def test_p_values_of_good_machines_are_not_too_small():
    rng = np.random.default_rng(11)
    small = np.array([[p < 0.1 for _, p in _p_values(decks_of(rng, 256))] for _ in range(150)])
    assert (small.sum(axis=0) <= 28).all()  # of 150; a share of 0.1 does so with a probability of 0.0003


def test_too_few_decks_say_nothing():
    assert _p_values(decks_of(np.random.default_rng(1), 127)) == (NOTHING,) * 3


def test_cards_without_known_faces_are_looked_at_one_by_one():
    rng = np.random.default_rng(4)
    assert faces.seated_ranks(tabulate(decks_of(rng)), None) == NOTHING
    assert rhythms.rhythms(wanders(rng), None)[1] < 1e-4
    assert pairs.kept_distances(five_apart(rng), None)[1] < 1e-4
