"""What becomes of the three bets and of the bonus wager on a hand of five cards: 18.10(h), 18.11."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.asks import Rules
from feltrig.engine.cards import Card
from feltrig.engine.games.let_it_ride.paytables import BETS, BONUS, BONUS_WAGER, LEAST_LIMIT, Odds, line
from feltrig.engine.ranking.poker import Category, category, strength
from feltrig.engine.rulings import Illegal

_DEFINED: Mapping[Category, str] = {
    Category.ROYAL_FLUSH: "19:47-18.3(b)1",
    Category.STRAIGHT_FLUSH: "19:47-18.3(b)2",
    Category.FOUR_OF_A_KIND: "19:47-18.3(b)3",
    Category.FULL_HOUSE: "19:47-18.3(b)4",
    Category.FLUSH: "19:47-18.3(b)5",
    Category.STRAIGHT: "19:47-18.3(b)6",
    Category.THREE_OF_A_KIND: "19:47-18.3(b)7",
    Category.TWO_PAIR: "19:47-18.3(b)8",
    Category.PAIR: "19:47-18.3(b)9",
    Category.HIGH_CARD: "19:47-18.3(b)",
}
"""The clause that defines each hand."""


class LimitApplies(Enum):
    """What the payout limit is laid upon: LIR-04."""

    AGGREGATE = "aggregate"
    PER_BET = "per_bet"


class BonusStake(Enum):
    """What becomes of the stake of a winning bonus wager, which was collected before the deal: LIR-03."""

    NOT_RETURNED = "not_returned"
    RETURNED = "returned"


@dataclass(frozen=True, slots=True)
class BetsSettlement:
    """The bets that were left to ride, settled together; the net is without the stakes."""

    category: Category
    odds: int | None
    """To 1; None when the hand loses."""
    at_risk: int
    """How many of the three bets stood."""
    net: int
    rules: Rules


@dataclass(frozen=True, slots=True)
class BonusSettlement:
    """A bonus wager, settled."""

    payout: int
    """What the dealer hands out, 0 when it loses."""
    net: int
    rules: Rules


NO_BONUS = BonusSettlement(0, 0, ())


def settle_bets(
    hand: Sequence[Card],
    unit: int,
    *,
    first_rides: bool,
    second_rides: bool,
    limit: int | None = None,
    limit_applies: LimitApplies = LimitApplies.AGGREGATE,
    odds: Odds = BETS,
) -> BetsSettlement:
    """Settle bets of `unit` cents each. The third always stands; `limit` is the licensee's payout limit, if any."""
    check_limit(limit)
    held = category(strength(hand))
    at_risk = 1 + first_rides + second_rides
    stood = (
        "19:47-18.10(b)1" if first_rides else "19:47-18.10(b)2",
        "19:47-18.10(e)1" if second_rides else "19:47-18.10(e)2",
    )
    rules = ("19:47-18.10(g)1", _DEFINED[held], *stood)
    paid = odds.get(line(hand))
    if paid is None:
        return BetsSettlement(held, None, at_risk, -unit * at_risk, (*rules, "19:47-18.10(h)"))
    full = paid * unit * at_risk
    net = full if limit is None else _limited(paid * unit, at_risk, limit, limit_applies)
    limited = ("19:47-18.11(c)",) if net < full else ()
    return BetsSettlement(held, paid, at_risk, net, (*rules, "19:47-18.11(b)", *limited))


def settle_bonus(
    hand: Sequence[Card], wager: int, stake: BonusStake = BonusStake.NOT_RETURNED, amounts: Mapping[str, int] = BONUS
) -> BonusSettlement:
    """Settle a bonus wager of nothing or of one dollar. It takes no notice of the bets, nor of their limit."""
    check_bonus(wager)
    if not wager:
        return NO_BONUS
    payout = amounts.get(line(hand))
    if payout is None:
        return BonusSettlement(0, -wager, ("19:47-18.6A(a)",))
    kept = 0 if stake is BonusStake.RETURNED else wager
    return BonusSettlement(payout, payout - kept, ("19:47-18.6A(c)", "19:47-18.11(d)"))


def check_limit(limit: int | None) -> None:
    """Refuse, as Illegal, a payout limit that is lower than a licensee may set it."""
    if limit is not None and limit < LEAST_LIMIT:
        raise Illegal(f"payout limit of {limit} cents: expected at least {LEAST_LIMIT}", "19:47-18.11(c)")


def check_bonus(wager: int) -> None:
    """Refuse, as Illegal, a bonus wager that is not one chip of one dollar."""
    if wager not in (0, BONUS_WAGER):
        raise Illegal(f"bonus wager of {wager} cents: expected {BONUS_WAGER}, or none", "19:47-18.6A(b)")


def _limited(per_bet: int, at_risk: int, limit: int, applies: LimitApplies) -> int:
    if applies is LimitApplies.PER_BET:
        return min(per_bet, limit) * at_risk
    return min(per_bet * at_risk, limit)
