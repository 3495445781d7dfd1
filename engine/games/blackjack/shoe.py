"""The shoe: what is burned, which side of a double shoe is dealt from, and how the cards come back."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from feltrig.engine.cards import Card, deck, names, suit
from feltrig.engine.games.blackjack.options import Shoe
from feltrig.engine.rulings import Illegal

RED_SUITS = (1, 2)
"""Diamonds and hearts."""

ONE_DECK = 52
"""How many discards call for a Bart Carter shuffle, about: 19:47-2.6(m)."""

STACKS = 3
"""Into which the shuffled discards are split: 19:47-2.6(m)."""


class Side(Enum):
    """A side of a double shoe."""

    LEFT = "left"
    RIGHT = "right"


class Use(Enum):
    """What becomes of a determinant card: 19:47-2.6(d)2."""

    FIRST_CARD = "first card of the first player"
    BURNED = "burned in the segregated area"


@dataclass(frozen=True, slots=True)
class Determined:
    """What a determinant card decided."""

    side: Side
    """The round is dealt from here."""
    use: Use
    rules: tuple[str, ...] = ("19:47-2.6(d)1", "19:47-2.6(d)2")


@dataclass(frozen=True, slots=True)
class Reconciled:
    """A full set of cards against what was gathered of it."""

    missing: tuple[Card, ...]
    surplus: tuple[Card, ...]

    @property
    def complete(self) -> bool:
        """Whether every card is there, and no other."""
        return not self.missing and not self.surplus


def burns(shoe: Shoe, fresh: bool, new_dealer: bool) -> bool:
    """Whether a card is burned before the first one is dealt: 19:47-2.6(c), but not where (c) or (d) say otherwise."""
    return shoe is Shoe.SINGLE and (fresh or new_dealer)


def determine(card: Card, drawn_from: Side, red_suits: Side) -> Determined:
    """What the card drawn before a round decides, on a table where hearts and diamonds stand for that side."""
    red = suit(card) in RED_SUITS
    side = red_suits if red else _other(red_suits)
    return Determined(side, Use.FIRST_CARD if side is drawn_from else Use.BURNED)


def check_side(drawn_from: Side, determined: Determined) -> None:
    """Raise Illegal when a card of the round comes from the other side."""
    if drawn_from is not determined.side:
        raise Illegal(f"card from the {drawn_from.value} side: this round is dealt from the other", "19:47-2.6(d)1")


def reconcile(decks: int, *gathered: Iterable[Card]) -> Reconciled:
    """Whether the rest of the shoe, or of one side of it, and the discards make up all the cards: 19:47-2.6(l)2."""
    full = Counter(deck() * decks)
    found = Counter(card for cards in gathered for card in cards)
    return Reconciled(tuple(sorted((full - found).elements())), tuple(sorted((found - full).elements())))


def check_complete(decks: int, *gathered: Iterable[Card], double_shoe: bool = False) -> None:
    """Raise Illegal when cards are missing or too many before the shuffle."""
    found = reconcile(decks, *gathered)
    if not found.complete:
        why = f"missing {_list(found.missing)}; too many {_list(found.surplus)}"
        raise Illegal(why, "19:47-2.6(l)2ii" if double_shoe else "19:47-2.6(l)2i")


def recycles(discards: int) -> bool:
    """Whether the discards go back to the shoe after this round of a Bart Carter shuffle: 19:47-2.6(m)."""
    return discards > ONE_DECK


def reinsert(shoe: Sequence[Card], shuffled: Sequence[Card], marks: Sequence[int]) -> tuple[Card, ...]:
    """The shoe with the shuffled discards put back in three stacks, each behind so many of its cards: 19:47-2.6(m).

    The first stacks are one card larger when the discards do not split evenly.
    """
    if len(marks) != STACKS or list(marks) != sorted(set(marks)) or marks[0] < 0 or marks[-1] > len(shoe):
        raise Illegal(f"marks {tuple(marks)}: expected {STACKS} places within {len(shoe)} cards", "19:47-2.6(m)")
    size, larger = divmod(len(shuffled), STACKS)
    ends = [size * (number + 1) + min(number + 1, larger) for number in range(STACKS)]
    after: list[Card] = []
    mark = start = 0
    for next_mark, end in zip(marks, ends, strict=True):
        after += (*shoe[mark:next_mark], *shuffled[start:end])
        mark, start = next_mark, end
    return (*after, *shoe[mark:])


def _other(side: Side) -> Side:
    return Side.RIGHT if side is Side.LEFT else Side.LEFT


def _list(cards: Sequence[Card]) -> str:
    return " ".join(names(cards)) or "none"
