"""In which order cards are dealt and picked up, and when the dealer's own cards come."""

from collections.abc import Mapping, Sequence

from feltrig.engine.cards import Card
from feltrig.engine.games.blackjack.options import Options, SecondCard
from feltrig.engine.games.blackjack.points import count, gives_blackjack, is_two_sevens, may_become_blackjack

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


def pick_up_order(boxes: Sequence[int]) -> tuple[int, ...]:
    """In which order hands are collected at the end: from the dealer's far right, the dealer's last (19:47-2.6(i))."""
    return (*reversed(boxes), DEALER)


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


def offered_third_seven(
    options: Options, hands: Mapping[int, Sequence[Card]], wagered: Sequence[int]
) -> tuple[int, ...]:
    """The boxes that may still take a card when a known dealer blackjack ends the deal: 19:47-2.6(j)3, (k)6.

    Hands are in order from the dealer's left; `wagered` are the boxes with the additional wager on two sevens.
    """
    if not options.sevens_wager:
        return ()
    return tuple(box for box, cards in hands.items() if box in wagered and is_two_sevens(cards))


def dealer_draws(cards: Sequence[Card], hits_soft_17: bool = False) -> bool:
    """Whether the dealer draws again: up to 16, and on a soft 17 by the house's choice. Outside the rule text."""
    held = count(cards)
    return held.points < DEALER_STANDS or (hits_soft_17 and held.soft and held.points == DEALER_STANDS)
