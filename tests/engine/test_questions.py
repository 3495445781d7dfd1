"""Questions as data: how fields and choices are read, and what is said of those that cannot be."""

from typing import Any

import pytest

from feltrig.engine.cards import BadCard
from feltrig.engine.questions import (
    GREATEST,
    Answer,
    BadQuestion,
    Choice,
    Question,
    Read,
    card,
    cards,
    cents,
    distinct,
    each,
    flag,
    integer,
    maybe,
    one_of,
    table,
)

QUESTION = Question(
    lambda **given: Answer(given, ()),
    {"wager": cents, "seat": maybe(integer(1, 7))},
    (Choice("rounding", ("exact", "round_up"), "SPG-10"),),
)


def test_fields_and_choices_reach_the_function_that_answers() -> None:
    assert QUESTION.ask({"wager": 5}, {}).result == {"wager": 5, "seat": None, "rounding": "exact"}
    chosen = QUESTION.ask({"wager": 5, "seat": 2}, {"SPG-10": "round up"})
    assert chosen.result == {"wager": 5, "seat": 2, "rounding": "round_up"}


@pytest.mark.parametrize(
    ("given", "options", "error"),
    [
        ({}, {}, "input.wager: missing"),
        ({"wager": 5, "bet": 5}, {}, "input.bet: no such field; expected wager, seat"),
        ({"wager": "5"}, {}, "input.wager: '5' is not a whole number"),
        ({"wager": 5, "seat": 8}, {}, "input.seat: 8 is not 1 to 7"),
        ({"wager": 5}, {"colour": 1}, "options.colour: no such option; expected rounding, SPG-10"),
        ({"wager": 5}, {"rounding": "down"}, "options.rounding: 'down' is not exact or round_up"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_key(given: dict[str, Any], options: dict[str, Any], error: str) -> None:
    with pytest.raises(BadQuestion) as refused:
        QUESTION.ask(given, options)
    assert str(refused.value) == error


@pytest.mark.parametrize(
    ("read", "given", "found"),
    [
        (cards(2), ["2c", "As"], (0, 51)),
        (cards(2, decks=2), ["2c", "2c"], (0, 0)),
        (card(jokers=1), "X1", 52),
        (integer(0), GREATEST, GREATEST),
        (flag, True, True),
        (one_of(1, "a"), "a", "a"),
        (each(flag), [True, False], (True, False)),
        (table({"seat": integer(1)}), {"seat": 3}, {"seat": 3}),
    ],
)
def test_a_value_takes_the_form_that_the_rules_take(read: Read, given: object, found: object) -> None:
    assert read(given) == found


@pytest.mark.parametrize(
    ("read", "given", "error"),
    [
        (cards(2), "2c", "'2c' is not a list of cards"),
        (cards(2, 3), ["2c"], "1 cards, expected 2 or 3"),
        (cards(), ["2c", "2c"], "card '2c': 2 times, and the decks have 1"),
        (card(), "X1", "card 'X1': not in the deck of this game"),
        (card(), 3, "3 is not a card"),
        (cents, -1, "-1 is not 0 or more"),
        (integer(0), True, "True is not a whole number"),
        (integer(0), GREATEST + 1, f"a number of more than {GREATEST}"),
        (flag, 1, "1 is not true or false"),
        (one_of(1, 2, 3), True, "True is not 1, 2 or 3"),
        (each(flag), True, "True is not a list"),
        (table({}), [], "[] is not an object"),
    ],
)
def test_a_value_that_will_not_do_is_named(read: Read, given: object, error: str) -> None:
    with pytest.raises((BadQuestion, BadCard)) as refused:
        read(given)
    assert str(refused.value) == error


def test_a_card_lies_in_one_hand_only() -> None:
    distinct((0, 1), (2,))
    with pytest.raises(BadCard, match="2 times"):
        distinct((0, 1), (1,))
