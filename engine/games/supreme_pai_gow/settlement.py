"""Who is paid what. Nets are gains (+) and losses (-) without the stake; every settlement names its rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from feltrig.engine.asks import Rules
from feltrig.engine.cards import Card
from feltrig.engine.games.supreme_pai_gow import ranking
from feltrig.engine.games.supreme_pai_gow.bonus import (
    DEFAULT,
    LEAST_ODDS,
    PAY_TABLE,
    BonusReadings,
    Category,
    Odds,
    category,
    payout,
    shared_royals,
)
from feltrig.engine.games.supreme_pai_gow.ranking import Hand, Readings, is_zero, player_wins, rank_two, set_fault
from feltrig.engine.money import Cents
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.commission import BankSettlement, Stake, VigorishOn, against_bank, less_vigorish
from feltrig.engine.table.result import Outcome
from feltrig.engine.table.setting import Hands


@dataclass(frozen=True, slots=True)
class Judgement:
    """An outcome and the rules that made it."""

    outcome: Outcome
    rules: Rules


@dataclass(frozen=True, slots=True)
class BonusSettlement:
    """One bonus wager, settled."""

    category: Category | None
    net: Cents
    rules: Rules


NO_BONUS = BonusSettlement(None, 0, ())


@dataclass(frozen=True, slots=True)
class SeatSettlement:
    """One seat, settled."""

    seat: int
    outcome: Outcome
    main_net: Cents
    vigorish: Cents
    bonus_category: Category | None
    bonus_net: Cents
    rules: Rules


SURRENDERED = Judgement(Outcome.SURRENDER, ("34.12(e)1",))
"""The whole wager is collected."""

_BY_HANDS_WON = (
    Judgement(Outcome.LOSE, ("34.12(g)1",)),
    Judgement(Outcome.PUSH, ("34.12(h)",)),
    Judgement(Outcome.WIN, ("34.12(h)",)),
)


def judge(
    player: Hands[Card], dealer: Hands[Card], equal_is_legal: bool = True, readings: Readings = ranking.DEFAULT
) -> Judgement:
    """The outcome of a player's hands against the dealer's, or of a player's or the dealer's against the bank's."""
    fault = set_fault(player.high, player.low, equal_is_legal, readings)
    if fault is not None:
        return Judgement(Outcome.LOSE, (fault,))
    won = 0
    decided_by: list[str] = []
    for which, mine, theirs in ((Hand.HIGH, player.high, dealer.high), (Hand.LOW, player.low, dealer.low)):
        own, other = rank_two(mine, readings.high_card), rank_two(theirs, readings.high_card)
        won += player_wins(own, other, which, readings.zero_by_arithmetic)
        if which is Hand.LOW and is_zero(own, readings.zero_by_arithmetic):
            decided_by.append("34.3(d)")
        elif own.level == other.level:
            decided_by.append("34.3(b)")
    found = _BY_HANDS_WON[won]
    return Judgement(found.outcome, (*found.rules, *dict.fromkeys(decided_by)))


def settle_seat(
    seat: int,
    judgement: Judgement,
    wager: int,
    rounding: str = "exact",
    bonus: BonusSettlement = NO_BONUS,
    *,
    banked: bool = False,
) -> SeatSettlement:
    """One seat of a round against the dealer or, `banked`, against a player's bank: the seat's nets are the same."""
    net, commission = less_vigorish(Stake(wager, judgement.outcome), rounding)
    rules = [*judgement.rules]
    if judgement.outcome is Outcome.WIN:
        rules += ["34.13(o)", "34.12(i)"] if banked else ["34.12(i)"]
    if judgement.outcome is Outcome.SURRENDER and bonus.rules:
        rules.append("34.12(e)2")
    rules += bonus.rules
    return SeatSettlement(
        seat, judgement.outcome, net, commission, bonus.category, bonus.net, tuple(dict.fromkeys(rules))
    )


def settle_bonuses(
    hands: Mapping[int, Sequence[Card]],
    wagers: Mapping[int, int],
    table_minimum: int,
    readings: BonusReadings = DEFAULT,
    odds: Odds = LEAST_ODDS,
) -> dict[int, BonusSettlement]:
    """Every bonus wager of a round, by seat, within the limit of 34.14(b). Seats that wagered nothing are left out.

    `table_minimum` is the least bonus wager that the table takes, as everywhere in the bonus rules.
    """
    staked = {seat: wager for seat, wager in wagers.items() if wager}
    found = {seat: category(hands[seat], readings) for seat in staked}
    royals = shared_royals(
        {seat: wager for seat, wager in staked.items() if found[seat] is Category.ROYAL_FLUSH}, table_minimum, odds
    )
    settled: dict[int, BonusSettlement] = {}
    for seat, wager in staked.items():
        held = found[seat]
        if held is None:
            settled[seat] = BonusSettlement(None, -wager, ("34.12(h)",))
            continue
        paid = royals[seat] if seat in royals else payout(held, wager, table_minimum, odds)
        limited = ("34.14(b)",) if paid < odds[held] * wager else ()
        settled[seat] = BonusSettlement(held, paid, (PAY_TABLE[held].rule, "34.14(a)", *limited))
    return settled


def settle_bank(
    stakes: Mapping[int, Stake],
    dealer: Stake | None = None,
    *,
    co_bank: bool = False,
    rounding: str = "exact",
    vigorish_on: VigorishOn = VigorishOn.BOTH,
) -> BankSettlement:
    """The main wagers of a round against a bank: the players' by seat, and the dealer's, which pays no vigorish."""
    if co_bank and dealer is not None:
        raise Illegal("the dealer may not wager against a co-bank", "34.13(e)")
    settled = against_bank(stakes, dealer, co_bank=co_bank, rounding=rounding, vigorish_on=vigorish_on)
    return replace(settled, rules=_bank_rules(stakes, dealer, co_bank, settled.bank_vigorish))


def _bank_rules(stakes: Mapping[int, Stake], dealer: Stake | None, co_bank: bool, bank_vigorish: Cents) -> Rules:
    """The rules that moved money in a banked round."""
    applied = {
        "34.13(k)": dealer is not None,
        "34.13(l)": not co_bank,
        "34.13(m)": co_bank,
        "34.13(n)": dealer is not None and dealer.outcome is Outcome.WIN,
        "34.13(o)": any(stake.outcome is Outcome.WIN for stake in stakes.values()),
        "34.12(i)": bank_vigorish != 0 or any(stake.outcome is Outcome.WIN for stake in stakes.values()),
    }
    return tuple(rule for rule, applies in applied.items() if applies)
