"""What can be asked about pai gow with tiles."""

from collections.abc import Mapping
from typing import Any

from feltrig.engine.games.pai_gow import ranking
from feltrig.engine.games.pai_gow.tiles import BadTile, Tile, in_one_set, parse
from feltrig.engine.questions import Answer, BadQuestion, Choice, Question, maybe, one_of

_EQUAL = Choice("equal_is_legal", (True, False), "PG-01")
_SUPREME = Choice("supreme_tiles", tuple(ranking.SupremeTiles), "PG-02")
_ZERO = Choice("zero_zero", tuple(ranking.ZeroZero), "PG-03")

_DECLARED = maybe(one_of(*ranking.COUNTS_AS))
"""What a tile of the supreme pair counts in a hand, where its holder says so (PG-02)."""


def _tiles(given: Any) -> tuple[Tile, ...]:
    """A list of tiles of one set."""
    if not isinstance(given, list):
        raise BadQuestion(f"{given!r} is not a list of tiles")
    try:
        tiles = tuple(_tile(text) for text in given)
        in_one_set(tiles)
    except BadTile as error:
        raise BadQuestion(str(error)) from None
    return tiles


def _two_tiles(given: Any) -> tuple[Tile, ...]:
    tiles = _tiles(given)
    if len(tiles) != 2:
        raise BadQuestion(f"{len(tiles)} tiles, expected 2")
    return tiles


def _tile(given: Any) -> Tile:
    if not isinstance(given, str):
        raise BadQuestion(f"{given!r} is not a tile")
    return parse(given)


def _of_one_set(*hands: tuple[Tile, ...]) -> None:
    try:
        in_one_set(*hands)
    except BadTile as error:
        raise BadQuestion(str(error)) from None


def _tile_rank(tiles: tuple[Tile, ...], counted_as: int | None, supreme_tiles: ranking.SupremeTiles) -> Answer:
    found = ranking.rank_two(tiles, supreme_tiles, counted_as)
    result = {
        "kind": found.kind.value,
        "pair_rank": found.pair_rank,
        "value": found.value,
        "high_tile_rank": found.high_tile_rank,
        "counted_as": found.counted_as,
        "order": ranking.order(found, supreme_tiles),
    }
    return Answer(result, found.rules)


def _tile_compare(
    player: tuple[Tile, ...],
    dealer: tuple[Tile, ...],
    player_counted_as: int | None,
    dealer_counted_as: int | None,
    supreme_tiles: ranking.SupremeTiles,
    zero_zero: ranking.ZeroZero,
) -> Answer:
    _of_one_set(player, dealer)
    mine = ranking.rank_two(player, supreme_tiles, player_counted_as)
    theirs = ranking.rank_two(dealer, supreme_tiles, dealer_counted_as)
    found = ranking.compare(mine, theirs, zero_zero)
    return Answer({"winner": "player" if found.player_wins else "dealer", "copy": found.copy}, found.rules)


def _set_valid(high: tuple[Tile, ...], low: tuple[Tile, ...], equal_is_legal: bool) -> Answer:
    _of_one_set(high, low)
    if len(high) + len(low) != 4:
        raise BadQuestion(f"{len(high) + len(low)} tiles set, expected 4")
    fault = ranking.set_fault(high, low, equal_is_legal)
    return Answer({"valid": fault is None}, (fault or "19:47-10.1[High hand]",))


QUESTIONS: Mapping[str, Question] = {
    "tile_rank": Question(_tile_rank, {"tiles": _two_tiles, "counted_as": _DECLARED}, (_SUPREME,)),
    "tile_compare": Question(
        _tile_compare,
        {"player": _two_tiles, "dealer": _two_tiles, "player_counted_as": _DECLARED, "dealer_counted_as": _DECLARED},
        (_SUPREME, _ZERO),
    ),
    "set_valid": Question(_set_valid, {"high": _tiles, "low": _tiles}, (_EQUAL,)),
}
