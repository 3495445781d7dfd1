"""Statistics of a whole sample."""

import numpy as np
import pytest
from calibrate import tabulate

from feltrig.harness.statistics.core.p_values import NOTHING
from feltrig.harness.statistics.shuffles import bad_decks, cells, drift, earlier_decks, measured, pairs
from feltrig.harness.statistics.shuffles.measured import measure


def fair(count, n=52, seed=1):
    return np.random.default_rng(seed).permuted(np.tile(np.arange(n, dtype=np.uint8), (count, 1)), axis=1)


def test_the_tables_count_places_neighbours_and_order(monkeypatch):
    decks = fair(70, 9)
    tables = tabulate(decks)
    for card in range(9):
        for other in range(9):
            assert tables.position[card, other] == (decks[:, card] == other).sum()
            follows = ((decks[:, :-1] == card) & (decks[:, 1:] == other)).sum()
            assert tables.successor[card, other] == follows
            if card < other:
                first = np.argmax(decks == card, axis=1) < np.argmax(decks == other, axis=1)
                assert tables.before[card, other] == first.sum()
    monkeypatch.setattr(measured, "FEW", 1000)
    assert (tabulate(decks).before == tables.before).all()


TABLE_TESTS = {
    "cards by positions": cells.coincidences,
    "fullest cell": cells.worst_cell,
    "sticking cards": pairs.worst_pair,
    "neighbour differences": pairs.differences,
    "displacements": cells.displacement,
    "drift": lambda tables: drift.smooth(tables, drift.SMOOTH),
    "bumps": lambda tables: drift.smooth(tables, drift.FINE),
    "one-card drift": drift.worst_wave,
    "one-card window": drift.worst_window,
    "precedence": pairs.worst_precedence,
    "emptiest cell": cells.empty_cell,
}


@pytest.mark.parametrize("count", [1, 5, 40])
def test_good_machines_have_large_p_values_as_often_as_they_should(count):
    samples = [tabulate(fair(count, seed=seed)) for seed in range(100)]
    for name, test in TABLE_TESTS.items():
        p = np.array([test(tables)[1] for tables in samples])
        assert ((p >= 0) & (p <= 1)).all(), name
        assert (p <= 0.1).mean() <= 0.1 + 3.3 * 0.03, name
        assert (p <= 0.01).mean() <= 0.05, name


def spoilt(change, count=60):
    decks = fair(count)
    for deck in decks:
        change(deck)
    return tabulate(decks)


def put(deck, card, place):
    at = int(np.argmax(deck == card))
    deck[at], deck[place] = deck[place], deck[at]


def test_each_test_finds_what_it_looks_for():
    rng = np.random.default_rng(3)

    def stays(deck):
        if rng.random() < 0.4:
            put(deck, 0, 0)

    def sticks(deck):
        if rng.random() < 0.4:
            at = int(np.argmax(deck == 20))
            put(deck, 37, min(at + 1, 51))

    def ordered(deck):
        a, b = int(np.argmax(deck == 5)), int(np.argmax(deck == 40))
        if a > b:
            deck[a], deck[b] = 40, 5

    def bound(deck):
        if rng.random() < 0.6:
            put(deck, 30, int(rng.integers(10, 16)))

    def moved(deck):
        for card in np.flatnonzero(rng.random(52) < 0.1):
            put(deck, int(card), (int(card) + 7) % 52)

    assert cells.worst_cell(spoilt(stays))[1] < 1e-4
    assert pairs.worst_pair(spoilt(sticks))[1] < 1e-4
    assert pairs.worst_precedence(spoilt(ordered))[1] < 1e-6
    assert drift.worst_window(spoilt(bound))[1] < 1e-4
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


def test_one_bad_deck_is_found_among_many():
    decks = fair(300)
    assert bad_decks.worst_deck(measure(decks))[1] > 0.01
    decks[200] = np.arange(52) * 5 % 52
    assert bad_decks.worst_deck(measure(decks))[1] < 1e-9


def test_a_bad_stretch_is_found():
    decks = fair(128)
    assert bad_decks.worst_stretch(measure(decks))[1] > 0.01
    pairs = np.sort(decks[64:80].reshape(16, 4, 13), axis=2)
    decks[64:80] = pairs.reshape(16, 52)
    assert bad_decks.worst_stretch(measure(decks))[1] < 1e-6


@pytest.mark.parametrize("count", [2, 20, 300])
def test_a_repeated_stretch_is_found_and_chance_repeats_none(count):
    decks = fair(count)
    assert earlier_decks.repeated_runs(decks) == (0, 1)
    rest = decks[-1][~np.isin(decks[-1], decks[0, 10:22])]
    decks[-1] = np.insert(rest, 3, decks[0, 10:22])
    again, p = earlier_decks.repeated_runs(decks)
    assert again >= 1
    assert p <= earlier_decks.RARE


def test_large_samples_are_searched_by_fewer_runs(monkeypatch):
    monkeypatch.setattr(earlier_decks, "MANY", 10)
    decks = fair(50)
    assert earlier_decks.repeated_runs(decks) == (0, 1)
    decks[40] = decks[3]
    assert earlier_decks.repeated_runs(decks)[1] <= earlier_decks.RARE


def test_runs_are_long_enough_for_the_sample():
    assert [earlier_decks.run_length(52, count) for count in (2, 30, 1000, 100_000)] == [5, 6, 8, 10]
    assert earlier_decks.run_length(312, 10) <= 7


def test_decks_that_echo_each_other_are_seen():
    good = fair(60)
    halves = np.sort(good.reshape(60, 2, 26), axis=2).reshape(60, 52)
    slow = np.where((np.arange(60) // 10 % 2 == 0)[:, None], good, halves)
    assert bad_decks.echo(measure(good))[1] > 0.001
    assert bad_decks.echo(measure(slow))[1] < 0.001
    assert bad_decks.echo(measure(good[:5])) == NOTHING


def test_decks_with_exactly_the_mean_of_inversions_have_no_echo():
    deck = next(deck for deck in fair(500, 13) if measure(deck[None]).values["inversions"][0] == 39)
    assert bad_decks.echo(measure(np.tile(deck, (9, 1)))) == NOTHING
