"""Bettors against a shuffler: each plays a fair game against a fair machine, whatever it has seen."""

import copy
from itertools import permutations

import numpy as np
import pytest
from effects import few_riffles, few_shelves

from feltrig.harness.statistics.core.rows import stakes
from feltrig.harness.statistics.shuffles.deck import Deck, faces_of
from feltrig.harness.statistics.shuffles.judged import ShuffleViews
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock, measure
from feltrig.harness.statistics.shuffles.recorded import relative
from feltrig.harness.statistics.shuffles.table import ROWS

N = 4
ALL = np.array(list(permutations(range(N))), dtype=np.uint8)
GROUPS = faces_of((0, 13, 1, 26))
HISTORIES = {
    "nothing": ALL[:0],
    "one deck": ALL[[17]],
    "the same deck again and again": ALL[[17] * 12],
    "a few decks": ALL[[3, 19, 10, 3, 23, 0, 14, 11]],
}


NAMES = [stake.name for stake in stakes(ROWS, Deck(N, GROUPS))]


def bettors(index):
    return stakes(ROWS, Deck(N, GROUPS))[index].bettors


def block(orders, earlier=None):
    return ShuffleBlock(orders, measure(orders, earlier=earlier, groups=GROUPS))


@pytest.mark.parametrize("history", HISTORIES.values(), ids=HISTORIES)
@pytest.mark.parametrize("index", range(len(NAMES)), ids=NAMES)
def test_the_factors_of_every_bettor_have_mean_one_over_all_shuffles(index, history):
    playing = bettors(index)
    if len(history):
        playing.bets(block(history))
    factors = []
    for deck in ALL:
        bettor = copy.deepcopy(playing)
        factors.append(np.exp(bettor.bets(block(deck[None], history if len(history) else None))[0]))
    assert np.mean(factors, axis=0) == pytest.approx(np.ones(len(playing.weights)), rel=1e-9)
    assert playing.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("index", range(len(NAMES)), ids=NAMES)
def test_bets_do_not_depend_on_the_blocks(index):
    decks = ALL[np.random.default_rng(2).integers(0, len(ALL), 30)]
    whole, parts = bettors(index), bettors(index)
    expected = whole.bets(block(decks))
    seen = [parts.bets(block(decks[at : at + 4], decks[max(0, at - 2) : at])) for at in range(0, 30, 4)]
    assert np.concatenate(seen) == pytest.approx(expected, abs=1e-9)


def test_the_shares_sum_to_one_at_most():
    for groups in (None, GROUPS, faces_of((5, 9, 2) * 2)):
        shares = [stake.share for stake in stakes(ROWS, Deck(6, groups))]
        assert 0.9 < sum(shares) <= 1


def test_the_likelihood_ratios_of_known_machines_have_mean_one():
    views = ShuffleViews(relative(ALL), block(ALL))
    for effect in (few_riffles(N, 1), few_riffles(N, 3), few_shelves(N, 1), few_shelves(N, 4)):
        assert np.exp(effect.ratios(views)).mean() == pytest.approx(1)
