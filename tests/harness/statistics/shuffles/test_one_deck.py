"""Decks that are too alike, each of them in the middle of its law."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.shuffles import one_deck
from feltrig.harness.statistics.shuffles.deck import Deck
from feltrig.harness.statistics.shuffles.measured import ShuffleBlock, measure

Decks = NDArray[Any]
Random = np.random.Generator
N = 52


def fair(rng: Random, count: int) -> Decks:
    return rng.permuted(np.tile(np.arange(N, dtype=np.uint8), (count, 1)), axis=1)


def alike(rng: Random, count: int) -> Decks:
    """Decks whose inversions are near their mean, chosen from twice as many."""
    decks = fair(rng, 2 * count)
    return decks[np.sort(np.argsort(np.abs(measure(decks).values["inversions"] - N * (N - 1) / 4))[:count])]


def test_decks_that_are_too_alike_are_found_one_at_a_time() -> None:
    decks = alike(np.random.default_rng(8), 250)
    logs = one_deck.Spread(Deck(N)).bets(ShuffleBlock(decks, measure(decks)))
    assert logs.sum(axis=0).max() > 20
