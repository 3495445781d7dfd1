"""The packets, against bytes written by hand from the standard."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.mqtt.packet_codec import Decoder, encode
from feltrig.protocols.mqtt.packets import (
    V5,
    V311,
    Ack,
    Connack,
    Connect,
    Disconnect,
    FilterAck,
    FromClient,
    Malformed,
    PacketType,
    Ping,
    Property,
    Publish,
    Reason,
    Subscribe,
    Subscription,
    ToClient,
    Unsubscribe,
)

CONNECT_311 = bytes.fromhex("10 0d 0004 4d515454 04 02 003c 0001 61")
CONNECT_5 = bytes.fromhex("10 0e 0004 4d515454 05 02 003c 00 0001 61")

FROM_CLIENT: list[tuple[int, str, FromClient]] = [
    (V311, "c0 00", Ping(PacketType.PINGREQ)),
    (V311, "e0 00", Disconnect()),
    (V5, "e0 01 04", Disconnect(Reason.DISCONNECT_WITH_WILL)),
    (V5, "e0 07 00 05 11 0000000a", Disconnect(0, {Property.SESSION_EXPIRY: 10})),
    (V311, "30 05 0003 612f62", Publish("a/b", b"")),
    (V311, "33 09 0003 612f62 0007 6869", Publish("a/b", b"hi", 1, retain=True, mid=7)),
    (V311, "3c 09 0003 612f62 0007 6869", Publish("a/b", b"hi", 2, dup=True, mid=7)),
    (
        V5,
        "32 20 0001 61 0001 19 08 0003 722f31 09 0002 0102 26 0001 6b 0001 76 02 0000003c 01 01 78",
        Publish(
            "a",
            b"x",
            1,
            mid=1,
            properties={
                Property.RESPONSE_TOPIC: "r/1",
                Property.CORRELATION_DATA: b"\1\2",
                Property.USER_PROPERTY: (("k", "v"),),
                Property.MESSAGE_EXPIRY: 60,
                Property.PAYLOAD_FORMAT: 1,
            },
        ),
    ),
    (
        V5,
        "30 12 0001 61 0e 26 0001 61 0001 31 26 0001 61 0001 32",
        Publish("a", b"", properties={Property.USER_PROPERTY: (("a", "1"), ("a", "2"))}),
    ),
    (V311, "40 02 0007", Ack(PacketType.PUBACK, 7)),
    (V5, "40 03 0007 10", Ack(PacketType.PUBACK, 7, 0x10)),
    (V5, "62 04 0007 00 00", Ack(PacketType.PUBREL, 7)),
    (
        V311,
        "82 0a 0002 0001 23 00 0001 2b 01",
        Subscribe(2, (Subscription("#", 0), Subscription("+", 1))),
    ),
    (V5, "82 07 0002 00 0001 23 2d", Subscribe(2, (Subscription("#", 1, True, True, 2),))),
    (V311, "a2 05 0003 0001 61", Unsubscribe(3, ("a",))),
    (V5, "a2 06 0003 00 0001 61", Unsubscribe(3, ("a",))),
]

TO_CLIENT: list[tuple[int, ToClient, str]] = [
    (V311, Connack(0), "20 02 00 00"),
    (V311, Connack(5), "20 02 00 05"),
    (V311, Connack(0, True, {Property.MAXIMUM_PACKET_SIZE: 9}), "20 02 01 00"),
    (V5, Connack(0, True), "20 03 01 00 00"),
    (
        V5,
        Connack(0, False, {Property.MAXIMUM_PACKET_SIZE: 9, Property.ASSIGNED_CLIENT_ID: "z"}),
        "20 0c 00 00 09 27 00000009 12 0001 7a",
    ),
    (V311, Publish("a/b", b"hi", 1, True, True, 7), "3b 09 0003 612f62 0007 6869"),
    (V311, Publish("a/b", b"", properties={Property.CONTENT_TYPE: "t"}), "30 05 0003 612f62"),
    (V5, Publish("a", b"x", properties={Property.CONTENT_TYPE: "t"}), "30 09 0001 61 04 03 0001 74 78"),
    (
        V5,
        Publish("a", b"", properties={Property.USER_PROPERTY: (("a", "1"), ("b", "2")), Property.PAYLOAD_FORMAT: 0}),
        "30 14 0001 61 10 26 0001 61 0001 31 26 0001 62 0001 32 01 00",
    ),
    (V311, Ack(PacketType.PUBACK, 258), "40 02 0102"),
    (V5, Ack(PacketType.PUBREC, 1, 0x91), "50 03 0001 91"),
    (V5, Ack(PacketType.PUBCOMP, 1), "70 02 0001"),
    (V311, FilterAck(PacketType.SUBACK, 2, (0, 1, 0x80)), "90 05 0002 00 01 80"),
    (V5, FilterAck(PacketType.SUBACK, 2, (1,)), "90 04 0002 00 01"),
    (V311, FilterAck(PacketType.UNSUBACK, 2, (0,)), "b0 02 0002"),
    (V5, FilterAck(PacketType.UNSUBACK, 2, (0x11,)), "b0 04 0002 00 11"),
    (V5, Ping(PacketType.PINGRESP), "d0 00"),
    (V5, Disconnect(Reason.SESSION_TAKEN_OVER), "e0 01 8e"),
]

MALFORMED = [
    (V311, "36 05 0001 61 0001", Reason.MALFORMED_PACKET),  # QoS 3
    (V311, "32 05 0001 61 0000", Reason.PROTOCOL_ERROR),  # identifier 0
    (V311, "30 03 0001 2b", Reason.TOPIC_NAME_INVALID),  # a wildcard
    (V311, "30 02 0000", Reason.TOPIC_NAME_INVALID),  # no topic
    (V311, "30 03 0001 ff", Reason.MALFORMED_PACKET),  # not UTF-8
    (V311, "30 05 0003 eda080", Reason.MALFORMED_PACKET),  # a surrogate
    (V311, "30 03 0001 00", Reason.MALFORMED_PACKET),  # a null character
    (V311, "30 03 0005 61", Reason.MALFORMED_PACKET),  # a topic that ends beyond the packet
    (V5, "30 07 0001 61 03 23 0001", Reason.PROTOCOL_ERROR),  # a topic alias
    (V5, "30 07 0001 61 03 21 0001", Reason.MALFORMED_PACKET),  # a property of another packet
    (V5, "30 08 0001 61 04 01 00 01 00", Reason.PROTOCOL_ERROR),  # a property twice
    (V5, "30 08 0001 61 04 08 0001 23", Reason.TOPIC_NAME_INVALID),  # a wildcard as response topic
    (V5, "30 04 0001 61 05", Reason.MALFORMED_PACKET),  # properties that end beyond the packet
    (V5, "30 07 0001 61 ffffff ff", Reason.MALFORMED_PACKET),  # an endless length inside
    (V311, "30 ffffffff", Reason.MALFORMED_PACKET),  # an endless length
    (V311, "30 80808001", Reason.PACKET_TOO_LARGE),
    (V311, "80 06 0002 0001 23 00", Reason.MALFORMED_PACKET),  # wrong flags
    (V311, "82 06 0002 0001 23 03", Reason.MALFORMED_PACKET),
    (V311, "82 06 0002 0001 23 04", Reason.MALFORMED_PACKET),  # an option of MQTT 5
    (V5, "82 07 0002 00 0001 23 30", Reason.MALFORMED_PACKET),  # retain handling 3
    (V5, "82 09 0002 02 0b01 0001 23 00", Reason.PROTOCOL_ERROR),  # a subscription identifier
    (V311, "82 02 0002", Reason.PROTOCOL_ERROR),  # no filter
    (V311, "a2 02 0002", Reason.PROTOCOL_ERROR),
    (V311, "40 03 0007 00", Reason.MALFORMED_PACKET),  # a byte too many
    (V311, "c0 01 00", Reason.MALFORMED_PACKET),
    (V311, "20 02 0000", Reason.PROTOCOL_ERROR),  # a packet that only brokers send
    (V311, "00 00", Reason.PROTOCOL_ERROR),
    (V311, "f0 00", Reason.PROTOCOL_ERROR),
]

MALFORMED_CONNECTS = [
    ("10 0d 0004 4d515454 03 02 003c 0001 61", Reason.UNSUPPORTED_VERSION),
    ("10 0f 0006 4d5149736470 03 02 003c 0001 61", Reason.UNSUPPORTED_VERSION),
    ("10 0d 0004 4d515454 04 03 003c 0001 61", Reason.MALFORMED_PACKET),  # the reserved flag
    ("10 0d 0004 4d515454 04 20 003c 0001 61", Reason.MALFORMED_PACKET),  # a retained will without a will
    ("10 0d 0004 4d515454 04 1c 003c 0001 61", Reason.MALFORMED_PACKET),  # a will at QoS 3
    ("10 10 0004 4d515454 04 42 003c 0001 61 0001 70", Reason.MALFORMED_PACKET),  # a password without a name
    ("10 0d 0004 4d515454 04 82 003c 0001 61", Reason.MALFORMED_PACKET),  # a name that is not there
    ("10 11 0004 4d515454 05 02 003c 03 210000 0001 61", Reason.PROTOCOL_ERROR),  # receive maximum 0
]


def decoder(version: int) -> Decoder:
    decoder = Decoder(limit=10_000)
    decoder.version = version
    return decoder


@pytest.mark.parametrize(("version", "data", "packet"), FROM_CLIENT)
def test_a_packet_from_a_client_is_read(version: int, data: str, packet: FromClient) -> None:
    assert list(decoder(version).feed(bytes.fromhex(data))) == [packet]


@pytest.mark.parametrize(("version", "packet", "data"), TO_CLIENT)
def test_a_packet_to_a_client_is_written(version: int, packet: ToClient, data: str) -> None:
    assert encode(packet, version) == bytes.fromhex(data)


@pytest.mark.parametrize(("version", "data", "reason"), MALFORMED)
def test_what_the_standard_forbids_is_refused_with_a_reason(version: int, data: str, reason: Reason) -> None:
    with pytest.raises(Malformed) as refusal:
        list(decoder(version).feed(bytes.fromhex(data)))
    assert refusal.value.reason is reason


@pytest.mark.parametrize(("data", "reason"), MALFORMED_CONNECTS)
def test_a_bad_introduction_is_refused_with_a_reason(data: str, reason: Reason) -> None:
    with pytest.raises(Malformed) as refusal:
        list(Decoder(1000).feed(bytes.fromhex(data)))
    assert refusal.value.reason is reason


def test_connect_sets_the_version_of_what_follows() -> None:
    for data, version in ((CONNECT_311, V311), (CONNECT_5, V5)):
        fresh = Decoder(1000)
        assert list(fresh.feed(data)) == [Connect(version, "a", keep_alive=60)]
        assert fresh.version == version


def test_connect_carries_will_and_credentials() -> None:
    data = bytes.fromhex("10 21 0004 4d515454 05 ee 0000 00 0001 61 05 18 00000005 0001 74 0002 6869 0001 75 0001 70")
    will = Publish("t", b"hi", 1, retain=True, properties={Property.WILL_DELAY: 5})
    assert list(Decoder(1000).feed(data)) == [Connect(V5, "a", True, 0, "u", b"p", will)]


def test_a_long_message_is_written_with_a_long_length() -> None:
    data = encode(Publish("a", bytes(200)), V311)
    assert data[:3] == bytes.fromhex("30 cb 01")
    assert list(decoder(V311).feed(data)) == [Publish("a", bytes(200))]


def test_a_stream_may_be_cut_anywhere() -> None:
    stream = CONNECT_5 + b"".join(bytes.fromhex(data) for version, data, _ in FROM_CLIENT if version == V5)
    whole = list(Decoder(1000).feed(stream))
    piecemeal = Decoder(1000)
    assert [packet for at in range(len(stream)) for packet in piecemeal.feed(stream[at : at + 1])] == whole
    assert len(whole) == 1 + sum(version == V5 for version, _, _ in FROM_CLIENT)


@given(st.sampled_from((V311, V5)), st.lists(st.binary(max_size=40), max_size=6))
def test_no_bytes_do_worse_than_malformed(version: int, chunks: list[bytes]) -> None:
    reader = decoder(version)
    try:
        for chunk in chunks:
            list(reader.feed(chunk))
    except Malformed:
        pass


@given(
    st.sampled_from((V311, V5)),
    st.text(st.characters(exclude_characters="+#\0", codec="utf-8"), min_size=1),
    st.binary(max_size=400),
    st.sampled_from(((0, 0), (1, 1), (2, 65535))),
    st.booleans(),
)
def test_a_message_that_is_written_is_read_again(
    version: int, topic: str, payload: bytes, qos_mid: tuple[int, int], retain: bool
) -> None:
    message = Publish(topic, payload, qos_mid[0], retain, mid=qos_mid[1])
    assert list(decoder(version).feed(encode(message, version))) == [message]


def test_a_packet_full_of_user_properties_is_read_with_all_of_them_in_their_order() -> None:
    pairs = tuple((str(number), "") for number in range(80_000))
    publish = Publish("a", b"", properties={Property.USER_PROPERTY: pairs})
    codec = Decoder(limit=1 << 20)
    codec.version = V5
    assert list(codec.feed(encode(publish, V5))) == [publish]
