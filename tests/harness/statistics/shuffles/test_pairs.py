"""Two cards that stick, keep their order, or keep a distance."""

from itertools import permutations

import numpy as np
import pytest
from fair_decks import put, spoilt
from long_samples import N, decks_of, five_apart, swapped_to

from feltrig.harness.statistics.shuffles import judged, pairs


def test_two_cards_that_stick_are_found():
    rng = np.random.default_rng(3)

    def sticks(deck):
        if rng.random() < 0.4:
            at = int(np.argmax(deck == 20))
            put(deck, 37, min(at + 1, 51))

    assert pairs.worst_pair(spoilt(sticks))[1] < 1e-4


def test_two_cards_that_keep_their_order_are_found():
    def ordered(deck):
        a, b = int(np.argmax(deck == 5)), int(np.argmax(deck == 40))
        if a > b:
            deck[a], deck[b] = 40, 5

    assert pairs.worst_precedence(spoilt(ordered))[1] < 1e-6


RANK = np.arange(N) % 13


def high_cards_clump(rng):
    """A high card draws the next high one to itself."""
    decks = decks_of(rng)
    for deck in decks:
        for at in range(N - 2):
            high = RANK[deck[at : at + 3]] >= 8
            if high[0] and not high[1] and high[2] and rng.random() < 0.4:
                deck[at + 1], deck[at + 2] = deck[at + 2], deck[at + 1]
    return decks


def suits_apart(rng):
    """A suit is dealt to each of four hands more evenly than chance does."""
    decks = decks_of(rng)
    for deck in decks:
        for at in range(N - 5):
            if deck[at] // 13 == deck[at + 4] // 13 and rng.random() < 0.4:
                deck[at + 4], deck[at + 5] = deck[at + 5], deck[at + 4]
    return decks


def in_the_same_half(rng):
    """Two cards keep to the same half of the deck."""
    decks = decks_of(rng)
    for deck in decks:
        one, other = (int(np.flatnonzero(deck == card)[0]) for card in (8, 30))
        if (one < 26) != (other < 26) and rng.random() < 0.5:
            swapped_to(deck, 30, N - 1 - other)
    return decks


@pytest.mark.parametrize("machine", [five_apart, high_cards_clump, suits_apart, in_the_same_half])
def test_a_bad_machine_is_refused_by_its_distances(machine):
    decision = judged.fixed(machine(np.random.default_rng(3)))
    assert decision.refused
    assert decision.decided_by == "distances", [(o.name, o.p_value) for o in decision.outcomes if o.p_value < 1e-3]


def test_the_moments_of_likeness_at_a_distance_are_exact():
    likeness = np.random.default_rng(2).random((6, 6))
    likeness += likeness.T
    np.fill_diagonal(likeness, 0.0)
    orders = np.array(list(permutations(range(6))))
    for distance in (1, 2, 3, 4):
        sums = likeness[orders[:, :-distance], orders[:, distance:]].sum(axis=1)
        assert pairs._serial_moments(likeness, distance) == pytest.approx((sums.mean(), sums.var()))
