"""Wagers at even money whose winners pay a commission, the vigorish: against the dealer, or against a player's bank.

A game's text decides who wins and says by which rules; this module only counts the money.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from feltrig.engine.money import Cents, exact, vigorish
from feltrig.engine.table.result import Outcome

BY_HANDS_WON = (Outcome.LOSE, Outcome.PUSH, Outcome.WIN)
"""What becomes of a wager when none, one or both of the hands win."""


class Rounding(Enum):
    """Whether the commission is rounded."""

    EXACT = "exact"
    UP_TO_25_CENTS = "round_up_to_25_cents"


class VigorishOn(Enum):
    """Who pays vigorish in a banked round."""

    BOTH = "both"
    PLAYERS = "players"
    BANK = "bank"


@dataclass(frozen=True, slots=True)
class Stake:
    """A wager against the bank and what became of it."""

    wager: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class BankSettlement:
    """A banked round's main wagers, settled. All nets and all vigorish sum to zero."""

    players_net: dict[int, Cents]
    """By seat, after vigorish."""
    player_vigorish: dict[int, Cents]
    """By winning seat."""
    surplus: int
    """What the centre of the table holds after all winners are paid; 0 when it did not suffice."""
    shortfall: int
    """What the centre of the table lacked for the winners; 0 when it sufficed."""
    bank_vigorish: Cents
    bank_net: Cents
    dealer_wager_net: Cents | None
    """None when the dealer made no wager."""
    house_share_net: Cents | None
    """The house's half of a co-bank, before any vigorish; None without co-banking."""
    odd_cent: int
    """1 when the halves of a co-bank are not whole cents: they are kept exact, in favour of nobody (SPG-23)."""
    rules: tuple[str, ...] = ()

    @property
    def vigorish(self) -> Cents:
        """All that the house takes in commission."""
        return exact(sum(self.player_vigorish.values()) + self.bank_vigorish)


@dataclass(frozen=True, slots=True)
class Settlement:
    """One wager against the dealer or bank, settled; the net is without the stake."""

    outcome: Outcome
    net: Cents
    vigorish: Cents
    rules: tuple[str, ...]
    """What the text says of it: how the hands compare, or why the setting is foul."""


def settle_wager(outcome: Outcome, wager: int, rounding: str = "exact", rules: tuple[str, ...] = ()) -> Settlement:
    """A wager at even money, less vigorish when it wins."""
    if outcome is not Outcome.WIN:
        return Settlement(outcome, -wager if outcome is Outcome.LOSE else 0, 0, rules)
    commission = vigorish(wager, rounding)
    return Settlement(outcome, exact(wager - commission), commission, rules)


def against_bank(
    stakes: Mapping[int, Stake],
    dealer: Stake | None = None,
    *,
    co_bank: bool = False,
    rounding: str = "exact",
    vigorish_on: VigorishOn = VigorishOn.BOTH,
) -> BankSettlement:
    """The wagers of a round against a bank: the players' by seat, and the dealer's, which pays no vigorish."""
    commission = vigorish_on is not VigorishOn.BANK
    settled = {seat: less_vigorish(stake, rounding, commission) for seat, stake in stakes.items()}
    centre = -sum(_even_money(stake) for stake in (*stakes.values(), *([dealer] if dealer else [])))
    share = exact(Fraction(centre, 2)) if co_bank else centre
    bank_vigorish = 0 if vigorish_on is VigorishOn.PLAYERS else vigorish(max(share, 0), rounding)
    return BankSettlement(
        players_net={seat: net for seat, (net, _) in settled.items()},
        player_vigorish={seat: settled[seat][1] for seat, stake in stakes.items() if stake.outcome is Outcome.WIN},
        surplus=max(centre, 0),
        shortfall=max(-centre, 0),
        bank_vigorish=bank_vigorish,
        bank_net=exact(share - bank_vigorish),
        dealer_wager_net=None if dealer is None else _even_money(dealer),
        house_share_net=share if co_bank else None,
        odd_cent=centre % 2 if co_bank else 0,
    )


def _even_money(stake: Stake) -> int:
    """What the stake gains or loses before any commission."""
    if stake.outcome is Outcome.WIN:
        return stake.wager
    return -stake.wager if stake.outcome in (Outcome.LOSE, Outcome.SURRENDER) else 0


def less_vigorish(stake: Stake, rounding: str, commission: bool = True) -> tuple[Cents, Cents]:
    """A player's net and the vigorish taken from it."""
    gained = _even_money(stake)
    taken = vigorish(max(gained, 0), rounding) if commission else 0
    return exact(gained - taken), taken
