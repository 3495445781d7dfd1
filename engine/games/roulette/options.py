"""What a licensee chooses at a roulette table, checked against the rules that limit the choice."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from feltrig.engine.games.roulette.bets import LEAST_ODDS, Bet, Odds, Placed, check_odds, check_place
from feltrig.engine.games.roulette.layout import STANDARD, Layout, Wheel
from feltrig.engine.games.roulette.settlement import ZeroOption
from feltrig.engine.rulings import Illegal


@dataclass(frozen=True)
class Options:
    """A table's choices. An illegal combination raises Illegal with the rule that forbids it."""

    wheel: Wheel = Wheel.SINGLE_ZERO
    zero: ZeroOption | None = None
    """Chosen on a double zero wheel, and only there."""
    notice: bool = False
    """The table has a notice of the option of zero, or that the wheel is used as a single zero wheel."""
    seven_numbers: bool = False
    five_adjacent_numbers: bool = False
    odds: Odds = field(default_factory=lambda: LEAST_ODDS)
    layouts: Mapping[Wheel, Layout] = field(default_factory=lambda: STANDARD)
    """Where wagers can be placed: outside the rule text (RL-01)."""

    def __post_init__(self) -> None:
        double = self.wheel is Wheel.DOUBLE_ZERO
        if double and self.zero is None:
            raise Illegal("a double zero wheel needs a choice of what zero takes, half or entire", "19:47-5.2(b)")
        if not double and self.zero is not None:
            raise Illegal("what zero takes is a choice on a double zero wheel only", "19:47-5.2(c)", "19:47-5.2(d)3")
        if double and not self.notice:
            raise Illegal("no notice of what zero takes", "19:47-5.2(b)")
        if self.wheel is Wheel.DOUBLE_ZERO_USED_AS_SINGLE and not self.notice:
            raise Illegal("no notice that the wheel is used as a single zero wheel", "19:47-5.2(d)1")
        check_odds(self.odds)

    def check(self, placed: Placed) -> None:
        """Raise Illegal when the table does not offer this wager, or has no place for it."""
        if placed.bet is Bet.SEVEN_NUMBERS and not self.seven_numbers:
            raise Illegal("this table does not offer seven numbers", "19:47-5.1(f)")
        if placed.bet is Bet.FIVE_ADJACENT_NUMBERS and not self.five_adjacent_numbers:
            raise Illegal("this table does not offer five adjacent numbers", "19:47-5.3(d)")
        if placed.amount <= 0:
            raise Illegal(f"wager of {placed.amount}: nothing is staked")
        check_place(placed.bet, placed.numbers, self.wheel, self.layouts)
