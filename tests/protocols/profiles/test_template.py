"""Templates write and read the same messages, byte for byte."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.profiles.template import BadTemplate, Template

TABLES = {"states": {"1": 0, "2": 1, "02": 7, "9": 1}, "words": {"OK": "good", "": "none"}}

GOLDEN = [
    ("*s OK", {}, b"*s OK"),
    ("{a:3d};{b:2x};{c:2X}", {"a": 7, "b": 171, "c": 171}, b"007;ab;AB"),
    ("{a};{b:x}", {"a": 1234567890, "b": 255}, b"1234567890;ff"),
    ("{a:u8}{b:u16}{c:u16le}{d:u32}", {"a": 10, "b": 258, "c": 258, "d": 1}, b"\n\x01\x02\x02\x01\x00\x00\x00\x01"),
    ("<{name:s}|{rest:s}>", {"name": "Jam at 3", "rest": ""}, b"<Jam at 3|>"),
    ("{name:6s}{n:d}", {"name": "ab", "n": 12}, b"ab    12"),
    ("X{s:states}", {"s": 7}, b"X02"),
    ("X{s:states}", {"s": 1}, b"X2"),
    ("{w:words}!", {"w": "none"}, b"!"),
    ("{dice:1d*3}", {"dice": (1, 6, 3)}, b"163"),
    ("{dice:d*/,};", {"dice": (1, 26, 3)}, b"1,26,3;"),
    ("{dice:u8*}", {"dice": (1, 2)}, b"\x01\x02"),
    ("{dice:d*/,}", {"dice": ()}, b""),
    ("{{{n}}} [[x]]", {"n": 5}, b"{5} [x]"),
    ("n={n}[ of {m}]", {"n": 5, "m": 9}, b"n=5 of 9"),
    ("n={n}[ of {m}]", {"n": 5}, b"n=5"),
    ("{n:s}[;{m}]", {"n": "five", "m": 9}, b"five;9"),
    ("\u0005\u00ff{n:1d}", {"n": 4}, b"\x05\xff4"),
    ("{state.a:1d}", {"state.a": 4}, b"4"),
]


@pytest.mark.parametrize(("text", "values", "data"), GOLDEN)
def test_a_message_is_written_and_read_as_by_hand(text, values, data):
    template = Template(text, TABLES)
    assert template.write(values) == data
    assert template.read(data) == values
    assert template.names >= set(values)


@pytest.mark.parametrize(
    ("text", "data", "values"),
    [
        ("{a:2x}", b"aB", {"a": 171}),
        ("X{s:states}", b"X9", {"s": 1}),
        ("{n:d};{speed:3d=000}", b"5;123", {"n": 5}),
        ("{time:s=12:00} {n:d}", b"23:59:59 7", {"n": 7}),
    ],
)
def test_more_is_read_than_is_written(text, data, values):
    assert Template(text, TABLES).read(data) == values


def test_filler_is_written_as_it_stands():
    assert Template("{n:d};{speed:3d=000}", TABLES).write({"n": 5}) == b"5;000"


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("*s OK", b"*s OK "),
        ("{a:3d}", b"12"),
        ("{a:3d}", b"1234"),
        ("{a:1d}", "٣".encode()),
        ("{a:d}", b"12345678901"),
        ("X{s:states}", b"X3"),
        ("{dice:1d*3}", b"16"),
        ("{a:u16}", b"1"),
        ("{a:s}", b"a\nb"),
    ],
)
def test_another_message_is_not_read(text, data):
    assert Template(text, TABLES).read(data) is None


@pytest.mark.parametrize(
    ("text", "values", "why"),
    [
        ("{a:3d}", {}, "no value for {a}"),
        ("{a:1d}", {"a": 10}, "10 does not fit 1 digits"),
        ("{a:1d}", {"a": -1}, "-1 is not a number"),
        ("{a:d}", {"a": "x"}, "'x' is not a number"),
        ("{a:u8}", {"a": 256}, "256 does not fit 8 bits"),
        ("{a:2s}", {"a": "abc"}, "'abc' does not fit 2 characters"),
        ("{a:s}", {"a": "a\nb"}, "holds a control character"),
        ("{a:s}", {"a": 5}, "5 is not text"),
        ("{a:states}", {"a": 5}, "5 is not in the table states"),
        ("{a:1d*2}", {"a": (1,)}, "is not a list of 2"),
        ("{a:1d*}", {"a": 1}, "1 is not a list of values"),
    ],
)
def test_a_value_that_does_not_fit_is_named(text, values, why):
    with pytest.raises(ValueError, match=re.escape(why)):
        Template(text, TABLES).write(values)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{a", "a single {; for the character itself write {{"),
        ("a}", "a single }"),
        ("a]", "a single ]"),
        ("[a", "has no ]"),
        ("[a]b", "nothing can follow the optional tail"),
        ("{}", "{} is not {name}"),
        ("{a:4q}", "'4q' is not a form; there are d, x, s, bcd, u8, u16, u32, states, words"),
        ("{a:d}{b:d}", "nothing says where {a} ends and {b} begins"),
        ("{a:d*3}", "needs a form of a fixed size"),
        ("{a:1d}{a:1d}", "{a} appears twice"),
        ("€", "'€' is not one byte"),
        ("", "is empty; expected at least one character"),
        ("[]", "is empty; expected at least one character"),
        ("{n:0d}", "0 is not a size: expected 1 to 1024"),
        ("{n:99999999999d}", "99999999999 is not a size: expected 1 to 1024"),
        ("{n:1025x}", "1025 is not a size: expected 1 to 1024"),
        ("{n:0s}", "0 is not a size: expected 1 to 1024"),
        ("{n:99999999999s}", "99999999999 is not a size: expected 1 to 1024"),
        ("{n:u8*0}", "0 is not a size: expected 1 to 1024"),
        ("{n:u8*99999999999}", "99999999999 is not a size: expected 1 to 1024"),
    ],
)
def test_a_template_that_makes_no_sense_is_refused(text, why):
    with pytest.raises(BadTemplate, match=re.escape(why)):
        Template(text, TABLES)


@given(st.integers(0, 999), st.integers(0, 0xFFFF), st.lists(st.integers(0, 9), max_size=5).map(tuple))
def test_what_is_written_is_read_back(a, b, many):
    template = Template("\u0002{a:3d},{b:u16le}{many:1d*}\u0003", {})
    values = {"a": a, "b": b, "many": many}
    assert template.read(template.write(values)) == values


@given(st.binary(max_size=200))
def test_no_bytes_make_reading_fail(data):
    for text, _, _ in GOLDEN:
        Template(text, TABLES).read(data)


def test_long_noise_is_read_quickly():
    template = Template("{a:s};{b:s};{c:s};{d:s}!", {})
    assert template.read(b";" * 1024) is None
    assert template.read(b"x" * 1024) is None
