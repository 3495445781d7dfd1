"""What a licensee chooses at a table of Supreme Pai Gow, checked against the rules that limit the choice."""

from dataclasses import dataclass, field
from enum import Enum

from feltrig.engine.games.supreme_pai_gow import bonus, houseway
from feltrig.engine.games.supreme_pai_gow.bonus import LEAST_ODDS, BonusReadings, Odds
from feltrig.engine.games.supreme_pai_gow.houseway import HouseWay
from feltrig.engine.money import ROUNDING
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import Deal, House


class Start(Enum):
    """How the starting position is found: 34.4(a)."""

    DICE = "dice"
    RNG = "rng"
    BUTTON = "button"


@dataclass(frozen=True)
class Options:
    """The game's own choices. An illegal combination raises Illegal with the rule that forbids it."""

    start: Start = Start.RNG
    banking: bool = False
    co_banking: bool = False
    vigorish_rounding: str = "exact"
    bonus_minimum: int = 100
    equal_is_legal: bool = True
    """A high hand may rank equal to the low hand: SPG-02."""
    bonus_readings: BonusReadings = bonus.DEFAULT
    odds: Odds = field(default_factory=lambda: LEAST_ODDS)
    """What the posted bonus table pays, to 1."""
    house_way: HouseWay = houseway.DEFAULT
    dealer_wager: int | None = None
    """What the dealer stakes against a bank, in cents; None for the bank's last wager against the dealer: 34.13(g)."""

    def __post_init__(self) -> None:
        too_low = [hand.value for hand, least in LEAST_ODDS.items() if hand not in self.odds or self.odds[hand] < least]
        rounding = f"vigorish rounding {self.vigorish_rounding!r}: expected one of {', '.join(ROUNDING)}"
        negative = self.dealer_wager is not None and self.dealer_wager < 0
        for forbidden, why, rule in (
            (self.co_banking and not self.banking, "co-banking is offered to a bank only", "34.13(e)"),
            (self.vigorish_rounding not in ROUNDING, rounding, "34.12(i)"),
            (self.bonus_minimum < 100, f"bonus minimum {self.bonus_minimum}: less than one dollar", "34.7(d)"),
            (bool(too_low), f"bonus odds below the least for {', '.join(too_low)}", "34.14(a)"),
            (not isinstance(self.house_way, HouseWay), "no house way: dealer hands cannot be set", "34.12(d)"),
            (negative, f"dealer wager {self.dealer_wager}: expected none or a number of cents", "34.13(g)"),
        ):
            if forbidden:
                raise Illegal(why, rule)


def check_table(options: Options, house: House) -> None:
    """Raise Illegal when the rules forbid what the house and the game chose together."""
    if len(house.decks) not in (1, 2):
        raise Illegal(f"decks {house.decks}: a table has one or two", "34.2(a)", "34.2(b)")
    if options.start is Start.BUTTON and not (house.machine_shuffle and house.deal is Deal.AUTOMATED_SHOE):
        raise Illegal("the button needs a shuffling machine and an automated shoe", "34.4(a)3", "34.11(d)")
