"""JSON by example: the same document writes and reads."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.profiles.shape import LARGEST, JsonShape
from feltrig.protocols.profiles.template import BadTemplate

RESULT = {"response": "result", "arg": {"round_id": "{token}", "res": "{dice}", "err": 0}}

GOLDEN = [
    (RESULT, {"token": 7, "dice": (1, 2, 6)}, b'{"response":"result","arg":{"round_id":7,"res":[1,2,6],"err":0}}'),
    ({"s": "S{state:codes}", "ok": "{ok}"}, {"state": 3, "ok": True}, b'{"s":"S90","ok":true}'),
    (["{who}", {"x": 1.5}], {"who": "Zo\u00eb"}, b'["Zo\\u00eb",{"x":1.5}]'),
]
TABLES = {"codes": {"0": 0, "90": 3}}


@pytest.mark.parametrize(("example", "values", "data"), GOLDEN)
def test_a_document_is_written_and_read_as_by_hand(example, values, data):
    shape = JsonShape(example, TABLES)
    assert shape.write(values) == data
    assert shape.read(data) == values
    assert shape.names == set(values)


def test_what_else_a_document_holds_is_left_unread():
    data = b'{"response":"result","more":[],"arg":{"err":0,"x":null,"res":[],"round_id":1}}'
    assert JsonShape(RESULT, {}).read(data) == {"token": 1, "dice": ()}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b'{"response":"result"}',
        b'{"response":"other","arg":{"round_id":7,"res":[1],"err":0}}',
        b'{"response":"result","arg":{"round_id":7.5,"res":[1],"err":0}}',
        b'{"response":"result","arg":{"round_id":7,"res":["1"],"err":0}}',
        b'{"response":"result","arg":{"round_id":7,"res":[1],"err":false}}',
        b'{"response":"result","arg":{"round_id":null,"res":[1],"err":0}}',
        b"[" * LARGEST,
        b"[" * (LARGEST + 1),
    ],
)
def test_another_document_is_not_read(data):
    assert JsonShape(RESULT, {}).read(data) is None


def test_a_string_that_is_no_single_byte_text_matches_no_template():
    assert JsonShape({"s": "S{state:codes}"}, TABLES).read('{"s":"S\u20ac"}'.encode()) is None


@pytest.mark.parametrize(
    ("example", "why"),
    [({"a": "{x}", "b": "{x}"}, "{x} appears twice"), ({"a": object()}, "cannot be written as JSON")],
)
def test_an_example_that_makes_no_sense_is_refused(example, why):
    with pytest.raises(BadTemplate, match=re.escape(why)):
        JsonShape(example, {})


def test_a_value_that_is_missing_is_named():
    with pytest.raises(ValueError, match=re.escape("no value for {dice}")):
        JsonShape(RESULT, {}).write({"token": 1})


@given(st.binary(max_size=100) | st.text(max_size=50).map(str.encode))
def test_no_bytes_make_reading_fail(data):
    JsonShape(RESULT, {}).read(data)
