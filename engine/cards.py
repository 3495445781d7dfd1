"""Cards as small numbers: rank + 13 * suit, and 52, 53 for the jokers."""

from collections.abc import Iterable
from typing import NewType

Card = NewType("Card", int)

RANKS = "23456789TJQKA"
SUITS = "cdhs"
JOKERS = (Card(52), Card(53))
JOKER_NAMES = ("X1", "X2")

TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)


class BadCard(ValueError):
    """A text that names no card."""


def is_joker(card: Card) -> bool:
    """Whether the card is one of the two jokers."""
    return card >= 52


def rank(card: Card) -> int:
    """0 for a two, up to 12 for an ace. A joker has no rank."""
    if card >= 52:
        raise ValueError("a joker has no rank")
    return card % 13


def suit(card: Card) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades. A joker has no suit."""
    if card >= 52:
        raise ValueError("a joker has no suit")
    return card // 13


def name(card: Card) -> str:
    """`Td`, `X1`."""
    if card >= 52:
        return JOKER_NAMES[card - 52]
    return RANKS[card % 13] + SUITS[card // 13]


def parse(text: str) -> Card:
    """The card that a text such as `Td` or `X1` names."""
    if text in JOKER_NAMES:
        return JOKERS[JOKER_NAMES.index(text)]
    if len(text) != 2:
        raise BadCard(f"card {text!r}: expected a rank of {RANKS} and a suit of {SUITS}, or X1, X2")
    if text[0] not in RANKS:
        raise BadCard(f"card {text!r}: no such rank")
    if text[1] not in SUITS:
        raise BadCard(f"card {text!r}: no such suit")
    return Card(RANKS.index(text[0]) + 13 * SUITS.index(text[1]))


def parse_all(texts: Iterable[str]) -> tuple[Card, ...]:
    """The cards that the texts name, in order."""
    return tuple(parse(text) for text in texts)


def names(cards: Iterable[Card]) -> tuple[str, ...]:
    """The texts of the cards, in order."""
    return tuple(name(card) for card in cards)


def deck(jokers: int = 0) -> tuple[Card, ...]:
    """A deck in new-deck order, clubs to spades, with as many jokers at the end."""
    return tuple(Card(code) for code in range(52 + jokers))
