"""Samples of many decks, of a good shuffler and of bad ones."""

import numpy as np

N = 52
COUNT = 640


def decks_of(rng, count=COUNT):
    return rng.permuted(np.tile(np.arange(N, dtype=np.uint8), (count, 1)), axis=1)


def swapped_to(deck, card, place):
    """Swaps a card into a place."""
    at = int(np.flatnonzero(deck == card)[0])
    deck[at], deck[place] = deck[place], card


def wanders(rng):
    """A card stays near a place that moves through the deck."""
    decks = decks_of(rng)
    for time, deck in enumerate(decks):
        if rng.random() < 0.3:
            swapped_to(deck, 17, time * N // COUNT)
    return decks


def five_apart(rng):
    """One card comes five places after another."""
    decks = decks_of(rng)
    for deck in decks:
        at = int(np.flatnonzero(deck == 3)[0])
        if rng.random() < 0.15 and at + 5 < N:
            swapped_to(deck, 40, at + 5)
    return decks
