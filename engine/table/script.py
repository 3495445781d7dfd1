"""A round as a script: a generator that yields what it wants and is sent what was seen.

A game writes its round as one function of the play, `Procedure.script`, out of steps that read like the rule text:

    def script(play: Play) -> Script[tuple[Settlement, ...]]:
        yield from ready_deck(play)
        yield from close_betting(play)
        yield from deal_cards(play, places)
        ...
        return settlements

Steps are made of two ways to ask:

* `hear` asks once and waits for an answer that passes its check.
* `heed` asks for what a function of the play wants now, and looks again after everything that is told: when somebody
  withdraws a wager, the bank is offered to the next seat. It judges what was seen (see `irregular`), takes what
  stands, does what is ordered, and asks again for what does not stand.

An order can end the round (`Voided`) or start its script again (`Again`). A script that is started again must skip
what was done: the shared steps do, and a game keeps what it must know in `Play.own`.

What a game needs besides its script are hooks of its `Procedure`: what may be told between two asks, what the rules
refuse at any moment, what survives a void, and what the table remembers after a round.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from feltrig.engine import asks, tells
from feltrig.engine.answers import expect
from feltrig.engine.asks import Ask
from feltrig.engine.rulings import Order, Ruling
from feltrig.engine.table.irregular import STILL_DONE, judge
from feltrig.engine.table.play import Play
from feltrig.engine.table.result import returned
from feltrig.engine.tells import Tell

T = TypeVar("T")
Check = Callable[[Any], None]
"""Raises Illegal or OutOfTurn when the observation does not do as an answer; changes nothing."""


@dataclass(frozen=True, slots=True)
class Pending:
    """What the script waits for, and which answers it takes."""

    ask: Ask
    check: Check


Script = Generator[Pending, Tell | None, T]
"""It is sent the answer to its ask, or None when something else was told meanwhile and it should look again."""


class Voided(Exception):
    """The round is over: an order says so."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(ruling.why)
        self.ruling = ruling


class Again(Exception):
    """The round starts again from the shuffle, or from the cut; what was done before stands."""


def hear(ask: Ask, check: Check = lambda seen: None) -> Script[Any]:
    """Ask, and wait for an answer that passes the check."""
    seen = None
    while seen is None:
        seen = yield Pending(ask, check)
    return seen


def heed(
    play: Play,
    want: Callable[[], Ask | None],
    do: Callable[[Any], None] = lambda seen: None,
    check: Callable[[Any, Any], None] = lambda ask, seen: None,
) -> Script[Any]:
    """Ask for what is wanted until an answer stands, and return it; None when nothing is wanted any more."""
    while (ask := want()) is not None:
        seen = yield Pending(ask, partial(check, ask))
        if seen is not None and accept(play, seen, do):
            return seen
    return None


def accept(play: Play, seen: Tell, do: Callable[[Any], None]) -> bool:
    """Judge what was seen, take it into the round when it stands, and do what is ordered. Whether it stands."""
    rulings = judge(play, seen)
    stands = all(ruling.order in STILL_DONE for ruling in rulings)
    if stands:
        do(seen)
    for ruling in rulings:
        obey(play, ruling, seen)
    return stands


def obey(play: Play, ruling: Ruling, seen: Tell | None = None) -> None:
    """Do what was ordered. An order that ends the round, or starts it again, raises Voided or Again."""
    match ruling.order, seen:
        case Order.VOID_KEEP_BONUS, _ if play.procedure.survives(play):
            play.void = ruling
            play.undecided.clear()
        case Order.VOID | Order.VOID_KEEP_BONUS, _:
            raise Voided(ruling)
        case Order.VOID_REMOVE_DECK, _:
            play.decks.remove(play.deck, ruling.rules)
            raise Voided(ruling)
        case Order.RESHUFFLE, tells.ShufflerFailed():
            play.decks.use(seen.deck)
        case Order.RESHUFFLE, _:
            play.gather()
            raise Again
        case Order.RECUT, _:
            play.recut_from, play.cut_by = play.cut_by, None
            play.loaded = False
            play.drawn.clear()
            raise Again
        case Order.REMOVE_DECK, tells.Shuffled() | tells.CardsCollected():
            play.decks.remove(seen.deck, ruling.rules)
        case Order.DISCARD_CARD, tells.CardDealt():
            play.discard(seen.card)
            play.face_up += 1
        case Order.DISCARD_CARD, tells.CardExposed(card=int(card)):
            play.discard(card)
            play.next_card_seen = True
        case Order.USE_AS_NEXT, tells.CardDrawnInError():
            play.drawn.append(seen.card)
        case Order.OFFER_VOID, _ if ruling.position is not None:
            play.undecided.setdefault(ruling.position, ruling.rules)
        case Order.LAST_ROUND, _:
            play.memory.shoe.rounds_left = play.rules.after_cutting_card


def same_deck(ask: asks.CollectCards | asks.ReplaceDeck, seen: Any) -> None:
    """Raise OutOfTurn unless the deck is the one that was asked for."""
    expect(seen.deck == ask.deck, ask, seen)


def to_replace(play: Play) -> asks.ReplaceDeck | None:
    """A deck that was removed is replaced."""
    return next((asks.ReplaceDeck(deck, rules) for deck, rules in play.decks.removed.items()), None)


def _collect(play: Play) -> Script[None]:
    if not play.procedure.cards:  # a wheel has none
        return

    def want() -> asks.CollectCards:
        rules = play.void.rules if play.void else play.rules.collect
        return asks.CollectCards(play.deck, rules, keep=play.memory.shoe.ready and play.void is None)

    seen = None
    while seen is None:
        seen = yield Pending(want(), partial(same_deck, want()))
    play.over = True
    accept(play, seen, lambda seen: None)


def _replace_decks(play: Play) -> Script[None]:
    def replace(seen: tells.DeckReplaced) -> None:
        play.decks.replace(seen.deck)
        play.new_deck = True

    while (yield from heed(play, lambda: to_replace(play), replace, same_deck)) is not None:
        pass


def whole_round(play: Play) -> Script[object]:
    """The game's script, begun again as often as ordered, and then the clearing of the table."""
    while True:
        try:
            settlements = yield from play.procedure.script(play)
        except Again:
            continue
        except Voided as void:
            play.void, play.over = void.ruling, True
            play.undecided.clear()
            settlements = returned(play, void.ruling)
        break
    yield from _collect(play)
    yield from _replace_decks(play)
    return play.procedure.result(play, settlements)
