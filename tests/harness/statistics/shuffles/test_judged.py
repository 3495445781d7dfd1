"""Decisions about shufflers, good and bad, with fixed samples and one by one."""

import numpy as np
import pytest
from effects import few_riffles, few_shelves

from feltrig.harness.statistics.core.sort import Acceptance
from feltrig.harness.statistics.shuffles import table
from feltrig.harness.statistics.shuffles.judged import fixed, sequential
from feltrig.harness.statistics.shuffles.recorded import NoShuffle, RecordedDecks, Shuffles, recorded


def fair(rng, count, n=52):
    return rng.permuted(np.tile(np.arange(n), (count, 1)), axis=1)


def shelves(rng, count, number, n=52):
    shelf, below = rng.integers(0, number, (count, n)), rng.integers(0, 2, (count, n))
    key = (2 * shelf + below) * 2 * n + np.where(below == 1, n - np.arange(n), np.arange(n))
    return np.argsort(key, axis=1)


def riffles(rng, count, times, n=52):
    piles = rng.integers(0, 2**times, (count, n))
    return np.argsort(np.argsort(piles, axis=1, kind="stable"), axis=1)


def cut(rng, count):
    return (np.arange(52) + rng.integers(1, 52, (count, 1))) % 52


def half_only(rng, count):
    decks = np.tile(np.arange(52), (count, 1))
    decks[:, :26] = fair(rng, count, 26)
    return decks


def sattolo(rng, count):
    decks = np.tile(np.arange(52), (count, 1))
    rows = np.arange(count)
    for i in range(51, 0, -1):
        j = rng.integers(0, i, count)
        decks[rows, i], decks[rows, j] = decks[rows, j], decks[rows, i]
    return decks


def bottom_stays(rng, count):
    return np.concatenate([fair(rng, count, 51), np.full((count, 1), 51)], axis=1)


def one_order(rng, count):
    return np.tile(fair(rng, 1), (count, 1))


def every_sixth_left(rng, count):
    decks = fair(rng, count)
    decks[5::6] = np.arange(52)
    return decks


def stacked_piles(rng, count):
    return np.argsort(rng.integers(0, 10, (count, 52)), axis=1, kind="stable")


def few_swaps(rng, count):
    decks = np.tile(np.arange(52), (count, 1))
    rows = np.arange(count)
    for _ in range(60):
        i, j = rng.integers(0, 52, (2, count))
        decks[rows, i], decks[rows, j] = decks[rows, j], decks[rows, i]
    return decks


BAD = {
    "ten shelves": (lambda rng, count: shelves(rng, count, 10), 3, "turning points"),
    "twenty shelves": (lambda rng, count: shelves(rng, count, 20), 16, "turning points"),
    "four riffles": (lambda rng, count: riffles(rng, count, 4), 1, "rising sequences"),
    "six riffles": (lambda rng, count: riffles(rng, count, 6), 24, "rising sequences"),
    "a cut": (cut, 1, "neighbour differences"),
    "half of the deck": (half_only, 1, None),
    "a program of one cycle": (sattolo, 3, "cycles"),
    "the bottom card stays": (bottom_stays, 4, "fullest cell"),
    "one and the same order": (one_order, 2, None),
    "every sixth deck left": (every_sixth_left, 6, "worst deck"),
    "piles that are stacked": (stacked_piles, 1, "descents"),
    "few swaps": (few_swaps, 12, None),
}


@pytest.mark.parametrize(("make", "count", "test"), BAD.values(), ids=BAD)
def test_a_bad_machine_is_refused_after_few_decks(make, count, test):
    for seed in range(3):
        decision = fixed(make(np.random.default_rng(seed), count))
        assert decision.refused
        assert decision.finished
        assert decision.p_value <= 0.01
        assert test is None or decision.decided_by == test


@pytest.mark.parametrize(("make", "count", "test"), BAD.values(), ids=BAD)
def test_a_bad_machine_is_refused_one_deck_at_a_time(make, count, test):
    rng = np.random.default_rng(11)
    running, decks = sequential(), make(rng, 3 * count)
    for deck in decks:
        if running.add(deck[None]):
            break
    assert running.refused_at is not None
    assert running.decision().refused


def test_ten_shelves_are_refused_after_three_decks_whatever_the_seed():
    for seed in range(15):
        decks = shelves(np.random.default_rng(seed), 3, 10)
        assert fixed(decks).refused
        running = sequential()
        assert running.add(decks)


def test_two_passes_of_ten_shelves_are_not_refused():
    rng = np.random.default_rng(8)
    decks = np.take_along_axis(shelves(rng, 200, 10), shelves(rng, 200, 10), axis=1)
    assert not fixed(decks).refused
    running = sequential()
    assert not running.add(decks)


@pytest.mark.parametrize("n", [20, 52, 53, 54, 312])
def test_a_good_machine_is_not_refused_whatever_its_deck(n):
    count = 25 if n < 100 else 5
    decks = fair(np.random.default_rng(n), count, n)
    decision = fixed(decks)
    assert not decision.refused
    assert len(decision.outcomes) == len(table.TESTS)
    assert all(outcome.detectable.words for outcome in decision.outcomes)
    assert f"{count} shuffles would show" in decision.reason
    running = sequential()
    assert not running.add(decks)
    assert not running.decision().finished


def test_good_machines_are_refused_one_deck_at_a_time_less_often_than_the_level_allows():
    refused = 0
    for seed in range(30):
        running = sequential(level=0.05)
        refused += running.add(fair(np.random.default_rng(seed), 12))
    assert refused <= 6


def test_a_machine_of_six_decks_is_refused_with_numbered_cards():
    rng = np.random.default_rng(2)
    assert fixed(riffles(rng, 1, 7, 312)).decided_by == "rising sequences"
    assert fixed(shelves(rng, 1, 10, 312)).refused


def test_a_machine_of_six_decks_is_refused_by_the_faces():
    rng = np.random.default_rng(2)
    sorted_load, in_sequence = np.repeat(np.arange(52), 6), np.tile(np.arange(52), 6)
    seen = RecordedDecks(sorted_load[shelves(rng, 1, 10, 312)], sorted_load[None])
    assert fixed(recorded(seen)).refused
    riffled = RecordedDecks(in_sequence[riffles(rng, 6, 5, 312)], np.tile(in_sequence, (6, 1)))
    assert fixed(recorded(riffled)).refused
    good = RecordedDecks(in_sequence[fair(rng, 6, 312)], np.tile(in_sequence, (6, 1)))
    decision = fixed(recorded(good, seed=9))
    assert not decision.refused
    assert "seed 9" in decision.method


def loaded_at_random(rng, count, machine):
    before = fair(rng, count)
    return recorded(RecordedDecks(machine(before), before))


def test_a_machine_that_sorts_is_refused_though_it_was_loaded_at_random():
    rng = np.random.default_rng(4)
    shuffles = loaded_at_random(rng, 1, lambda before: np.sort(before, axis=1))
    assert fixed(shuffles).decided_by.endswith(", faces")
    running = sequential()
    assert running.add(shuffles)
    assert running.decision().decided_by.endswith(", faces")


def test_a_shelf_machine_is_refused_though_it_was_loaded_at_random():
    rng = np.random.default_rng(4)
    shuffles = loaded_at_random(rng, 3, lambda before: np.take_along_axis(before, shelves(rng, 3, 10), axis=1))
    assert fixed(shuffles).decided_by == "turning points"
    running = sequential()
    assert running.add(shuffles)


def test_a_good_machine_is_not_refused_though_it_was_loaded_at_random():
    rng = np.random.default_rng(5)
    shuffles = loaded_at_random(rng, 40, lambda before: rng.permuted(before, axis=1))
    assert not fixed(shuffles).refused
    running = sequential()
    assert not running.add(shuffles)


def test_the_evidence_does_not_depend_on_how_the_decks_come():
    rng = np.random.default_rng(6)
    shuffles = loaded_at_random(rng, 14, lambda before: rng.permuted(before, axis=1))
    whole, parts = sequential(), sequential()
    whole.add(shuffles)
    for start in (0, 1, 2, 5):
        parts.add(shuffles[start : {0: 1, 1: 2, 2: 5, 5: 14}[start]])
    assert parts.curve == pytest.approx(whole.curve)
    assert parts.sample == 14


def test_decks_of_another_size_or_loaded_otherwise_are_refused():
    rng = np.random.default_rng(1)
    running = sequential()
    running.add(fair(rng, 1))
    with pytest.raises(NoShuffle, match="shuffles of 52 cards"):
        running.add(fair(rng, 1, 54))
    with pytest.raises(NoShuffle, match="loaded as before"):
        running.add(loaded_at_random(rng, 2, lambda before: before))


def test_an_empty_sample_is_refused():
    with pytest.raises(NoShuffle, match="one shuffle or more"):
        fixed(np.zeros((0, 52), int))
    with pytest.raises(ValueError, match="expected one or more"):
        sequential().decision()


def test_a_good_machine_is_accepted_when_the_machines_of_the_plan_are_excluded():
    plan = Acceptance(effects=(few_riffles(52, 5), few_shelves(52, 15)), miss=0.01)
    running = sequential(acceptance=plan)
    decks = fair(np.random.default_rng(3), 60)
    assert running.add(decks)
    assert running.refused_at is None
    assert 1 < running.accepted_at < 40
    assert "5 riffles, 15 shelves" in running.decision().reason


def test_a_bad_machine_of_the_plan_is_not_accepted():
    for seed in range(8):
        running = sequential(acceptance=Acceptance(effects=(few_shelves(52, 15),), miss=0.01))
        running.add(shelves(np.random.default_rng(seed), 30, 15))
        assert running.accepted_at is None
        assert running.refused_at is not None


@pytest.mark.parametrize("n", [10, 11])
def test_a_small_deck_is_judged_and_a_smaller_one_is_not(n):
    rng = np.random.default_rng(n)
    assert not fixed(fair(rng, 40, n)).refused
    running = sequential()
    assert not running.add(fair(rng, 40, n))
    with pytest.raises(NoShuffle, match="a deck of 9 cards: expected 10 or more"):
        fixed(fair(rng, 4, 9))


@pytest.mark.parametrize(
    "order", [np.arange(52), np.arange(52)[::-1], np.roll(np.arange(52), 26), np.arange(52) * 5 % 52]
)
def test_any_constant_order_is_refused(order):
    for count in (1, 2, 9, 30):
        assert fixed(np.tile(order, (count, 1))).refused
        running = sequential()
        assert running.add(np.tile(order, (count, 1)))


def test_a_stretch_of_a_sample_is_a_sample():
    rng = np.random.default_rng(1)
    shuffles = loaded_at_random(rng, 5, lambda before: rng.permuted(before, axis=1))
    part = shuffles[1:3]
    assert isinstance(part, Shuffles)
    assert (len(part), part.n) == (2, 52)
