"""Who is paid what at a game of two hands. The text that should say so is cut off after 10.4.

Outside the rule text: both hands must win, one each is a push, and winners pay vigorish, as in the sister game (34.12,
34.13). Only who wins a copy is the text's own (10.2(c), (h)).
"""

from collections.abc import Mapping

from feltrig.engine.games.pai_gow.ranking import ZeroZero, compare, rank_two, set_fault
from feltrig.engine.games.pai_gow.tiles import Tile
from feltrig.engine.table.commission import BY_HANDS_WON, BankSettlement, Settlement, Stake, against_bank, settle_wager
from feltrig.engine.table.result import Outcome
from feltrig.engine.table.setting import Hands


def settle(
    player: Hands[Tile],
    dealer: Hands[Tile],
    wager: int,
    rounding: str = "exact",
    *,
    equal_is_legal: bool = True,
    zero_zero: ZeroZero = ZeroZero.HIGHEST_TILE,
) -> Settlement:
    """A player's wager against the dealer's hands, or against the bank's. A foul setting loses."""
    fault = set_fault(player.high, player.low, equal_is_legal)
    if fault is not None:
        return settle_wager(Outcome.LOSE, wager, rounding, (fault,))
    compared = [
        compare(rank_two(mine), rank_two(theirs), zero_zero)
        for mine, theirs in ((player.high, dealer.high), (player.low, dealer.low))
    ]
    won = sum(hand.player_wins for hand in compared)
    rules = dict.fromkeys(rule for hand in compared for rule in hand.rules)
    return settle_wager(BY_HANDS_WON[won], wager, rounding, tuple(rules))


def settle_bank(
    stakes: Mapping[int, Stake], dealer: Stake | None = None, *, co_bank: bool = False, rounding: str = "exact"
) -> BankSettlement:
    """The wagers of a round against a bank: outside the rule text, as 34.13 has it."""
    return against_bank(stakes, dealer, co_bank=co_bank, rounding=rounding)
