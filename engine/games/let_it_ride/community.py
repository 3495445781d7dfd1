"""Which of the three cards before the dealer is burned, and in which order the others turn: 18.10(c)-(f)."""

from collections.abc import Sequence
from dataclasses import dataclass

from feltrig.engine.cards import Card


@dataclass(frozen=True, slots=True)
class Community:
    """The three cards of the community area."""

    burned: Card
    """The card at the dealer's left, which nobody sees: 18.10(c)."""
    first: Card
    """Turned before the decision on bet two: 18.10(d)."""
    second: Card
    """Turned after it: 18.10(f)."""


def dealt_singly(cards: Sequence[Card]) -> Community:
    """From a manual shoe or the hand, in order of the deal: each card lies to the right of those before (18.7(c))."""
    burned, first, second = cards
    return Community(burned, first, second)


def dealt_as_stack(top_to_bottom: Sequence[Card]) -> Community:
    """From an automated shoe: the bottom card of the stack lies at the left, and is burned (18.9(c), LIR-02)."""
    return dealt_singly(top_to_bottom[::-1])


def hand(own: Sequence[Card], community: Community) -> tuple[Card, ...]:
    """A player's five cards; the burned one is nobody's: 18.10(g)1."""
    return (*own, community.first, community.second)
