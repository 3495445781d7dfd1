"""Shuffles as arrays, many at once, and what the cards of a deck look like: colour, suit, rank, copies of a face.

A shuffle is a row `o`: o[j] is the place, in the order in which the deck was loaded, of the card that came out at j.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from feltrig.harness.statistics.core.law import Law
from feltrig.harness.statistics.shuffles import laws

Orders = NDArray[Any]
Counts = NDArray[np.int32]

CHUNK = 4096
"""Shuffles that are measured together, so that they stay in the processor's cache."""
ENOUGH = 5 * CHUNK
"""Of a larger sample, only this many shuffles at the start are measured by the statistics that are rarely needed."""
GROUPS = ("colour", "suit", "rank", "next face")
"""Counts of neighbours: of one colour, suit or rank; a face followed by the next one, whichever copies they are."""


def inverse_of(o: Orders) -> Orders:
    """The inverse of each column."""
    inverse = np.empty(o.size, o.dtype)
    inverse[flat(o)] = np.arange(len(o), dtype=o.dtype)[:, None]
    return inverse.reshape(o.shape)


def composed(outer: Orders, inner: Orders) -> Orders:
    """outer[inner[j]] in each column."""
    return np.ascontiguousarray(outer).ravel()[flat(inner)]


def flat(o: Orders) -> Counts:
    """Each entry as the index, in the raveled array, of its own column at the row that it names."""
    flat: Counts = o.astype(np.int32)
    flat *= o.shape[1]
    flat += np.arange(o.shape[1], dtype=np.int32)
    return flat


@dataclass(frozen=True, slots=True)
class Faces:
    """To which colour, suit and rank the card at each loaded place belongs; a joker belongs to none. And when there are
    several copies of each face, the number of its face, in the order in which faces were loaded."""

    groups: Mapping[str, tuple[int, ...]]

    def law(self, name: str) -> Law:
        """The law of neighbours of one group, or of one face and the next."""
        if name == "next face":
            kinds = max(self.groups[name]) + 1
            return laws.next_faces(kinds, len(self.groups[name]) // kinds)
        sizes = np.unique(self.groups[name], return_counts=True)[1]
        return laws.same_neighbours(tuple(sorted(int(size) for size in sizes)))


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck whose shuffles are judged: how many cards, and their faces where they are known."""

    n: int
    faces: Faces | None = None


@lru_cache(maxsize=16)
def faces_of(cards: tuple[int, ...]) -> Faces:
    """The groups of these cards: rank + 13 suit, clubs to spades, and jokers from 52 on."""

    def grouped(group: Callable[[int], int]) -> tuple[int, ...]:
        return tuple(group(card) if card < 52 else 100 + place for place, card in enumerate(cards))

    groups = {
        "colour": grouped(lambda card: card // 13 in (1, 2)),
        "suit": grouped(lambda card: card // 13),
        "rank": grouped(lambda card: card % 13),
    }
    kinds = list(dict.fromkeys(cards))
    if len(kinds) < len(cards):
        groups["next face"] = tuple(kinds.index(card) for card in cards)
    return Faces(groups)


def new_deck(n: int) -> Faces | None:
    """The groups of a deck of 52 to 54 that was loaded in new-deck order; others have no known faces."""
    return faces_of(tuple(range(n))) if 52 <= n <= 54 else None
