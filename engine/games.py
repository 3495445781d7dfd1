"""The games that the engine knows."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from feltrig.engine.clauses import JURISDICTIONS
from feltrig.engine.supreme_pai_gow.options import Deal, Start


@dataclass(frozen=True, slots=True)
class Game:
    """One game: where it may be played, on which devices, and in which ways."""

    name: str
    title: str
    jurisdictions: tuple[str, ...]
    devices: tuple[str, ...]
    """The kinds of device that can be part of it."""
    dealing_methods: tuple[str, ...]
    start_methods: tuple[str, ...]
    """How the starting position of the deal can be found; empty when the game has none."""


_ALL = (
    Game(
        "supreme_pai_gow",
        "Supreme Pai Gow",
        JURISDICTIONS,
        ("rng", "shaker", "shuffler", "shoe"),
        tuple(deal.value for deal in Deal),
        tuple(start.value for start in Start),
    ),
)

GAMES: Mapping[str, Game] = MappingProxyType({game.name: game for game in _ALL})
"""By name."""
