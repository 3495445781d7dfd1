"""What the journal makes of the engine's values, and that an observation comes back as it was."""

import dataclasses
import json
import types
import typing
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.engine import asks, tells
from feltrig.engine.cards import Card, parse_all
from feltrig.engine.rulings import Order, Ruling
from feltrig.harness.journal.plain import tell_from_record, to_record

TELLS = tells.TELLS


@dataclasses.dataclass(frozen=True)
class Wager:
    """Something nested, which is no observation."""

    main: int
    player: str | None = None


def _strategy(hint: typing.Any) -> st.SearchStrategy:
    """Values of a field by its type hint."""
    if hint is Card:
        return st.integers(0, 53).map(Card)
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        return st.one_of(*(_strategy(each) for each in typing.get_args(hint)))
    if typing.get_origin(hint) is tuple:
        return st.lists(_strategy(typing.get_args(hint)[0]), max_size=7).map(tuple)
    return {int: st.integers(-(2**40), 2**40), bool: st.booleans(), str: st.text(), type(None): st.none()}[hint]


def _tells(kind: type) -> st.SearchStrategy:
    return st.builds(kind, **{name: _strategy(hint) for name, hint in typing.get_type_hints(kind).items()})


@given(st.one_of(*(_tells(kind) for kind in TELLS)))
def test_every_observation_comes_back_from_the_journal_as_it_was(told):
    assert tell_from_record(json.loads(json.dumps(to_record(told)))) == told


@pytest.mark.parametrize("kind", TELLS, ids=lambda kind: kind.__name__)
def test_an_observation_is_written_with_its_class_and_all_its_fields(kind):
    fields = {f.name for f in dataclasses.fields(kind)}
    values = dict.fromkeys(fields)
    assert to_record(kind(**values)) == {"is": kind.__name__, **values}


@pytest.mark.parametrize(
    ("told", "field", "written"),
    [
        (tells.CardDealt(Card(34)), "card", "Th"),
        (tells.CardExposed(3, Card(53)), "card", "X2"),
        (tells.StackDispensed(parse_all(["Td", "X1"]), ()), "cards", ["Td", "X1"]),
        (tells.StubRacked(None, parse_all(["2c"])), "cards", ["2c"]),
    ],
)
def test_a_card_is_written_by_name(told, field, written):
    assert to_record(told)[field] == written


def test_a_class_that_nobody_tells_is_refused():
    with pytest.raises(KeyError, match="Wager"):
        tell_from_record(to_record(Wager(500)))


def test_a_record_that_lacks_a_field_is_refused():
    record = to_record(tells.DeckCut(1, 20))
    del record["depth"]
    with pytest.raises(KeyError, match="depth"):
        tell_from_record(record)


def test_a_card_that_is_none_is_refused():
    with pytest.raises(ValueError, match="no such rank"):
        tell_from_record(to_record(tells.CardDealt(Card(0))) | {"card": "1c"})


def test_an_ask_is_written_with_its_cards_by_name_and_its_rules():
    ask = asks.SetHands(2, parse_all(["As", "Kd", "X1", "2c"]), False, ("34.12(a)",))
    assert to_record(ask) == {
        "is": "SetHands",
        "position": 2,
        "cards": ["As", "Kd", "X1", "2c"],
        "house_way": False,
        "rules": ["34.12(a)"],
    }


def test_a_ruling_is_written_with_the_words_of_its_order():
    record = to_record(Ruling(Order.NO_ROLL, ("34.16(a)",), "a die leans", "shaker"))
    assert (record["order"], record["rules"], record["device"]) == ("no roll: shake again", ["34.16(a)"], "shaker")


@dataclasses.dataclass(frozen=True)
class Sum:
    """For the test of amounts and nesting."""

    amount: Fraction
    by_seat: typing.Mapping[int, tuple[Card, ...]]
    wager: Wager


def test_an_exact_amount_stays_exact_and_what_is_nested_is_written_too():
    record = to_record(Sum(Fraction(5, 4), {3: parse_all(["Qh"])}, Wager(500)))
    assert record["amount"] == "5/4"
    assert record["by_seat"] == {"3": ["Qh"]}
    assert record["wager"] == {"is": "Wager", "main": 500, "player": None}
    assert to_record(Sum(Fraction(500), {}, Wager(500)))["amount"] == 500


def test_what_has_no_form_in_the_journal_is_refused():
    with pytest.raises(TypeError, match="object cannot be written to the journal"):
        to_record(dataclasses.replace(Sum(Fraction(1), {}, Wager(1)), amount=object()))
