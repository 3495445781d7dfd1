"""Cards and time, cards and seats, cards and each other: machines that are fair on the whole, or card by card."""

from itertools import permutations

import numpy as np
import pytest
from calibrate import tabulate

from feltrig.harness.statistics.core.p_values import NOTHING
from feltrig.harness.statistics.shuffles import faces, judged, pairs, rhythms
from feltrig.harness.statistics.shuffles.deck import faces_of

N = 52
COUNT = 640
FACES = faces_of(tuple(range(N)))
RANK = np.arange(N) % 13


def _fair(rng, count=COUNT):
    return rng.permuted(np.tile(np.arange(N, dtype=np.uint8), (count, 1)), axis=1)


def _put(deck, card, place):
    """Swaps a card into a place."""
    at = int(np.flatnonzero(deck == card)[0])
    deck[at], deck[place] = deck[place], card


def wanders(rng):
    """A card stays near a place that moves through the deck."""
    decks = _fair(rng)
    for time, deck in enumerate(decks):
        if rng.random() < 0.3:
            _put(deck, 17, time * N // COUNT)
    return decks


def early_every_fourth(rng):
    """An ace comes early in every fourth deck, and in the others late as often as that takes."""
    decks = _fair(rng)
    for time, deck in enumerate(decks):
        early = time % 4 == 1 or rng.random() < 1 / 3
        _put(deck, 12, rng.integers(26) + 26 * (not early))
    return decks


def ace_to_the_seventh_seat(rng):
    """An ace comes to one seat of seven too often."""
    decks = _fair(rng)
    for deck in decks:
        if rng.random() < 0.4:
            _put(deck, 12 + 13 * rng.integers(4), 6 + 7 * rng.integers(6))
    return decks


def ace_at_a_place(rng):
    """Some ace comes at the fifth place too often."""
    decks = _fair(rng)
    for deck in decks:
        if rng.random() < 0.1:
            _put(deck, 12 + 13 * rng.integers(4), 4)
    return decks


def five_apart(rng):
    """One card comes five places after another."""
    decks = _fair(rng)
    for deck in decks:
        at = int(np.flatnonzero(deck == 3)[0])
        if rng.random() < 0.15 and at + 5 < N:
            _put(deck, 40, at + 5)
    return decks


def high_cards_clump(rng):
    """A high card draws the next high one to itself."""
    decks = _fair(rng)
    for deck in decks:
        for at in range(N - 2):
            high = RANK[deck[at : at + 3]] >= 8
            if high[0] and not high[1] and high[2] and rng.random() < 0.4:
                deck[at + 1], deck[at + 2] = deck[at + 2], deck[at + 1]
    return decks


def suits_apart(rng):
    """A suit is dealt to each of four hands more evenly than chance does."""
    decks = _fair(rng)
    for deck in decks:
        for at in range(N - 5):
            if deck[at] // 13 == deck[at + 4] // 13 and rng.random() < 0.4:
                deck[at + 4], deck[at + 5] = deck[at + 5], deck[at + 4]
    return decks


def in_the_same_half(rng):
    """Two cards keep to the same half of the deck."""
    decks = _fair(rng)
    for deck in decks:
        one, other = (int(np.flatnonzero(deck == card)[0]) for card in (8, 30))
        if (one < 26) != (other < 26) and rng.random() < 0.5:
            _put(deck, 30, N - 1 - other)
    return decks


MACHINES = [
    (wanders, "rhythms"),
    (early_every_fourth, "rhythms"),
    (ace_to_the_seventh_seat, "seats"),
    (ace_at_a_place, "seats"),
    (five_apart, "distances"),
    (high_cards_clump, "distances"),
    (suits_apart, "distances"),
    (in_the_same_half, "distances"),
]


@pytest.mark.parametrize(("machine", "name"), MACHINES, ids=[machine.__name__ for machine, _ in MACHINES])
def test_a_bad_machine_is_refused_for_the_right_reason(machine, name):
    decision = judged.fixed(machine(np.random.default_rng(3)))
    assert decision.refused
    assert decision.decided_by == name, [(o.name, o.p_value) for o in decision.outcomes if o.p_value < 1e-3]


def _p_values(decks, known=FACES):
    return (
        rhythms.rhythms(decks, known),
        faces.seated_ranks(tabulate(decks), known),
        pairs.kept_distances(decks, known),
    )


def test_p_values_of_good_machines_are_not_too_small():
    rng = np.random.default_rng(11)
    small = np.array([[p < 0.1 for _, p in _p_values(_fair(rng, 256))] for _ in range(150)])
    assert (small.sum(axis=0) <= 28).all()  # of 150; a share of 0.1 does so with a probability of 0.0003


def test_too_few_decks_say_nothing():
    assert _p_values(_fair(np.random.default_rng(1), 127)) == (NOTHING,) * 3


def test_cards_without_known_faces_are_looked_at_one_by_one():
    rng = np.random.default_rng(4)
    assert faces.seated_ranks(tabulate(_fair(rng)), None) == NOTHING
    assert rhythms.rhythms(wanders(rng), None)[1] < 1e-4
    assert pairs.kept_distances(five_apart(rng), None)[1] < 1e-4


def test_the_moments_of_likeness_at_a_distance_are_exact():
    likeness = np.random.default_rng(2).random((6, 6))
    likeness += likeness.T
    np.fill_diagonal(likeness, 0.0)
    orders = np.array(list(permutations(range(6))))
    for distance in (1, 2, 3, 4):
        sums = likeness[orders[:, :-distance], orders[:, distance:]].sum(axis=1)
        assert pairs._serial_moments(likeness, distance) == pytest.approx((sums.mean(), sums.var()))
