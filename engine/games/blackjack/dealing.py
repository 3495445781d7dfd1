"""In which order cards are dealt, and when the dealer's own cards come."""

from collections.abc import Sequence

from feltrig.engine.cards import Card
from feltrig.engine.games.blackjack.options import Options, SecondCard
from feltrig.engine.games.blackjack.points import count, gives_blackjack, may_become_blackjack

DEALER = 0

DEALER_STANDS = 17
"""Outside the rule text: 19:47-2.12 is cut off."""


def initial_deal(boxes: Sequence[int], second_card: SecondCard, first_is_dealt: bool = False) -> tuple[int, ...]:
    """To whom the cards go before any player decides; the boxes that hold a wager, from the dealer's left.

    A determinant card that became the first card of the first box is not dealt again: 19:47-2.6(d)2, (e).
    """
    dealers_second = () if second_card is SecondCard.AFTER_PLAYERS else (DEALER,)
    order = (*boxes, DEALER, *boxes, *dealers_second)
    return order[1:] if first_is_dealt else order


def reader_asked(options: Options, upcard: Card) -> bool:
    """Whether the card reader must say, before any player gets a third card, if the dealer has blackjack: 2.6(j)."""
    return options.card_reader and may_become_blackjack(upcard)


def dealing_ends(options: Options, upcard: Card, hole: Card) -> tuple[str, ...]:
    """The rule that ends the deal because the dealer is known to have blackjack; none when play goes on."""
    if not gives_blackjack(upcard, hole):
        return ()
    if options.face_up:
        return ("19:47-2.6(k)6",)
    return ("19:47-2.6(j)1",) if options.card_reader else ()


def dealer_draws(cards: Sequence[Card], hits_soft_17: bool = False) -> bool:
    """Whether the dealer draws again: up to 16, and on a soft 17 by the house's choice. Outside the rule text."""
    held = count(cards)
    return held.points < DEALER_STANDS or (hits_soft_17 and held.soft and held.points == DEALER_STANDS)
