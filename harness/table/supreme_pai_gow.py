"""Supreme Pai Gow on a rig."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.engine.cards import deck
from feltrig.engine.games.supreme_pai_gow.options import Deal, Options, Start
from feltrig.engine.games.supreme_pai_gow.table import Table
from feltrig.engine.games.supreme_pai_gow.wagers import Wager
from feltrig.harness.journal.plain import to_record
from feltrig.harness.rig.model import GameConfig
from feltrig.harness.table.games import DECKS
from feltrig.harness.table.supreme_pai_gow_players import Players

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
class Variant:
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


def _variants(game: GameConfig) -> tuple[Variant, ...]:
    """Every legal combination of what the rig file names; the start method varies fastest, so that few rounds meet
    every device. A button needs the automated shuffler and shoe: 34.4(a)3."""
    return tuple(
        Variant(Start(start), Deal(deal), bank, game.machine_shuffle)
        for bank in game.bank
        for deal in game.deal or tuple(way.value for way in Deal)
        for start in game.start or tuple(way.value for way in Start)
        if start != "button" or (deal == "automated_shoe" and game.machine_shuffle)
    )


def _record(game: GameConfig, variant: Variant) -> dict[str, Any]:
    """What the journal needs to know to build the same table again."""
    decks = DECKS[: game.decks] if game.machine_shuffle else DECKS[:1]
    return {
        "start": variant.start.value,
        "deal": variant.deal.value,
        "bank": variant.bank,
        "jurisdiction": game.jurisdiction,
        "decks": list(decks),
        "machine_shuffle": game.machine_shuffle,
        "shuffler_counts": game.machine_shuffle and game.shuffler_counts,
        "vigorish": game.vigorish,
        "minimum": game.wagers.minimum,
        "bonus_minimum": game.wagers.bonus_minimum,
    }


def options(record: Mapping[str, Any]) -> Options:
    """The table's options, from the session's record."""
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


class _SupremePaiGow:
    """The game as a rig plays it."""

    cards = tuple(deck(jokers=2))
    roles = ROLES
    known_options: Mapping[str, tuple[Any, ...] | None] = {}

    def variants(self, game: GameConfig) -> tuple[Variant, ...]:
        return _variants(game)

    def cards_of(self, record: Mapping[str, Any]) -> tuple[int, ...]:
        return self.cards

    def record(self, game: GameConfig, variant: Variant) -> dict[str, Any]:
        return _record(game, variant)

    def table(self, record: Mapping[str, Any]) -> Table:
        return Table(options(record))

    def players(self, game: GameConfig, record: Mapping[str, Any], rng: random.Random) -> Players:
        return Players(game.players, options(record).house_way, rng, game.wagers.main, game.wagers.bonus)

    def wagers_to_record(self, wagers: Mapping[int, Wager]) -> dict[str, Any]:
        return {str(seat): to_record(wager) for seat, wager in wagers.items()}

    def wagers_from_record(self, record: Mapping[str, Any]) -> dict[int, Wager]:
        return {int(seat): Wager(**{k: v for k, v in w.items() if k != "is"}) for seat, w in record.items()}


GAME = _SupremePaiGow()
