"""The ways in which a rig's game can be played, and the sessions of a run: one way each, at a table opened anew."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.engine.supreme_pai_gow.options import Deal, Options, Start
from feltrig.harness.rigfile import GameConfig

DECKS = ("red", "blue")
"""The decks by the colour of their backs; the first is in the shuffler's compartment 1."""

COMPARTMENTS = {name: number for number, name in enumerate(DECKS, start=1)}


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to play: how the start is found, how the cards are dealt, who banks."""

    start: Start
    deal: Deal
    bank: str
    """`none`, `player` or `co_bank`."""

    def __str__(self) -> str:
        bank = {"none": "no bank", "player": "player bank", "co_bank": "co-bank"}[self.bank]
        return f"{self.start.value} · {self.deal.value.replace('_', ' ')} · {bank}"


@dataclass(frozen=True, slots=True)
class Session:
    """Some rounds of one variant."""

    variant: Variant
    rounds: int


def variants(game: GameConfig) -> tuple[Variant, ...]:
    """Every legal combination of what the rig file names; the start method varies fastest, so that few rounds meet
    every device. A button needs the automated shuffler and shoe: 34.4(a)3."""
    return tuple(
        Variant(Start(start), Deal(deal), bank)
        for bank in game.bank
        for deal in game.deal
        for start in game.start
        if start != "button" or (deal == "automated_shoe" and game.machine_shuffle)
    )


USES = {"dice": "shaker", "rng": "rng", "automated_shoe": "shoe"}
"""The kind of device that a way to start or to deal puts to use."""


def used_kinds(game: GameConfig) -> list[str]:
    """The kinds of device that the chosen ways to play put to use."""
    ways = {USES.get(way.start.value) for way in variants(game)} | {USES.get(way.deal.value) for way in variants(game)}
    machines = {"shuffler"} if game.machine_shuffle else set()
    return sorted(kind for kind in ways | machines | {"reader"} if kind)


def drilled_kinds(game: GameConfig) -> set[str]:
    """The kinds of device that are put through drills: a shuffler that is to count, and an automated shoe."""
    kinds = {"shuffler"} if game.shuffler_counts else set()
    return (kinds | {"shoe"}) & set(used_kinds(game))


def sessions(game: GameConfig, rounds: int) -> tuple[Session, ...]:
    """The rounds dealt out over the variants as evenly as they go."""
    ways = variants(game)
    each, over = divmod(rounds, len(ways))
    shares = [each + (1 if place < over else 0) for place in range(len(ways))]
    return tuple(Session(way, share) for way, share in zip(ways, shares, strict=True) if share)


def session_record(game: GameConfig, session: Session) -> dict[str, Any]:
    """What the journal needs to know to build the same table again."""
    decks = DECKS[: game.decks] if game.machine_shuffle else DECKS[:1]
    return {
        "start": session.variant.start.value,
        "deal": session.variant.deal.value,
        "bank": session.variant.bank,
        "rounds": session.rounds,
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
