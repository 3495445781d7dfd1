"""Who may bank, what is asked of a bank, and what the table remembers for it from round to round: 34.13(a) to (g)."""

from dataclasses import dataclass, field
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.answers import expect
from feltrig.engine.asks import Ask
from feltrig.engine.games.supreme_pai_gow.state import State, areas, holder, mains, state
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.play import Play, Wagers
from feltrig.engine.table.rotation import Rotation
from feltrig.engine.table.script import Script, heed
from feltrig.engine.tells import Tell


@dataclass(slots=True)
class BankHistory:
    """Which players may be offered the bank, and who is offered it first."""

    offers: Rotation = field(default_factory=Rotation)
    last_bank: str | None = None
    """Who banked the last round."""
    last_wagers: dict[str, int] = field(default_factory=dict)
    """By player, the wager against the dealer in the last round without a bank."""


def history(play: Play) -> BankHistory:
    """What the table remembers."""
    found: BankHistory = play.memory.own.setdefault("banks", BankHistory())
    return found


def begin(play: Play) -> State:
    """A round in which the bank is to be offered to these seats, in order."""
    banks = history(play)
    if play.memory.start_of_game:
        banks.offers.restart()
    offers = tuple(seat for seat in banks.offers.order(play.wagers) if refusal(play, seat) is None)
    return State(offers, offers[0] if offers else None)


def refusal(play: Play, seat: int) -> Illegal | None:
    """Why the seat may not bank this round, None when it may. Its chips are another question."""
    banks, who = history(play), holder(play, seat)
    if not play.options.banking:
        return Illegal("this table does not offer the bank", "34.13(a)")
    if play.memory.start_of_game:
        return Illegal("nobody banks the first round of a game", "34.13(b)")
    if seat not in play.wagers:
        return Illegal(f"seat {seat}: nobody plays there", "34.13(c)")
    if who == banks.last_bank:
        return Illegal(f"{who}: banked the last round", "34.13(c)")
    if who not in banks.last_wagers:
        return Illegal(f"{who}: no wager against the dealer in the last round without a bank", "34.13(d)1")
    if len(areas(play, seat)) > 1:
        return Illegal(f"{who}: the bank may wager on one betting area only", "34.13(f)")
    return None


def offer_bank(play: Play) -> Script[None]:
    """The bank is offered around the table until a player takes it."""
    own = state(play)

    def want() -> Ask | None:
        if own.bank is not None or not own.offers:
            return None
        return asks.OfferBank(own.offers[0], play.options.co_banking, ("34.13(c)",))

    def do(seen: Tell) -> None:
        if isinstance(seen, tells.BankDeclined):
            own.offers = own.offers[1:]
        elif isinstance(seen, tells.BankAccepted):
            play.wagers[seen.seat].pop("main", None)  # it comes back: the bank plays against the others'
            own.bank, own.co_bank, own.bank_chips = seen.seat, seen.co_bank, seen.chips

    while (yield from heed(play, want, do, partial(_check_offer, play))) is not None:
        pass


def _check_offer(play: Play, ask: asks.OfferBank, seen: Tell) -> None:
    if isinstance(seen, tells.BankDeclined):
        expect(seen.seat == ask.seat, ask, seen)
        return
    assert isinstance(seen, tells.BankAccepted)
    if seen.seat != ask.seat:
        raise Illegal(f"seat {seen.seat}: the bank is offered to seat {ask.seat}", "34.13(c)")
    if seen.co_bank and not play.options.co_banking:
        raise Illegal("this table does not offer co-banking", "34.13(e)")
    check_cover(seen.chips, play.wagers, seen.seat)


def check_cover(chips: int, wagers: Wagers, bank: int) -> None:
    """Raise Illegal when the bank's chips do not cover the main wagers of the other players: 34.13(d)2."""
    total = sum(bets["main"] for seat, bets in wagers.items() if seat != bank)
    if chips < total:
        raise Illegal(f"seat {bank}: chips of {chips} do not cover wagers of {total}", "34.13(d)2")


def wager_of_dealer(play: Play) -> Script[None]:
    """The dealer stakes against a bank, but not as its partner: the bank's last wager against the dealer, or what the
    house chose, unless the bank wants less."""
    own = state(play)

    def want() -> Ask | None:
        if own.bank is None or own.co_bank or own.dealer_wager is not None:
            return None
        chosen = play.options.dealer_wager
        last = history(play).last_wagers[holder(play, own.bank)]
        return asks.PlaceDealerWager(last if chosen is None else chosen, ("34.13(g)",))

    def do(seen: tells.DealerWagered) -> None:
        own.dealer_wager = seen.amount

    def check(ask: asks.PlaceDealerWager, seen: tells.DealerWagered) -> None:
        if not 0 <= seen.amount <= ask.most:
            raise Illegal(f"dealer wager of {seen.amount}, expected at most {ask.most}", "34.13(g)")

    yield from heed(play, want, do, check)


def remember(play: Play) -> None:
    """What the next round must know of the bank. A round that was void counts in every rotation."""
    own, banks = state(play), history(play)
    if own.first_offer is not None:
        banks.offers.pass_on(own.first_offer)
    banks.last_bank = None if own.bank is None else holder(play, own.bank)
    if own.bank is not None:
        play.memory.cuts.restart()
        return
    banks.last_wagers = {}
    for seat, main in mains(play).items():
        who = holder(play, seat)
        banks.last_wagers[who] = max(main, banks.last_wagers.get(who, main))
