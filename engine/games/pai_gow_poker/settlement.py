"""Who is paid what. The text that should say so is cut off after 11.8A(f).

Outside the rule text: both hands must win, one each is a push, the dealer or bank wins copies unless the house says
otherwise, and winners pay vigorish, as in the sister game (34.12). A bank is settled like one at tiles.
"""

from enum import Enum

from feltrig.engine.cards import Card
from feltrig.engine.games.pai_gow_poker.ranking import DEFAULT, Readings, compare_high, compare_low, set_fault
from feltrig.engine.table.commission import BY_HANDS_WON, Settlement, settle_wager
from feltrig.engine.table.result import Outcome
from feltrig.engine.table.setting import Hands


class Copies(Enum):
    """Who wins a copy hand: outside the rule text, since 11.3(e) only names it."""

    DEALER = "dealer"
    """The dealer, or the bank when there is one."""
    PLAYER = "player"


def settle(
    player: Hands[Card],
    dealer: Hands[Card],
    wager: int,
    rounding: str = "exact",
    *,
    copies: Copies = Copies.DEALER,
    readings: Readings = DEFAULT,
) -> Settlement:
    """A player's wager against the dealer's hands, or against the bank's. A foul setting loses."""
    if set_fault(player.high, player.low, readings) is not None:
        return settle_wager(Outcome.LOSE, wager, rounding)
    compared = (compare_high(player.high, dealer.high, readings), compare_low(player.low, dealer.low))
    won = sum(hand.first_by > 0 or (hand.first_by == 0 and copies is Copies.PLAYER) for hand in compared)
    rules = dict.fromkeys(rule for hand in compared for rule in hand.rules)
    return settle_wager(BY_HANDS_WON[won], wager, rounding, tuple(rules))
