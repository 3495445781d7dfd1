"""Modbus PDUs and framings, against the examples of the specification and the framers of pymodbus."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.modbus import pdu

# Examples of the Modbus Application Protocol 1.1b3, chapter 6.
REQUESTS = [
    (pdu.read(0x6B, 3), "03 006b 0003", pdu.Read(0x6B, 3)),
    (pdu.read(8, 1, pdu.READ_INPUT), "04 0008 0001", pdu.Read(8, 1)),
    (pdu.write_one(1, 3), "06 0001 0003", pdu.Write(1, b"\0\3")),
    (pdu.write(1, bytes.fromhex("000a0102")), "10 0001 0002 04 000a 0102", pdu.Write(1, bytes.fromhex("000a0102"))),
    (
        pdu.read_write(3, 6, 14, bytes.fromhex("00ff00ff00ff")),
        "17 0003 0006 000e 0003 06 00ff 00ff 00ff",
        pdu.ReadWrite(3, 6, 14, bytes.fromhex("00ff00ff00ff")),
    ),
    (pdu.identify(1), "2b 0e 01 00", pdu.Identify(1, 0)),
]
RESPONSES = [
    (pdu.registers(3, bytes.fromhex("022b00000064")), "03 06 022b 0000 0064"),
    (pdu.written(1, 2), "10 0001 0002"),
    (pdu.write_one(1, 3), "06 0001 0003"),
    (pdu.refusal(1, pdu.Refusal.ILLEGAL_ADDRESS), "81 02"),
    (pdu.identification(1, [(0, b"Co"), (1, b"P"), (2, b"V2")]), "2b 0e 01 83 00 00 03 00 02 436f 01 01 50 02 02 5632"),
]


@pytest.mark.parametrize(("written", "golden", "query"), REQUESTS)
def test_requests_are_those_of_the_specification(written, golden, query):
    assert written == bytes.fromhex(golden)
    assert pdu.parse(written) == query


@pytest.mark.parametrize(("written", "golden"), RESPONSES)
def test_responses_are_those_of_the_specification(written, golden):
    assert written == bytes.fromhex(golden)


@pytest.mark.parametrize(
    ("request_", "refusal"),
    [
        ("", pdu.Refusal.ILLEGAL_FUNCTION),
        ("01 0000 0001", pdu.Refusal.ILLEGAL_FUNCTION),
        ("2b 0d 01 00", pdu.Refusal.ILLEGAL_FUNCTION),
        ("03 0000 0000", pdu.Refusal.ILLEGAL_VALUE),
        ("03 0000 007e", pdu.Refusal.ILLEGAL_VALUE),
        ("03 0000", pdu.Refusal.ILLEGAL_VALUE),
        ("06 0000", pdu.Refusal.ILLEGAL_VALUE),
        ("10 0000 0002 04 0000", pdu.Refusal.ILLEGAL_VALUE),
        ("10 0000 0001 04 0000 0000", pdu.Refusal.ILLEGAL_VALUE),
        ("10 0000 0000 00", pdu.Refusal.ILLEGAL_VALUE),
        ("17 0000 0001 0000 0001 02", pdu.Refusal.ILLEGAL_VALUE),
        ("17 0000 007e 0000 0001 02 0000", pdu.Refusal.ILLEGAL_VALUE),
        ("2b 0e 05 00", pdu.Refusal.ILLEGAL_VALUE),
    ],
)
def test_impossible_requests_are_rejected_with_the_right_exception(request_, refusal):
    with pytest.raises(pdu.Rejected) as rejected:
        pdu.parse(bytes.fromhex(request_))
    assert rejected.value.refusal is refusal


def test_an_identification_that_does_not_fit_says_where_to_go_on():
    objects = [(number, b"x" * 100) for number in range(3)]
    first = pdu.identification(3, objects)
    assert len(first) <= pdu.MAX_PDU
    assert first[4:7] == bytes((0xFF, 2, 2))
    assert pdu.identification(3, objects[2:])[4:7] == bytes((0, 0, 1))


@given(st.integers(1, 4), st.dictionaries(st.integers(0, 255), st.binary(max_size=60), max_size=9))
def test_an_identification_is_read_as_it_was_written_piece_by_piece(level, objects):
    left, told = sorted(objects.items()), {}
    while left:
        piece = pdu.read_identification(pdu.identification(level, left))
        told |= piece.objects
        left = [] if piece.next is None else [each for each in left if each[0] >= piece.next]
    assert told == objects


@pytest.mark.parametrize(
    ("response", "why"),
    [
        ("2b 0e 01 83 00 00", "is cut short"),
        ("2b 0e 01 83 00 00 01", "is cut short"),
        ("2b 0e 01 83 00 00 01 00", "is cut short"),
        ("2b 0e 01 83 00 00 01 00 03 41 42", "is cut short"),
        ("2b 0e 01 83 00 00 01 00 01 41 42", "1 bytes follow"),
    ],
)
def test_an_identification_of_another_length_is_no_identification(response, why):
    with pytest.raises(ValueError, match=why):
        pdu.read_identification(bytes.fromhex(response))


@given(st.binary(max_size=260))
def test_any_bytes_are_a_query_or_rejected(data):
    try:
        query = pdu.parse(data)
    except pdu.Rejected:
        return
    assert isinstance(query, pdu.Query)


objects = st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=20)), max_size=4)
