"""What becomes of the wager and the double down wager on a hand of five cards: 17.8(c), 17.9, 17.10."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.asks import Rules
from feltrig.engine.cards import Card
from feltrig.engine.games.double_down_stud.paytables import PAYOUT_LIMIT, WAGER, Odds, line
from feltrig.engine.ranking.poker import Category, category, strength
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.result import Outcome

_DEFINED: Mapping[Category, str] = {
    Category.ROYAL_FLUSH: "19:47-17.5(b)1",
    Category.STRAIGHT_FLUSH: "19:47-17.5(b)2",
    Category.FOUR_OF_A_KIND: "19:47-17.5(b)3",
    Category.FULL_HOUSE: "19:47-17.5(b)4",
    Category.FLUSH: "19:47-17.5(b)5",
    Category.STRAIGHT: "19:47-17.5(b)6",
    Category.THREE_OF_A_KIND: "19:47-17.5(b)7",
    Category.TWO_PAIR: "19:47-17.5(b)8",
    Category.PAIR: "19:47-17.5(b)9",
    Category.HIGH_CARD: "19:47-17.5(b)",
}
"""The clause that defines each hand."""


class DoubleDownAmount(Enum):
    """How much a player may add; outside the rule text, which gives no amount: DDS-01."""

    UP_TO_EQUAL = "up_to_equal"
    EXACTLY_EQUAL = "exactly_equal"


class LimitApplies(Enum):
    """What the payout limit of a hand is laid upon: DDS-02."""

    AGGREGATE = "aggregate"
    PER_WAGER = "per_wager"


@dataclass(frozen=True, slots=True)
class Settlement:
    """The wager and the double down wager, settled together; the net is without the stakes."""

    category: Category
    outcome: Outcome
    odds: int | None
    """To 1; None when nothing is paid."""
    net: int
    rules: Rules


def check_double_down(wager: int, double_down: int, amount: DoubleDownAmount = DoubleDownAmount.UP_TO_EQUAL) -> None:
    """Refuse, as Illegal, a double down wager of an amount that is not allowed. None at all is always allowed."""
    if not 0 <= double_down <= wager:
        raise Illegal(
            f"double down wager of {double_down} on a wager of {wager}: expected at most as much", "19:47-17.8(c)"
        )
    if amount is DoubleDownAmount.EXACTLY_EQUAL and double_down not in (0, wager):
        raise Illegal(
            f"double down wager of {double_down} on a wager of {wager}: expected exactly as much", "19:47-17.8(c)"
        )


def settle(
    hand: Sequence[Card],
    wager: int,
    double_down: int = 0,
    amount: DoubleDownAmount = DoubleDownAmount.UP_TO_EQUAL,
    limit_applies: LimitApplies = LimitApplies.AGGREGATE,
    odds: Odds = WAGER,
) -> Settlement:
    """Settle both wagers, in cents, on the player's card and the four that all share."""
    check_double_down(wager, double_down, amount)
    held = category(strength(hand))
    rules = ("19:47-17.8(b)", _DEFINED[held], *(("19:47-17.8(c)",) if double_down else ()))
    paid = odds.get(line(hand))
    if paid is None:
        lost = -(wager + double_down)
        return Settlement(held, Outcome.LOSE, None, lost, (*rules, "19:47-17.9(a)", "19:47-17.10(b)"))
    if paid == 0:
        return Settlement(held, Outcome.PUSH, None, 0, (*rules, "19:47-17.9(b)", "19:47-17.10(b)"))
    full = paid * (wager + double_down)
    net = _limited(paid * wager, paid * double_down, limit_applies)
    limited = ("19:47-17.10(c)",) if net < full else ()
    return Settlement(held, Outcome.WIN, paid, net, (*rules, "19:47-17.9(c)", "19:47-17.10(b)", *limited))


def _limited(on_wager: int, on_double_down: int, applies: LimitApplies) -> int:
    if applies is LimitApplies.PER_WAGER:
        return min(on_wager, PAYOUT_LIMIT) + min(on_double_down, PAYOUT_LIMIT)
    return min(on_wager + on_double_down, PAYOUT_LIMIT)
