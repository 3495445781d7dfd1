"""A game as one record: all that a rig, the judge, the oracle and the command line must know of it."""

import dataclasses
import random
import typing
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from importlib.util import find_spec
from pkgutil import resolve_name
from typing import Any

from feltrig.engine.cards import Card
from feltrig.engine.clauses import Clause, Item, checklist, register
from feltrig.engine.decks import DECKS
from feltrig.engine.jurisdictions import JURISDICTIONS
from feltrig.engine.odds.wager import GameOdds
from feltrig.engine.questions import Question
from feltrig.engine.table.house import Deal, House
from feltrig.engine.table.irregular import Irregularity
from feltrig.engine.table.play import Procedure, Wagers
from feltrig.engine.table.starting import DEVICES
from feltrig.engine.table.table import Table
from feltrig.engine.table.wagers import Bet
from feltrig.engine.table.ways import Way

Hand = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """What the licensee chose for a table: only the ways to play that fit are played."""

    jurisdiction: str
    start: tuple[str, ...] = ()
    """How the starting position may be found, in games that have one."""
    deal: tuple[str, ...] = ()
    """How the cards may be dealt; empty for every way of the game."""
    bank: tuple[str, ...] = ("none",)
    decks: int = len(DECKS)
    machine_shuffle: bool = True
    shuffler_counts: bool = True
    vigorish: str = "exact"
    house_way: Mapping[str, Any] | None = None
    """How the licensee has the dealer's hands set, as plain values; None for the game's own way."""
    minimum: int = 500
    """The least wager, in cents."""
    bonus_minimum: int = 100
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the game itself, as plain values; they hold in every way to play."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to play, as people read it, and the kinds of device that it puts to use."""

    way: Way
    house: House
    start: Enum | None
    uses: frozenset[str]

    def __str__(self) -> str:
        return str(self.way)


@dataclass(frozen=True, slots=True)
class Habits:
    """How often the players of a test round do what, as probabilities."""

    empty_seat: float = 0.1
    bonus: float = 0.5
    """Makes a bet that nobody must make."""
    takes_cut: float = 0.7
    takes_bank: float = 0.0
    surrender: float = 0.0
    own_way: float = 0.0
    """Sets the hands in some legal way other than the house's."""
    foul: float = 0.0


@dataclass(frozen=True, slots=True)
class Sample:
    """What the wagers of a test round are made from."""

    rng: random.Random
    options: Any
    house: House
    stakes: Mapping[str, int]
    """What a rig's players usually stake, in cents: `main`, `bonus`."""
    habits: Habits


@dataclass(frozen=True, eq=False)
class Game:
    """One game. What stands in other files of its folder is read when it is first asked for."""

    name: str
    title: str
    package: str
    """Its folder, which holds `clauses.tsv` and `checklist.tsv`, and may have `odds.py` and `questions.py`."""
    jurisdiction: str
    """The code of the jurisdiction whose numbers are the keys in `clauses.tsv`. Others name the game in their file."""
    procedure: Callable[[Any, House], Procedure]
    """How a round is run, with the game's options and the choices that every card table has."""
    options: type[Any]
    """A frozen dataclass of the game's own choices; all have defaults."""
    ways: tuple[Way, ...] | Callable[[Choices], tuple[Way, ...]]
    """Ways to play that together use every dealing method and every option; or, from the licensee's choices, every
    combination of them."""
    bets: Callable[[Any], Sequence[Bet]] = lambda options: ()
    """What can be staked before the deal."""
    own_roles: Mapping[str, str] = field(default_factory=dict)
    """The clause of each thing that a device is checked for, beside those that the procedure names."""
    start: Callable[[Any], Enum | None] = lambda options: None
    """How the starting position is found; None in games that have none."""
    devices: Callable[[Any], Collection[str]] = lambda options: ()
    """Further kinds of device that the options put to use, beside the shuffler, the shoe and what finds the start."""
    house_way: Callable[[Any, Sequence[Card]], tuple[Hand, Hand]] | None = None
    """The high and the low hand as the house sets them, in games of two hands."""
    house_way_named: Callable[[Any], str] | None = None
    """The house way by its name, its version and where it comes from, in games whose licensee submits it."""
    settings: Callable[[Any, Sequence[Card]], tuple[Sequence[tuple[Hand, Hand]], Sequence[tuple[Hand, Hand]]]] = (
        lambda options, cards: ((), ())
    )
    """All legal ways to set high and low hand, and all foul ones, where players have ways of their own."""
    stacks: tuple[int, ...] = ()
    """The sizes of stack that an automated shoe deals; empty in games without one."""
    habits: Habits = Habits()
    """What the players of a test round do."""
    sample_wagers: Callable[[Sample, Sequence[int]], Wagers] | None = None
    """Wagers of some seats for a test round, where `bets` cannot say it."""

    @cached_property
    def _default(self) -> Procedure:
        return self.procedure(self.options(), House())

    @property
    def seats(self) -> int:
        """How many betting areas a table has."""
        return self._default.seats

    @property
    def cards(self) -> tuple[Card, ...]:
        """One deck, or all decks of a shoe, where the options are at their defaults."""
        return self._default.cards

    @cached_property
    def roles(self) -> Mapping[str, str]:
        """The clause, by its key, of each thing that a device is checked for; absent where the game has none."""
        return {**_procedure_roles(self._default), **self.own_roles}

    @cached_property
    def known_options(self) -> Mapping[str, tuple[Any, ...] | None]:
        """The game's own options, each with its plain values; None where any value of its type does."""
        if callable(self.ways):  # the licensee's choices say it all
            return {}
        hints = typing.get_type_hints(self.options)
        return {option.name: _values(hints[option.name]) for option in dataclasses.fields(self.options) if option.init}

    @cached_property
    def every_variant(self) -> tuple[Variant, ...]:
        """All ways to play."""
        every = Choices("", start=(), bank=("none", "player", "co_bank"))
        return tuple(map(self._variant, self.ways(every) if callable(self.ways) else self.ways))

    @property
    def dealing_methods(self) -> tuple[str, ...]:
        """How the cards can be dealt; empty when the game has none."""
        used = {variant.house.deal for variant in self.every_variant} if self.cards else ()
        return tuple(deal.value for deal in Deal if deal in used)

    @property
    def start_methods(self) -> tuple[str, ...]:
        """How the starting position of the deal can be found; empty when the game has none."""
        return tuple(dict.fromkeys(variant.start.value for variant in self.every_variant if variant.start is not None))

    @property
    def uses(self) -> tuple[str, ...]:
        """The kinds of device that can be part of the game."""
        return tuple(sorted(frozenset[str]().union(*(variant.uses for variant in self.every_variant))))

    @cached_property
    def jurisdictions(self) -> tuple[str, ...]:
        """The codes of all jurisdictions that print its rules, its own first."""
        others = (code for code, place in JURISDICTIONS.items() if self.name in place.games)
        return tuple(dict.fromkeys((self.jurisdiction, *others)))

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """The clauses of its rule text by key, in the order of the text."""
        return register(self.name, self.package)

    @cached_property
    def checklist(self) -> Mapping[str, Item]:
        """What the inspectors of all jurisdictions are asked about a table: yes-or-no questions by their names."""
        return checklist(self.package)

    def checklist_of(self, jurisdiction: str) -> Mapping[str, str]:
        """What the inspector of one jurisdiction is asked: the items of the clauses that it prints."""
        asked = {name for key in self.clauses if self.cite(key, jurisdiction) for name in self.clauses[key].items}
        return {
            name: item.question
            for name, item in self.checklist.items()
            if name in asked and jurisdiction in (item.jurisdictions or (jurisdiction,))
        }

    def cite(self, key: str, jurisdiction: str) -> str | None:
        """The number of a clause as the jurisdiction prints it; None when it does not print that clause."""
        if jurisdiction not in JURISDICTIONS:
            raise ValueError(f"jurisdiction {jurisdiction!r}: expected one of {', '.join(JURISDICTIONS)}")
        if key not in self.clauses:
            raise KeyError(f"clause {key!r}: not in the register of {self.name}")
        place = JURISDICTIONS[jurisdiction]
        if self.name in place.games:
            return place.cite(self.name, key)
        return key if jurisdiction == self.jurisdiction else None

    @cached_property
    def odds(self) -> GameOdds:
        """The exact odds of its wagers: `ODDS` in its `odds.py`."""
        found: GameOdds = self._part("odds", "ODDS", GameOdds(()))
        return found

    @cached_property
    def questions(self) -> Mapping[str, Question]:
        """What the oracle can be asked about it: `QUESTIONS` in its `questions.py`."""
        found: Mapping[str, Question] = self._part("questions", "QUESTIONS", {})
        return found

    def variants(self, choices: Choices) -> tuple[Variant, ...]:
        """The ways to play that fit the licensee's choices."""
        if callable(self.ways):
            return tuple(map(self._variant, self.ways(choices)))
        return tuple(variant for variant in self.every_variant if _fits(variant, choices))

    def record(self, choices: Choices, variant: Variant) -> dict[str, Any]:
        """A session as plain values, from which the same table can be set up again."""
        house = variant.house
        return {
            "jurisdiction": choices.jurisdiction,
            "house": {**variant.way.house, "table_minimum": choices.minimum},
            "options": {**variant.way.options, **choices.options},
            "decks": list(house.decks),
            "shuffler_counts": house.machine_shuffle and house.shuffler_counts,
            "behind_cutting_card": self._procedure(variant.way.options, variant.way.house).behind_cutting_card,
        }

    def table(self, record: Mapping[str, Any]) -> Table:
        """The table of a session, from its record."""
        return Table(self.procedure, self.options_of(record), house_of(record))

    def options_of(self, record: Mapping[str, Any]) -> Any:
        """The game's own choices in a session."""
        return from_plain(self.options, record["options"])

    def cards_of(self, record: Mapping[str, Any]) -> tuple[Card, ...]:
        """The cards that a session is played with."""
        return self._procedure(record["options"], record["house"]).cards

    def _variant(self, way: Way) -> Variant:
        house, options = from_plain(House, way.house), from_plain(self.options, way.options)
        start = self.start(options)
        found = {DEVICES[start.value]} if start is not None and start.value in DEVICES else set()
        return Variant(way, house, start, house.devices.union(found, self.devices(options)))

    def _procedure(self, options: Mapping[str, Any], house: Mapping[str, Any]) -> Procedure:
        return self.procedure(from_plain(self.options, options), from_plain(House, house))

    def _part(self, module: str, name: str, absent: Any) -> Any:
        """What a module of the game's folder exports; a game need not have that module."""
        path = f"{self.package}.{module}"
        return resolve_name(f"{path}:{name}") if find_spec(path) else absent


def house_of(record: Mapping[str, Any]) -> House:
    """The choices of every card table in a session, from its record."""
    house: House = from_plain(House, record["house"])
    return house


def from_plain(kind: Any, plain: Mapping[str, Any]) -> Any:
    """A dataclass of choices, from plain values: enumerations by their value, tuples from lists, and dataclasses in
    them from tables."""
    hints = typing.get_type_hints(kind)
    return kind(**{name: _value(hints[name], value) for name, value in plain.items()})


def _value(hint: Any, plain: Any) -> Any:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(plain)
    if isinstance(plain, list):
        items = (from_plain(typing.get_args(hint)[0], one) if isinstance(one, Mapping) else one for one in plain)
        return frozenset(items) if typing.get_origin(hint) is frozenset else tuple(items)
    if isinstance(plain, Mapping) and dataclasses.is_dataclass(hint):
        return from_plain(hint, plain)
    return plain


def _values(hint: Any) -> tuple[Any, ...] | None:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return tuple(member.value for member in hint)
    return (True, False) if hint is bool else None


def _fits(variant: Variant, choices: Choices) -> bool:
    house = variant.house
    counts = house.machine_shuffle and house.shuffler_counts
    return (
        (variant.start is None or variant.start.value in choices.start)
        and (not choices.deal or house.deal.value in choices.deal)
        and (choices.machine_shuffle or not house.machine_shuffle)
        and (choices.shuffler_counts or not counts)
        and len(house.decks) <= choices.decks
    )


def _procedure_roles(procedure: Procedure) -> dict[str, str]:
    """What the shared steps and the remedies of a game ask of its devices."""
    rules, remedies = procedure.rules, procedure.remedies
    automated = rules.methods.get(Deal.AUTOMATED_SHOE)
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
