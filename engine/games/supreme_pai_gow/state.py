"""What only Supreme Pai Gow notes during a round, and what follows from it."""

from dataclasses import dataclass, field

from feltrig.engine.cards import Card
from feltrig.engine.games.supreme_pai_gow.delivery import HAND_SIZE
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.play import Play
from feltrig.engine.table.positions import POSITIONS, SEATS
from feltrig.engine.table.setting import Hands


@dataclass(slots=True)
class State:
    """One round, as far as it has come."""

    offers: tuple[int, ...] = ()
    """Seats that the bank is still to be offered."""
    first_offer: int | None = None
    bank: int | None = None
    co_bank: bool = False
    bank_chips: int = 0
    dealer_wager: int | None = None
    """None until the dealer has wagered against the bank, or not."""
    start: int | None = None
    mis_totalled: bool = False
    """Whether the dealer announced a wrong total of the dice."""
    first_stack: int | None = None
    surrendered: set[int] = field(default_factory=set)
    settings: dict[int, Hands[Card]] = field(default_factory=dict)


def state(play: Play) -> State:
    """The state of a round."""
    own = play.own
    assert isinstance(own, State)
    return own


def dealer_plays(play: Play) -> bool:
    """Whether the dealer's cards are compared with anybody's: not in a banked round without a wager, 34.13(k)."""
    own = state(play)
    return own.bank is None or bool(own.dealer_wager)


def unbet(play: Play) -> tuple[int, ...]:
    """The positions whose cards nobody plays."""
    dealer = () if dealer_plays(play) else (DEALER,)
    return (*dealer, *(seat for seat in SEATS if seat not in play.wagers and seat != state(play).bank))


def mains(play: Play) -> dict[int, int]:
    """The main wagers in action by seat, counterclockwise; a bank's own is not."""
    bank = state(play).bank
    return {seat: play.stake(seat, "main") for seat in play.counterclockwise if seat != bank}


def bonuses(play: Play) -> dict[int, int]:
    """The bonus wagers in action by seat, counterclockwise. Voiding a hand takes back both wagers (SPG-22)."""
    staked = {seat: play.stake(seat, "bonus") for seat in play.counterclockwise if seat not in play.voided}
    return {seat: bonus for seat, bonus in staked.items() if bonus}


def players(play: Play) -> tuple[int, ...]:
    """The seats that play on for their main wager, counterclockwise."""
    out = state(play).surrendered | play.voided
    return tuple(seat for seat in mains(play) if seat not in out)


def dealt_out(play: Play) -> bool:
    """Whether every position has its cards."""
    return sum(len(play.hand(position)) for position in range(POSITIONS)) == POSITIONS * HAND_SIZE


def holder(play: Play, seat: int) -> str:
    """Who plays at a seat."""
    return play.owners.get(seat, f"seat {seat}")


def areas(play: Play, seat: int) -> tuple[int, ...]:
    """All betting areas of the player at the seat."""
    who = holder(play, seat)
    return tuple(other for other in play.counterclockwise if holder(play, other) == who)
