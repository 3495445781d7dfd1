"""How a round of Supreme Pai Gow ended: every seat settled, or void."""

from collections.abc import Mapping
from dataclasses import dataclass

from feltrig.engine.asks import Rules
from feltrig.engine.cards import Card
from feltrig.engine.games.supreme_pai_gow import settlement
from feltrig.engine.games.supreme_pai_gow.state import bonuses, mains, state
from feltrig.engine.rulings import Order, Ruling
from feltrig.engine.table.commission import BankSettlement, Stake
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.play import Play
from feltrig.engine.table.positions import POSITIONS
from feltrig.engine.table.result import Outcome


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a round. A void one names the order that ended it and the rules of that order."""

    void: bool
    order: Order | None
    rules: Rules
    settlements: tuple[settlement.SeatSettlement, ...]
    """Every seat that had a wager; a bank only when it had a bonus wager, its main wager being out of action."""
    bank: BankSettlement | None
    rulings: tuple[Ruling, ...]
    start: int | None
    hands: Mapping[int, tuple[Card, ...]]
    """The cards that each position was dealt."""


def settle(play: Play, settlements: tuple[object, ...] = ()) -> Result:
    """The result of a round that is over."""
    own = state(play)
    judgements = {seat: _judge(play, seat) for seat in mains(play)}
    return Result(
        void=play.void is not None,
        order=play.void.order if play.void else None,
        rules=play.void.rules if play.void else (),
        settlements=tuple(_seats(play, judgements, _bonuses(play))),
        bank=None if own.bank is None or play.void else _bank(play, own.bank, judgements),
        rulings=tuple(play.rulings),
        start=own.start,
        hands={position: play.hand(position) for position in range(POSITIONS) if play.hand(position)},
    )


def _judge(play: Play, seat: int) -> settlement.Judgement:
    own = state(play)
    if seat in own.surrendered:  # collected at once, whatever becomes of the round later
        return settlement.SURRENDERED
    if play.void:
        return settlement.Judgement(Outcome.VOID, play.void.rules)
    if seat in play.voided:
        return settlement.Judgement(Outcome.VOID, ("34.16(d)",))
    opponent = DEALER if own.bank is None else own.bank
    return settlement.judge(own.settings[seat], own.settings[opponent], play.options.equal_is_legal)


def _bonuses(play: Play) -> dict[int, settlement.BonusSettlement]:
    if play.void and play.void.order is not Order.VOID_KEEP_BONUS:
        return {}
    options = play.options
    hands = {seat: play.hand(seat) for seat in bonuses(play)}
    return settlement.settle_bonuses(hands, bonuses(play), options.bonus_minimum, options.bonus_readings, options.odds)


def _seats(
    play: Play, judgements: Mapping[int, settlement.Judgement], settled: Mapping[int, settlement.BonusSettlement]
) -> list[settlement.SeatSettlement]:
    rounding, banked = play.options.vigorish_rounding, state(play).bank is not None
    out_of_action = settlement.Judgement(Outcome.VOID, ("34.1 Bank",))
    return [
        settlement.settle_seat(
            seat,
            judgements.get(seat, out_of_action),
            play.stake(seat, "main"),
            rounding,
            settled.get(seat, settlement.NO_BONUS),
            banked=banked,
        )
        for seat in sorted(judgements.keys() | settled.keys())
    ]


def _bank(play: Play, bank: int, judgements: Mapping[int, settlement.Judgement]) -> BankSettlement:
    own = state(play)
    stakes = {seat: Stake(main, judgements[seat].outcome) for seat, main in mains(play).items()}
    dealer = None
    if own.dealer_wager:
        found = settlement.judge(own.settings[DEALER], own.settings[bank], play.options.equal_is_legal)
        dealer = Stake(own.dealer_wager, found.outcome)
    return settlement.settle_bank(stakes, dealer, co_bank=own.co_bank, rounding=play.options.vigorish_rounding)
