"""What every MQTT broker does, on ours and on mosquitto alike, for both versions of the protocol."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import aiomqtt
import pytest
from aiomqtt import Message, ProtocolVersion, Will
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

Open = Callable[..., AbstractAsyncContextManager[aiomqtt.Client]]
Serve = Callable[..., AbstractAsyncContextManager[int]]

V311, V5 = ProtocolVersion.V311, ProtocolVersion.V5


@pytest.fixture(params=[V311, V5], ids=["3.1.1", "5"])
def version(request: pytest.FixtureRequest) -> ProtocolVersion:
    chosen: ProtocolVersion = request.param
    return chosen


@pytest.fixture
def client(broker_port: int, version: ProtocolVersion) -> Open:
    """`async with client() as c` connects in the version under test."""

    def connect(**options: Any) -> AbstractAsyncContextManager[aiomqtt.Client]:
        options = {"protocol": version, "timeout": 5} | options
        return aiomqtt.Client("127.0.0.1", broker_port, **options)

    return connect


async def take(client: aiomqtt.Client, count: int = 1) -> list[Message]:
    async with asyncio.timeout(5):
        return [await anext(client.messages) for _ in range(count)]


async def all_until_mark(client: aiomqtt.Client) -> list[tuple[str, Any]]:
    """Every message up to a mark that the client sends to itself: what is not here did not come."""
    await client.subscribe("mark", 1)
    await client.publish("mark", b"", 1)
    found = []
    async with asyncio.timeout(5):
        async for message in client.messages:
            if message.topic.value == "mark":
                break
            found.append((message.topic.value, message.payload))
    return found


def lose_power(client: aiomqtt.Client) -> None:
    client._client._sock_close()


@contextlib.asynccontextmanager
async def doomed(connection: AbstractAsyncContextManager[aiomqtt.Client]) -> AsyncIterator[aiomqtt.Client]:
    """A client that will not say farewell."""
    client = await connection.__aenter__()
    yield client
    lose_power(client)


def steady(version: ProtocolVersion, expiry: int = 3600) -> dict[str, Any]:
    """Options of a client whose session outlives its connection."""
    options: dict[str, Any] = {"identifier": "steady"}
    if version is V311:
        return options | {"clean_session": False}
    properties = Properties(PacketTypes.CONNECT)
    properties.SessionExpiryInterval = expiry
    return options | {"clean_start": False, "properties": properties}


@pytest.mark.parametrize("published", [0, 1, 2])
@pytest.mark.parametrize("subscribed", [0, 1])
async def test_the_delivered_qos_is_the_lower_one(client: Open, published: int, subscribed: int) -> None:
    async with client() as c:
        await c.subscribe("a", subscribed)
        await c.publish("a", b"x", published)
        (message,) = await take(c)
        assert (message.payload, message.qos, bool(message.retain)) == (b"x", min(published, subscribed), False)


async def test_messages_keep_their_order(client: Open) -> None:
    async with client() as c:
        c.pending_calls_threshold = 1000
        await c.subscribe("a", 1)
        async with asyncio.TaskGroup() as group:
            for n in range(300):
                group.create_task(c.publish("a", str(n), 1))
        assert [int(message.payload) for message in await take(c, 300)] == list(range(300))


async def test_wildcards_reach_what_they_should(client: Open) -> None:
    async with client() as c:
        await c.subscribe([("one/+/x", 0), ("many/#", 0), ("exact", 0)])
        for topic in ("one/a/x", "one/a/b/x", "one/x", "many", "many/a/b", "exact", "exact/not", "other"):
            await c.publish(topic, b"")
        assert [topic for topic, _ in await all_until_mark(c)] == ["one/a/x", "many", "many/a/b", "exact"]


async def test_a_wildcard_at_the_start_does_not_reach_dollar_topics(client: Open) -> None:
    async with client() as c:
        await c.subscribe([("#", 0), ("+/a", 0)])
        await c.publish("$mine/a", b"x")
        assert [topic for topic, _ in await all_until_mark(c) if topic.startswith("$")] == []


async def test_after_unsubscribing_nothing_comes(client: Open) -> None:
    async with client() as c:
        await c.subscribe("a", 1)
        await c.unsubscribe("a")
        await c.publish("a", b"x", 1)
        assert await all_until_mark(c) == []


async def test_the_last_retained_message_awaits_a_subscriber(client: Open) -> None:
    async with client() as c:
        await c.publish("s/1", b"old", 1, retain=True)
        await c.publish("s/1", b"new", 1, retain=True)
        await c.publish("s/2", b"gone", 1, retain=True)
        await c.publish("s/2", b"", 1, retain=True)
        await c.publish("foreign", b"x", 1, retain=True)
        await c.subscribe("s/+", 1)
        (message,) = await take(c)
        assert (message.topic.value, message.payload, message.qos, bool(message.retain)) == ("s/1", b"new", 1, True)
        await c.publish("s/1", b"live", 1, retain=True)
        (message,) = await take(c)
        assert (message.payload, bool(message.retain)) == (b"live", False)
        assert await all_until_mark(c) == []


async def test_a_will_is_published_when_a_client_is_lost(client: Open) -> None:
    async with client() as watcher:
        await watcher.subscribe("will/#", 1)
        async with doomed(client(will=Will("will/a", b"lost", 1, True))):
            pass
        (message,) = await take(watcher)
        assert (message.topic.value, message.payload) == ("will/a", b"lost")
        async with client() as late:
            await late.subscribe("will/a", 1)
            (message,) = await take(late)
            assert (message.payload, bool(message.retain)) == (b"lost", True)


async def test_a_farewell_withdraws_the_will(client: Open) -> None:
    async with client() as watcher:
        await watcher.subscribe("will/#", 1)
        async with client(will=Will("will/a", b"lost", 1)):
            pass
        assert await all_until_mark(watcher) == []


async def test_a_second_connection_takes_the_session_over(client: Open) -> None:
    async with client() as watcher:
        await watcher.subscribe("will/a", 1)
        first = client(identifier="twin", will=Will("will/a", b"lost", 1))
        old = await first.__aenter__()
        async with client(identifier="twin") as new:
            (message,) = await take(watcher)
            assert message.payload == b"lost"
            with pytest.raises(aiomqtt.MqttError):
                await take(old)
            await new.publish("still", b"here", 1)


async def test_a_persistent_session_keeps_subscriptions_and_messages(client: Open, version: ProtocolVersion) -> None:
    async with client(**steady(version)) as c:
        await c.subscribe("a", 1)
    async with client() as other:
        await other.publish("a", b"1", 1)
        await other.publish("a", b"2", 1)
    async with client(**steady(version)) as c:
        assert [message.payload for message in await take(c, 2)] == [b"1", b"2"]


async def test_only_users_with_the_right_password_are_let_in(serve_broker: Serve, version: ProtocolVersion) -> None:
    async with serve_broker({"rig": "secret"}) as port:
        async with aiomqtt.Client("127.0.0.1", port, protocol=version, username="rig", password="secret") as c:
            await c.publish("a", b"x", 1)
        for username, password in (("rig", "guess"), ("who", "secret"), (None, None)):
            with pytest.raises(aiomqtt.MqttCodeError, match="code:135"):
                await aiomqtt.Client(
                    "127.0.0.1", port, protocol=version, username=username, password=password
                ).__aenter__()


async def test_a_client_may_leave_its_name_to_the_broker(client: Open) -> None:
    async with client(identifier="") as one, client(identifier="") as two:
        await one.subscribe("a")
        await two.publish("a", b"x")
        await take(one)


async def test_properties_reach_the_subscriber(broker_port: int) -> None:
    async with aiomqtt.Client("127.0.0.1", broker_port, protocol=V5) as c:
        await c.subscribe("a", 1)
        properties = Properties(PacketTypes.PUBLISH)
        properties.ResponseTopic = "back"
        properties.CorrelationData = b"\0\1"
        properties.ContentType = "application/json"
        properties.PayloadFormatIndicator = 1
        properties.MessageExpiryInterval = 60
        properties.UserProperty = [("a", "1"), ("a", "2")]
        await c.publish("a", b"x", 1, properties=properties)
        (message,) = await take(c)
        assert message.properties is not None
        assert message.properties.json() == properties.json()


async def test_a_client_may_ask_not_to_hear_itself(broker_port: int) -> None:
    async with aiomqtt.Client("127.0.0.1", broker_port, protocol=V5) as c:
        await c.subscribe("a", options=SubscribeOptions(qos=1, noLocal=True))
        await c.publish("a", b"own", 1)
        async with aiomqtt.Client("127.0.0.1", broker_port, protocol=V5) as other:
            await other.publish("a", b"other", 1)
        assert await all_until_mark(c) == [("a", b"other")]


async def test_retained_messages_come_as_the_subscription_wants(broker_port: int) -> None:
    async with aiomqtt.Client("127.0.0.1", broker_port, protocol=V5) as c:
        await c.publish("a", b"kept", 1, retain=True)
        await c.subscribe("a", options=SubscribeOptions(qos=1, retainHandling=2))
        assert await all_until_mark(c) == []
        await c.unsubscribe("a")
        for expected in ([("a", b"kept")], []):
            await c.subscribe("a", options=SubscribeOptions(qos=1, retainHandling=1))
            assert await all_until_mark(c) == expected
        await c.unsubscribe("a")
        await c.subscribe("a", options=SubscribeOptions(qos=1, retainAsPublished=True, retainHandling=2))
        await c.publish("a", b"live", 1, retain=True)
        (message,) = await take(c)
        assert (message.payload, bool(message.retain)) == (b"live", True)


async def test_mqtt_5_properties_do_not_hinder_a_client_of_3_1_1(broker_port: int) -> None:
    async with (
        aiomqtt.Client("127.0.0.1", broker_port, protocol=V311) as old,
        aiomqtt.Client("127.0.0.1", broker_port, protocol=V5) as new,
    ):
        await old.subscribe("a", 1)
        properties = Properties(PacketTypes.PUBLISH)
        properties.ResponseTopic = "back"
        await new.publish("a", b"x", 1, properties=properties)
        assert (await take(old))[0].payload == b"x"


WILDCARDS = {
    "+": ["a"],
    "#": ["a", "a/b", "a//b", "/a", "/", "a/b/c"],
    "/+": ["/a", "/"],
    "+/+": ["a/b", "/a", "/"],
    "a/#": ["a", "a/b", "a//b", "a/b/c"],
    "a/+/b": ["a//b"],
    "a/+/#": ["a/b", "a//b", "a/b/c"],
    "/#": ["/a", "/"],
    "+/b/#": ["a/b", "a/b/c"],
}
"""What each filter reaches of six topics; an empty level is a level (4.7.1, 4.7.3)."""


@pytest.mark.parametrize("pattern", WILDCARDS)
async def test_empty_levels_and_parents_are_matched_as_the_standard_says(client: Open, pattern: str) -> None:
    async with client() as c:
        await c.subscribe(pattern, 1)
        for topic in WILDCARDS["#"]:
            await c.publish(topic, b"", 1)
        found = [topic for topic, _ in await all_until_mark(c)]
        assert [topic for topic in found if topic != "mark"] == WILDCARDS[pattern]


@pytest.mark.parametrize("size", [0, 127, 128, 16_384, 200_000])
async def test_a_payload_of_any_size_arrives_whole(client: Open, size: int) -> None:
    payload = bytes(range(256)) * (size // 256) + bytes(size % 256)
    async with client() as c:
        await c.subscribe("big", 1)
        await c.publish("big", payload, 1)
        assert (await take(c))[0].payload == payload


async def test_a_hundred_clients_each_hear_what_is_theirs(client: Open) -> None:
    async with contextlib.AsyncExitStack() as stack:
        many = [await stack.enter_async_context(client()) for _ in range(100)]
        for number, each in enumerate(many):
            await each.subscribe([(f"only/{number}", 1), ("all", 1)])
        await many[0].publish("all", b"to all", 1)
        for number in range(100):
            await many[99 - number].publish(f"only/{number}", str(number), 1)
        for number, each in enumerate(many):
            heard = [(message.topic.value, message.payload) for message in await take(each, 2)]
            assert heard == [("all", b"to all"), (f"only/{number}", str(number).encode())]


async def test_clearing_a_retained_message_is_heard_by_subscribers_and_keeps_nothing(client: Open) -> None:
    async with client() as c:
        await c.publish("s", b"kept", 1, retain=True)
        await c.subscribe("s", 1)
        assert (await take(c))[0].payload == b"kept"
        await c.publish("s", b"", 1, retain=True)
        assert (await take(c))[0].payload == b""
        async with client() as late:
            await late.subscribe("s", 1)
            assert await all_until_mark(late) == []


@pytest.mark.parametrize(("kept_by", "read_by"), [(V311, V5), (V5, V311)], ids=["3.1.1 to 5", "5 to 3.1.1"])
async def test_a_retained_message_reaches_clients_of_the_other_version(
    broker_port: int, kept_by: ProtocolVersion, read_by: ProtocolVersion
) -> None:
    async with aiomqtt.Client("127.0.0.1", broker_port, protocol=kept_by) as c:
        await c.publish("s", b"kept", 1, retain=True)
    async with aiomqtt.Client("127.0.0.1", broker_port, protocol=read_by) as c:
        await c.subscribe("s", 1)
        assert (await take(c))[0].payload == b"kept"


async def test_a_message_that_was_not_acknowledged_comes_again_after_a_reconnection(
    client: Open, version: ProtocolVersion
) -> None:
    """4.4: in their order, what was on its way before what waited."""
    async with doomed(client(**steady(version))) as c:
        c._client.manual_ack_set(True)
        await c.subscribe("a", 1)
        async with client() as other:
            await other.publish("a", b"1", 1)
            await other.publish("a", b"2", 1)
        assert [message.payload for message in await take(c, 2)] == [b"1", b"2"]
    async with client() as other:
        await other.publish("a", b"3", 1)
    async with client(**steady(version)) as c:
        assert [message.payload for message in await take(c, 3)] == [b"1", b"2", b"3"]
        assert await all_until_mark(c) == []  # the broker has the acknowledgements once it has the mark
    async with client(**steady(version)) as c:
        assert await all_until_mark(c) == []


async def test_messages_of_qos_0_do_not_wait_for_an_absent_client(client: Open, version: ProtocolVersion) -> None:
    async with client(**steady(version)) as c:
        await c.subscribe([("zero", 0), ("one", 1)])
    async with client() as other:
        await other.publish("zero", b"", 0)
        await other.publish("one", b"", 1)
    async with client(**steady(version)) as c:
        assert await all_until_mark(c) == [("one", b"")]


async def test_a_clean_start_ends_the_session_before_it(client: Open, version: ProtocolVersion) -> None:
    async with client(**steady(version)) as c:
        await c.subscribe("a", 1)
    fresh = {"clean_session": True} if version is V311 else {"clean_start": True}
    async with client(identifier="steady", **fresh):
        pass
    async with client() as other:
        await other.publish("a", b"lost", 1)
    async with client(**steady(version)) as c:
        assert await all_until_mark(c) == []


async def test_a_session_without_expiry_ends_with_its_connection(broker_port: int) -> None:
    def connect(expiry: int) -> aiomqtt.Client:
        return aiomqtt.Client("127.0.0.1", broker_port, protocol=V5, **steady(V5, expiry))

    async with connect(0) as c:
        await c.subscribe("a", 1)
    async with aiomqtt.Client("127.0.0.1", broker_port, protocol=V5) as other:
        await other.publish("a", b"lost", 1)
    async with connect(3600) as c:
        assert await all_until_mark(c) == []


def delayed_will(seconds: int) -> Will:
    properties = Properties(PacketTypes.WILLMESSAGE)
    properties.WillDelayInterval = seconds
    return Will("will/a", b"lost", 1, properties=properties)


async def test_a_delayed_will_waits_and_comes(broker_port: int) -> None:
    async with aiomqtt.Client("127.0.0.1", broker_port, protocol=V5) as watcher:
        await watcher.subscribe("will/#", 1)
        async with doomed(aiomqtt.Client("127.0.0.1", broker_port, protocol=V5, will=delayed_will(2), **steady(V5))):
            pass
        assert await all_until_mark(watcher) == []
        assert (await take(watcher))[0].payload == b"lost"


async def test_who_comes_back_in_time_takes_its_delayed_will_away(broker_port: int) -> None:
    async with aiomqtt.Client("127.0.0.1", broker_port, protocol=V5) as watcher:
        await watcher.subscribe("will/#", 1)
        async with doomed(aiomqtt.Client("127.0.0.1", broker_port, protocol=V5, will=delayed_will(1), **steady(V5))):
            pass
        async with aiomqtt.Client("127.0.0.1", broker_port, protocol=V5, **steady(V5)):
            await asyncio.sleep(1.5)  # the will's own time must pass
        assert await all_until_mark(watcher) == []


async def test_a_farewell_may_ask_for_the_will(broker_port: int) -> None:
    async with aiomqtt.Client("127.0.0.1", broker_port, protocol=V5) as watcher:
        await watcher.subscribe("will/#", 1)
        leaving = aiomqtt.Client("127.0.0.1", broker_port, protocol=V5, will=Will("will/a", b"meant", 1))
        c = await leaving.__aenter__()
        c._client.disconnect(ReasonCode(PacketTypes.DISCONNECT, identifier=4))
        assert (await take(watcher))[0].payload == b"meant"


async def connection(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port)


async def test_who_falls_silent_beyond_its_keep_alive_is_given_up_and_its_will_published(
    client: Open, broker_port: int
) -> None:
    async with client() as watcher:
        await watcher.subscribe("will", 1)
        reader, writer = await connection(broker_port)
        # CONNECT of 3.1.1: clean, with a will, keep alive 1 s, client "k", will on "will"
        writer.write(bytes.fromhex("10 17 0004 4d515454 04 06 0001 0001 6b 0004 77696c6c 0002 6279"))
        async with asyncio.timeout(20):
            assert await reader.readexactly(4) == bytes.fromhex("20 02 00 00")
            message = await anext(watcher.messages)
            assert await reader.read() == b""
        assert message.payload == b"by"
        writer.close()


@pytest.mark.parametrize(
    "nonsense",
    ["ffffffffff", "3003000161", "1000", "100c 0004 4d515454 09 02 003c 0000", "474554202f20485454502f312e310d0a0d0a"],
    ids=["noise", "a message first", "an empty CONNECT", "an unknown version", "HTTP"],
)
async def test_who_does_not_introduce_itself_is_sent_away_and_others_stay(
    client: Open, broker_port: int, nonsense: str
) -> None:
    async with client() as c:
        await c.subscribe("a", 1)
        reader, writer = await connection(broker_port)
        writer.write(bytes.fromhex(nonsense))
        async with asyncio.timeout(10):
            with contextlib.suppress(ConnectionError):
                assert len(await reader.read()) <= 8  # at most a refusal
        writer.close()
        await c.publish("a", b"x", 1)
        assert (await take(c))[0].payload == b"x"
