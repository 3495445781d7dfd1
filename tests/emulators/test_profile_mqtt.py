"""An emulator of an MQTT profile, as a client of the broker sees it, and when the broker goes away."""

import asyncio

import pytest

from feltrig.emulators.broker import Broker
from feltrig.emulators.profile_mqtt import mqtt_station
from feltrig.emulators.puppet import Puppet
from feltrig.emulators.shaker import shaker
from feltrig.protocols.errors import LineLost
from feltrig.protocols.messages import Request
from feltrig.protocols.mqtt_link import MqttLink, Server
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.mqtt_line import mqtt_channel
from feltrig.protocols.vocabulary import SHAKER, Error

TOPIC = "studio/shaker1"
PROFILE = profilefile.builtin("lookalike-listens-says-shaker")


class Ear:
    """A client that takes down what is said below the topic."""

    def __init__(self, server: Server) -> None:
        self.heard: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()
        self.link = MqttLink(server, 5.0, self._receive, lambda: None)

    def _receive(self, message) -> None:
        self.heard.put_nowait((message.topic.value.removeprefix(f"{TOPIC}/"), bytes(message.payload)))

    async def next(self) -> tuple[str, bytes]:
        async with asyncio.timeout(5):
            return await self.heard.get()


@pytest.fixture
async def server():
    broker = Broker()
    yield Server("127.0.0.1", await broker.start())
    await broker.stop()


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_shaker_listens_and_says(server, version):
    server = Server(server.host, server.port, version)
    station = mqtt_station(PROFILE, shaker("shaker", 1), TOPIC, server)
    assert await station.start() == TOPIC
    ear = Ear(server)
    await ear.link.open()
    await ear.link.subscribe(f"{TOPIC}/says", f"{TOPIC}/response")
    ear.link.send(f"{TOPIC}/listens", b"/cycle/?pattern=0&shakes=3")
    assert [await ear.next(), await ear.next()] == [("says", b"S2"), ("says", b"S0")]
    ear.link.send(f"{TOPIC}/command", b'{"command":"detect","arg":{"round_id":12}}')
    assert [await ear.next(), await ear.next()] == [("says", b"S2"), ("says", b"L1")]
    topic, result = await ear.next()
    assert topic == "response"
    assert result.startswith(b'{"response":"result","arg":{"round_id":12,"res":[')
    ear.link.send(f"{TOPIC}/listens", b"/cycle/?pattern=0&shakes=3")
    assert await ear.next() == ("says", b"S95")  # the lid is off
    ear.link.send(f"{TOPIC}/listens", b"/nonsense")
    assert await ear.next() == ("says", b"S93")
    await ear.link.close()
    await station.stop()
    await station.stop()


async def test_what_happens_while_the_broker_is_away_is_said_when_it_is_back():
    broker = Broker()
    port = await broker.start()
    server = Server("127.0.0.1", port)
    puppet = Puppet(SHAKER)
    station = mqtt_station(PROFILE, puppet, TOPIC, server)
    await station.start()
    channel = mqtt_channel(PROFILE, TOPIC, server, 2.0)
    await channel.open()
    await broker.stop()
    puppet.emit("shaken", {"times": 3})
    async with asyncio.timeout(5):
        while True:
            try:
                await channel.events(0)
                await channel.idle(0.01)
            except LineLost:
                break
    broker = Broker("127.0.0.1", port)
    await broker.start()
    await channel.open()
    async with asyncio.timeout(10):
        while not (batch := await channel.events(0)).events:
            await channel.idle(0.05)
    assert [event.name for event in batch.events] == ["shaken"]
    assert (await channel.request(Request("cover"))).error is Error.OK
    await channel.close()
    await station.stop()
    await broker.stop()


async def test_a_broker_that_is_not_there_is_a_lost_line(server):
    nowhere = Server("127.0.0.1", 1)
    with pytest.raises(LineLost):
        await mqtt_station(PROFILE, Puppet(SHAKER), TOPIC, nowhere).start()
    with pytest.raises(LineLost):
        await mqtt_channel(PROFILE, TOPIC, nowhere, 1.0).open()
