"""What the runner must know of a game, whichever it is."""

import random
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from feltrig.engine.asks import Ask
from feltrig.engine.rulings import Ruling
from feltrig.engine.tells import Tell
from feltrig.harness.rig.model import GameConfig

DECKS = ("red", "blue")
"""The decks by the colour of their backs; the first is in the shuffler's compartment 1."""


class Result(Protocol):
    """How a round ended."""

    @property
    def void(self) -> bool:
        """Whether an order ended it."""


class Round(Protocol):
    """A round of any game."""

    @property
    def ask(self) -> Ask | None:
        """What must happen next, None when the round is over."""

    @property
    def result(self) -> Result | None:
        """How it ended, None until it has."""

    def tell(self, seen: Tell) -> tuple[Ruling, ...]:
        """Take an observation and return the orders that it leads to."""


class Table(Protocol):
    """A table of any game."""

    @property
    def button(self) -> int:
        """Where the button or the dealing marker lies."""

    def open_round(self, wagers: Any) -> Round:
        """Begin a round."""


class Players(Protocol):
    """The people at the felt."""

    def wagers(self) -> Mapping[int, Any]:
        """What is staked on the next round."""

    def answer(self, ask: Ask, wagers: Mapping[int, Any]) -> Tell:
        """What they say to an ask that is put to them."""

    def instead(self, ask: Ask) -> Tell:
        """What they say when the rules refused the first answer."""


class Variant(Protocol):
    """One way to play. Its text is shown to people."""

    @property
    def uses(self) -> frozenset[str]:
        """The kinds of device that it puts to use."""


class Played(Protocol):
    """A game as a rig plays it."""

    @property
    def cards(self) -> tuple[int, ...]:
        """The codes of one deck, or of all decks of a shoe."""

    @property
    def roles(self) -> Mapping[str, str]:
        """The clause, by its key, of each thing that a device is checked for; absent where the game has none."""

    @property
    def known_options(self) -> Mapping[str, tuple[Any, ...] | None]:
        """The game's own options of a rig file, each with its values; None where any value of its type does."""

    def variants(self, game: GameConfig) -> tuple[Variant, ...]:
        """Every way to play that the rig file allows."""

    def cards_of(self, record: Mapping[str, Any]) -> tuple[int, ...]:
        """The codes of the cards that a session is played with."""

    def record(self, game: GameConfig, variant: Any) -> dict[str, Any]:
        """What the journal needs to know to build the same table again."""

    def table(self, record: Mapping[str, Any]) -> Table:
        """The table of a session, from its record."""

    def players(self, game: GameConfig, record: Mapping[str, Any], rng: random.Random) -> Players:
        """Scripted players, seeded."""

    def wagers_to_record(self, wagers: Mapping[int, Any]) -> dict[str, Any]:
        """Wagers as plain JSON values."""

    def wagers_from_record(self, record: Mapping[str, Any]) -> Mapping[int, Any]:
        """The wagers that were recorded."""


@cache
def played(game: str) -> Played:
    """How a game is played on a rig, by its name."""
    if game == "supreme_pai_gow":
        own: Played = import_module("feltrig.harness.table.supreme_pai_gow").GAME
        return own
    from feltrig.harness.table.scripted import Scripted  # noqa: PLC0415 - most rigs play one game

    return Scripted(game)
