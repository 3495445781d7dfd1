"""Who is paid what at a game of two hands. The text that should say so is cut off after 10.4.

Outside the rule text: both hands must win, one each is a push, and winners pay vigorish, as in the sister game (34.12,
34.13). Only who wins a copy is the text's own (10.2(c), (h)).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from feltrig.engine.games.pai_gow.ranking import ZeroZero, compare, rank_two, set_fault
from feltrig.engine.games.pai_gow.tiles import Tile
from feltrig.engine.games.supreme_pai_gow import settlement as supreme
from feltrig.engine.games.supreme_pai_gow.settlement import BankSettlement, Outcome, Stake
from feltrig.engine.money import Cents, exact, vigorish
from feltrig.engine.table.hands import Hands

BY_HANDS_WON = (Outcome.LOSE, Outcome.PUSH, Outcome.WIN)
"""What becomes of a wager when none, one or both of the hands win: outside the rule text."""


class Rounding(Enum):
    """Whether the commission is rounded: outside the rule text, as 34.12(i) has it."""

    EXACT = "exact"
    UP_TO_25_CENTS = "round_up_to_25_cents"


@dataclass(frozen=True, slots=True)
class Settlement:
    """One wager against the dealer or bank, settled; the net is without the stake."""

    outcome: Outcome
    net: Cents
    vigorish: Cents
    rules: tuple[str, ...]
    """What the text says of it: how the hands compare, or why the setting is foul."""


def settle_wager(outcome: Outcome, wager: int, rounding: str = "exact", rules: tuple[str, ...] = ()) -> Settlement:
    """A wager at even money, less vigorish when it wins: outside the rule text."""
    if outcome is not Outcome.WIN:
        return Settlement(outcome, -wager if outcome is Outcome.LOSE else 0, 0, rules)
    commission = vigorish(wager, rounding)
    return Settlement(outcome, exact(wager - commission), commission, rules)


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
    return replace(supreme.settle_bank(stakes, dealer, co_bank=co_bank, rounding=rounding), rules=())
