"""Recorded decks as shuffles: the order in which each came out, relative to the order in which it was loaded."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from feltrig.engine import cards
from feltrig.harness.statistics.core.files import SampleLine, is_card, lines, listed, some, whole
from feltrig.harness.statistics.core.p_values import Ints
from feltrig.harness.statistics.core.results import counted
from feltrig.harness.statistics.shuffles.deck import CHUNK, Faces, Orders, faces_of, new_deck

LoadedOrder = Literal["new", "previous"]
"""How decks were loaded that do not say: in new-deck order, or as the one before came out."""
AFTER_COLUMNS = ("after", "deck", "cards", "shuffle")
BEFORE_COLUMNS = ("before", "loaded", "input")
LEAST = 10
"""Cards of the smallest deck that can be judged."""


class NoShuffle(ValueError):
    """Rows that cannot be shuffles of one deck."""


@dataclass(frozen=True, slots=True)
class RecordedDecks:
    """Shuffled decks as they came, one row each, and the order in which each was loaded where that is known."""

    after: Ints
    before: Ints | None


@dataclass(frozen=True, slots=True, eq=False)
class Shuffles:
    """Shuffles in the order in which they were made, one per row.

    When decks were loaded in different orders, `outputs` holds them relative to new-deck order as well: a machine that
    sorts, or that gives out an old deck, ignores what it was loaded with. `groups` are the faces of the loaded places
    if there is one loaded order, and of the places of a new deck otherwise.
    """

    orders: Orders
    outputs: Orders | None = None
    groups: Faces | None = None
    note: str = ""

    def __len__(self) -> int:
        return len(self.orders)

    def __getitem__(self, rows: slice) -> "Shuffles":
        outputs = None if self.outputs is None else self.outputs[rows]
        return Shuffles(self.orders[rows], outputs, self.groups, self.note)

    @property
    def n(self) -> int:
        """Cards of the deck."""
        return int(self.orders.shape[1])


def decks(file: Path) -> RecordedDecks:
    """Shuffled decks: names of cards such as Td, or numbers from 0; all of one size."""
    after: list[list[int]] = []
    before: list[list[int]] = []
    for line in lines(file, AFTER_COLUMNS + BEFORE_COLUMNS):
        shuffled = line.take(AFTER_COLUMNS) if isinstance(line.cells, dict) else line.cells
        if shuffled is None:
            raise line.bad(line.cells, f"a shuffle: expected a column {' or '.join(AFTER_COLUMNS)}")
        deck = [_card(line, value) for value in listed(shuffled)]
        if len(deck) != len(after[0] if after else deck) or len(deck) < 2:
            expected = f"{len(after[0])}, as on the first line" if after else "two or more"
            raise line.wrong(f"a deck of {counted(len(deck), 'cards')}; expected {expected}")
        loaded = line.take(BEFORE_COLUMNS)
        if after and (loaded is None) == bool(before):
            raise line.wrong("the order in which the deck was loaded must be on every line or on none")
        if loaded is not None:
            order = [_card(line, value) for value in listed(loaded)]
            if sorted(order) != sorted(deck):
                raise line.wrong("the shuffled deck is not made of the cards that were loaded")
            before.append(order)
        elif after and sorted(deck) != sorted(after[0]):
            raise line.wrong("the deck is not made of the same cards as the first one")
        after.append(deck)
    return RecordedDecks(some(file, after, "shuffles"), np.array(before, dtype=np.int64) if before else None)


def _card(line: SampleLine, value: Any) -> int:
    if isinstance(value, str) and is_card(value):
        return int(cards.parse(value))
    return whole(line, value, 0, 10_000, "a card such as Td, or its number")


def relative(orders: Orders) -> Shuffles:
    """Shuffles of a deck that was always loaded in new-deck order, as rows of the places 0 to n-1."""
    rows = np.asarray(orders)
    if rows.ndim != 2 or not np.issubdtype(rows.dtype, np.integer):
        raise NoShuffle("expected a table of whole numbers, one row per shuffle")
    small = rows.astype(np.uint8 if rows.shape[1] < 256 else np.uint16)
    inside = rows.size == 0 or (rows.min() >= 0 and rows.max() < rows.shape[1])
    bad = _not_permutations(small) if inside else np.flatnonzero(((rows < 0) | (rows >= rows.shape[1])).any(axis=1))
    if len(bad):
        raise NoShuffle(f"shuffle {bad[0] + 1}: does not hold each of 0 to {rows.shape[1] - 1} once")
    return Shuffles(small, groups=new_deck(rows.shape[1]))


def recorded(
    decks: RecordedDecks, *, loaded: LoadedOrder = "new", seed: int = 0, first: int = 0, by_faces: bool | None = None
) -> Shuffles:
    """Decks as a reader saw them. Where the loaded order is not known, `loaded` says what it was.

    Copies of a face cannot be told apart, so each is taken for any of those that were loaded, by lot: if the machine is
    fair, the result is a fair shuffle of distinct cards. The lot is drawn from `seed` and the number of the shuffle,
    which `first` continues when decks come in parts. Whether the cards are to be looked at as they came out as well is
    seen from the loaded orders; where decks come in parts, `by_faces` says it.
    """
    new, copies = _new_deck(decks.after[0])
    after, before = decks.after, decks.before
    if before is None and loaded == "previous":
        if len(after) < 2:
            raise NoShuffle("only one deck; expected two or more, since each is the order in which the next was loaded")
        after, before = after[1:], after[:-1]
    elif before is None:
        before = np.tile(new, (len(after), 1))
    if (np.sort(after, axis=1) != np.sort(new)).any() or (np.sort(before, axis=1) != np.sort(new)).any():
        raise NoShuffle("the decks are not all made of the same cards")
    note = f"; copies of a face told apart by lot, seed {seed}" if copies > 1 else ""
    ties = _lots(seed, first, after.shape) if copies > 1 else np.zeros((2, *after.shape))
    known = faces_of(tuple(new.tolist())) if len(new) >= 52 and new.max() < 54 else None
    alike = bool((before == before[0]).all()) and (len(before) > 1 or bool((before[0] == new).all()))
    if alike if by_faces is None else not by_faces:
        placed = faces_of(tuple(before[0].tolist())) if known else None
        return Shuffles(_places(after, before, ties[0]), None, placed, note)
    outputs = _places(after, np.tile(new, (len(after), 1)), ties[1])
    return Shuffles(_places(after, before, ties[0]), outputs, known, note)


def _lots(seed: int, first: int, shape: tuple[int, ...]) -> np.ndarray:
    """For either view of the cards, of every card of every shuffle."""
    lots = [np.random.default_rng([seed, first + row]).random((2, shape[1])) for row in range(shape[0])]
    return np.array(lots).transpose(1, 0, 2)


def _new_deck(deck: Ints) -> tuple[Ints, int]:
    """The cards in new-deck order, one deck after the other when there are several; and how many decks those are."""
    kinds, counts = np.unique(deck, return_counts=True)
    copies = int(counts.max())
    if (counts != copies).any():
        often, seldom = kinds[np.argmax(counts)], kinds[np.argmin(counts)]
        raise NoShuffle(
            f"{_named(often, kinds)} comes {copies} times and {_named(seldom, kinds)} {counts.min()}: "
            "expected every face equally often"
        )
    return np.tile(kinds, copies), copies


def _named(code: int, kinds: Sequence[int] | Ints) -> str:
    """The name of a card, or its number where numbers go beyond the names."""
    return cards.name(cards.Card(int(code))) if max(kinds) < 54 else str(code)


def _places(after: Ints, before: Ints, ties: np.ndarray) -> Orders:
    """Where each card that came out had been loaded; copies are matched in the order of their lots."""
    came = np.lexsort((ties, after), axis=1)
    places = np.empty(after.shape, np.uint8 if after.shape[1] < 256 else np.uint16)
    np.put_along_axis(places, came, np.argsort(before, axis=1, kind="stable").astype(places.dtype), axis=1)
    return places


def _not_permutations(rows: Orders) -> Ints:
    """Indices of the rows that do not hold each place once."""
    n = rows.shape[1]
    if n > 64:
        return np.flatnonzero((np.sort(rows, axis=1) != np.arange(n)).any(axis=1))
    bad = []
    for start in range(0, len(rows), CHUNK):
        marks = rows[start : start + CHUNK].T.astype(np.uint64)
        np.left_shift(np.uint64(1), marks, out=marks)  # a place beyond 63 marks nothing
        bad.append(start + np.flatnonzero(np.bitwise_or.reduce(marks, axis=0) != np.uint64(2**n - 1)))
    return np.concatenate(bad) if bad else np.zeros(0, np.int64)
