"""A round as a script: a generator that yields what it wants and is sent what was seen."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar

from feltrig.engine import asks, tells
from feltrig.engine.answers import ANSWERS, expect
from feltrig.engine.asks import Ask
from feltrig.engine.rulings import Illegal, Order, OutOfTurn, Ruling
from feltrig.engine.table.irregular import Irregularity
from feltrig.engine.table.play import Place, Play
from feltrig.engine.table.result import Result, Settlement, returned
from feltrig.engine.tells import Tell

T = TypeVar("T")
Check = Callable[[Tell], None]
"""Raises Illegal or OutOfTurn when the observation does not do as an answer; changes nothing."""


@dataclass(frozen=True, slots=True)
class Pending:
    """What the script waits for, and which answers it takes."""

    ask: Ask
    check: Check


Script = Generator[Pending, Tell, T]


class Voided(Exception):
    """The round is over: an order says so."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(ruling.why)
        self.ruling = ruling


class Again(Exception):
    """The round starts again from the shuffle, or from the cut; what was done before stands."""


def hear(ask: Ask, check: Check = lambda seen: None) -> Script[Tell]:
    """Ask, and wait for an answer that passes the check."""
    return (yield Pending(ask, check))


def obey(play: Play, ruling: Ruling) -> None:
    """End the round, or start it again, when that was ordered; otherwise return."""
    match ruling.order:
        case Order.VOID | Order.VOID_KEEP_BONUS:
            raise Voided(ruling)
        case Order.VOID_REMOVE_DECK:
            play.decks.remove(play.deck, ruling.rules)
            raise Voided(ruling)
        case Order.RESHUFFLE:
            play.gather()
            raise Again
        case Order.RECUT:
            play.recut_from, play.cut_by = play.cut_by, None
            play.loaded = False
            play.drawn.clear()
            raise Again


def clear_devices(play: Play) -> Script[None]:
    """A device that failed is cleared before anything else."""
    while play.jammed:
        device = play.jammed[0]
        failed = Irregularity.SHUFFLER_FAILED if device == "shuffler" else Irregularity.SHOE_FAILED
        remedy = play.procedure.remedies.get(failed)
        ask = asks.ClearDevice(device, remedy.rules if remedy else play.rules.deck)
        yield from hear(ask, lambda seen, ask=ask: expect(seen.device == ask.device, ask, seen))  # type: ignore[misc]
        play.jammed.remove(device)


def replace_decks(play: Play) -> Script[None]:
    """A deck that was removed is replaced."""
    while play.decks.removed:
        deck, rules = next(iter(play.decks.removed.items()))
        ask = asks.ReplaceDeck(deck, rules)
        yield from hear(ask, lambda seen, ask=ask: expect(seen.deck == ask.deck, ask, seen))  # type: ignore[misc]
        play.decks.replace(deck)


def _collect(play: Play) -> Script[None]:
    if not play.procedure.cards:  # a wheel has none
        return
    rules = play.void.rules if play.void else play.rules.collect
    ask = asks.CollectCards(play.deck, rules, keep=play.memory.shoe.ready and play.void is None)
    seen = yield from hear(ask, lambda seen: expect(seen.deck == ask.deck, ask, seen))  # type: ignore[union-attr]
    assert isinstance(seen, tells.CardsCollected)
    wrong = seen.count not in (None, len(play.procedure.cards)) and not play.memory.shoe.ready
    if wrong and seen.deck not in play.decks.removed:
        ruling = play.rule(Irregularity.MISCOLLECTED)
        play.decks.remove(seen.deck, ruling.rules)


def whole_round(play: Play) -> Script[Result]:
    """The game's script, begun again as often as ordered, and then the clearing of the table."""
    settlements: tuple[Settlement, ...]
    while True:
        try:
            settlements = yield from play.procedure.script(play)
        except Again:
            continue
        except Voided as void:
            play.void = void.ruling
            settlements = returned(play, void.ruling)
        break
    yield from clear_devices(play)
    yield from _collect(play)
    yield from replace_decks(play)
    return Result.of(play, settlements)


class Round:
    """Ask what comes next, tell what was seen, until `ask` is None; then `result` says how it ended."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._script = whole_round(play)
        self._pending: Pending | None = None
        self._result: Result | None = None
        self._advance(lambda: next(self._script))

    @property
    def ask(self) -> Ask | None:
        """What must happen next, None when the round is over."""
        return None if self._pending is None else self._pending.ask

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """All orders given so far."""
        return tuple(self._play.rulings)

    @property
    def result(self) -> Result | None:
        """How the round ended, None until it has."""
        return self._result

    @property
    def deck(self) -> str:
        """The deck of this round."""
        return self._play.deck

    def verify(self, seen: Tell) -> None:
        """Raise Illegal when the rules forbid it, OutOfTurn when it does not fit the moment."""
        if self._pending is None:
            raise OutOfTurn("the round is over")
        if type(seen) in INTERJECTIONS and type(seen) not in ANSWERS[type(self._pending.ask)]:
            INTERJECTIONS[type(seen)].check(self._play, seen)
            return
        expect(isinstance(seen, ANSWERS[type(self._pending.ask)]), self._pending.ask, seen)
        self._pending.check(seen)

    def can(self, seen: Tell) -> bool:
        """Whether this can be told now."""
        try:
            self.verify(seen)
        except (Illegal, OutOfTurn):
            return False
        return True

    def tell(self, seen: Tell) -> tuple[Ruling, ...]:
        """Take an observation and return the orders that it leads to. What cannot be told changes nothing."""
        self.verify(seen)
        assert self._pending is not None
        before = len(self._play.rulings)
        if type(seen) in ANSWERS[type(self._pending.ask)]:
            self._advance(lambda: self._script.send(seen))
        else:
            self._interject(seen)
        return tuple(self._play.rulings[before:])

    def _interject(self, seen: Tell) -> None:
        try:
            INTERJECTIONS[type(seen)].take(self._play, seen)
        except (Voided, Again) as order:
            # Named here: `except` forgets its variable before the script is thrown at.
            thrown = order
            self._advance(lambda: self._script.throw(thrown))

    def _advance(self, step: Callable[[], Pending]) -> None:
        try:
            self._pending = step()
        except StopIteration as over:
            self._pending = None
            self._result = over.value
            self._play.round_over()


# What may be told at any moment


@dataclass(frozen=True, slots=True)
class Interjection:
    """An observation that answers no ask: whether it may come now, and what follows."""

    check: Callable[[Play, Tell], None]
    take: Callable[[Play, Tell], None]


def _check_bet(play: Play, seen: Tell) -> None:
    assert isinstance(seen, tells.BetPlaced)
    if play.bets_closed:
        raise Illegal("no more bets", *play.method.close)
    play.procedure.check_wagers(play.options, _with_bet(play, seen))


def _take_bet(play: Play, seen: Tell) -> None:
    assert isinstance(seen, tells.BetPlaced)
    play.wagers = _with_bet(play, seen)


def _with_bet(play: Play, seen: tells.BetPlaced) -> dict[int, dict[str, int]]:
    after = {seat: dict(bets) for seat, bets in play.wagers.items()}
    after.setdefault(seen.seat, {})[seen.bet] = seen.amount
    kept = {seat: {bet: amount for bet, amount in sorted(bets.items()) if amount} for seat, bets in after.items()}
    return {seat: bets for seat, bets in kept.items() if bets}


def _check_exposed(play: Play, seen: Tell) -> None:
    assert isinstance(seen, tells.CardExposed)
    if _shown_early(play) or _next_card(play, seen):
        return
    place = place_of(seen)
    hand = play.hand(place)
    if play.void or not hand or place in play.seen or (seen.card is not None and seen.card not in hand):
        raise OutOfTurn(f"{seen}: no such card lies face down there")


def _take_exposed(play: Play, seen: Tell) -> None:
    assert isinstance(seen, tells.CardExposed)
    if _shown_early(play):
        obey(play, play.rule(Irregularity.SHOWN_BEFORE_BETS))
    if _next_card(play, seen):
        assert seen.card is not None
        if not play.holds((seen.card,)):
            obey(play, play.rule(Irregularity.STRANGE_CARD))
        obey(play, play.rule(Irregularity.NEXT_CARD_SEEN))
        play.discard(seen.card)
        play.own["next card seen"] = True
        return
    place = place_of(seen)
    obey(play, play.rule(seen_irregularity(place), place))


def _next_card(play: Play, seen: tells.CardExposed) -> bool:
    """Whether it is the card that comes next, out of the shoe too early and seen by everybody."""
    return seen.area is not None and seen.card is not None and seen.area == play.procedure.next_area(play)


def _shown_early(play: Play) -> bool:
    """Whether a card seen now is one seen before the betting was closed, where a game's text speaks of that."""
    return not play.bets_closed and not play.void and Irregularity.SHOWN_BEFORE_BETS in play.procedure.remedies


def _check_recut(play: Play, seen: Tell) -> None:
    if play.cut_by is None or play.void:
        raise Illegal("the cards have not been cut", *play.rules.recut)
    if play.dealt:
        raise Illegal("cards have been dealt", *play.rules.recut)


def _take_recut(play: Play, seen: Tell) -> None:
    obey(play, play.rule(Irregularity.RECUT_ORDERED, rules=play.rules.recut))


def _check_cutting_card(play: Play, seen: Tell) -> None:
    if not play.memory.shoe.ready or play.memory.shoe.rounds_left is not None:
        raise OutOfTurn(f"{seen}: no shoe is in use, or it was seen before")


def _take_cutting_card(play: Play, seen: Tell) -> None:
    play.memory.shoe.rounds_left = play.rules.after_cutting_card
    play.rule(Irregularity.CUTTING_CARD_SEEN)


def _check_misdraw(play: Play, seen: Tell) -> None:
    if play.void or not play.loaded:
        raise OutOfTurn(f"{seen}: no card can be drawn now")


def misdraw(play: Play, seen: Tell) -> None:
    """A card that was drawn too early is the next one."""
    assert isinstance(seen, tells.CardDrawnInError)
    if not play.holds((*play.drawn, seen.card)):
        obey(play, play.rule(Irregularity.STRANGE_CARD))
    play.rule(Irregularity.DRAWN_IN_ERROR)
    play.drawn.append(seen.card)


def _check_dealer_changed(play: Play, seen: Tell) -> None:
    if play.dealt:
        raise OutOfTurn("dealers change between rounds")


def _take_dealer_changed(play: Play, seen: Tell) -> None:
    play.memory.shoe.burn_due = True


INTERJECTIONS: dict[type, Interjection] = {
    tells.BetPlaced: Interjection(_check_bet, _take_bet),
    tells.CardExposed: Interjection(_check_exposed, _take_exposed),
    tells.RecutOrdered: Interjection(_check_recut, _take_recut),
    tells.CuttingCardSeen: Interjection(_check_cutting_card, _take_cutting_card),
    tells.CardDrawnInError: Interjection(_check_misdraw, misdraw),
    tells.DealerChanged: Interjection(_check_dealer_changed, _take_dealer_changed),
}


def place_of(seen: tells.CardExposed) -> Place:
    """Where an exposed card lies."""
    if seen.area is not None:
        return seen.area
    assert seen.position is not None
    return seen.position


def seen_irregularity(place: Place) -> Irregularity:
    """What it is called when a card of that place is seen too early."""
    if isinstance(place, str):
        return Irregularity.SHARED_CARD_SEEN
    return Irregularity.PLAYER_CARD_SEEN if place else Irregularity.DEALER_CARD_SEEN
