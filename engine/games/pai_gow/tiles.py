"""The thirty-two tiles, how each ranks alone (10.2(g)) and which two make a pair (10.2(b))."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NewType

Tile = NewType("Tile", str)
"""A tile is its two halves as printed, `2-4`. Two like tiles of a set cannot be told apart."""


class BadTile(ValueError):
    """A text that names no tile, or more tiles than a set has."""


@dataclass(frozen=True, slots=True)
class Design:
    """One design of tile: its rank, 1 the highest, and how many of it a set has."""

    rank: int
    tile: Tile
    count: int


DESIGNS = tuple(
    Design(rank, Tile(name), count)
    for rank, name, count in (
        (1, "6-6", 2),
        (2, "1-1", 2),
        (3, "4-4", 2),
        (4, "1-3", 2),
        (5, "5-5", 2),
        (6, "3-3", 2),
        (7, "2-2", 2),
        (8, "5-6", 2),
        (9, "4-6", 2),
        (10, "1-6", 2),
        (11, "1-5", 2),
        (12, "3-6", 1),
        (12, "4-5", 1),
        (13, "2-6", 1),
        (13, "3-5", 1),
        (14, "2-5", 1),
        (14, "3-4", 1),
        (15, "2-4", 1),
        (16, "1-4", 1),
        (16, "2-3", 1),
        (17, "1-2", 1),
    )
)
"""10.2(g)."""

PAIRINGS: tuple[tuple[str, ...], ...] = (
    ("2-4 1-2",),  # supreme pair
    ("6-6 6-6",),  # matched pairs
    ("1-1 1-1",),
    ("4-4 4-4",),
    ("1-3 1-3",),
    ("5-5 5-5",),
    ("3-3 3-3",),
    ("2-2 2-2",),
    ("5-6 5-6",),
    ("4-6 4-6",),
    ("1-6 1-6",),
    ("1-5 1-5",),
    ("3-6 4-5",),  # mixed or unmatched pairs
    ("3-5 2-6",),
    ("3-4 2-5",),
    ("1-4 2-3",),
    ("6-6 4-5", "6-6 3-6"),  # wongs
    ("1-1 4-5", "1-1 3-6"),
    ("6-6 2-6", "6-6 3-5", "6-6 4-4"),  # gongs
    ("1-1 2-6", "1-1 3-5", "1-1 4-4"),
)
"""The permissible pairs, from first to twentieth: 10.2(b)."""

SPREAD = PAIRINGS[:16]
"""What a whole set makes when it is sorted for inspection, the supreme pair first: 10.4(a)1, (b)."""

SUPREME = (Tile("2-4"), Tile("1-2"))
"""The two tiles that may count, and then rank, as each other: 10.2(e)."""

STACKS, STACK_SIZE = 8, 4
"""How the washed tiles stand before they are dealt: 10.4(d)."""

RANKS: Mapping[Tile, int] = {design.tile: design.rank for design in DESIGNS}
COUNTS: Mapping[Tile, int] = {design.tile: design.count for design in DESIGNS}


def tile_set() -> tuple[Tile, ...]:
    """The thirty-two tiles, by rank: 10.2(a)."""
    return tuple(design.tile for design in DESIGNS for _ in range(design.count))


def parse(text: str) -> Tile:
    """The tile that a text such as `2-4` names."""
    if text not in RANKS:
        raise BadTile(f"tile {text!r}: no such tile; expected one of {', '.join(RANKS)}")
    return Tile(text)


def spots(tile: Tile) -> int:
    """How many spots a tile shows."""
    low, high = tile.split("-")
    return int(low) + int(high)


def in_one_set(*hands: Sequence[Tile]) -> None:
    """Refuse, as BadTile, tiles that come more often than a set has them."""
    dealt = [tile for hand in hands for tile in hand]
    for tile in dict.fromkeys(dealt):
        if dealt.count(tile) > COUNTS[tile]:
            raise BadTile(f"tile {tile!r}: {dealt.count(tile)} times, and the set has {COUNTS[tile]}")


def pair_rank(tiles: Iterable[Tile]) -> int | None:
    """The rank of a permissible pair, 1 the highest; None when the two tiles are none."""
    return _PAIR_RANKS.get(tuple(sorted(tiles)))


_PAIR_RANKS: Mapping[tuple[str, ...], int] = {
    tuple(sorted(pairing.split())): place for place, pairings in enumerate(PAIRINGS, start=1) for pairing in pairings
}
