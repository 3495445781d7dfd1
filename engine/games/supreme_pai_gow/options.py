"""What a licensee chooses at a table, checked against the rules that limit the choice."""

from dataclasses import dataclass, field
from enum import Enum

from feltrig.engine.games.supreme_pai_gow import bonus, houseway
from feltrig.engine.games.supreme_pai_gow.bonus import LEAST_ODDS, BonusReadings, Odds
from feltrig.engine.games.supreme_pai_gow.houseway import HouseWay
from feltrig.engine.jurisdictions import JURISDICTIONS
from feltrig.engine.money import ROUNDING
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import Deal

__all__ = ["Deal", "Options", "Start"]


class Start(Enum):
    """How the starting position is found: 34.4(a)."""

    DICE = "dice"
    RNG = "rng"
    BUTTON = "button"


@dataclass(frozen=True)
class Options:
    """A table's choices. An illegal combination raises Illegal with the rule that forbids it."""

    jurisdiction: str = "NJ"
    deal: Deal = Deal.AUTOMATED_SHOE
    start: Start = Start.RNG
    machine_shuffle: bool = True
    shuffler_counts: bool = True
    """The shuffler counts the deck after each shuffle, which replaces the count of the stub: 34.8(e)."""
    decks: tuple[str, ...] = ("red",)
    """Names of the decks, by the colour of their backs; two alternate."""
    banking: bool = False
    co_banking: bool = False
    two_areas: bool = False
    vigorish_rounding: str = "exact"
    recut_by: str = "last"
    """Who cuts again when a supervisor says so, `last` or `next`: 34.6(f)."""
    mark_start: bool = False
    table_minimum: int = 500
    """The least main wager, in cents."""
    bonus_minimum: int = 100
    table_maximum: int | None = None
    """The most that main and bonus wager may be together, when the house enforces one (SPG-21)."""
    equal_is_legal: bool = True
    """A high hand may rank equal to the low hand: SPG-02."""
    bonus_readings: BonusReadings = bonus.DEFAULT
    odds: Odds = field(default_factory=lambda: LEAST_ODDS)
    """What the posted bonus table pays, to 1."""
    house_way: HouseWay = houseway.DEFAULT
    dealer_wager: int | None = None
    """What the dealer stakes against a bank, in cents; None for the bank's last wager against the dealer: 34.13(g)."""

    def __post_init__(self) -> None:
        for forbidden, why, *rules in self._limits():
            if forbidden:
                raise Illegal(why, *rules)

    def _limits(self) -> tuple[tuple[bool, str, *tuple[str, ...]], ...]:
        """What the rules forbid, in words, and by which of them."""
        too_low = [hand.value for hand, least in LEAST_ODDS.items() if self.odds.get(hand, 0) < least]
        by_machine = self.machine_shuffle and self.deal is Deal.AUTOMATED_SHOE
        return (
            (self.jurisdiction not in JURISDICTIONS, f"jurisdiction {self.jurisdiction!r}: expected NJ or MA"),
            (len(self.decks) not in (1, 2), f"decks {self.decks}: a table has one or two", "34.2(a)", "34.2(b)"),
            (len(set(self.decks)) < len(self.decks), f"decks {self.decks}: their backs must differ", "34.2(b)2"),
            (len(self.decks) == 2 and not self.machine_shuffle, "a second deck needs a shuffling machine", "34.2(b)"),
            (
                self.start is Start.BUTTON and not by_machine,
                "the button needs a shuffling machine and an automated shoe",
                "34.4(a)3",
                "34.11(d)",
            ),
            (self.co_banking and not self.banking, "co-banking is offered to a bank only", "34.13(e)"),
            (
                self.vigorish_rounding not in ROUNDING,
                f"vigorish rounding {self.vigorish_rounding!r}: expected one of {', '.join(ROUNDING)}",
                "34.12(i)",
            ),
            (self.recut_by not in ("last", "next"), f"recut by {self.recut_by!r}: expected last or next", "34.6(f)"),
            (self.table_minimum < 1, f"table minimum {self.table_minimum}: expected at least one cent"),
            (self.bonus_minimum < 100, f"bonus minimum {self.bonus_minimum}: less than one dollar", "34.7(d)"),
            (
                self.table_maximum is not None and self.table_maximum < self.table_minimum,
                f"table maximum {self.table_maximum}: below the minimum of {self.table_minimum}",
            ),
            (bool(too_low), f"bonus odds below the least for {', '.join(too_low)}", "34.14(a)"),
            (not isinstance(self.house_way, HouseWay), "no house way: dealer hands cannot be set", "34.12(d)"),
            (
                self.dealer_wager is not None and self.dealer_wager < 0,
                f"dealer wager {self.dealer_wager}: expected none or a number of cents",
                "34.13(g)",
            ),
        )

    @property
    def counts_stub(self) -> bool:
        """Whether the dealer must count the stub, at least every fifth round: 34.8(d), (e)."""
        return not (self.machine_shuffle and self.shuffler_counts)
