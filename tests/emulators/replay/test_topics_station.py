"""A recorded device on an MQTT broker, message for message."""

import asyncio
from collections.abc import AsyncIterator

import aiomqtt

from feltrig.emulators.replay.topics_station import RecordedTopics
from feltrig.protocols.mqtt.link import Server
from feltrig.protocols.mqtt.packet_codec import encode
from feltrig.protocols.mqtt.packets import V5, Publish


def published(topic: str, payload: bytes, retain: bool = False) -> bytes:
    return encode(Publish(topic, payload, 0, retain, False, 0, {}), V5)


PASSED = (
    (0.0, False, published("a/says", b"hello")),
    (1.0, True, published("a/listens", b"one")),
    (1.5, False, published("a/says", b"1") + published("a/state", b"busy")),
    (2.0, True, published("a/listens", b"two")),
    (2.5, False, published("a/says", b"2")),
)


async def test_the_devices_messages_follow_as_many_of_the_drivers_and_begin_when_somebody_listens(broker) -> None:
    said: asyncio.Queue[str] = asyncio.Queue()
    server = Server(broker.host, broker.port)
    station = RecordedTopics("shaker", PASSED, said.put_nowait, 0, topic="a", server=server)
    broker.on_subscribe = station.listened
    assert await station.start() == "a"
    async with asyncio.timeout(5), aiomqtt.Client(broker.host, broker.port) as driver:
        await driver.subscribe("b/says")
        await driver.subscribe("a/#")
        heard = aiter(driver.messages)
        assert await _next(heard, 1) == [("a/says", b"hello")]
        await driver.publish("a/listens", b"another word")
        assert await _next(heard, 3) == [("a/listens", b"another word"), ("a/says", b"1"), ("a/state", b"busy")]
        await driver.publish("a/listens", b"two")
        assert (await _next(heard, 2))[1] == ("a/says", b"2")
        assert said.empty()
        await driver.publish("a/listens", b"three")
        assert await said.get() == "shaker: the driver went on after the recording had ended"
    await station.stop()
    await station.stop()


async def test_a_device_that_only_speaks_is_told_from_when_somebody_listens(broker) -> None:
    spoken = [(at, outgoing, data) for at, outgoing, data in PASSED if not outgoing]
    station = RecordedTopics("shaker", spoken, print, 0, topic="a", server=Server(broker.host, broker.port))
    broker.on_subscribe = station.listened
    await station.start()
    async with asyncio.timeout(5), aiomqtt.Client(broker.host, broker.port) as driver:
        await driver.subscribe("a/says")
        assert [payload for _, payload in await _next(aiter(driver.messages), 3)] == [b"hello", b"1", b"2"]
    await station.stop()


async def test_a_device_that_was_switched_off_speaks_again_when_it_is_switched_on(broker) -> None:
    server = Server(broker.host, broker.port)
    station = RecordedTopics("shaker", PASSED, print, 0, starts=[2.25], topic="a", server=server)
    broker.on_subscribe = station.listened
    await station.start()
    async with asyncio.timeout(5), aiomqtt.Client(broker.host, broker.port) as driver:
        await driver.subscribe("a/says")
        heard = aiter(driver.messages)
        for word in (b"one", b"two"):
            await driver.publish("a/listens", word)
        assert await _next(heard, 2) == [("a/says", b"hello"), ("a/says", b"1")]
        station.power_on()
        assert await _next(heard, 1) == [("a/says", b"2")]
        assert station.deviations == []
    await station.stop()


async def _next(messages: AsyncIterator[aiomqtt.Message], many: int) -> list[tuple[str, object]]:
    found = [await anext(messages) for _ in range(many)]
    return [(message.topic.value, message.payload) for message in found]
