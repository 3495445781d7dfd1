"""How cards reach their places: one by one from a hand or a shoe, or as stacks from an automated shoe."""

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial

from feltrig.engine import asks, tells
from feltrig.engine.answers import expect
from feltrig.engine.asks import Ask, Rules
from feltrig.engine.rulings import Illegal, Order
from feltrig.engine.table.house import Deal
from feltrig.engine.table.irregular import Irregularity
from feltrig.engine.table.places import STACK, stack_place, went
from feltrig.engine.table.play import Place, Play
from feltrig.engine.table.script import Script, heed, obey
from feltrig.engine.tells import Tell


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
        yield from deal_card(play, place, rules, frozenset(order))
        after(place)
    _check_hands(play, expected)


def deal_card(play: Play, place: Place, rules: Rules = (), among: AbstractSet[Place] = frozenset()) -> Script[None]:
    """The next card goes to a place, which is one of several when stacks are built."""
    position, area = _split(place)
    stack = _stack_number(place)
    cited = rules or play.method.deal

    def do(seen: tells.CardDealt) -> None:
        play.take(seen.card, went(play, seen))
        play.dealt += 1

    yield from heed(
        play,
        lambda: asks.DealCard(play.dealt + 1, position, stack, cited, None if stack else area),
        do,
        partial(_check_card, play, among),
    )


def _check_card(play: Play, among: AbstractSet[Place], ask: asks.DealCard, seen: tells.CardDealt) -> None:
    onto = seen.stack is None or (ask.stack is not None and stack_place(seen.stack) in among)
    expect(onto and _is_position(play, seen.position, ask.stack), ask, seen)
    if play.drawn and seen.card != play.drawn[0]:
        raise Illegal("the card drawn in error is the next card", *_drawn_rules(play))


def _drawn_rules(play: Play) -> Rules:
    return next((given.rules for given in reversed(play.rulings) if given.order is Order.USE_AS_NEXT), ())


def _is_position(play: Play, position: int | None, stack: int | None = None) -> bool:
    return position is None or (stack is None and 0 <= position <= play.procedure.seats)


def dispense(play: Play, stacks: Iterable[Stack], rules: Rules = ()) -> Script[None]:
    """The automated shoe dispenses these stacks, in this order. One that went elsewhere leaves its place open."""
    left = list(stacks)
    cited = rules or play.method.deal

    def want() -> Ask | None:
        position, area = _split(left[0].place)
        return asks.Dispense(play.dealt + 1, left[0].size, position, cited, area)

    def do(seen: tells.StackDispensed) -> None:
        place = went(play, seen)
        for card in seen.cards:
            play.take(card, place)
        play.dealt += 1
        left.remove(next((stack for stack in left if stack.place == place), left[0]))

    while left:
        yield from heed(play, want, do, partial(_check_stack, play))


def _check_stack(play: Play, ask: Ask, seen: Tell) -> None:
    if isinstance(seen, tells.StackDispensed):
        expect(_is_position(play, seen.position), ask, seen)


def _check_hands(play: Play, expected: Mapping[Place, int]) -> None:
    wrong = [place for place, size in expected.items() if len(play.hand(place)) != size]
    if wrong:
        obey(play, play.rule(Irregularity.WRONG_NUMBER, wrong[0]))


def burn(play: Play, rules: Rules, *, show: bool = False) -> Script[None]:
    """The next card is put aside."""

    def do(seen: tells.CardBurned) -> None:
        play.discard(seen.card)

    yield from heed(play, lambda: asks.Burn(rules, show), do)


def by_stacks(play: Play) -> bool:
    """Whether an automated shoe deals."""
    return play.house.deal is Deal.AUTOMATED_SHOE


def deliver_stacks(play: Play, order: Iterable[tuple[int, int]], rules: Rules) -> Script[None]:
    """The stacks that were built go to the positions, in this order of (stack, position)."""
    ways = tuple(order)

    def want() -> Ask | None:
        stack = next((stack for stack, _ in ways if play.hand(stack_place(stack))), None)
        if stack is None:
            return None
        position = next(position for _, position in ways if not play.hand(position))
        return asks.DeliverStack(stack, position, rules)

    def do(seen: tells.StackDelivered) -> None:
        play.hands[seen.position] = play.hands.pop(stack_place(seen.stack))

    def check(ask: Ask, seen: tells.StackDelivered) -> None:
        known = seen.position in {position for _, position in ways}
        expect(known and bool(play.hand(stack_place(seen.stack))), ask, seen)

    while (yield from heed(play, want, do, check)) is not None:
        pass


def _stack_number(place: Place) -> int | None:
    return int(place.removeprefix(STACK)) if isinstance(place, str) and place.startswith(STACK) else None


def _split(place: Place) -> tuple[int | None, str | None]:
    return (place, None) if isinstance(place, int) else (None, place)
