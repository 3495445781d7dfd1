"""The games of the shared round machine on a rig: whatever a game's module says in data is all that is needed."""

import dataclasses
import random
import typing
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any

from feltrig.engine import asks, tells
from feltrig.engine.clauses import BOOKS
from feltrig.engine.table.house import Deal, House, TableRules
from feltrig.engine.table.irregular import Irregularity
from feltrig.engine.table.play import Procedure, Wagers
from feltrig.engine.table.table import Table
from feltrig.engine.table.wagers import Bet
from feltrig.engine.table.ways import Way
from feltrig.harness.rig.model import GameConfig
from feltrig.harness.table.supreme_pai_gow_players import cut


@dataclasses.dataclass(frozen=True, slots=True)
class ScriptedVariant:
    """One way to play."""

    way: Way
    house: House
    devices: frozenset[str] = frozenset()
    """Further kinds of device that the game itself puts to use."""

    def __str__(self) -> str:
        return str(self.way)

    @property
    def uses(self) -> frozenset[str]:
        """The kinds of device that it puts to use."""
        return self.house.devices | self.devices


class Scripted:
    """A game as a rig plays it."""

    def __init__(self, game: str) -> None:
        self._name = game

    @cached_property
    def module(self) -> ModuleType:
        """The module that holds the round, the bets and the ways to play."""
        return import_module(f"{BOOKS[self._name].package}.round")

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The codes of one deck, or of all decks of a shoe."""
        return tuple(self._procedure(Way()).cards)

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """The clause of each thing that a device is checked for."""
        procedure = self._procedure(Way())
        own: Mapping[str, str] = getattr(self.module, "ROLES", {})
        return {**_roles(procedure.rules, procedure), **own}

    @property
    def known_options(self) -> Mapping[str, tuple[Any, ...] | None]:
        """The game's own options, each with its values."""
        hints = typing.get_type_hints(self.module.Options)
        return {f.name: _values(hints[f.name]) for f in dataclasses.fields(self.module.Options) if f.init}

    def variants(self, game: GameConfig) -> tuple[ScriptedVariant, ...]:
        """The ways of the game that the rig file allows, with what it has."""
        ways = (ScriptedVariant(way, _house(way.house), self._devices(way)) for way in self.module.WAYS)
        return tuple(way for way in ways if _allowed(game, way))

    def _devices(self, way: Way) -> frozenset[str]:
        """The kinds of device that the game's own choices put to use, such as a shaker."""
        own = getattr(self.module, "devices", None)
        return frozenset() if own is None else frozenset(own(self.options(way.options)))

    def cards_of(self, record: Mapping[str, Any]) -> tuple[int, ...]:
        """The codes of the cards that a session is played with."""
        made: Procedure = self.module.procedure(self.options(record["options"]), _house(record["house"]))
        return tuple(made.cards)

    def record(self, game: GameConfig, variant: ScriptedVariant) -> dict[str, Any]:
        """What the journal needs to know to build the same table again."""
        house = variant.house
        plain = {**variant.way.house, "table_minimum": game.wagers.minimum}
        return {
            "jurisdiction": game.jurisdiction,
            "house": plain,
            "options": {**variant.way.options, **game.options},
            "decks": list(house.decks),
            "shuffler_counts": house.machine_shuffle and house.shuffler_counts,
            "behind_cutting_card": self._procedure(variant.way).behind_cutting_card,
        }

    def table(self, record: Mapping[str, Any]) -> Table:
        """The table of a session, from its record."""
        return Table(self.module.procedure, self.options(record["options"]), _house(record["house"]))

    def options(self, plain: Mapping[str, Any]) -> Any:
        """The game's own choices, from plain values."""
        return from_plain(self.module.Options, plain)

    def players(self, game: GameConfig, record: Mapping[str, Any], rng: random.Random) -> "ScriptedPlayers":
        """Scripted players, seeded."""
        return ScriptedPlayers(self.module, game, record, self.options(record["options"]), rng)

    def wagers_to_record(self, wagers: Wagers) -> dict[str, Any]:
        """Wagers as plain JSON values."""
        return {str(seat): dict(bets) for seat, bets in wagers.items()}

    def wagers_from_record(self, record: Mapping[str, Any]) -> Wagers:
        """The wagers that were recorded."""
        return {int(seat): dict(bets) for seat, bets in record.items()}

    def _procedure(self, way: Way) -> Procedure:
        made: Procedure = self.module.procedure(self.options(way.options), _house(way.house))
        return made


class ScriptedPlayers:
    """Players who bet what the game offers, and decide by chance among what is legal."""

    def __init__(
        self, module: ModuleType, game: GameConfig, record: Mapping[str, Any], options: Any, rng: random.Random
    ) -> None:
        self._module = module
        self._game = game
        self._house = _house(record["house"])
        self._options = options
        self._rng = rng

    def wagers(self) -> Wagers:
        """What is staked on the next round: at least one seat plays."""
        most = min(self._game.players, self._module.SEATS)
        seats = [seat for seat in range(1, most + 1) if self._rng.random() > 0.1] or [1]
        own = getattr(self._module, "sample_wagers", None)
        if own is not None:
            placed: Wagers = own(self._rng, self._options, self._house, seats)
            return placed
        bets: Sequence[Bet] = getattr(self._module, "bets", lambda options: self._module.BETS)(self._options)
        return {seat: self._bets(bets) for seat in seats}

    def _bets(self, bets: Sequence[Bet]) -> dict[str, int]:
        placed: dict[str, int] = {}
        for bet in bets:
            goes_alone = not bet.needs or any(name in placed for name in bet.needs)
            if goes_alone and (bet.required or self._rng.random() < 0.5):
                placed[bet.name] = self._amount(bet, placed)
        return placed or {bets[0].name: self._amount(bets[0], placed)}

    def _amount(self, bet: Bet, placed: Mapping[str, int]) -> int:
        if bet.fixed is not None:
            return bet.fixed
        if bet.equals is not None:
            return placed[bet.equals]
        least = self._house.table_minimum if bet.minimum is None else bet.minimum
        amount = least * self._rng.randint(1, 4)
        return amount if bet.maximum is None else min(amount, bet.maximum)

    def answer(self, ask: asks.Ask, wagers: Mapping[int, Any]) -> tells.Tell:
        """What they say to an ask that is put to them."""
        match ask:
            case asks.Cut():
                return tells.DeckCut(*cut(self._rng, ask.offer, ask.size))
            case asks.Decide():
                return self._decide(ask, self._rng.choice(ask.choices))
            case asks.SetHands():
                high, low = self._module.house_way(self._options, ask.cards)
                return tells.HandSet(ask.position, high, low)
            case asks.DecideExposed():
                voids = self._rng.random() < 0.5
                return tells.HandVoided(ask.seat) if voids else tells.PlayedOn(ask.seat)
            case asks.OfferBank():
                return tells.BankDeclined(ask.seat)
        raise LookupError(f"players are not asked for {type(ask).__name__}")

    def instead(self, ask: asks.Ask) -> tells.Tell:
        """What they say when the rules refused the first answer."""
        if isinstance(ask, asks.Decide):
            return self._decide(ask, ask.choices[0])
        raise LookupError(f"nothing to do instead of {type(ask).__name__}")

    def _decide(self, ask: asks.Decide, choice: str) -> tells.Decided:
        if choice not in ask.amounts:
            return tells.Decided(ask.seat, choice)
        least, most = ask.amounts[choice]
        return tells.Decided(ask.seat, choice, self._rng.choice((least, most)))


def from_plain(kind: Any, plain: Mapping[str, Any]) -> Any:
    """A dataclass of choices, from plain values: enumerations by their value, tuples from lists."""
    hints = typing.get_type_hints(kind)
    return kind(**{name: _value(hints[name], value) for name, value in plain.items()})


def _values(hint: Any) -> tuple[Any, ...] | None:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return tuple(member.value for member in hint)
    return (True, False) if hint is bool else None


def _value(hint: Any, plain: Any) -> Any:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(plain)
    if isinstance(plain, list):
        return frozenset(plain) if typing.get_origin(hint) is frozenset else tuple(plain)
    return plain


def _house(plain: Mapping[str, Any]) -> House:
    house: House = from_plain(House, plain)
    return house


STARTS = {"shaker": "dice", "rng": "rng"}


def _allowed(game: GameConfig, way: ScriptedVariant) -> bool:
    house = way.house
    if any(kind in way.devices and start not in game.start for kind, start in STARTS.items()):
        return False
    if game.deal and house.deal.value not in game.deal:
        return False
    if house.machine_shuffle and not game.machine_shuffle:
        return False
    counts = house.machine_shuffle and house.shuffler_counts
    if counts and not game.shuffler_counts:
        return False
    return len(house.decks) <= game.decks


def _roles(rules: TableRules, procedure: Procedure) -> dict[str, str]:
    automated = rules.methods.get(Deal.AUTOMATED_SHOE)
    remedies = procedure.remedies
    failed = {
        "shuffler fails": Irregularity.SHUFFLER_FAILED,
        "machine count": Irregularity.SHUFFLER_MISCOUNTED,
        "shoe fails": Irregularity.SHOE_FAILED,
        "face up": Irregularity.FACE_UP,
        "flat": Irregularity.DIE_NOT_FLAT,
    }
    found = {
        "deck": rules.deck,
        "shuffle": rules.shuffle,
        "shuffle waiting": rules.shuffle_waiting,
        "alternate": rules.alternate,
        "stack": automated.deal if automated else (),
        "closed first": automated.close if automated else (),
        "dispense": automated.deal if automated else (),
        **{role: remedies[what].rules for role, what in failed.items() if what in remedies},
    }
    return {role: cited[0] for role, cited in found.items() if cited}
