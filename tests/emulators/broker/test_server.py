"""What our broker does beyond what every broker does; the rest is in the conformance tests beside mosquitto."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable

import aiomqtt
import pytest

from feltrig.emulators.broker import Broker
from feltrig.emulators.broker import server as broker_module
from feltrig.emulators.broker.server import MAX_FILTERS
from feltrig.emulators.broker.session import QueuedMessage, Session
from feltrig.protocols.mqtt.packets import V5, V311, Publish, Reason

CONNECT = {
    V311: bytes.fromhex("10 0d 0004 4d515454 04 02 0000 0001 61"),
    V5: bytes.fromhex("10 0e 0004 4d515454 05 02 0000 00 0001 61"),
}
SUBSCRIBE_ALL = bytes.fromhex("82 06 0001 0001 23 01")


class Raw:
    """A socket that says what a test wants, well formed or not."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, data: bytes) -> bytes:
        """Send bytes; the next packet that comes back."""
        self._writer.write(data)
        return await self.packet()

    async def packet(self) -> bytes:
        async with asyncio.timeout(5):
            head = await self._reader.readexactly(2)
            return head + await self._reader.readexactly(head[1])

    async def rest(self) -> bytes:
        """What still comes until the broker closes the connection."""
        async with asyncio.timeout(5):
            try:
                return await self._reader.read()
            except ConnectionResetError:
                return b""

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()


Dial = Callable[..., Awaitable[Raw]]


@pytest.fixture
async def dial(broker: Broker) -> AsyncIterator[Dial]:
    """`await dial(V5)` connects and is welcomed; `await dial(None)` only opens a socket."""
    raws: list[Raw] = []

    async def dial(version: int | None = V311) -> Raw:
        raw = Raw(*await asyncio.open_connection(broker.host, broker.port))
        raws.append(raw)
        if version is not None:
            assert (await raw.ask(CONNECT[version]))[0] == 0x20
        return raw

    yield dial
    for raw in raws:
        await raw.close()


@pytest.mark.parametrize("nonsense", ["30 ffffffff", "36 05 0001 61 0001", "f0 00", "30 03 0001 23", "ffff"])
async def test_a_malformed_packet_closes_that_connection_only(dial: Dial, nonsense: str) -> None:
    good = await dial(V311)
    bad = await dial(None)
    bad_connect = CONNECT[V311][:-1] + b"b"
    assert (await bad.ask(bad_connect))[0] == 0x20
    bad._writer.write(bytes.fromhex(nonsense) + b"\xff\xff\xff\xff")
    assert await bad.rest() == b""
    assert await good.ask(b"\xc0\x00") == b"\xd0\x00"


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        ("30 03 0001 23", Reason.MALFORMED_PACKET),
        ("30 04 0001 23 00", Reason.TOPIC_NAME_INVALID),
        ("30 80808001", Reason.PACKET_TOO_LARGE),
        ("10 0e 0004 4d515454 05 02 0000 00 0001 61", Reason.PROTOCOL_ERROR),
        ("50 02 0001", Reason.PROTOCOL_ERROR),
    ],
)
async def test_a_client_of_mqtt_5_is_told_why_it_must_go(dial: Dial, packet: str, reason: Reason) -> None:
    raw = await dial(V5)
    assert await raw.ask(bytes.fromhex(packet)) == bytes((0xE0, 1, reason))
    assert await raw.rest() == b""


async def test_nothing_may_come_before_the_introduction(dial: Dial) -> None:
    raw = await dial(None)
    raw._writer.write(b"\xc0\x00")
    assert await raw.rest() == b""


async def test_an_unknown_version_is_refused_with_a_code(dial: Dial) -> None:
    raw = await dial(None)
    assert await raw.ask(bytes.fromhex("10 0f 0006 4d5149736470 03 02 003c 0001 61")) == bytes.fromhex("20 02 00 01")


async def test_who_says_nothing_is_sent_away(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_module, "CONNECT_WITHIN", 0.02)
    raw = await dial(None)
    assert await raw.rest() == b""


async def test_who_breaks_its_own_keep_alive_is_sent_away_and_its_will_published(dial: Dial) -> None:
    watcher = await dial()
    await watcher.ask(SUBSCRIBE_ALL)
    raw = await dial(None)
    connect = bytes.fromhex("10 13 0004 4d515454 04 06 0001 0001 62 0001 77 0001 21")
    assert (await raw.ask(connect))[0] == 0x20
    assert await raw.rest() == b""
    assert await watcher.packet() == bytes.fromhex("30 04 0001 77 21")


async def test_a_slow_client_loses_its_own_messages_and_stalls_nobody(broker: Broker) -> None:
    slow = socket.create_connection((broker.host, broker.port))
    slow.sendall(CONNECT[V311][:-1] + b"s" + SUBSCRIBE_ALL)
    async with aiomqtt.Client(broker.host, broker.port) as quick, asyncio.timeout(20):
        await quick.subscribe("big", 0)
        payload = bytes(500_000)
        for n in range(1, 1100):
            await quick.publish("big", payload if n < 20 else b"x", 0)
            await anext(quick.messages)
            if broker.dropped:
                break
        else:
            pytest.fail("the queue of the slow client has no end")
    slow.close()


async def test_who_floods_itself_without_reading_is_held_back_and_loses_nothing(broker: Broker, dial: Dial) -> None:
    raw = await dial()
    await raw.ask(SUBSCRIBE_ALL)
    packets = [bytes.fromhex("30 83a01f 0001 61") + bytes((n,)) * 512_000 for n in range(40)]
    raw._writer.write(b"".join(packets))
    async with asyncio.timeout(20):
        for packet in packets:
            assert await raw._reader.readexactly(len(packet)) == packet
    assert await raw.ask(b"\xc0\x00") == b"\xd0\x00"
    assert broker.dropped == 0


async def test_a_second_connection_of_a_client_ends_the_first_and_tells_it(dial: Dial) -> None:
    first = await dial(V5)
    second = await dial(V5)
    assert await first.packet() == bytes((0xE0, 1, Reason.SESSION_TAKEN_OVER))
    assert await second.ask(b"\xc0\x00") == b"\xd0\x00"


async def test_shared_subscriptions_and_bad_filters_are_refused_one_by_one(dial: Dial) -> None:
    modern = await dial(V5)
    subscribe = "82 17 0001 00 0008 2473686172652f78 00 0002 6123 00 0001 61 02".replace(" ", "")
    assert await modern.ask(bytes.fromhex(subscribe)) == bytes.fromhex("90 06 0001 00 9e 8f 01")
    legacy = await dial(V311)
    subscribe = "82 0b 0001 0002 6123 00 0001 61 02".replace(" ", "")
    assert await legacy.ask(bytes.fromhex(subscribe)) == bytes.fromhex("90 04 0001 80 01")


@pytest.mark.parametrize(("version", "refusal"), [(V311, 0x80), (V5, Reason.QUOTA_EXCEEDED)])
async def test_filters_beyond_a_hundred_in_one_packet_are_refused(dial: Dial, version: int, refusal: int) -> None:
    raw = await dial(version)
    body = bytes.fromhex("0001" if version == V311 else "0001 00") + bytes.fromhex("0001 61 00") * (MAX_FILTERS + 2)
    raw._writer.write(bytes((0x82, len(body) & 0x7F | 0x80, len(body) >> 7)) + body)
    async with asyncio.timeout(5):
        assert (await raw._reader.readexactly(4 if version == V311 else 5))[0] == 0x90
        assert await raw._reader.readexactly(MAX_FILTERS + 2) == bytes(MAX_FILTERS) + bytes((refusal, refusal))


async def test_retained_messages_are_copied_one_by_one_so_that_the_limit_of_the_queue_holds_for_them(
    dial: Dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    log: list[str] = []

    def copied(publish: Publish, expires: float | None) -> QueuedMessage:
        log.append("copied")
        return QueuedMessage(publish, expires)

    raw = await dial()
    raw._writer.write(bytes.fromhex("31 04 0001 61 21") + bytes.fromhex("31 04 0001 62 21"))
    assert await raw.ask(b"\xc0\x00") == b"\xd0\x00"
    monkeypatch.setattr(broker_module, "QueuedMessage", copied)
    monkeypatch.setattr(Session, "deliver", lambda _session, _message: log.append("delivered"))
    assert await raw.ask(bytes.fromhex("82 0a 0001 0001 23 01 0001 2b 01")) == bytes.fromhex("90 04 0001 01 01")
    assert await raw.ask(b"\xc0\x00") == b"\xd0\x00"
    assert log == ["copied", "delivered"] * 4


async def test_a_will_may_be_delayed_and_a_return_in_time_cancels_it(dial: Dial) -> None:
    watcher = await dial()
    await watcher.ask(SUBSCRIBE_ALL)
    # session expiry 60 s, will delay 1 s
    connect = "10 1f 0004 4d515454 05 04 0000 05 11 0000003c 0001 62 05 18 00000001 0001 77 0001 "
    first = await dial(None)
    assert (await first.ask(bytes.fromhex(connect + "31")))[0] == 0x20
    await first.close()
    assert await watcher.ask(b"\xc0\x00") == b"\xd0\x00"
    second = await dial(None)
    assert (await second.ask(bytes.fromhex(connect + "32")))[:3] == bytes.fromhex("20 0c 01")  # the session was there
    await second.close()
    assert await watcher.packet() == bytes.fromhex("30 04 0001 77 32")


async def test_a_farewell_with_will_publishes_it(dial: Dial) -> None:
    watcher = await dial()
    await watcher.ask(SUBSCRIBE_ALL)
    raw = await dial(None)
    assert (await raw.ask(bytes.fromhex("10 15 0004 4d515454 05 06 0000 00 0001 62 00 0001 77 0001 21")))[0] == 0x20
    raw._writer.write(bytes.fromhex("e0 01 04"))
    assert await watcher.packet() == bytes.fromhex("30 04 0001 77 21")


async def test_a_message_too_large_for_a_client_is_not_sent_to_it(broker: Broker, dial: Dial) -> None:
    raw = await dial(None)
    assert (await raw.ask(bytes.fromhex("10 13 0004 4d515454 05 02 0000 05 27 00000014 0001 62")))[0] == 0x20
    await raw.ask(bytes.fromhex("82 07 0001 00 0001 23 01"))
    async with aiomqtt.Client(broker.host, broker.port) as client:
        await client.publish("a", bytes(50), 1)
        await client.publish("a", b"!", 1)
    assert (await raw.packet())[-1:] == b"!"


async def test_stopping_closes_every_connection_and_the_port_is_free_again(broker: Broker, dial: Dial) -> None:
    raws = [await dial(None), await dial(V5)]
    await broker.stop()
    await broker.stop()
    assert await raws[0].rest() == b""
    assert await raws[1].rest() == bytes((0xE0, 1, Reason.SERVER_SHUTTING_DOWN))
    again = Broker(port=broker.port)
    assert await again.start() == broker.port
    await again.stop()


async def test_a_stopped_broker_forgets_everything(broker: Broker, dial: Dial) -> None:
    async with aiomqtt.Client(broker.host, broker.port) as client:
        await client.publish("a", b"kept", 1, retain=True)
    await broker.stop()
    await broker.start()
    raw = await dial()
    await raw.ask(SUBSCRIBE_ALL)
    assert await raw.ask(b"\xc0\x00") == b"\xd0\x00"


async def test_a_client_is_cut_off_kept_waiting_and_let_in(broker: Broker) -> None:
    packets: list[tuple[str, str]] = []
    broker.on_packet = lambda client, packet: packets.append((client, type(packet).__name__))
    will = aiomqtt.Will("w", b"gone", 1, retain=True)
    async with aiomqtt.Client("127.0.0.1", broker.port, timeout=5) as watcher:
        await watcher.subscribe("w", 1)
        first = aiomqtt.Client("127.0.0.1", broker.port, identifier="one", will=will, timeout=5, keepalive=30)
        await first.__aenter__()
        await first.publish("kept", b"x", 1, retain=True)
        assert broker.author("kept") == "one"
        said = broker.introduction("one")
        assert said is not None
        assert (said.client_id, said.keep_alive, said.will and said.will.payload) == ("one", 30, b"gone")
        broker.hold()
        broker.kick("one")
        assert (await anext(watcher.messages)).payload == b"gone"
        assert broker.introduction("one") is None
        again = asyncio.create_task(aiomqtt.Client("127.0.0.1", broker.port, identifier="one", timeout=5).__aenter__())
        await asyncio.sleep(0.05)
        assert not again.done()
        broker.let_in()
        await (await again).publish("kept", b"y", 1, retain=True)
        broker.forget("kept")
        await watcher.subscribe("kept", 1)
        await watcher.publish("w", b"end", 1)
        assert (await anext(watcher.messages)).payload == b"end"  # and nothing was kept
        await again.result().__aexit__(None, None, None)
    assert [kind for client, kind in packets if client == "one"] == [
        *("Connect", "Publish"),
        *("Connect", "Publish", "Disconnect"),
    ]


async def test_a_client_that_was_kept_waiting_may_have_gone(broker: Broker) -> None:
    broker.hold()
    broker.kick("nobody")
    waiting = asyncio.create_task(aiomqtt.Client("127.0.0.1", broker.port, timeout=0.2).__aenter__())
    with pytest.raises(aiomqtt.MqttError):
        await waiting
    broker.let_in()
    broker.let_in()
    async with aiomqtt.Client("127.0.0.1", broker.port, timeout=5):
        pass
