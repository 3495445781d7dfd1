"""COBS: ours against the cobs package."""

import pytest
from cobs import cobs
from hypothesis import example, given
from hypothesis import strategies as st

from feltrig.protocols.cobs import stuff, unstuff


@given(st.binary(max_size=800))
@example(b"")
@example(b"a" * 254)
@example(b"a" * 254 + b"\0")
@example(b"a" * 508)
def test_our_stuffing_is_that_of_the_cobs_package(plain):
    assert stuff(plain) == cobs.encode(plain)
    assert unstuff(stuff(plain)) == plain


@given(st.binary(max_size=600).filter(lambda data: 0 not in data))
def test_what_the_cobs_package_refuses_we_refuse(stuffed):
    try:
        expected = cobs.decode(stuffed)
    except cobs.DecodeError:
        expected = None
    assert unstuff(stuffed) == expected


@pytest.mark.parametrize("broken", [b"\x00", b"\x02\x00\x01"[1:], b"\x05abc", b"\x01\x00"])
def test_a_zero_or_a_length_beyond_the_end_was_never_stuffed(broken):
    assert unstuff(broken) is None
