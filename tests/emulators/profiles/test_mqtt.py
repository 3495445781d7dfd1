"""An emulator of an MQTT profile, as a client of the broker sees it, and when the broker goes away."""

import asyncio

import pytest

from feltrig.emulators.models.setup import Setup
from feltrig.emulators.models.shaker import shaker
from feltrig.emulators.profiles.mqtt import mqtt_station
from feltrig.emulators.profiles.puppet import Puppet
from feltrig.emulators.profiles.station import MessageStation
from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds.shaker import SHAKER
from feltrig.protocols.mqtt.link import MqttLink, Server
from feltrig.protocols.profiles import profilefile
from feltrig.protocols.profiles.dialogue import Parcel
from feltrig.protocols.profiles.mqtt_line import mqtt_channel

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
def server(broker):
    return Server(broker.host, broker.port)


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_shaker_listens_and_says(server, version):
    server = Server(server.host, server.port, version)
    station = mqtt_station(PROFILE, shaker(Setup("shaker", 1)), TOPIC, server)
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


async def test_a_shaker_comes_back_by_itself_after_its_broker(broker, server):
    station = mqtt_station(PROFILE, shaker(Setup("shaker", 1)), TOPIC, server)
    await station.start()
    await broker.stop()
    await broker.start()
    ear = Ear(server)
    await ear.link.open()
    await ear.link.subscribe(f"{TOPIC}/says")
    async with asyncio.timeout(10):
        while ear.heard.empty():
            ear.link.send(f"{TOPIC}/listens", b"/nonsense")
            await asyncio.sleep(0.02)
    assert await ear.next() == ("says", b"S93")
    await ear.link.close()
    await station.stop()
    await broker.stop()


class Mouth:
    """A line that can be down."""

    def __init__(self) -> None:
        self.up = True
        self.said: list[bytes] = []

    async def open(self, hear, garbled, ready):
        self.hear, self.ready = hear, ready
        return "nowhere"

    async def close(self):
        self.up = False

    def say(self, parcel):
        if self.up:
            self.said.append(parcel.payload)
        return self.up


async def test_what_happens_while_the_line_is_down_is_said_when_it_is_back():
    puppet, mouth = Puppet(SHAKER), Mouth()
    station = MessageStation(PROFILE, puppet, mouth)
    await station.start()
    mouth.up = False
    puppet.emit("shaken", {"times": 3})
    puppet.emit("uncovered", {"commanded": True})
    mouth.hear(Parcel("listens", b"/nonsense"))  # it looks at the machine whenever it hears something
    assert mouth.said == []
    mouth.up = True
    mouth.ready()
    assert mouth.said == [b"S0", b"L1"]
    await station.stop()


async def test_a_broker_that_is_not_there_is_a_lost_line(server):
    nowhere = Server("127.0.0.1", 1)
    with pytest.raises(LineLost):
        await mqtt_station(PROFILE, Puppet(SHAKER), TOPIC, nowhere).start()
    with pytest.raises(LineLost):
        await mqtt_channel(PROFILE, TOPIC, nowhere, 1.0).open()
