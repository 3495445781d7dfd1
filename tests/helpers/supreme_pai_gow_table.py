"""A table of Supreme Pai Gow for tests, with all its choices in one and all that lies at a seat in one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from feltrig.engine.games.supreme_pai_gow import bonus, houseway, options
from feltrig.engine.games.supreme_pai_gow.bonus import LEAST_ODDS, BonusReadings, Odds
from feltrig.engine.games.supreme_pai_gow.houseway import HouseWay
from feltrig.engine.games.supreme_pai_gow.options import Start
from feltrig.engine.games.supreme_pai_gow.round import procedure
from feltrig.engine.table.house import Deal, House
from feltrig.engine.table.round import Round
from feltrig.engine.table.table import Table


@dataclass(frozen=True)
class Wager:
    """What lies on one betting area, in cents, and whose it is; None: of somebody with no other area."""

    main: int
    bonus: int = 0
    player: str | None = None


@dataclass(frozen=True)
class Options:
    """The choices of a table, by their own names. What the rules forbid raises Illegal, as at a real table."""

    deal: Deal = Deal.AUTOMATED_SHOE
    start: Start = Start.RNG
    machine_shuffle: bool = True
    shuffler_counts: bool = True
    decks: tuple[str, ...] = ("red",)
    banking: bool = False
    co_banking: bool = False
    two_areas: bool = False
    vigorish_rounding: str = "exact"
    recut_by: str = "last"
    table_minimum: int = 500
    bonus_minimum: int = 100
    table_maximum: int | None = None
    equal_is_legal: bool = True
    bonus_readings: BonusReadings = bonus.DEFAULT
    odds: Odds = field(default_factory=lambda: LEAST_ODDS)
    house_way: HouseWay = houseway.DEFAULT
    dealer_wager: int | None = None

    def __post_init__(self) -> None:
        Table(procedure, self.own, self.house)

    @property
    def own(self) -> options.Options:
        """The game's own choices."""
        return options.Options(**self._named(options.Options))

    @property
    def house(self) -> House:
        """The choices that every table has."""
        return House(**self._named(House))

    def _named(self, kind: Any) -> dict[str, Any]:
        return {chosen.name: getattr(self, chosen.name) for chosen in fields(kind)}


class SupremeTable(Table):
    """A table that takes wagers as `Wager`."""

    def __init__(self, chosen: Options) -> None:
        super().__init__(procedure, chosen.own, chosen.house)

    def open_round(self, wagers: Mapping[int, Wager]) -> Round:
        """Begin a round with these wagers by seat."""
        owners = {seat: wager.player for seat, wager in wagers.items() if wager.player is not None}
        return super().open_round({s: {"main": w.main, "bonus": w.bonus} for s, w in wagers.items()}, owners)

    def change(self, chosen: Options) -> None:
        """Go on with other choices."""
        super().change(chosen.own, chosen.house)
