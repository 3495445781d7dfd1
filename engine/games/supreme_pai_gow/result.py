"""How a round ended: every seat settled, or void."""

from collections.abc import Mapping
from dataclasses import dataclass

from feltrig.engine.asks import Rules
from feltrig.engine.cards import Card
from feltrig.engine.games.supreme_pai_gow.play import Play
from feltrig.engine.games.supreme_pai_gow.settlement import (
    NO_BONUS,
    SURRENDERED,
    BonusSettlement,
    Judgement,
    SeatSettlement,
    judge,
    settle_bank,
    settle_bonuses,
    settle_seat,
)
from feltrig.engine.rulings import Order, Ruling
from feltrig.engine.table.commission import BankSettlement, Stake
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.result import Outcome


@dataclass(frozen=True, slots=True)
class Result:
    """The end of a round. A void one names the order that ended it and the rules of that order."""

    void: bool
    order: Order | None
    rules: Rules
    settlements: tuple[SeatSettlement, ...]
    """Every seat that had a wager; a bank only when it had a bonus wager, its main wager being out of action."""
    bank: BankSettlement | None
    rulings: tuple[Ruling, ...]
    start: int | None
    hands: Mapping[int, tuple[Card, ...]]
    """The cards that each position was dealt."""


def settle(play: Play) -> Result:
    """The result of a round that is over."""
    judgements = {seat: _judge(play, seat) for seat in play.mains}
    bonuses = _bonuses(play)
    return Result(
        void=play.void is not None,
        order=play.void.order if play.void else None,
        rules=play.void.rules if play.void else (),
        settlements=tuple(_seats(play, judgements, bonuses)),
        bank=None if play.bank is None or play.void else _bank(play, play.bank, judgements),
        rulings=tuple(play.rulings),
        start=play.start,
        hands={position: tuple(cards) for position, cards in sorted(play.hands.items())},
    )


def _judge(play: Play, seat: int) -> Judgement:
    if seat in play.surrendered:  # collected at once, whatever becomes of the round later
        return SURRENDERED
    if play.void:
        return Judgement(Outcome.VOID, play.void.rules)
    if seat in play.voided:
        return Judgement(Outcome.VOID, ("34.16(d)",))
    opponent = DEALER if play.bank is None else play.bank
    return judge(play.settings[seat], play.settings[opponent], play.options.equal_is_legal)


def _bonuses(play: Play) -> dict[int, BonusSettlement]:
    if play.dead:
        return {}
    options = play.options
    return settle_bonuses(play.hands, play.bonuses, options.bonus_minimum, options.bonus_readings, options.odds)


def _seats(
    play: Play, judgements: Mapping[int, Judgement], bonuses: Mapping[int, BonusSettlement]
) -> list[SeatSettlement]:
    rounding, banked = play.options.vigorish_rounding, play.bank is not None
    out_of_action = Judgement(Outcome.VOID, ("34.1 Bank",))
    return [
        settle_seat(
            seat,
            judgements.get(seat, out_of_action),
            play.wagers[seat].main,
            rounding,
            bonuses.get(seat, NO_BONUS),
            banked=banked,
        )
        for seat in sorted(judgements.keys() | bonuses.keys())
    ]


def _bank(play: Play, bank: int, judgements: Mapping[int, Judgement]) -> BankSettlement:
    stakes = {seat: Stake(main, judgements[seat].outcome) for seat, main in play.mains.items()}
    dealer = None
    if play.dealer_wager:
        found = judge(play.settings[DEALER], play.settings[bank], play.options.equal_is_legal)
        dealer = Stake(play.dealer_wager, found.outcome)
    return settle_bank(stakes, dealer, co_bank=play.co_bank, rounding=play.options.vigorish_rounding)
