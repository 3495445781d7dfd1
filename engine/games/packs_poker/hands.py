"""The hands of Pack's Poker: those of the pack's bet (43.5(b)), and those of the bonus wagers (43.5(c), (d))."""

from collections.abc import Mapping, Sequence

from feltrig.engine.cards import Card, parse_all
from feltrig.engine.games.packs_poker.readings import Kickers, TopHand
from feltrig.engine.ranking.poker import Category, category, ranks, strength
from feltrig.engine.ranking.shape import ACE, shape

DIAMOND_ROYAL = "diamond_royal_flush"
SEVEN_CARD_TOP = "seven_card_straight_flush"
SIX_CARD_ROYAL = "six_card_royal_flush"
JACKS_OR_BETTER = "pair_jacks_or_better"
LOW_PAIR = "pair_2_to_10"

RULES: Mapping[str, str] = {
    **{held.name.lower(): f"13:69F-43.5(b){10 - held}" for held in Category if held is not Category.HIGH_CARD},
    JACKS_OR_BETTER: "13:69F-43.5(b)9",
    LOW_PAIR: "13:69F-43.5(b)9",
    DIAMOND_ROYAL: "13:69F-43.5(c)",
    SEVEN_CARD_TOP: "13:69F-43.5(d)1",
    SIX_CARD_ROYAL: "13:69F-43.5(d)2",
}
"""The clause that defines each hand. A high card is defined by none."""

_JACK = 11
_DIAMOND_ROYAL = frozenset(parse_all(["Ad", "Kd", "Qd", "Jd", "Td"]))
_SIX_CARD_ROYALS = tuple(frozenset(parse_all(rank + suit for rank in "AKQJT9")) for suit in "cdhs")

_ORDERED: Mapping[Category, int] = {
    Category.HIGH_CARD: 0,
    Category.PAIR: 1,
    Category.TWO_PAIR: 2,
    Category.THREE_OF_A_KIND: 1,
    Category.FLUSH: 0,
    Category.FOUR_OF_A_KIND: 1,
}
"""How many of the deciding ranks 43.5(b) itself puts in order, where not all of them."""


def compare(player: int, dealer: int, kickers: Kickers = Kickers.STANDARD) -> int:
    """Above 0 when the player's strength is higher, below 0 when the dealer's is, 0 for a tie hand."""
    if kickers is Kickers.STANDARD:
        return player - dealer
    first, second = _ordered_by_the_text(player), _ordered_by_the_text(dealer)
    return (first > second) - (first < second)


def five_card_hands(cards: Sequence[Card]) -> tuple[str, ...]:
    """What the player's own five cards are called in the five-card pay tables, the rarest name first."""
    found = strength(cards)
    held = category(found)
    if held is Category.PAIR:
        return (JACKS_OR_BETTER if ranks(found)[0] >= _JACK else LOW_PAIR,)
    return (DIAMOND_ROYAL, held.name.lower()) if frozenset(cards) == _DIAMOND_ROYAL else (held.name.lower(),)


def seven_card_hands(cards: Sequence[Card], top: TopHand = TopHand.STRAIGHT_FLUSH) -> tuple[str, ...]:
    """What five cards and a pack are called in the seven-card pay tables, the rarest name first.

    The last name is that of the best five cards: no printed table pays more for less.
    """
    best = category(strength(cards)).name.lower()
    seen = shape(cards)
    names = (
        (SEVEN_CARD_TOP, seen.suited and seen.top is not None and (top is TopHand.STRAIGHT_FLUSH or seen.top == ACE)),
        (SIX_CARD_ROYAL, any(royal.issubset(cards) for royal in _SIX_CARD_ROYALS)),
        (best, True),
    )
    return tuple(name for name, formed in names if formed)


def _ordered_by_the_text(found: int) -> tuple[int, ...]:
    held = category(found)
    return (held, *ranks(found)[: _ORDERED.get(held)])
