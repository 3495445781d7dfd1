"""The bytes that MQTT packets are made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.mqtt.frame import LARGEST, LONGEST, Cursor, Deframer, bounds, varint
from feltrig.protocols.mqtt.packet_codec import FROM_BROKER, connect_version, decode_publish
from feltrig.protocols.mqtt.packets import V5, Malformed, Property, Reason


@pytest.mark.parametrize(
    ("value", "written"),
    [(0, "00"), (127, "7f"), (128, "80 01"), (16_383, "ff 7f"), (16_384, "80 80 01"), (LONGEST, "ff ff ff 7f")],
)
def test_a_number_is_written_and_read_as_the_table_of_the_standard_has_it(value: int, written: str) -> None:
    """1.5.5, table 1-1."""
    assert varint(value).hex(" ") == written
    assert Cursor(bytes.fromhex(written)).varint() == value


@given(st.integers(0, 300), st.binary(max_size=4))
def test_a_packet_is_whole_when_its_last_byte_is_there(size: int, behind: bytes) -> None:
    packet = b"\xc0" + varint(size) + bytes(size)
    found = bounds(packet + behind, 0, LONGEST)
    assert found == (len(packet) - size, len(packet))
    assert all(bounds(packet[:cut], 0, LONGEST) is None for cut in range(len(packet)))


def test_a_length_of_five_bytes_and_one_above_the_limit_are_malformed() -> None:
    with pytest.raises(Malformed, match="a length of more than four bytes"):
        bounds(b"\x30\xff\xff\xff\xff\x01", 0, LONGEST)
    with pytest.raises(Malformed, match="a packet of 128 bytes") as caught:
        bounds(b"\x30\x80\x01", 0, 127)
    assert caught.value.reason is Reason.PACKET_TOO_LARGE


def test_a_bystander_gives_up_what_came_with_an_impossible_length_and_reads_on() -> None:
    deframer = Deframer()
    assert deframer.receive(b"\xc0\x00\x30" + varint(LARGEST + 1) + b"abc") == [(12, 0, b"", b"\xc0\x00")]
    assert deframer.waiting == 0
    assert [frame.type for frame in deframer.receive(b"\xd0\x00")] == [13]


def test_only_a_broker_names_the_subscriptions_that_match_and_it_may_name_several() -> None:
    """3.3.2.3.8."""
    body = b"\x00\x01a\x04\x0b\x01\x0b\x02!"
    publish = decode_publish(0, body, V5, FROM_BROKER)
    assert (publish.topic, publish.payload) == ("a", b"!")
    assert publish.properties[Property.SUBSCRIPTION_IDENTIFIER] == 2
    with pytest.raises(Malformed, match="property 0x0b in PUBLISH"):
        decode_publish(0, body, V5)


def test_the_version_stands_behind_the_name_of_the_protocol() -> None:
    assert connect_version(b"\x00\x04MQTT\x05\x02") == V5
    with pytest.raises(Malformed, match="a field that ends beyond its packet"):
        connect_version(b"\x00\x04MQTT")
