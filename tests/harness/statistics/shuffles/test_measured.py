"""Statistics of each shuffle."""

import numpy as np
import pytest
from calibrate import part

from feltrig.harness.statistics.shuffles import measured as measuring
from feltrig.harness.statistics.shuffles.deck import new_deck
from feltrig.harness.statistics.shuffles.measured import UNKNOWN, measure

IDENTITY = np.arange(52)


def fair(count, n=52, seed=1):
    return np.random.default_rng(seed).permuted(np.tile(np.arange(n), (count, 1)), axis=1)


def one(order, name, **kwargs):
    return int(measure(np.array([order]), **kwargs).values[name][0])


def test_a_deck_that_was_not_touched_shows_in_every_statistic():
    seen = {
        name: one(IDENTITY, name)
        for name in (
            "rising sequences",
            "descents",
            "turning points",
            "inverse turning points",
            "inversions",
            "kept neighbours",
            "reversed neighbours",
            "fixed points",
            "cycles",
            "parity",
        )
    }
    expected = {
        "rising sequences": 0,
        "descents": 0,
        "turning points": 0,
        "inverse turning points": 0,
        "inversions": 0,
        "kept neighbours": 51,
        "reversed neighbours": 0,
        "fixed points": 52,
        "cycles": 52,
        "parity": 0,
    }
    assert seen == expected


def test_a_deck_turned_over_is_the_opposite():
    turned = IDENTITY[::-1]
    seen = {
        name: one(turned, name)
        for name in ("rising sequences", "inversions", "kept neighbours", "reversed neighbours", "fixed points")
    }
    assert seen == {
        "rising sequences": 51,
        "inversions": 1326,
        "kept neighbours": 0,
        "reversed neighbours": 51,
        "fixed points": 0,
    }


def test_one_riffle_leaves_two_rising_sequences():
    order = np.empty(52, int)
    order[::2], order[1::2] = np.arange(26), np.arange(26, 52)
    assert one(order, "rising sequences") == 1


def test_piles_that_are_stacked_leave_few_descents():
    order = np.argsort(np.arange(52) % 4, kind="stable")
    assert one(order, "descents") == 3


@pytest.mark.parametrize("n", [10, 52, 53, 54, 300, 312])
def test_the_means_are_those_of_the_laws_for_any_deck(n):
    measured = measure(fair(600, n), groups=new_deck(n))
    for name in measured.values:
        seen, law = measured.known(name), measured.law(name)
        assert abs(seen.mean() - law.mean) < 4.5 * np.sqrt(law.variance / len(seen)), name


def test_a_shuffle_is_compared_with_the_one_before_and_the_one_before_that():
    decks = fair(3)
    again = measure(np.array([decks[0], decks[0], decks[1], decks[2]]))
    assert again.values["rising sequences since last deck"][:2].tolist() == [UNKNOWN, 0]
    assert again.values["kept neighbours since last deck"][1] == 51
    assert again.values["kept neighbours over two decks"].tolist()[:2] == [UNKNOWN, UNKNOWN]
    assert again.values["rising sequences over two decks"][3] > 0
    assert measure(np.array([decks[0], decks[1], decks[0]])).values["rising sequences over two decks"][2] == 0


def test_what_is_measured_does_not_depend_on_how_the_sample_is_cut(monkeypatch):
    decks = fair(11)
    whole = measure(decks, groups=new_deck(52))
    parts = [measure(decks[:4], groups=new_deck(52)), measure(decks[4:], earlier=decks[:4], groups=new_deck(52))]
    for name, column in whole.values.items():
        assert np.concatenate([part.values[name] for part in parts]).tolist() == column.tolist(), name
    monkeypatch.setattr(measuring, "CHUNK", 3)
    for name, column in measure(decks, groups=new_deck(52)).values.items():
        assert column.tolist() == whole.values[name].tolist(), name


def test_a_part_of_a_sample_knows_nothing_of_what_was_before_it():
    decks = fair(9)
    some, alone = part(measure(decks), 3, 8), measure(decks[3:8])
    assert all(some.values[name].tolist() == column.tolist() for name, column in alone.values.items())


def test_a_clump_at_any_distance_is_seen_in_the_differences():
    assert measure(np.array([np.arange(52) * 5 % 52])).differences[0] == 51


def test_a_generator_that_shows_its_low_bits_is_seen_in_one_deck():
    state, deck = 12345, list(range(52))
    for place in range(51, 0, -1):
        state = (1664525 * state + 1013904223) % 2**32
        other = state % (place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    assert one(np.array(deck), "low bits, swapping down") in {0, 26}
