"""The games that the engine knows."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Game:
    """One game: where it may be played, on which devices, and in which ways."""

    name: str
    title: str
    jurisdictions: tuple[str, ...]
    devices: tuple[str, ...] = ()
    """The kinds of device that can be part of it."""
    dealing_methods: tuple[str, ...] = ()
    """How the cards can be dealt; empty when the game has none."""
    start_methods: tuple[str, ...] = ()
    """How the starting position of the deal can be found; empty when the game has none."""


_CARDS = ("manual_shoe", "hand", "automated_shoe")

_ALL = (
    Game(
        "supreme_pai_gow",
        "Supreme Pai Gow",
        ("NJ", "MA"),
        ("rng", "shaker", "shuffler", "shoe"),
        _CARDS,
        ("dice", "rng", "button"),
    ),
    Game("pai_gow", "Pai Gow", ("NJ",), ("shaker",), ("hand",), ("dice",)),
    Game(
        "pai_gow_poker",
        "Pai Gow Poker",
        ("NJ",),
        ("rng", "shaker", "shuffler"),
        ("manual_shoe", "hand"),
        ("dice", "rng"),
    ),
    Game("let_it_ride", "Let It Ride", ("NJ",), ("shuffler", "shoe"), _CARDS),
    Game("three_card_poker", "Three Card Poker", ("NJ",), ("shuffler", "shoe"), _CARDS),
    Game("double_down_stud", "Double Down Stud", ("NJ",), ("shuffler",), ("manual_shoe", "hand")),
    Game("packs_poker", "Pack's Poker", ("NJ",), ("shuffler", "shoe"), _CARDS),
    Game("heads_up_holdem", "Heads Up Hold'em", ("NJ",), ("shuffler", "shoe"), _CARDS),
    Game("fast_action_holdem", "Fast Action Hold'em", ("NJ",), ("shuffler",), ("manual_shoe",)),
    Game("red_dog", "Red Dog", ("NJ",), (), ("manual_shoe",)),
    Game("minibaccarat", "Minibaccarat", ("NJ",), (), ("manual_shoe",)),
    Game("blackjack", "Blackjack", ("NJ",), (), ("manual_shoe",)),
    Game("roulette", "Roulette", ("NJ",)),
    Game("big_six", "Big Six", ("NJ",)),
)

GAMES: Mapping[str, Game] = MappingProxyType({game.name: game for game in _ALL})
"""By name."""
