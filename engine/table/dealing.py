"""How cards reach their places: one by one from a hand or a shoe, or as stacks from an automated shoe."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from feltrig.engine import asks, tells
from feltrig.engine.answers import expect
from feltrig.engine.asks import Rules
from feltrig.engine.rulings import Illegal
from feltrig.engine.table.house import Deal
from feltrig.engine.table.irregular import STILL_DONE, Irregularity
from feltrig.engine.table.play import Place, Play
from feltrig.engine.table.script import Script, Voided, hear, misdraw, obey, seen_irregularity
from feltrig.engine.tells import Tell

STACK = "stack."
"""What the places are called where stacks are built by hand, before their number."""


@dataclass(frozen=True, slots=True)
class Stack:
    """So many cards, together, for one place."""

    place: Place
    size: int


def deal_cards(
    play: Play, places: Iterable[Place], rules: Rules = (), after: Callable[[Place], None] = lambda place: None
) -> Script[None]:
    """Single cards go to these places, in this order; then every place has as many as it should. `after` is called
    with each place whose card was dealt."""
    order = tuple(places)
    expected = {place: len(play.hand(place)) + order.count(place) for place in order}
    for place in order:
        yield from deal_card(play, place, rules)
        after(place)
    _check_hands(play, expected)


def deal_card(play: Play, place: Place, rules: Rules = ()) -> Script[None]:
    """The next card goes to a place."""
    play.dealt += 1
    stack = _stack_number(place)
    position, area = _split(place) if stack is None else (None, None)
    ask = asks.DealCard(play.dealt, position, stack, rules or play.method.deal, area)
    while True:
        seen = yield from hear(ask, lambda seen: _check_card(play, ask, seen))
        if isinstance(seen, tells.CardDrawnInError):
            misdraw(play, seen)
            continue
        assert isinstance(seen, tells.CardDealt)
        if _accept_card(play, seen, place):
            return


def _check_card(play: Play, ask: asks.DealCard, seen: Tell) -> None:
    if isinstance(seen, tells.CardDrawnInError):
        return
    assert isinstance(seen, tells.CardDealt)
    if not play.bets_closed and ask.stack is None:
        raise Illegal("cards came out before the betting was closed", *play.method.close)
    expect(seen.stack is None or ask.stack is not None, ask, seen)
    if play.drawn and seen.card != play.drawn[0]:
        remedy = play.procedure.remedies.get(Irregularity.DRAWN_IN_ERROR)
        raise Illegal("the card drawn in error is the next card", *(remedy.rules if remedy else ()))


def _accept_card(play: Play, seen: tells.CardDealt, place: Place) -> bool:
    """Take the card to where it went. False when it may not be used and the next one takes its place."""
    if not play.holds((seen.card,)):
        _end(play, Irregularity.STRANGE_CARD)
    play.drawn = play.drawn[1:]
    if seen.face_up:
        play.face_up += 1
        again = play.face_up > 1 and Irregularity.FACE_UP_AGAIN in play.procedure.remedies
        ruling = play.rule(Irregularity.FACE_UP_AGAIN if again else Irregularity.FACE_UP, place)
        play.discard(seen.card)
        obey(play, ruling)
        return False
    onto = None if seen.stack is None else stack_place(seen.stack)
    went = _went(play, place, onto if seen.area is None else seen.area, seen.position)
    play.take(seen.card, went)
    if seen.exposed:
        obey(play, play.rule(seen_irregularity(went), went))
    return True


def dispense(play: Play, stacks: Iterable[Stack], rules: Rules = ()) -> Script[None]:
    """The automated shoe dispenses these stacks, in this order."""
    for stack in stacks:
        play.dealt += 1
        position, area = _split(stack.place)
        ask = asks.Dispense(play.dealt, stack.size, position, rules or play.method.deal, area)
        seen = yield from hear(ask, lambda seen: _check_stack(play))
        if isinstance(seen, tells.ShoeFailed):
            _end(play, Irregularity.SHOE_FAILED)
        assert isinstance(seen, tells.StackDispensed)
        _accept_stack(play, seen, stack)


def _check_stack(play: Play) -> None:
    if not play.bets_closed:
        raise Illegal("cards came out before the betting was closed", *play.method.close)


def _accept_stack(play: Play, seen: tells.StackDispensed, stack: Stack) -> None:
    if not seen.cards:
        _end(play, Irregularity.NOTHING_DISPENSED)
    if not play.holds(seen.cards):
        _end(play, Irregularity.STRANGE_CARD)
    if seen.face_up:
        several = len(seen.face_up) > 1
        _end(play, Irregularity.FACE_UP_AGAIN if several else Irregularity.FACE_UP_IN_STACK)
    if len(seen.cards) != stack.size:
        _end(play, Irregularity.STACK_SIZE)
    went = _went(play, stack.place, seen.area, seen.position)
    for card in seen.cards:
        play.take(card, went)


def _went(play: Play, place: Place, area: Place | None, position: int | None) -> Place:
    """Where cards really are: as asked, unless they were seen elsewhere."""
    told = position if area is None else area
    if told is None or told == place:
        return place
    obey(play, play.rule(Irregularity.MISPLACED, told, play.method.deal))
    return told


def _end(play: Play, what: Irregularity) -> None:
    """The round cannot go on with these cards, whatever is ordered."""
    ruling = play.rule(what)
    obey(play, ruling)
    raise Voided(ruling)


def _check_hands(play: Play, expected: Mapping[Place, int]) -> None:
    wrong = [place for place, size in expected.items() if len(play.hand(place)) != size]
    if wrong:
        ruling = play.rule(Irregularity.WRONG_NUMBER, wrong[0])
        if ruling.order not in STILL_DONE:
            obey(play, ruling)


def burn(play: Play, rules: Rules, *, show: bool = False) -> Script[None]:
    """The next card is put aside."""
    ask = asks.Burn(rules, show)
    seen = yield from hear(ask)
    assert isinstance(seen, tells.CardBurned)
    if not play.holds((seen.card,)):
        _end(play, Irregularity.STRANGE_CARD)
    play.drawn = play.drawn[1:]
    play.discard(seen.card)


def by_stacks(play: Play) -> bool:
    """Whether an automated shoe deals."""
    return play.house.deal is Deal.AUTOMATED_SHOE


def stack_place(number: int) -> Place:
    """The place of a stack that is built by hand, counted from the dealer's left, 1 first."""
    return f"{STACK}{number}"


def deliver_stacks(play: Play, order: Iterable[tuple[int, int]], rules: Rules) -> Script[None]:
    """The stacks that were built go to the positions, in this order of (stack, position)."""
    ways = tuple(order)
    for _ in ways:
        stack = next(stack for stack, _ in ways if play.hand(stack_place(stack)))
        position = next(position for _, position in ways if not play.hand(position))
        ask = asks.DeliverStack(stack, position, rules)
        seen = yield from hear(ask, lambda seen, ask=ask: _check_delivery(play, ask, ways, seen))  # type: ignore[misc]
        assert isinstance(seen, tells.StackDelivered)
        if play.hand(seen.position):
            _end(play, Irregularity.WRONG_NUMBER)
        if (seen.stack, seen.position) != (stack, position):
            obey(play, play.rule(Irregularity.MISPLACED, seen.position, rules))
        play.hands[seen.position] = play.hands.pop(stack_place(seen.stack))


def _check_delivery(play: Play, ask: asks.DeliverStack, order: tuple[tuple[int, int], ...], seen: Tell) -> None:
    assert isinstance(seen, tells.StackDelivered)
    known = seen.position in {position for _, position in order}
    expect(known and bool(play.hand(stack_place(seen.stack))), ask, seen)


def _stack_number(place: Place) -> int | None:
    return int(place.removeprefix(STACK)) if isinstance(place, str) and place.startswith(STACK) else None


def _split(place: Place) -> tuple[int | None, str | None]:
    return (place, None) if isinstance(place, int) else (None, place)
