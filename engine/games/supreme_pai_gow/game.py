"""Supreme Pai Gow as a record."""

from collections.abc import Sequence
from typing import Any

from feltrig.engine.cards import Card
from feltrig.engine.decks import DECKS
from feltrig.engine.games.game import Choices, Game, Habits, Hand, Sample
from feltrig.engine.games.supreme_pai_gow.delivery import HAND_SIZE
from feltrig.engine.games.supreme_pai_gow.options import Options, Start
from feltrig.engine.games.supreme_pai_gow.ranking import set_fault
from feltrig.engine.games.supreme_pai_gow.round import procedure
from feltrig.engine.table.house import Deal
from feltrig.engine.table.play import Wagers
from feltrig.engine.table.ways import Way

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
    "house way": "34.12(d)",
}

BANKS = {"none": "no bank", "player": "player bank", "co_bank": "co-bank"}


def ways(choices: Choices) -> tuple[Way, ...]:
    """Every legal combination of what was chosen; the start method varies fastest, so that few rounds meet every
    device. A button needs the automated shuffler and shoe: 34.4(a)3."""
    return tuple(
        _way(choices, bank, deal, start)
        for bank in choices.bank
        for deal in choices.deal or tuple(way.value for way in Deal)
        for start in choices.start or tuple(way.value for way in Start)
        if start != "button" or (deal == "automated_shoe" and choices.machine_shuffle)
    )


def _way(choices: Choices, bank: str, deal: str, start: str) -> Way:
    house = {
        "deal": deal,
        "machine_shuffle": choices.machine_shuffle,
        "shuffler_counts": choices.machine_shuffle and choices.shuffler_counts,
        "decks": list(DECKS[: choices.decks] if choices.machine_shuffle else DECKS[:1]),
    }
    options: dict[str, Any] = {
        "start": start,
        "banking": bank != "none",
        "co_banking": bank == "co_bank",
        "vigorish_rounding": choices.vigorish,
        "bonus_minimum": choices.bonus_minimum,
    }
    if choices.house_way is not None:
        options["house_way"] = choices.house_way
    return Way(house, options, f"{start} · {deal.replace('_', ' ')} · {BANKS[bank]}")


def sample_wagers(sample: Sample, seats: Sequence[int]) -> Wagers:
    """One to four times what players usually stake, and a bonus wager now and then."""
    placed: dict[int, dict[str, int]] = {}
    for seat in seats:
        placed[seat] = {"main": sample.stakes["main"] * sample.rng.randint(1, 4)}
        if sample.rng.random() < sample.habits.bonus and sample.stakes["bonus"]:
            placed[seat]["bonus"] = sample.stakes["bonus"]
    return placed


def settings(options: Options, cards: Sequence[Card]) -> tuple[list[tuple[Hand, Hand]], list[tuple[Hand, Hand]]]:
    """Every way to make a high and a low hand of four cards: the legal ones, and the foul ones."""
    a, b, c, d = cards
    halves = (((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c)))
    legal: list[tuple[Hand, Hand]] = []
    foul: list[tuple[Hand, Hand]] = []
    for high, low in (*halves, *((low, high) for high, low in halves)):
        (legal if set_fault(high, low) is None else foul).append((high, low))
    return legal, foul


def house_way(options: Options, cards: Sequence[Card]) -> tuple[Hand, Hand]:
    """The high and the low hand as the house sets them."""
    hands = options.house_way.set(cards)
    return hands.high, hands.low


GAME = Game(
    name="supreme_pai_gow",
    title="Supreme Pai Gow",
    package=__package__,
    jurisdiction="NJ",
    procedure=procedure,
    options=Options,
    ways=ways,
    own_roles=ROLES,
    start=lambda options: options.start,
    house_way=house_way,
    house_way_named=lambda options: str(options.house_way),
    settings=settings,
    stacks=(HAND_SIZE,),
    habits=Habits(takes_bank=0.8, surrender=0.04, own_way=0.3, foul=0.02),
    sample_wagers=sample_wagers,
)
