"""What may be told at any moment, whatever the round asks for.

A game adds its own, or puts one in place of a shared one: `Procedure.interjections`. What is told is judged like an
answer: the orders that follow stand in the table of irregularities.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from feltrig.engine import asks, tells
from feltrig.engine.answers import expect
from feltrig.engine.decks import Stage
from feltrig.engine.rulings import Illegal, OutOfTurn
from feltrig.engine.table.house import Deal
from feltrig.engine.table.irregular import Irregularity, next_card_seen
from feltrig.engine.table.play import Play
from feltrig.engine.tells import Tell


@dataclass(frozen=True, slots=True)
class Interjection:
    """An observation that answers no ask."""

    check: Callable[[Play, Any], None]
    """Raises Illegal or OutOfTurn when it may not come now; changes nothing."""
    do: Callable[[Play, Any], None] = lambda play, seen: None
    """Takes it into the round, when no order undoes it."""
    in_play: bool = True
    """A void round does not see it."""


def interjection(play: Play, seen: Tell) -> Interjection | None:
    """How a round takes this kind of observation, None when it is an answer."""
    return play.procedure.interjections.get(type(seen)) or INTERJECTIONS.get(type(seen))


def _check_bet(play: Play, seen: tells.BetPlaced) -> None:
    if play.bets_closed:
        raise Illegal("no more bets", *play.method.close)
    play.procedure.check_wagers(_with_bet(play, seen))


def _place_bet(play: Play, seen: tells.BetPlaced) -> None:
    play.wagers = _with_bet(play, seen)


def _with_bet(play: Play, seen: tells.BetPlaced) -> dict[int, dict[str, int]]:
    after = {seat: dict(bets) for seat, bets in play.wagers.items()}
    after.setdefault(seen.seat, {})[seen.bet] = seen.amount
    kept = {seat: {bet: amount for bet, amount in sorted(bets.items()) if amount} for seat, bets in after.items()}
    return {seat: bets for seat, bets in kept.items() if bets}


def check_exposed(play: Play, seen: tells.CardExposed) -> None:
    """The card lies face down somewhere, or comes next and may not be seen yet."""
    early = not play.bets_closed and Irregularity.SHOWN_BEFORE_BETS in play.procedure.remedies
    if early or next_card_seen(play, seen):
        return
    place = seen.position if seen.area is None else seen.area
    hand = () if place is None or place in play.seen else play.hand(place)
    if not hand or (seen.card is not None and seen.card not in hand):
        raise OutOfTurn(f"{seen}: no such card lies face down there")


def check_recut(play: Play, seen: tells.RecutOrdered) -> None:
    """The cards have been cut, and none was dealt."""
    if play.cut_by is None:
        raise Illegal("the cards have not been cut", *play.rules.recut)
    if play.hands or play.discarded:
        raise Illegal("cards have been dealt", *play.rules.recut)


def _check_recut(play: Play, seen: tells.RecutOrdered) -> None:
    check_recut(play, seen)
    if _deal_begun(play):
        raise Illegal("cards have been dealt", *play.rules.recut)


def _deal_begun(play: Play) -> bool:
    """Whether a card was dealt, or is on its way."""
    return play.dealt > 0 or isinstance(play.ask, asks.DealCard | asks.Dispense)


def _check_cutting_card(play: Play, seen: tells.CuttingCardSeen) -> None:
    if not play.memory.shoe.ready or play.memory.shoe.rounds_left is not None:
        raise OutOfTurn(f"{seen}: no shoe is in use, or it was seen before")


def check_draw(play: Play, seen: tells.CardDrawnInError) -> None:
    """A card can be drawn too early from a shoe or a hand that holds the deck."""
    if play.over or not play.loaded or play.house.deal is Deal.AUTOMATED_SHOE:
        raise OutOfTurn(f"{seen}: no card can be drawn now")


def _check_shuffler(play: Play, seen: tells.ShufflerFailed) -> None:
    starting = isinstance(play.ask, asks.StartShuffle) and play.ask.deck == seen.deck
    works = starting or play.decks.stages.get(seen.deck) is Stage.SHUFFLING
    assert play.ask is not None
    expect(play.house.machine_shuffle and works, play.ask, seen)


def _check_dealer_changed(play: Play, seen: tells.DealerChanged) -> None:
    if _deal_begun(play):
        raise OutOfTurn("dealers change between rounds")


def _change_dealer(play: Play, seen: tells.DealerChanged) -> None:
    play.memory.shoe.burn_due = True


INTERJECTIONS: Mapping[type[Tell], Interjection] = {
    tells.BetPlaced: Interjection(_check_bet, _place_bet, in_play=False),
    tells.CardExposed: Interjection(check_exposed),
    tells.RecutOrdered: Interjection(_check_recut),
    tells.CuttingCardSeen: Interjection(_check_cutting_card, in_play=False),
    tells.CardDrawnInError: Interjection(check_draw, in_play=False),
    tells.ShufflerFailed: Interjection(_check_shuffler, in_play=False),
    tells.DealerChanged: Interjection(_check_dealer_changed, _change_dealer, in_play=False),
}
