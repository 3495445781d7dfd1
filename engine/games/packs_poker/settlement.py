"""Settlement of the pack's bet and the bonus wagers, without what a meter pays.

Nets are gains (+) and losses (-) without the stake.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from feltrig.engine.asks import Rules
from feltrig.engine.cards import Card
from feltrig.engine.games.packs_poker.hands import RULES, compare
from feltrig.engine.games.packs_poker.paytables import Award, Basis, PayTables
from feltrig.engine.games.packs_poker.readings import DEFAULT, Multiples, Readings, SinglePayout
from feltrig.engine.ranking.poker import Category, category, strength
from feltrig.engine.table.result import Outcome


@dataclass(frozen=True, slots=True)
class PacksBetSettlement:
    """One pack's bet, settled."""

    player: Category
    dealer: Category
    outcome: Outcome
    net: int
    rules: Rules


@dataclass(frozen=True, slots=True)
class BonusSettlement:
    """One bonus wager, settled."""

    paid_as: str | None
    """The hand that was paid, as the pay table calls it; None when the wager lost or there was none."""
    net: int
    rules: Rules
    from_meter: int = 0
    """How much of what was paid came off the progressive meter."""


NO_BONUS = BonusSettlement(None, 0, ())
QUALIFIES = "13:69F-43.10(g)"


def settle_packs_bet(
    player: Sequence[Card],
    dealer: Sequence[Card],
    pack: Sequence[Card],
    wager: int,
    no_pair_higher_pushes: bool = False,
    readings: Readings = DEFAULT,
) -> PacksBetSettlement:
    """The bet on one pack, which both five-card holdings share. `no_pair_higher_pushes` is the election of 43.10(f)."""
    mine, theirs = strength((*player, *pack)), strength((*dealer, *pack))
    held = category(mine)
    outcome, *rules = _judge(compare(mine, theirs, readings.kickers), held, no_pair_higher_pushes)
    net = {Outcome.WIN: wager, Outcome.PUSH: 0, Outcome.LOSE: -wager}[outcome]
    return PacksBetSettlement(held, category(theirs), outcome, net, ("13:69F-43.10(d)", *rules))


def settle_bonus(
    hands: Sequence[str], tables: PayTables, letter: str, wager: int, readings: Readings = DEFAULT
) -> BonusSettlement:
    """A bonus wager without a meter. `hands` are the names that the cards have in the pay tables, the rarest first."""
    if not wager:
        return NO_BONUS
    table = tables.tables[letter]
    fixed = [hand for hand in hands if hand in table and table[hand].basis is not Basis.METER_PERCENT]
    if not fixed:
        return BonusSettlement(None, -wager, (QUALIFIES, tables.clause))
    gains = {hand: gain(table[hand], wager, readings) for hand in fixed}
    by_amount = readings.single_payout is SinglePayout.HIGHEST_AMOUNT
    paid = max(fixed, key=gains.__getitem__) if by_amount else fixed[0]
    return BonusSettlement(paid, gains[paid], (QUALIFIES, RULES[paid], tables.clause))


def gain(award: Award, wager: int, readings: Readings = DEFAULT) -> int:
    """What an award that does not depend on a meter pays beyond the stake.

    Dollars do not grow with the wager, and no clause says that they cost the stake: it comes back, as with odds.
    """
    match award.basis:
        case Basis.TO_1:
            return award.amount * wager
        case Basis.MULTIPLE:
            return award.amount * wager - stake_kept(wager, readings)
        case Basis.DOLLARS:
            return award.amount * 100
        case Basis.PUSH:
            return 0
        case Basis.METER_PERCENT:
            raise ValueError("a share of the meter is not a fixed award")


def stake_kept(wager: int, readings: Readings = DEFAULT) -> int:
    """How much of the stake a winning progressive wager leaves with the house: PP-04."""
    return wager if readings.multiples is Multiples.FOR_1 else 0


def _judge(higher: int, held: Category, no_pair_higher_pushes: bool) -> tuple[Outcome, *tuple[str, ...]]:
    """43.10(e), (f); `higher` as by `compare`. An unpaired tie loses: the election does not reach it (PP-06)."""
    paired = held >= Category.PAIR
    if higher > 0 and paired:
        return Outcome.WIN, "13:69F-43.10(e)", "13:69F-43.11(a)"
    if higher > 0 and no_pair_higher_pushes:
        return Outcome.PUSH, "13:69F-43.10(f)"
    if higher == 0 and paired:
        return Outcome.PUSH, "13:69F-43.10(f)"
    return Outcome.LOSE, "13:69F-43.10(e)"
