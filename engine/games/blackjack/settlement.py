"""Who is paid what, and when. Nets are gains (+) and losses (-) without the stake; every settlement names its rules."""

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from feltrig.engine.cards import Card
from feltrig.engine.games.blackjack.points import Count, gives_blackjack, is_ace, is_ten, may_become_blackjack
from feltrig.engine.money import Cents, exact
from feltrig.engine.rulings import Illegal

BLACKJACK_ODDS = Fraction(3, 2)
"""19:47-2.7(a)."""

INSURANCE_ODDS = 2
"""19:47-2.9(c)."""


class Paid(Enum):
    """When a wager is settled."""

    IMMEDIATELY = "immediately"
    AFTER_SECOND = "after_dealer_second_card"


class Unsettled(Illegal):
    """The wager cannot be settled before the dealer's second card."""

    def __init__(self, rule: str) -> None:
        super().__init__("the wager waits for the dealer's second card", rule)


@dataclass(frozen=True, slots=True)
class Settlement:
    """One wager, settled."""

    net: Cents
    paid: Paid
    rules: tuple[str, ...]


def settle_blackjack(upcard: Card, second: Card | None, wager: int) -> Settlement:
    """A player's blackjack: paid at once, or when the dealer's second card is known (19:47-2.7(a), (b))."""
    won = exact(BLACKJACK_ODDS * wager)
    if not may_become_blackjack(upcard):
        return Settlement(won, Paid.IMMEDIATELY, ("19:47-2.7(a)",))
    if second is None:
        raise Unsettled("19:47-2.7(b)")
    stand_off = gives_blackjack(upcard, second)
    return Settlement(0 if stand_off else won, Paid.AFTER_SECOND, ("19:47-2.7(b)",))


def removes_cards(upcard: Card, bonus_wager: bool) -> bool:
    """Whether a paid blackjack is removed before any third card; a bonus wager of 2.20 keeps it (19:47-2.7(a))."""
    return not may_become_blackjack(upcard) and not bonus_wager


def consolidates(upcard: Card, wager: int, insurance: int) -> bool:
    """Whether a blackjack with this insurance gets the consolidated payout, where it is offered: exactly half."""
    return is_ace(upcard) and insurance > 0 and 2 * insurance == wager


def settle_consolidated(wager: int) -> Settlement:
    """Even money for blackjack and insurance together, before any further card: 19:47-2.7(c)."""
    return Settlement(wager, Paid.IMMEDIATELY, ("19:47-2.7(c)",))


def settle_surrender(upcard: Card, second: Card | None, wager: int) -> Settlement:
    """A surrendered hand: half is lost, but all of it when the dealer turns out to have blackjack (19:47-2.8(a))."""
    half = exact(Fraction(-wager, 2))
    if not may_become_blackjack(upcard):
        return Settlement(half, Paid.IMMEDIATELY, ("19:47-2.8(a)1",))
    if second is None:
        raise Unsettled("19:47-2.8(a)2")
    return Settlement(-wager if gives_blackjack(upcard, second) else half, Paid.AFTER_SECOND, ("19:47-2.8(a)2",))


def settle_insurance(second: Card | None, insurance: int) -> Settlement:
    """Insurance against an ace: wins on a ten-value card, loses on any other (19:47-2.9(a))."""
    if second is None:
        raise Unsettled("19:47-2.9(a)")
    if is_ten(second):
        return Settlement(INSURANCE_ODDS * insurance, Paid.AFTER_SECOND, ("19:47-2.9(a)", "19:47-2.9(c)"))
    return Settlement(-insurance, Paid.AFTER_SECOND, ("19:47-2.9(a)", "19:47-2.9(d)"))


def lost_to_blackjack(wager: int, split: int = 0, original_only: bool = False) -> Settlement:
    """A hand that is no blackjack against a dealer's: what was added in doubling down goes back (19:47-2.10(b)).

    Of the second wager of a split the text says nothing: it is lost too, unless only the original one is (BJ-02).
    """
    return Settlement(-wager - (0 if original_only else split), Paid.AFTER_SECOND, ("19:47-2.10(b)",))


def settle_hand(player: Count, dealer: Count, wager: int) -> Settlement:
    """A hand against the dealer's final count. Only blackjacks are in the rule text: 19:47-2.3 is cut off."""
    rules = ("19:47-2.7(b)",) if player.blackjack else ()
    if player.bust or _standing(player) < _standing(dealer):
        return Settlement(-wager, Paid.AFTER_SECOND, rules)
    if _standing(player) == _standing(dealer):
        return Settlement(0, Paid.AFTER_SECOND, rules)
    return Settlement(exact(BLACKJACK_ODDS * wager) if player.blackjack else wager, Paid.AFTER_SECOND, rules)


def settle_face_up(player: Count, dealer: Count, wager: int) -> Settlement:
    """A hand against a dealer whose hole card was dealt face up: ties lose, but a blackjack always wins (BJ-01)."""
    wins = player.blackjack or (not player.bust and _standing(player) > _standing(dealer))
    if wins:
        return Settlement(wager, Paid.AFTER_SECOND, ("19:47-2.6(k)1", "19:47-2.6(k)2"))
    return Settlement(-wager, Paid.AFTER_SECOND, ("19:47-2.6(k)1",))


def _standing(held: Count) -> tuple[int, bool]:
    """Sorts from lowest to highest: bust, then by points, a blackjack above any other 21."""
    return (0 if held.bust else held.points), held.blackjack
