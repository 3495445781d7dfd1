"""Who may bank, and what the table remembers for it from round to round: 34.13(a) to (g)."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from feltrig.engine.games.supreme_pai_gow.options import Options
from feltrig.engine.games.supreme_pai_gow.wagers import Wager, areas, holder
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.rotation import Rotation


@dataclass(slots=True)
class BankHistory:
    """Which players may be offered the bank, and who is offered it first."""

    start_of_game: bool = True
    """Until the first round after a wash is over: 34.13(b)."""
    offers: Rotation = field(default_factory=Rotation)
    last_bank: str | None = None
    """Who banked the last round."""
    last_wagers: dict[str, int] = field(default_factory=dict)
    """By player, the wager against the dealer in the last round without a bank."""

    def refusal(self, options: Options, wagers: Mapping[int, Wager], seat: int) -> Illegal | None:
        """Why the seat may not bank this round, None when it may. Its chips are another question."""
        if not options.banking:
            return Illegal("this table does not offer the bank", "34.13(a)")
        if self.start_of_game:
            return Illegal("nobody banks the first round of a game", "34.13(b)")
        if seat not in wagers:
            return Illegal(f"seat {seat}: nobody plays there", "34.13(c)")
        who = holder(seat, wagers[seat])
        if who == self.last_bank:
            return Illegal(f"{who}: banked the last round", "34.13(c)")
        if who not in self.last_wagers:
            return Illegal(f"{who}: no wager against the dealer in the last round without a bank", "34.13(d)1")
        if len(areas(wagers, seat)) > 1:
            return Illegal(f"{who}: the bank may wager on one betting area only", "34.13(f)")
        return None

    def offer_to(self, options: Options, wagers: Mapping[int, Wager]) -> tuple[int, ...]:
        """The seats that are offered the bank, in order."""
        return tuple(seat for seat in self.offers.order(wagers) if self.refusal(options, wagers, seat) is None)

    def dealer_wager(self, options: Options, who: str) -> int:
        """What the dealer stakes against this bank unless the bank wants less: 34.13(g)."""
        return self.last_wagers[who] if options.dealer_wager is None else options.dealer_wager

    def round_over(self, wagers: Mapping[int, Wager], bank: str | None) -> None:
        """Remember a round. A round that was void counts as a round."""
        self.last_bank = bank
        if bank is None:
            self.last_wagers = {}
            for seat, wager in wagers.items():
                who = holder(seat, wager)
                self.last_wagers[who] = max(wager.main, self.last_wagers.get(who, 0))

    def restart(self) -> None:
        """The cards were washed: a new game starts."""
        self.start_of_game = True
        self.offers.restart()


def check_cover(chips: int, wagers: Mapping[int, Wager], bank: int) -> None:
    """Raise Illegal when the bank's chips do not cover the main wagers of the other players: 34.13(d)2."""
    total = sum(wager.main for seat, wager in wagers.items() if seat != bank)
    if chips < total:
        raise Illegal(f"seat {bank}: chips of {chips} do not cover wagers of {total}", "34.13(d)2")
