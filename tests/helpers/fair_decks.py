"""Decks of a good shuffler, and decks that are spoilt."""

import numpy as np
from calibrate import tabulate


def fair(count, n=52, seed=1):
    return np.random.default_rng(seed).permuted(np.tile(np.arange(n, dtype=np.uint8), (count, 1)), axis=1)


def spoilt(change, count=60):
    decks = fair(count)
    for deck in decks:
        change(deck)
    return tabulate(decks)


def put(deck, card, place):
    at = int(np.argmax(deck == card))
    deck[at], deck[place] = deck[place], deck[at]
