"""The published figures of riffles and shelf machines."""

import math
from itertools import permutations

import numpy as np
import pytest

from feltrig.harness.statistics.shuffles import laws
from feltrig.harness.statistics.shuffles.laws import riffled, shelved

SHELVES = (10, 15, 20, 25, 30, 35, 50, 100, 150, 200, 300)
DISTANCE = (1.000, 0.943, 0.720, 0.544, 0.391, 0.299, 0.159, 0.041, 0.018, 0.010, 0.005)
SEPARATION = (1.000, 1.000, 1.000, 1.000, 1.000, 0.996, 0.910, 0.431, 0.219, 0.130, 0.060)
RIFFLES = (1.000, 1.000, 1.000, 1.000, 0.924, 0.614, 0.334, 0.167, 0.085, 0.043)


def distance_of(model):
    """Total variation distance from a fair shuffle."""
    return float(np.abs(model.law.probabilities - model.fair.probabilities).sum()) / 2


def separation_of(model):
    """Separation distance from a fair shuffle: how much the rarest outcome lacks."""
    return 1 - math.exp(float(model.log_ratio.min()))


def guesses(o):
    """Right guesses in each column by a player who sees each card after guessing it, and who guesses the nearest card
    not yet seen in the direction of the last step, or else the nearest one on the other side."""
    n, count = o.shape
    column = np.arange(count, dtype=np.int32)
    # Cards not yet seen are linked in order, with an end at either side: 0, and n + 1.
    above = np.repeat(np.arange(1, n + 3, dtype=np.int32), count)
    below = np.repeat(np.arange(-1, n + 1, dtype=np.int32), count)
    guess = np.ones(count, np.int32)
    right, last = np.zeros(count, np.int32), np.zeros(count, np.int32)
    for row in o:
        card = row.astype(np.int32) + 1
        right += card == guess
        at = card * count + column
        up, down = above[at], below[at]
        above[down * count + column] = up
        below[up * count + column] = down
        rising = card > last
        guess = np.where(rising, np.where(up <= n, up, down), np.where(down > 0, down, up))
        last = card
    return right


@pytest.mark.parametrize(("shelves", "distance", "separation"), list(zip(SHELVES, DISTANCE, SEPARATION, strict=True)))
def test_shelf_machines_are_as_far_from_fair_as_published(shelves, distance, separation):
    model = shelved(52, shelves)
    assert distance_of(model) == pytest.approx(distance, abs=0.0006)
    assert separation_of(model) == pytest.approx(separation, abs=0.0006)


@pytest.mark.parametrize(("riffles", "distance"), list(enumerate(RIFFLES, 1)))
def test_riffles_are_as_far_from_fair_as_published(riffles, distance):
    assert distance_of(riffled(52, 2**riffles)) == pytest.approx(distance, abs=0.0006)


def test_ten_shelves_leave_few_valleys():
    law = shelved(52, 10).law
    assert law.mean == pytest.approx(8.631, abs=0.0005)
    assert np.sqrt(law.variance) == pytest.approx(0.554, abs=0.0005)
    assert law.probabilities[10:].sum() == pytest.approx(0)
    assert (laws.valleys(52).mean, np.sqrt(laws.valleys(52).variance)) == pytest.approx((16.667, 1.535), abs=0.0005)


@pytest.mark.parametrize(
    "model", [riffled(52, 16), riffled(312, 128), shelved(52, 10), shelved(54, 10), shelved(312, 10)]
)
def test_the_law_of_a_machine_is_a_law(model):
    assert model.law.probabilities.sum() == pytest.approx(1, abs=1e-6)


def test_two_passes_of_ten_shelves_are_two_hundred_shelves():
    rng = np.random.default_rng(7)
    first, second = shelf_shuffles(rng, 20_000, 10), shelf_shuffles(rng, 20_000, 10)
    twice = np.take_along_axis(first, second, axis=1)
    rises = twice[:, 1:] > twice[:, :-1]
    valleys = (rises[:, 1:] & ~rises[:, :-1]).sum(axis=1)
    assert valleys.mean() == pytest.approx(shelved(52, 200).law.mean, abs=0.05)


@pytest.mark.parametrize(("shelves", "mean"), [(1, 39.0), (2, 27.1), (4, 17.6), (10, 9.25), (20, 6.1), (64, 4.7)])
def test_a_player_guesses_as_many_cards_as_published(shelves, mean):
    seen = guesses(shelf_shuffles(np.random.default_rng(shelves), 3000, shelves).T)
    assert seen.mean() == pytest.approx(mean, abs=0.2)


def test_colour_changes_are_as_published():
    fair = laws.same_neighbours((26, 26))
    assert (51 - fair.mean, np.sqrt(fair.variance)) == pytest.approx((26, 3.57), abs=0.005)
    decks = shelf_shuffles(np.random.default_rng(5), 5000, 10)
    changes = ((decks[:, 1:] < 26) != (decks[:, :-1] < 26)).sum(axis=1)
    assert (changes.mean(), changes.std()) == pytest.approx((17.2, 1.83), abs=0.1)


def test_the_chi_square_of_cards_by_positions_needs_its_factor():
    n, decks = 52, 400
    rng = np.random.default_rng(3)
    squares = []
    for _ in range(60):
        orders = rng.permuted(np.tile(np.arange(n), (decks, 1)), axis=1)
        table = np.bincount((orders + n * np.arange(n)).ravel(), minlength=n * n)
        squares.append(((table - decks / n) ** 2).sum() * n / decks)
    raw = np.mean(squares)
    assert raw == pytest.approx(2652, abs=30)
    assert raw * 51 / 52 == pytest.approx(51**2, abs=30)


def shelf_shuffles(rng, count, shelves):
    """From the bottom of the deck, each card goes on a shelf, above or below the pile on it."""
    shelf, below = rng.integers(0, shelves, (count, 52)), rng.integers(0, 2, (count, 52))
    key = (2 * shelf + below) * 104 + np.where(below == 1, 52 - np.arange(52), np.arange(52))
    return np.argsort(key, axis=1)


def test_a_player_with_feedback_guesses_right_as_often_as_there_are_cycles():
    decks = np.array(list(permutations(range(7))), dtype=np.uint8)
    law = laws.cycles(7)
    seen = np.bincount(guesses(decks.T), minlength=8) / len(decks)
    assert seen[law.low :] == pytest.approx(law.probabilities, abs=1e-12)
