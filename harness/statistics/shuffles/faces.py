"""What the cards of a deck look like: colour, suit, rank, and copies of a face."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from feltrig.harness.statistics.core.law import Law
from feltrig.harness.statistics.shuffles import laws

GROUPS = ("colour", "suit", "rank", "next face")
"""Counts of neighbours: of one colour, suit or rank; a face followed by the next one, whichever copies they are."""


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
def faces(cards: tuple[int, ...]) -> Faces:
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
    return faces(tuple(range(n))) if 52 <= n <= 54 else None
