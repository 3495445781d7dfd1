"""What can be asked about the positions at a table of Supreme Pai Gow: where a deal starts, and what goes where."""

from collections.abc import Mapping
from typing import Any

from feltrig.engine.games.supreme_pai_gow.delivery import bank_delivery, hand_deal_stacks, hand_delivery
from feltrig.engine.questions import Answer, BadQuestion, Choice, Question, each, integer, maybe, one_of
from feltrig.engine.table.house import DEALER
from feltrig.engine.table.positions import POSITIONS, SEATS, STACKS, Delivery, clockwise, start_position

_CLOCKWISE = Choice("always_clockwise", (False, True), "SPG-01")
_POSITION, _STACK = integer(0, POSITIONS - 1), integer(STACKS.start, STACKS.stop - 1)
_IN_DEAL_ORDER = "1..28 in deal order"


def seat(given: Any) -> int:
    """A betting position, as a number or as its text."""
    for place in SEATS:
        if given in (place, str(place)) and isinstance(given, int | str) and not isinstance(given, bool):
            return place
    raise BadQuestion(f"{given!r} is not a seat: expected {SEATS.start} to {SEATS.stop - 1}")


def _dice(given: Any) -> int:
    """The total of three dice."""
    dice = each(integer(1, 6))(given)
    if len(dice) != 3:
        raise BadQuestion(f"{len(dice)} dice, expected 3")
    return sum(dice)


def _stacks(given: Any) -> tuple[int, ...]:
    stacks: tuple[int, ...] = each(_STACK)(given)
    if sorted(stacks) != list(STACKS):
        raise BadQuestion(f"{given} are not the stacks 1 to 7, each once")
    return stacks


def _dealt(given: Any) -> tuple[Any, ...]:
    """The twenty-eight cards of a hand deal: numbered, or any list of them."""
    deal = hand_deal_stacks()
    if given == _IN_DEAL_ORDER:
        return tuple(range(1, len(deal) + 1))
    if not isinstance(given, list) or len(given) != len(deal):
        raise BadQuestion(f"{given!r} is not {_IN_DEAL_ORDER!r} or a list of {len(deal)} cards")
    return tuple(given)


def _start_position(method: str, dice: int | None, bank_seat: int | None, number: int | None) -> Answer:
    counted, unused = (dice, number) if method == "dice" else (number, dice)
    if counted is None or unused is not None:
        expected = "dice and no number" if method == "dice" else "a number and no dice"
        raise BadQuestion(f"method {method!r}: expected {expected}")
    position = start_position(counted, DEALER if bank_seat is None else bank_seat)
    rules = ("34.11(b)2" if method == "dice" else "34.11(c)", *(("34.13(h)3",) if bank_seat is not None else ()))
    return Answer({"position": position, "clockwise_deal_order": list(clockwise(position))}, (*rules, "34.8(c)"))


def _hand_dealt_stack_delivery(
    start_position: int, stacks_left_to_right: tuple[int, ...] | None, always_clockwise: bool
) -> Answer:
    delivery = hand_delivery(start_position, always_clockwise=always_clockwise)
    names = stacks_left_to_right or tuple(STACKS)
    named = tuple((names[stack - 1], position) for stack, position in delivery)
    return Answer(_delivered(named), ("34.9(f)",))


def _hand_dealt_stack_contents(card_numbers: tuple[Any, ...] | None, stack_from_dealer_left: int) -> Answer:
    dealt = zip(card_numbers or _dealt(_IN_DEAL_ORDER), hand_deal_stacks(), strict=True)
    return Answer({"cards": [card for card, stack in dealt if stack == stack_from_dealer_left]}, ("34.9(c)",))


def _bank_stack_delivery(start_position: int, first_stack_from_dealer_left: int) -> Answer:
    return Answer(_delivered(bank_delivery(start_position, first_stack_from_dealer_left)), ("34.13(i)5",))


def _delivered(delivery: Delivery) -> dict[str, Any]:
    return {"delivery": [[stack, position] for stack, position in delivery]}


QUESTIONS: Mapping[str, Question] = {
    "start_position": Question(
        _start_position,
        {
            "method": one_of("dice", "rng"),
            "dice": maybe(_dice),
            "bank_seat": maybe(seat),
            "number": maybe(integer(1, POSITIONS)),
        },
    ),
    "hand_dealt_stack_delivery": Question(
        _hand_dealt_stack_delivery, {"start_position": _POSITION, "stacks_left_to_right": maybe(_stacks)}, (_CLOCKWISE,)
    ),
    "hand_dealt_stack_contents": Question(
        _hand_dealt_stack_contents, {"card_numbers": maybe(_dealt), "stack_from_dealer_left": _STACK}
    ),
    "bank_stack_delivery": Question(
        _bank_stack_delivery, {"start_position": _POSITION, "first_stack_from_dealer_left": _STACK}
    ),
}
