"""Where cards are: as a round asked for, unless they were seen elsewhere."""

from typing import TYPE_CHECKING, Any

from feltrig.engine import asks, tells
from feltrig.engine.tells import Tell

if TYPE_CHECKING:
    from feltrig.engine.table.play import Place, Play

STACK = "stack."
"""What the places are called where stacks are built by hand, before their number."""


def asked_place(ask: object) -> "Place":
    """Where an ask wants cards to go."""
    assert isinstance(ask, asks.DealCard | asks.Dispense)
    if isinstance(ask, asks.DealCard) and ask.stack is not None:
        return stack_place(ask.stack)
    place = ask.position if ask.area is None else ask.area
    assert place is not None
    return place


def went(play: "Play", seen: tells.CardDealt | tells.StackDispensed | tells.CardExposed) -> "Place":
    """Where cards really are: as asked, unless they were seen elsewhere."""
    told: Any = seen.position if seen.area is None else seen.area
    if told is None and isinstance(seen, tells.CardDealt) and seen.stack is not None:
        told = stack_place(seen.stack)
    return asked_place(play.ask) if told is None else told


def position_of(play: "Play", seen: Tell) -> int | None:
    """The position that an observation concerns, None when it concerns none."""
    match seen:
        case tells.CardDealt() | tells.StackDispensed():
            place = went(play, seen)
            return place if isinstance(place, int) else None
        case tells.StackDelivered() | tells.CardExposed() | tells.HandSet() | tells.ButtonSeen():
            return seen.position
    return None


def stack_place(number: int) -> "Place":
    """The place of a stack that is built by hand, counted from the dealer's left, 1 first."""
    return f"{STACK}{number}"


def shown(seen: tells.CardDealt | tells.CardExposed) -> bool:
    """Whether somebody saw the card."""
    return isinstance(seen, tells.CardExposed) or seen.exposed
