"""What a licensee chooses at any card table, and the clauses under which the shared steps are done."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from feltrig.engine.asks import Rules
from feltrig.engine.rulings import Illegal

DEALER = 0


class Deal(Enum):
    """How the cards reach the positions."""

    MANUAL_SHOE = "manual_shoe"
    HAND = "hand"
    AUTOMATED_SHOE = "automated_shoe"


@dataclass(frozen=True, slots=True)
class House:
    """The choices that every card table has."""

    deal: Deal = Deal.MANUAL_SHOE
    machine_shuffle: bool = True
    shuffler_counts: bool = True
    """The shuffler counts the cards after each shuffle, which replaces the count of the stub."""
    decks: tuple[str, ...] = ("red",)
    """Names of the decks, by the colour of their backs; two alternate."""
    recut_by: str = "last"
    """Who cuts again when a supervisor says so: `last` or `next`."""
    two_areas: bool = False
    """Whether a player may bet on two adjacent areas."""
    table_minimum: int = 500
    """The least wager, in cents."""
    table_maximum: int | None = None

    @property
    def devices(self) -> frozenset[str]:
        """The machines that these choices put at the table."""
        used = {"shuffler": self.machine_shuffle, "shoe": self.deal is Deal.AUTOMATED_SHOE}
        return frozenset(device for device, is_used in used.items() if is_used)


@dataclass(frozen=True, slots=True)
class Method:
    """The clauses of one dealing method."""

    close: Rules
    """The betting is closed."""
    deal: Rules
    stub: Rules = ()
    """Where the stub goes."""
    count: Rules = ()
    """When it is counted."""
    counted_by_machine: Rules = ()
    """When it need not be."""
    load: Rules = ()
    """How the shoe is loaded; nothing when there is none."""
    age: float | None = None
    """Hours after which the cards are replaced."""


@dataclass(frozen=True, slots=True)
class TableRules:
    """The clauses under which the steps that all card games share are done."""

    deck: Rules
    """What the deck consists of."""
    methods: Mapping[Deal, Method]
    shuffle: Rules = ()
    cut: Rules = ()
    cut_depth: Rules = ()
    recut: Rules = ()
    collect: Rules = ()
    """How the cards are picked up after the round."""
    remove_device: Rules = ()
    """A device leaves the table before another method is used."""
    second_deck: Rules = ()
    """A second deck is allowed, when the shuffle is by machine."""
    backs: Rules = ()
    """The backs of two decks differ."""
    shuffle_waiting: Rules = ()
    """One deck is shuffled while the other is in play."""
    wrong_deck: Rules = ()
    """Which of two decks is shuffled, where another clause than `alternate` says so."""
    cut_by: Rules = ()
    """Who may cut, cited with the last of the clauses that call for the cut; without it, all of these are."""
    alternate: Rules = ()
    """Each of two decks is used every other round."""
    machine_only: Mapping[Deal, Rules] = field(default_factory=dict)
    """Methods that need a shuffling machine."""
    hand_only: Rules = ()
    """No machine shuffles: tiles are washed by hand."""
    two_areas: Rules = ()
    idle: Rules = ()
    """What is done at an idle table."""
    age: Rules = ()
    """How long cards may be used."""
    dice_age: Rules = ()
    """Dice stay at the table for a day at most; nothing where no dice are used."""
    deck_counts: tuple[int, ...] = (1, 2)
    """How many decks a table may have."""
    cut_after_machine: bool = False
    """Whether a stack that comes out of the machine is cut, too."""
    after_cutting_card: int = 0
    """How many more rounds are dealt after the one in which the cutting card comes out of a shoe."""
    least_cut: int = 10
    """Cards above and below the cutting card."""


def check_house(rules: TableRules, house: House) -> None:
    """Raise Illegal when the rules forbid a choice."""
    for forbidden, why, *cited in _limits(rules, house):
        if forbidden:
            raise Illegal(why, *cited)


def _limits(rules: TableRules, house: House) -> Iterator[tuple[bool, str, *tuple[str, ...]]]:
    methods = ", ".join(deal.value for deal in rules.methods)
    yield house.deal not in rules.methods, f"deal {house.deal.value}: expected one of {methods}"
    several = len(house.decks) > 1
    counts = " or ".join(map(str, rules.deck_counts))
    yield len(house.decks) not in rules.deck_counts, f"{len(house.decks)} decks: expected {counts}", *rules.deck
    yield len(set(house.decks)) < len(house.decks), f"decks {house.decks}: their backs must differ", *rules.backs
    yield several and not house.machine_shuffle, "a second deck needs a shuffling machine", *rules.second_deck
    by_hand = house.deal in rules.machine_only and not house.machine_shuffle
    yield by_hand, f"deal {house.deal.value}: needs a shuffling machine", *rules.machine_only.get(house.deal, ())
    by_machine = bool(rules.hand_only) and house.machine_shuffle
    yield by_machine, "the shuffle is by hand: no shuffling machine", *rules.hand_only
    yield house.recut_by not in ("last", "next"), f"recut by {house.recut_by!r}: expected last or next", *rules.recut
    yield house.table_minimum < 1, f"table minimum {house.table_minimum}: expected at least one cent"
    most = house.table_maximum
    yield (
        most is not None and most < house.table_minimum,
        f"table maximum {most}: below the minimum of {house.table_minimum}",
    )
