"""What two cards open, what may be raised on them, and who wins when the third card falls: 6.1(b), 6.5(e)-(i)."""

from dataclasses import dataclass
from enum import Enum

from feltrig.engine.cards import Card, rank
from feltrig.engine.games.red_dog.paytables import SPREADS, THREE_OF_A_KIND, Odds
from feltrig.engine.rulings import Illegal


class Opening(Enum):
    """What the first two cards are to each other."""

    CONSECUTIVE = "consecutive"
    PAIR = "pair"
    SPREAD = "spread"


class Outcome(Enum):
    """How a round ends for every wager on the table."""

    WIN = "win"
    LOSE = "lose"
    CONSECUTIVE_TIE = "consecutive_tie"
    PAIR_TIE = "pair_tie"
    THREE_OF_A_KIND = "three_of_a_kind"


class RaiseAmount(Enum):
    """How much a player may raise: RD-01."""

    UP_TO = "up_to"
    EXACTLY_EQUAL = "exactly_equal"


@dataclass(frozen=True, slots=True)
class Settlement:
    """One player's wager and raise, settled together; the net is without the stakes."""

    spread: int | None
    """None for consecutive cards and for a pair."""
    outcome: Outcome
    odds: int | None
    """To 1; None when nothing is paid."""
    net: int
    rules: tuple[str, ...]


def value(card: Card) -> int:
    """2 to 14: the ace is only ever the highest, 6.1(b)."""
    return rank(card) + 2


def opening(first: Card, second: Card) -> Opening:
    """Whether the round ends at once, brings a third card at once, or opens the raises: 6.5(e), (f), (g)."""
    gap = abs(value(first) - value(second))
    return {0: Opening.PAIR, 1: Opening.CONSECUTIVE}.get(gap, Opening.SPREAD)


def spread(first: Card, second: Card) -> int | None:
    """How many values lie between the two cards, 1 to 11; None when they are consecutive or a pair: 6.5(g)."""
    if opening(first, second) is not Opening.SPREAD:
        return None
    return abs(value(first) - value(second)) - 1


def check_raise(first: Card, second: Card, wager: int, raised: int, amount: RaiseAmount = RaiseAmount.UP_TO) -> None:
    """Refuse, as Illegal, a raise that 6.5(h) does not allow. To raise nothing is always allowed."""
    if raised and spread(first, second) is None:
        raise Illegal(f"a raise of {raised}: no spread to raise on", "19:47-6.5(h)")
    if not 0 <= raised <= wager:
        raise Illegal(f"a raise of {raised} on a wager of {wager}: expected at most as much", "19:47-6.5(h)")
    if amount is RaiseAmount.EXACTLY_EQUAL and raised not in (0, wager):
        raise Illegal(f"a raise of {raised} on a wager of {wager}: expected exactly as much", "19:47-6.5(h)")


def settle(
    first: Card,
    second: Card,
    third: Card | None,
    wager: int,
    raised: int = 0,
    amount: RaiseAmount = RaiseAmount.UP_TO,
    odds: Odds = SPREADS,
) -> Settlement:
    """Settle a wager and its raise, in cents. After consecutive cards the third is not looked at: none is dealt."""
    check_raise(first, second, wager, raised, amount)
    opened = opening(first, second)
    if opened is Opening.CONSECUTIVE:
        return Settlement(None, Outcome.CONSECUTIVE_TIE, None, 0, ("19:47-6.5(e)",))
    if third is None:
        rule = "19:47-6.5(f)" if opened is Opening.PAIR else "19:47-6.5(i)"
        raise Illegal(f"no third card after a {opened.value}", rule)
    if opened is Opening.PAIR:
        return _pair(value(third) == value(first), wager)
    return _spread(first, second, third, wager, raised, odds)


def _pair(matched: bool, wager: int) -> Settlement:
    if not matched:
        return Settlement(None, Outcome.PAIR_TIE, None, 0, ("19:47-6.5(f)", "19:47-6.5(f)2"))
    won = THREE_OF_A_KIND * wager
    return Settlement(None, Outcome.THREE_OF_A_KIND, THREE_OF_A_KIND, won, ("19:47-6.5(f)", "19:47-6.5(f)1"))


def _spread(first: Card, second: Card, third: Card, wager: int, raised: int, odds: Odds) -> Settlement:
    low, high = sorted((value(first), value(second)))
    between = high - low - 1
    staked = wager + raised
    rules = ("19:47-6.5(g)", *(("19:47-6.5(h)",) if raised else ()), "19:47-6.5(i)1")
    if not low < value(third) < high:
        return Settlement(between, Outcome.LOSE, None, -staked, rules)
    paid = odds[between]
    return Settlement(between, Outcome.WIN, paid, paid * staked, (*rules, "19:47-6.5(i)2"))
