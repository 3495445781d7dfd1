"""What holds for every MQTT packet: it is read as it was written, however the stream is cut, and no corruption of it
does worse than Malformed or keeps more than one packet in memory."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from feltrig.protocols.mqtt.frame import Deframer
from feltrig.protocols.mqtt.packet_codec import Decoder, encode
from feltrig.protocols.mqtt.packets import (
    V5,
    V311,
    Ack,
    Connect,
    Malformed,
    PacketType,
    Property,
    Publish,
    Subscribe,
    Subscription,
    Unsubscribe,
)

LIMIT = 4096

texts = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=12)
topics = st.text(st.characters(exclude_characters="+#\0", codec="utf-8"), min_size=1, max_size=12)
numbers = st.integers(0, 0xFFFF_FFFF)
properties: st.SearchStrategy[Mapping[int, object]] = st.fixed_dictionaries(
    {},
    optional={
        Property.PAYLOAD_FORMAT: st.integers(0, 1),
        Property.MESSAGE_EXPIRY: numbers,
        Property.CONTENT_TYPE: texts,
        Property.RESPONSE_TOPIC: topics,
        Property.CORRELATION_DATA: st.binary(max_size=20),
        Property.USER_PROPERTY: st.lists(st.tuples(texts, texts), min_size=1, max_size=3).map(tuple),
    },
)


@st.composite
def publishes(draw: st.DrawFn, version: int) -> Publish:
    qos = draw(st.integers(0, 2))
    return Publish(
        draw(topics),
        draw(st.binary(max_size=300)),
        qos,
        draw(st.booleans()),
        draw(st.booleans()),
        draw(st.integers(1, 0xFFFF)) if qos else 0,
        draw(properties) if version == V5 else {},
    )


def prefixed(data: str | bytes) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return len(data).to_bytes(2, "big") + data


def packet(first: int, body: bytes) -> bytes:
    length, size = bytearray(), len(body)
    while True:
        length.append(size & 0x7F | (0x80 if size > 0x7F else 0))
        size >>= 7
        if not size:
            return bytes((first,)) + bytes(length) + body


def written(sent: Connect | Subscribe | Unsubscribe, version: int) -> bytes:
    """What a client sends, by the standard's chapters 3.1, 3.8 and 3.10; without properties."""
    nothing = b"\0" if version == V5 else b""
    match sent:
        case Connect(client_id=name, clean=clean, keep_alive=seconds, username=user, password=password, will=will):
            flags = clean << 1 | (user is not None) << 7 | (password is not None) << 6
            tail = b""
            if will is not None:
                flags |= 0x04 | will.qos << 3 | will.retain << 5
                tail += nothing + prefixed(will.topic) + prefixed(will.payload)
            tail += b"" if user is None else prefixed(user)
            tail += b"" if password is None else prefixed(password)
            head = prefixed("MQTT") + bytes((version, flags)) + seconds.to_bytes(2, "big") + nothing
            return packet(0x10, head + prefixed(name) + tail)
        case Subscribe(mid, subscriptions):
            body = mid.to_bytes(2, "big") + nothing
            for each in subscriptions:
                options = each.qos | each.no_local << 2 | each.retain_as_published << 3 | each.retain_handling << 4
                body += prefixed(each.pattern) + bytes((options,))
            return packet(0x82, body)
        case Unsubscribe(mid, patterns):
            return packet(0xA2, mid.to_bytes(2, "big") + nothing + b"".join(map(prefixed, patterns)))


@st.composite
def connects(draw: st.DrawFn, version: int) -> Connect:
    user = draw(st.none() | texts)
    password = draw(st.none() | st.binary(max_size=10)) if user is not None else None
    will = draw(st.none() | st.builds(Publish, topics, st.binary(max_size=30), st.integers(0, 2), st.booleans()))
    return Connect(version, draw(texts), draw(st.booleans()), draw(st.integers(0, 0xFFFF)), user, password, will)


def subscriptions(version: int) -> st.SearchStrategy[Subscription]:
    if version == V5:
        return st.builds(Subscription, texts, st.integers(0, 2), st.booleans(), st.booleans(), st.integers(0, 2))
    return st.builds(Subscription, texts, st.integers(0, 2))


mids = st.integers(1, 0xFFFF)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[int, list[tuple[bytes, object]]]:
    """A client's packets from its CONNECT on, as bytes and as what they mean."""
    version = draw(st.sampled_from((V311, V5)))
    connect = draw(connects(version))
    said: list[tuple[bytes, object]] = [(written(connect, version), connect)]
    for _ in range(draw(st.integers(0, 5))):
        match draw(st.sampled_from(("publish", "subscribe", "unsubscribe", "ack"))):
            case "publish":
                message = draw(publishes(version))
                said.append((encode(message, version), message))
            case "subscribe":
                wanted = Subscribe(draw(mids), tuple(draw(st.lists(subscriptions(version), min_size=1, max_size=3))))
                said.append((written(wanted, version), wanted))
            case "unsubscribe":
                ended = Unsubscribe(draw(mids), tuple(draw(st.lists(texts, min_size=1, max_size=3))))
                said.append((written(ended, version), ended))
            case "ack":
                ack = Ack(draw(st.sampled_from((PacketType.PUBACK, PacketType.PUBREL))), draw(mids))
                said.append((encode(ack, version), ack))
    return version, said


@given(conversations(), st.lists(st.integers(1, 50), max_size=30))
def test_a_conversation_is_read_as_it_was_written_however_it_is_cut(conversation, cuts):
    version, said = conversation
    stream = b"".join(data for data, _ in said)
    decoder, read, at = Decoder(LIMIT), [], 0
    for size in [*cuts, len(stream)]:
        read += decoder.feed(stream[at : at + size])
        at += size
    assert read == [meant for _, meant in said]
    assert decoder.version == version


@given(conversations())
def test_a_bystander_cuts_a_conversation_at_the_same_places(conversation):
    _, said = conversation
    packets = Deframer().receive(b"".join(data for data, _ in said))
    assert [each.raw for each in packets] == [data for data, _ in said]


@given(conversations(), st.data())
def test_no_corruption_does_worse_than_malformed(conversation, data):
    _, said = conversation
    stream = bytearray(b"".join(packet for packet, _ in said))
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(stream) - 1))
        match data.draw(st.sampled_from(("flip", "lose", "insert"))):
            case "flip":
                stream[at] ^= data.draw(st.integers(1, 255))
            case "lose" if len(stream) > 4:
                del stream[at : at + 3]
            case _:
                stream[at:at] = data.draw(st.binary(min_size=1, max_size=5))
    decoder = Decoder(LIMIT)
    try:
        for start in range(0, len(stream), 16):
            list(decoder.feed(bytes(stream[start : start + 16])))
            assert len(decoder._buffer) <= LIMIT + 5
    except Malformed:
        return
