"""Point counts and blackjacks. Sections 2.1 to 2.3 are cut off, so all of this is outside the rule text, except which
cards the text itself calls ten-value (19:47-2.7(b), 2.8(a)2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from feltrig.engine.cards import RANKS, Card, rank

VALUES: Mapping[str, int] = dict(zip("A23456789TJQK", (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), strict=True))
"""What a card counts; an ace ten more while the hand does not exceed 21."""

LIMIT = 21


@dataclass(frozen=True, slots=True)
class Count:
    """What a hand counts. `soft`: an ace counts eleven. `blackjack`: an ace and a ten-value card, dealt as such."""

    points: int
    soft: bool = False
    blackjack: bool = False

    def __post_init__(self) -> None:
        if self.blackjack and self.points != LIMIT:
            raise ValueError(f"a blackjack counts {LIMIT}, not {self.points}")

    @property
    def bust(self) -> bool:
        """Whether the hand exceeds 21."""
        return self.points > LIMIT


def value(card: Card) -> int:
    """What a card counts by itself, an ace one."""
    return VALUES[RANKS[rank(card)]]


def is_ace(card: Card) -> bool:
    """Whether the card is an ace."""
    return value(card) == 1


def is_ten(card: Card) -> bool:
    """Whether the card is a ten-value card: a ten, jack, queen or king."""
    return value(card) == 10


def may_become_blackjack(upcard: Card) -> bool:
    """Whether the dealer can still get blackjack with this first card, an ace or a ten-value card."""
    return is_ace(upcard) or is_ten(upcard)


def gives_blackjack(first: Card, second: Card) -> bool:
    """Whether two cards are a blackjack."""
    return {value(first), value(second)} == {1, 10}


def count(cards: Sequence[Card], split: bool = False) -> Count:
    """What the hand counts. A hand that comes from a split is no blackjack."""
    hard = sum(map(value, cards))
    soft = any(map(is_ace, cards)) and hard + 10 <= LIMIT
    blackjack = not split and len(cards) == 2 and gives_blackjack(*cards)
    return Count(hard + 10 if soft else hard, soft, blackjack)
