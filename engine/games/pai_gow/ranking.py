"""How hands of two tiles rank, compare and may be set: 10.1 and 10.2."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import combinations

from feltrig.engine.games.pai_gow.tiles import RANKS, SUPREME, Tile, in_one_set, pair_rank, spots, tile_set
from feltrig.engine.rulings import Illegal

COUNTS_AS = {3: RANKS[Tile("1-2")], 6: RANKS[Tile("2-4")]}
"""What a tile of the supreme pair may count when it is used alone, and its rank then: 10.2(e)."""


class Kind(Enum):
    """The two kinds of hand; any pair is higher than any value."""

    PAIR = "pair"
    VALUE = "value"


class SupremeTiles(Enum):
    """Who says what 1-2 and 2-4 count when they are used alone: PG-02."""

    BEST = "best"
    """Nobody: they count what makes the better hand."""
    DECLARED = "declared"
    """Their holder; undeclared they count their own spots."""


class ZeroZero(Enum):
    """Two hands of no value: PG-03."""

    HIGHEST_TILE = "highest_tile"
    COPY = "copy"


@dataclass(frozen=True, slots=True)
class TileRank:
    """The rank of a hand of two tiles. Fields that do not belong to its kind are None."""

    kind: Kind
    pair_rank: int | None
    """1 the highest of the twenty pairs of 10.2(b)."""
    value: int | None
    high_tile_rank: int | None
    """1 the highest of the seventeen ranks of 10.2(g)."""
    counted_as: int | None
    """What a tile of the supreme pair counts, 3 or 6; None without such a tile, and for the supreme pair."""

    @property
    def strength(self) -> tuple[bool, int, int]:
        """Higher is better, any pair better than any value; equal is a copy."""
        if self.pair_rank is not None:
            return True, -self.pair_rank, 0
        assert self.value is not None
        assert self.high_tile_rank is not None
        return False, self.value, -self.high_tile_rank

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that give the hand its rank."""
        if self.kind is Kind.PAIR:
            return ("19:47-10.2(b)",)
        return ("19:47-10.2(d)", *(("19:47-10.2(e)",) if self.counted_as else ()), "19:47-10.2(g)")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A player's hand against the same hand of the dealer or bank. A copy is the dealer's or bank's."""

    player_wins: bool
    copy: bool
    rules: tuple[str, ...]


def rank_two(tiles: Sequence[Tile], supreme: SupremeTiles = SupremeTiles.BEST, declared: int | None = None) -> TileRank:
    """The rank of two tiles of one set. `declared` is what its supreme tile counts, where the holder says so."""
    return _rank_two(tuple(tiles), supreme, declared)


def order(found: TileRank, supreme: SupremeTiles = SupremeTiles.BEST) -> int:
    """The place of a hand's class among all classes that two tiles can make, 1 the highest."""
    return _orders(supreme)[found.strength]


def compare(player: TileRank, dealer: TileRank, zero_zero: ZeroZero = ZeroZero.HIGHEST_TILE) -> Comparison:
    """Which of two corresponding hands is higher."""
    rules = dict.fromkeys((*player.rules, *dealer.rules))
    if player.strength == dealer.strength:
        decided_by = "19:47-10.2(c)" if player.kind is Kind.PAIR else "19:47-10.2(h)"
        return Comparison(False, True, (*rules, decided_by))
    if zero_zero is ZeroZero.COPY and player.value == 0 and dealer.value == 0:
        return Comparison(False, True, (*rules, "19:47-10.2(h)"))
    if player.kind is Kind.VALUE and player.value == dealer.value:
        rules["19:47-10.2(f)"] = None
    return Comparison(player.strength > dealer.strength, False, tuple(rules))


def set_fault(high: Sequence[Tile], low: Sequence[Tile], equal_is_legal: bool = True) -> str | None:
    """The rule that makes a setting foul, or None when it is legal."""
    if len(high) != 2 or len(low) != 2:
        return "19:47-10.1[Setting the hands]"
    in_one_set(high, low)
    upper, lower = rank_two(high).strength, rank_two(low).strength
    # The definition says higher, but some four tiles only part into equal hands of a kind: PG-01.
    if upper < lower or (upper == lower and not equal_is_legal):
        return "19:47-10.1[High hand]"
    return None


def splits(tiles: Sequence[Tile]) -> tuple[tuple[tuple[Tile, ...], tuple[Tile, ...]], ...]:
    """The three ways to part four tiles into two and two, the higher part first."""
    if len(tiles) != 4:
        raise ValueError(f"tiles {tuple(tiles)}: expected four to set")
    a, b, c, d = tiles
    parts = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
    return tuple(
        (one, other) if rank_two(one).strength >= rank_two(other).strength else (other, one) for one, other in parts
    )


@cache
def _rank_two(tiles: tuple[Tile, ...], supreme: SupremeTiles, declared: int | None) -> TileRank:
    if len(tiles) != 2:
        raise ValueError(f"tiles {tiles}: expected two")
    in_one_set(tiles)
    alone = [tile for tile in tiles if tile in SUPREME]
    if declared is not None and (supreme is SupremeTiles.BEST or len(alone) != 1 or declared not in COUNTS_AS):
        why = f"{declared} declared for {' '.join(tiles)}: expected 3 or 6, for 1-2 or 2-4 alone, where it is declared"
        raise Illegal(why, "19:47-10.2(e)")
    pair = pair_rank(tiles)
    if pair is not None:
        return TileRank(Kind.PAIR, pair, None, None, None)
    if not alone:
        return _value(tiles, None)
    if supreme is SupremeTiles.BEST:
        return max((_value(tiles, count) for count in COUNTS_AS), key=lambda found: found.strength)
    return _value(tiles, spots(alone[0]) if declared is None else declared)


def _value(tiles: tuple[Tile, ...], count: int | None) -> TileRank:
    """10.2(d), the last digit of all spots; `count` is what a tile of the supreme pair counts, 10.2(e)."""
    counted = [(spots(tile), RANKS[tile]) for tile in tiles if tile not in SUPREME]
    if count is not None:
        counted.append((count, COUNTS_AS[count]))
    total = sum(spotted for spotted, _ in counted)
    return TileRank(Kind.VALUE, None, total % 10, min(rank for _, rank in counted), count)


@cache
def _orders(supreme: SupremeTiles) -> dict[tuple[bool, int, int], int]:
    declared: tuple[int | None, ...] = (None,) if supreme is SupremeTiles.BEST else (None, *COUNTS_AS)
    hands = [hand for hand in combinations(tile_set(), 2) if pair_rank(hand) is None]
    pairs = {rank_two(hand).strength for hand in combinations(tile_set(), 2) if pair_rank(hand) is not None}
    values = {
        rank_two(hand, supreme, count if set(SUPREME) & set(hand) else None).strength
        for hand in hands
        for count in declared
    }
    return {strength: place for place, strength in enumerate(sorted(pairs | values, reverse=True), start=1)}
