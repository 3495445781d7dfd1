"""What a player may do with a hand, and how much it may cost."""

from dataclasses import dataclass
from enum import Enum

from feltrig.engine.cards import Card
from feltrig.engine.games.blackjack.options import Options
from feltrig.engine.games.blackjack.points import LIMIT, count, is_ace, value
from feltrig.engine.rulings import Illegal


class Decision(Enum):
    """What a player can choose: 19:47-2.6(f)."""

    SURRENDER = "surrender"
    DOUBLE_DOWN = "double_down"
    SPLIT = "split"
    STAND = "stand"
    DRAW = "draw"


DOUBLES_FACE_UP = (9, 10, 11)
"""The point counts on which a player may double down against an exposed hole card: 19:47-2.6(k)4."""


@dataclass(frozen=True, slots=True)
class PlayerHand:
    """A hand that a player decides on."""

    cards: tuple[Card, ...]
    split: bool = False
    """It is one of the two hands of a split pair."""
    doubled: bool = False


def decisions(hand: PlayerHand, options: Options) -> tuple[Decision, ...]:
    """What the player may do now; nothing when the hand is complete."""
    held = count(hand.cards, hand.split)
    # That a player draws below 21 only is outside the rule text.
    if held.points >= LIMIT or hand.doubled or _is_complete_ace(hand, options):
        return ()
    allowed = {
        Decision.SURRENDER: options.surrender and len(hand.cards) == 2 and not hand.split,
        Decision.DOUBLE_DOWN: may_double(hand, options),
        Decision.SPLIT: may_split(hand),
        Decision.STAND: True,
        Decision.DRAW: True,
    }
    return tuple(decision for decision, may in allowed.items() if may)


def may_double(hand: PlayerHand, options: Options) -> bool:
    """On the first two cards, those of a split hand too, but not on 21: 19:47-2.10(a); fewer by 2.6(k)4."""
    points = count(hand.cards).points
    first_two = len(hand.cards) == 2 and points != LIMIT
    return first_two and (not options.face_up or points in DOUBLES_FACE_UP)


def may_split(hand: PlayerHand) -> bool:
    """Two opening cards of one value, once: 19:47-2.11(a), (c)1 and 2.6(k)5."""
    return len(hand.cards) == 2 and not hand.split and value(hand.cards[0]) == value(hand.cards[1])


def check_double(wager: int, added: int) -> None:
    """Raise Illegal unless the wager added in doubling down is within the original one."""
    if not 0 < added <= wager:
        raise Illegal(f"{added} added in doubling down: more than nothing and at most {wager}", "19:47-2.10(a)")


def check_split(wager: int, second: int) -> None:
    """Raise Illegal unless the wager on the second hand equals the original one."""
    if second != wager:
        raise Illegal(f"{second} on the second hand: expected {wager}", "19:47-2.11(a)")


def check_insurable(options: Options, upcard: Card) -> None:
    """Raise Illegal unless insurance is open: to an ace, and not with an exposed hole card."""
    if options.face_up:
        raise Illegal("no insurance with a face-up hole card", "19:47-2.6(k)3")
    if not is_ace(upcard):
        raise Illegal("insurance is for an ace as the dealer's first card", "19:47-2.9(a)")


def insurance_limit(wager: int, chip_unit: int) -> int:
    """The most that may be put on insurance: half the wager, or the next amount that chips can make (2.9(b), BJ-03)."""
    return -(-wager // (2 * chip_unit)) * chip_unit


def check_insurance(options: Options, upcard: Card, wager: int, insurance: int) -> None:
    """Raise Illegal unless insurance is open and the amount within its limit."""
    check_insurable(options, upcard)
    limit = insurance_limit(wager, options.chip_unit)
    if insurance > limit:
        raise Illegal(f"insurance of {insurance}: at most {limit} on a wager of {wager}", "19:47-2.9(b)")


def _is_complete_ace(hand: PlayerHand, options: Options) -> bool:
    return hand.split and len(hand.cards) == 2 and is_ace(hand.cards[0]) and not options.split_aces_draw
