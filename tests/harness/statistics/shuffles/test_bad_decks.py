"""One bad deck or a bad stretch among many, and decks that echo each other."""

import numpy as np
from fair_decks import fair

from feltrig.harness.statistics.core.p_values import NOTHING
from feltrig.harness.statistics.shuffles import bad_decks
from feltrig.harness.statistics.shuffles.measured import measure


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
