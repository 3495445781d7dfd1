"""Supreme Pai Gow as a record. It has a round machine of its own, so it makes its tables itself."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from feltrig.engine.cards import Card, deck
from feltrig.engine.decks import DECKS
from feltrig.engine.games.game import Choices, Game
from feltrig.engine.games.supreme_pai_gow.options import Deal, Options, Start
from feltrig.engine.games.supreme_pai_gow.table import Table
from feltrig.engine.games.supreme_pai_gow.wagers import Wager
from feltrig.engine.table.positions import SEATS

USES = {"dice": "shaker", "rng": "rng", "automated_shoe": "shoe"}
"""The kind of device that a way to start or to deal puts to use."""

ROLES = {
    "deck": "34.2(a)",
    "shuffle waiting": "34.2(b)3",
    "alternate": "34.2(b)4",
    "shuffle": "34.6(a)",
    "shuffler fails": "34.16(m)",
    "machine count": "34.8(e)",
    "face up": "34.16(f)",
    "stack": "34.10(a)",
    "closed first": "34.10(b)2",
    "dispense": "34.10(d)",
    "shoe fails": "34.16(n)",
    "dice": "34.4(a)1i",
    "faces": "34.11(b)1",
    "flat": "34.16(a)",
    "shakes": "34.11(b)",
    "lid": "34.13(h)1",
    "range": "34.4(a)2",
    "display": "34.11(c)",
    "settlement": "34.12(h)",
}


@dataclass(frozen=True, slots=True)
class OwnVariant:
    """One way to play: how the start is found, how the cards are dealt, who banks."""

    start: Start
    deal: Deal
    bank: str
    """`none`, `player` or `co_bank`."""

    machine_shuffle: bool = True

    def __str__(self) -> str:
        bank = {"none": "no bank", "player": "player bank", "co_bank": "co-bank"}[self.bank]
        return f"{self.start.value} · {self.deal.value.replace('_', ' ')} · {bank}"

    @property
    def uses(self) -> frozenset[str]:
        """The kinds of device that it puts to use."""
        ways = {USES.get(self.start.value), USES.get(self.deal.value), "shuffler" if self.machine_shuffle else None}
        return frozenset(kind for kind in ways if kind)


@dataclass(frozen=True)
class OwnMachine(Game):
    """The game with its own tables."""

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        return deck(jokers=2)

    @cached_property
    def roles(self) -> Mapping[str, str]:
        return ROLES

    @cached_property
    def known_options(self) -> Mapping[str, tuple[Any, ...] | None]:
        return {}

    @property
    def dealing_methods(self) -> tuple[str, ...]:
        return tuple(deal.value for deal in Deal)

    @property
    def start_methods(self) -> tuple[str, ...]:
        return tuple(start.value for start in Start)

    @property
    def uses(self) -> tuple[str, ...]:
        return ("rng", "shaker", "shoe", "shuffler")

    def variants(self, choices: Choices) -> Any:
        """Every legal combination of what was chosen; the start method varies fastest, so that few rounds meet every
        device. A button needs the automated shuffler and shoe: 34.4(a)3."""
        return tuple(
            OwnVariant(Start(start), Deal(deal), bank, choices.machine_shuffle)
            for bank in choices.bank
            for deal in choices.deal or self.dealing_methods
            for start in choices.start or self.start_methods
            if start != "button" or (deal == "automated_shoe" and choices.machine_shuffle)
        )

    def record(self, choices: Choices, variant: Any) -> dict[str, Any]:
        decks = DECKS[: choices.decks] if choices.machine_shuffle else DECKS[:1]
        return {
            "start": variant.start.value,
            "deal": variant.deal.value,
            "bank": variant.bank,
            "jurisdiction": choices.jurisdiction,
            "decks": list(decks),
            "machine_shuffle": choices.machine_shuffle,
            "shuffler_counts": choices.machine_shuffle and choices.shuffler_counts,
            "vigorish": choices.vigorish,
            "minimum": choices.minimum,
            "bonus_minimum": choices.bonus_minimum,
        }

    def options_of(self, record: Mapping[str, Any]) -> Options:
        return Options(
            jurisdiction=record["jurisdiction"],
            deal=Deal(record["deal"]),
            start=Start(record["start"]),
            machine_shuffle=record["machine_shuffle"],
            shuffler_counts=record["shuffler_counts"],
            decks=tuple(record["decks"]),
            banking=record["bank"] != "none",
            co_banking=record["bank"] == "co_bank",
            vigorish_rounding=record["vigorish"],
            table_minimum=record["minimum"],
            bonus_minimum=record["bonus_minimum"],
        )

    def table(self, record: Mapping[str, Any]) -> Any:
        return Table(self.options_of(record))

    def cards_of(self, record: Mapping[str, Any]) -> tuple[Card, ...]:
        return self.cards

    def wagers_to_record(self, wagers: Mapping[int, Wager]) -> dict[str, Any]:
        return {str(seat): {"is": "Wager", **asdict(wager)} for seat, wager in wagers.items()}

    def wagers_from_record(self, record: Mapping[str, Any]) -> dict[int, Wager]:
        return {int(seat): Wager(**{k: v for k, v in w.items() if k != "is"}) for seat, w in record.items()}


def _none(*_: Any) -> Any:
    raise NotImplementedError("Supreme Pai Gow has a round machine of its own")


GAME = OwnMachine(
    name="supreme_pai_gow",
    title="Supreme Pai Gow",
    package=__package__,
    jurisdiction="NJ",
    procedure=_none,
    options=Options,
    seats=len(SEATS),
    ways=(),
)
