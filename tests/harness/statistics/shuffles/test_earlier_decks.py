"""What a shuffler keeps of earlier decks, drift of ranks, and decks that are too alike."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from calibrate import tabulate
from numpy.typing import NDArray

from feltrig.harness.statistics.core.p_values import NOTHING
from feltrig.harness.statistics.shuffles import earlier_decks, faces, one_deck
from feltrig.harness.statistics.shuffles.deck import new_deck
from feltrig.harness.statistics.shuffles.judged import sequential
from feltrig.harness.statistics.shuffles.measured import UNKNOWN, measure

Decks = NDArray[Any]
Random = np.random.Generator
N = 52


def fair(rng: Random, count: int) -> Decks:
    return rng.permuted(np.tile(np.arange(N, dtype=np.uint8), (count, 1)), axis=1)


LOOKS: dict[str, Callable[[Decks], tuple[float, float]]] = {
    "places since last deck": earlier_decks.kept_places,
    "old neighbours": earlier_decks.kept_neighbours,
    "drift of faces": lambda decks: faces.grouped_drift(tabulate(decks), new_deck(N)),
    "spread": lambda decks: one_deck.in_the_middle(measure(decks)),
}


def to(deck: Decks, card: int, place: int) -> None:
    """Swaps a card to a place."""
    at = int(np.flatnonzero(deck == card)[0])
    deck[at], deck[place] = deck[place], card


def slots(rng: Random, count: int) -> Decks:
    """Two cards of each deck come where they came in the last."""
    decks = fair(rng, count)
    for last, deck in pairwise(decks):
        for place in rng.choice(N, 2, replace=False):
            to(deck, last[place], place)
    return decks


def old(rng: Random, count: int) -> Decks:
    """Five riffles of the deck seven before."""
    decks = fair(rng, count)
    for at in range(7, count):
        decks[at] = decks[at - 7][np.argsort(np.argsort(rng.integers(0, 32, N), kind="stable"))]
    return decks


def aces(rng: Random, count: int) -> Decks:
    """Aces go to the bottom quarter in half of the decks."""
    decks = fair(rng, count)
    for deck in decks[::2]:
        for ace in (12, 25, 38, 51):
            to(deck, ace, int(rng.integers(39, N)))
    return decks


def alike(rng: Random, count: int) -> Decks:
    """Decks whose inversions are near their mean, chosen from twice as many."""
    decks = fair(rng, 2 * count)
    return decks[np.sort(np.argsort(np.abs(measure(decks).values["inversions"] - N * (N - 1) / 4))[:count])]


BAD: dict[str, Callable[[Random, int], Decks]] = {
    "places since last deck": slots,
    "old neighbours": old,
    "drift of faces": aces,
    "spread": alike,
}


@pytest.mark.parametrize("name", LOOKS)
def test_good_machines_have_small_p_values_as_seldom_as_they_should(name: str) -> None:
    rng = np.random.default_rng(5)
    p = np.array([LOOKS[name](fair(rng, 40))[1] for _ in range(200)])
    assert ((p >= 0) & (p <= 1)).all()
    assert (p <= 0.1).mean() <= 0.1 + 3.3 * 0.021
    assert (p <= 0.01).mean() <= 0.035


@pytest.mark.parametrize("name", LOOKS)
def test_each_finds_its_machine_and_says_nothing_of_few_decks(name: str) -> None:
    decks = BAD[name](np.random.default_rng(6), 120)
    assert LOOKS[name](decks)[1] < 1e-6
    assert LOOKS[name](decks[:31]) == NOTHING


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("places since last deck", "places since last deck"),
        ("old neighbours", "old neighbours"),
        ("drift of faces", "drift of faces"),
    ],
)
def test_one_deck_at_a_time_they_are_found_as_well(name: str, by: str) -> None:
    running = sequential()
    assert running.add(BAD[name](np.random.default_rng(7), 250))
    assert running.refused_at is not None
    assert running.decision().decided_by == by


def test_moves_tell_where_the_card_of_each_place_has_gone() -> None:
    decks = np.array([[2, 0, 1, 3], [3, 1, 0, 2]], dtype=np.uint8)
    assert earlier_decks.moves(decks).tolist() == [[3, 2, 1, 0]]
    again = measure(np.array([[2, 0, 1, 3], [2, 1, 0, 3]], dtype=np.uint8))
    assert again.values["fixed points since last deck"].tolist() == [UNKNOWN, 2]


def test_the_last_card_is_followed_by_none() -> None:
    assert earlier_decks.followers(np.array([[2, 0, 1]], dtype=np.uint8)).tolist() == [[1, 3, 0]]
