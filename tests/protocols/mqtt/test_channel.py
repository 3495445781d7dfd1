"""The channel against a puppet: a device that says, byte for byte, what each test wants."""

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import aiomqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from feltrig.emulators.broker import Broker
from feltrig.emulators.models.rng import rng
from feltrig.emulators.models.setup import Setup
from feltrig.emulators.stations.mqtt_station import MqttStation
from feltrig.protocols.errors import Garbage, LineLost, NoAnswer, Refused
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.messages import Event, EventBatch, Reply, Request, Status
from feltrig.protocols.mqtt.channel import KEPT_EVENTS, MqttChannel
from feltrig.protocols.mqtt.link import CallProperties, Server, Version
from feltrig.protocols.mqtt.packet_codec import Decoder
from feltrig.protocols.mqtt.packets import Connect, Publish, Subscribe
from feltrig.protocols.vocabulary import Error, FaultCode, State

BASE = "casino/t1/rng"
PROTOCOLS = {"3.1.1": aiomqtt.ProtocolVersion.V311, "5": aiomqtt.ProtocolVersion.V5}
IDLE = '"state":0,"fault":0,"oldest":1,"latest":9'
STATUS = Status(State.IDLE, FaultCode.NONE, 1, 9)

Script = Callable[["Puppet", aiomqtt.Message, dict[str, Any]], list[bytes]]


class Puppet:
    """Answers each request with what the script returns; remembers what it was asked."""

    def __init__(self, client: aiomqtt.Client, version: Version) -> None:
        self.client = client
        self.version = version
        self.script: Script = lambda *_: []
        self.asked: list[dict[str, Any]] = []
        self.messages: list[aiomqtt.Message] = []
        self._arrival = asyncio.Condition()

    async def heard(self, count: int) -> None:
        """Wait until so many requests have arrived."""
        async with asyncio.timeout(5), self._arrival:
            await self._arrival.wait_for(lambda: len(self.asked) >= count)

    async def serve(self) -> None:
        async for message in self.client.messages:
            assert isinstance(message.payload, bytes)
            document = json.loads(message.payload)
            self.asked.append(document)
            self.messages.append(message)
            async with self._arrival:
                self._arrival.notify_all()
            for payload in self.script(self, message, document):
                await self.answer(message, payload)

    async def answer(self, message: aiomqtt.Message, payload: bytes) -> None:
        """Reply as the version of the request wants it; in 3.1.1 the id goes into the document."""
        assert isinstance(message.payload, bytes)
        if self.version == "5":
            properties = Properties(PacketTypes.PUBLISH)
            properties.CorrelationData = message.properties.CorrelationData
            await self.client.publish(message.properties.ResponseTopic, payload, 1, properties=properties)
            return
        request = json.loads(message.payload)
        with contextlib.suppress(ValueError, TypeError):
            payload = json.dumps(json.loads(payload) | {"id": request["id"]}).encode()
        await self.client.publish(request["reply_to"], payload, 1)

    async def push(self, number: int, name: str = "cleared", **values: int) -> None:
        document = f'{{"v":1,"n":{number},"event":"{name}","values":{json.dumps(values)},{IDLE}}}'
        await self.client.publish(f"{BASE}/event", document, 1)

    async def online(self, online: bool) -> None:
        await self.client.publish(f"{BASE}/online", f'{{"v":1,"online":{str(online).lower()}}}', 1, retain=True)


def number(value: int) -> bytes:
    return f'{{"v":1,"error":"ok","values":{{"number":{value}}}}}'.encode()


def batch(*numbers: int) -> bytes:
    events = ",".join(f'{{"n":{n},"event":"cleared"}}' for n in numbers)
    return f'{{"v":1,"error":"ok","status":{{{IDLE}}},"events":[{events}]}}'.encode()


def cleared(*numbers: int) -> tuple[Event, ...]:
    return tuple(Event(n, "cleared") for n in numbers)


@pytest.fixture(params=["3.1.1", "5"])
def version(request: pytest.FixtureRequest) -> Version:
    chosen: Version = request.param
    return chosen


@pytest.fixture
async def puppet(broker: Broker, version: Version) -> AsyncIterator[Puppet]:
    will = aiomqtt.Will(f"{BASE}/online", b'{"v":1,"online":false}', 1, True)
    async with aiomqtt.Client(broker.host, broker.port, protocol=PROTOCOLS[version], will=will) as client:
        await client.subscribe(f"{BASE}/cmd", 1)
        puppet = Puppet(client, version)
        serving = asyncio.create_task(puppet.serve())
        yield puppet
        serving.cancel()
        await asyncio.wait((serving,))


@contextlib.asynccontextmanager
async def opened(broker: Broker, version: Version, deadline: float = 5.0) -> AsyncIterator[MqttChannel]:
    channel = MqttChannel(RNG, BASE, Server(broker.host, broker.port, version=version), deadline=deadline)
    await channel.open()
    try:
        yield channel
    finally:
        await channel.close()


async def pushed(channel: MqttChannel) -> None:
    """Wait until the channel has heard of an event."""
    async with asyncio.timeout(5):
        await channel.idle(30)


async def endlessly(channel: MqttChannel) -> None:
    """Ask until it fails."""
    while True:
        await channel.request(Request("display", token=1))


@pytest.fixture
async def mute_port() -> AsyncIterator[int]:
    """A port where connections are accepted and nothing is ever said."""
    held: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _, writer: held.append(writer), "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    for writer in held:
        writer.close()
        await writer.wait_closed()
    await server.wait_closed()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def test_a_command_and_its_answer(broker: Broker, puppet: Puppet, version: Version) -> None:
    puppet.script = lambda *_: [number(3)]
    async with opened(broker, version) as channel:
        assert await channel.request(Request("display", token=77)) == Reply(Error.OK, {"number": 3})
    (asked,) = puppet.asked
    assert {key: asked[key] for key in ("v", "cmd", "token")} == {"v": 1, "cmd": "display", "token": 77}
    assert set(asked) - {"v", "cmd", "token"} == (set() if version == "5" else {"id", "reply_to"})


async def test_a_refusal_is_an_answer(broker: Broker, puppet: Puppet, version: Version) -> None:
    puppet.script = lambda *_: [b'{"v":1,"error":"wrong_state"}']
    async with opened(broker, version) as channel:
        assert await channel.request(Request("select", token=1)) == Reply(Error.WRONG_STATE)


async def test_requests_may_overlap_and_be_answered_out_of_order(
    broker: Broker, puppet: Puppet, version: Version
) -> None:
    async with opened(broker, version) as channel:
        asking = [asyncio.create_task(channel.request(Request("display", token=n))) for n in (1, 2, 3)]
        await puppet.heard(3)
        for message, asked in reversed(list(zip(puppet.messages, puppet.asked, strict=True))):
            await puppet.answer(message, number(asked["token"]))
        assert [(await reply).values["number"] for reply in asking] == [1, 2, 3]


async def test_a_late_answer_is_not_taken_for_another(broker: Broker, puppet: Puppet, version: Version) -> None:
    async with opened(broker, version, deadline=0.1) as channel:
        with pytest.raises(NoAnswer):
            await channel.request(Request("display", token=1))
    late = list(puppet.messages)

    async with opened(broker, version) as channel:
        asking = asyncio.create_task(channel.request(Request("display", token=2)))
        await puppet.heard(len(late) + 1)
        for message in late:
            await puppet.answer(message, number(1))
        await puppet.answer(puppet.messages[-1], number(2))
        assert (await asking).values == {"number": 2}


async def test_a_late_answer_on_the_same_connection_is_not_taken_either(
    broker: Broker, puppet: Puppet, version: Version
) -> None:
    async with opened(broker, version, deadline=0.6) as channel:
        with pytest.raises(NoAnswer):
            await channel.request(Request("display", token=1))
        late = list(puppet.messages)
        asking = asyncio.create_task(channel.request(Request("display", token=2)))
        await puppet.heard(len(late) + 1)
        for message in late:
            await puppet.answer(message, number(1))
        await puppet.answer(puppet.messages[len(late)], number(2))
        assert (await asking).values == {"number": 2}


async def test_an_unanswered_request_is_repeated_once_with_its_token(
    broker: Broker, puppet: Puppet, version: Version
) -> None:
    puppet.script = lambda puppet, *_: [number(5)] if len(puppet.asked) == 2 else []
    async with opened(broker, version, deadline=1.0) as channel:
        assert (await channel.request(Request("display", token=9))).values == {"number": 5}
        assert [asked["token"] for asked in puppet.asked] == [9, 9]


async def test_silence_is_no_answer(broker: Broker, puppet: Puppet, version: Version) -> None:
    async with opened(broker, version, deadline=0.1) as channel:
        with pytest.raises(NoAnswer, match=BASE):
            await channel.request(Request("display", token=1))
    await puppet.heard(2)


@pytest.mark.parametrize("nonsense", [b"\xff", b'{"v":1,"error":"perhaps"}', b'{"v":1,"error":"ok"}'])
async def test_nonsense_is_garbage(broker: Broker, puppet: Puppet, version: Version, nonsense: bytes) -> None:
    puppet.script = lambda *_: [nonsense]
    async with opened(broker, version, deadline=0.5) as channel:
        with pytest.raises(Garbage):
            await channel.request(Request("display", token=1))


async def test_nonsense_before_the_deadline_does_not_hide_a_good_answer(
    broker: Broker, puppet: Puppet, version: Version
) -> None:
    puppet.script = lambda *_: [b"\xff", number(4)]
    async with opened(broker, version) as channel:
        assert (await channel.request(Request("display", token=1))).values == {"number": 4}


async def test_no_broker_is_a_lost_line(version: Version) -> None:
    channel = MqttChannel(RNG, BASE, Server("127.0.0.1", free_port(), version=version), deadline=1.0)
    with pytest.raises(LineLost, match=r"127\.0\.0\.1"):
        await channel.open()
    with pytest.raises(LineLost):
        await channel.request(Request("display"))
    await channel.close()


async def test_a_broker_that_never_welcomes_is_a_lost_line(mute_port: int, version: Version) -> None:
    channel = MqttChannel(RNG, BASE, Server("127.0.0.1", mute_port, version=version), deadline=0.2)
    with pytest.raises(LineLost):
        await channel.open()


async def test_cancelling_the_opening_leaves_nothing_behind(mute_port: int, version: Version) -> None:
    before = asyncio.all_tasks()
    channel = MqttChannel(RNG, BASE, Server("127.0.0.1", mute_port, version=version), deadline=0.3)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await channel.open()
    await asyncio.sleep(0.01)  # the loop lets go of what was cancelled
    assert asyncio.all_tasks() == before


async def test_wrong_credentials_are_a_lost_line(version: Version) -> None:
    broker = Broker(users={"rig": "secret"})
    port = await broker.start()
    for password, welcome in (("secret", True), ("guess", False)):
        channel = MqttChannel(RNG, BASE, Server("127.0.0.1", port, version=version, username="rig", password=password))
        with contextlib.nullcontext() if welcome else pytest.raises(LineLost):
            await channel.open()
        await channel.close()
    await broker.stop()


async def test_losing_the_broker_fails_what_waits_at_once(broker: Broker, puppet: Puppet, version: Version) -> None:
    async with opened(broker, version, deadline=30) as channel:
        asking = asyncio.create_task(channel.request(Request("display", token=1)))
        idling = asyncio.create_task(channel.idle(30))
        await puppet.heard(1)
        async with asyncio.timeout(5):
            await broker.stop()
            with pytest.raises(LineLost):
                await asking
            await idling
            with pytest.raises(LineLost):
                await channel.events(0)


async def test_a_channel_opens_again_after_the_broker_came_back(broker: Broker, version: Version) -> None:
    async with opened(broker, version) as channel:
        await broker.stop()
        await broker.start()
        await channel.open()
        async with aiomqtt.Client(broker.host, broker.port) as other:
            await other.publish(f"{BASE}/event", f'{{"v":1,"n":1,"event":"started",{IDLE}}}', 1)
        await pushed(channel)
        assert (await channel.events(0)).events == (Event(1, "started"),)


async def test_the_will_of_the_device_fails_requests_at_once(broker: Broker, puppet: Puppet, version: Version) -> None:
    puppet.script = lambda *_: [number(1)]
    async with opened(broker, version, deadline=30) as channel, asyncio.timeout(5):
        await puppet.online(False)
        with pytest.raises(LineLost):
            await endlessly(channel)
        with pytest.raises(LineLost, match="offline"):
            await channel.request(Request("display", token=2))
        await puppet.online(True)
        while True:
            with contextlib.suppress(LineLost):
                await channel.request(Request("display", token=3))
                break
            await asyncio.sleep(0.001)


async def test_a_request_that_waits_ends_with_the_will_of_the_device(broker: Broker, version: Version) -> None:
    will = aiomqtt.Will(f"{BASE}/online", b'{"v":1,"online":false}', 1, True)
    async with opened(broker, version, deadline=30) as channel, asyncio.timeout(5):
        device = aiomqtt.Client(broker.host, broker.port, will=will)
        await device.__aenter__()
        await device.subscribe(f"{BASE}/cmd")
        asking = asyncio.create_task(channel.request(Request("display", token=1)))
        await anext(device.messages)
        device._client._sock_close()  # as when its power fails
        with pytest.raises(LineLost, match="left"):
            await asking


async def test_pushed_events_need_no_question(broker: Broker, puppet: Puppet, version: Version) -> None:
    async with opened(broker, version) as channel:
        for n in (5, 6, 7):
            await puppet.push(n)
            await pushed(channel)
        assert await channel.events(4) == EventBatch(STATUS, cleared(5, 6, 7))
        assert await channel.events(6) == EventBatch(STATUS, cleared(7))
        assert puppet.asked == []


async def test_the_status_of_a_batch_is_the_latest_that_was_pushed(
    broker: Broker, puppet: Puppet, version: Version
) -> None:
    async with opened(broker, version) as channel:
        await puppet.client.publish(f"{BASE}/state", b'{"v":1,"state":4,"fault":0,"oldest":0,"latest":0}', 1)
        await puppet.push(1)
        await puppet.client.publish(f"{BASE}/state", b'{"v":1,"state":1,"fault":0,"oldest":1,"latest":1}', 1)
        puppet.script = lambda *_: [number(1)]
        await channel.request(Request("display"))
        assert (await channel.events(0)).status == Status(State.BUSY, FaultCode.NONE, 1, 1)


async def test_a_lost_event_is_asked_for(broker: Broker, puppet: Puppet, version: Version) -> None:
    puppet.script = lambda *_: [batch(5, 6, 7)]
    async with opened(broker, version) as channel:
        for n in (5, 7):
            await puppet.push(n)
            await pushed(channel)
        assert (await channel.events(4)).events == cleared(5, 6, 7)
        assert puppet.asked[0]["args"] == {"after": 4}
        assert (await channel.events(6)).events == cleared(7)
        assert len(puppet.asked) == 1


async def test_without_pushed_events_the_device_is_asked(broker: Broker, puppet: Puppet, version: Version) -> None:
    puppet.script = lambda *_: [batch()]
    async with opened(broker, version) as channel:
        assert await channel.events(9) == EventBatch(STATUS, ())
        await puppet.push(9)
        await pushed(channel)
        assert (await channel.events(9)).events == ()
        assert len(puppet.asked) == 2


async def test_an_event_delivered_twice_counts_once(broker: Broker, puppet: Puppet, version: Version) -> None:
    async with opened(broker, version) as channel:
        for n in (1, 2, 2, 1, 3):
            await puppet.push(n)
        while (await channel.events(0)).events != cleared(1, 2, 3):
            await pushed(channel)
        assert [asked["cmd"] for asked in puppet.asked] == []


async def test_a_restarted_device_begins_anew(broker: Broker, puppet: Puppet, version: Version) -> None:
    async with opened(broker, version) as channel:
        for n, name in ((8, "cleared"), (9, "cleared"), (1, "started"), (2, "cleared")):
            await puppet.push(n, name)
            await pushed(channel)
        assert (await channel.events(0)).events == (Event(1, "started"), *cleared(2))


async def test_a_restart_that_was_missed_shows_in_the_state(broker: Broker, puppet: Puppet, version: Version) -> None:
    puppet.script = lambda *_: [batch()]
    async with opened(broker, version) as channel:
        for n in (7, 8, 9):
            await puppet.push(n)
        await puppet.client.publish(f"{BASE}/state", b'{"v":1,"state":0,"fault":0,"oldest":1,"latest":2}', 1)
        await channel.events(9)  # by its answer, the state has arrived
        assert (await channel.events(6)).events == ()
        assert len(puppet.asked) == 2


async def test_everybody_who_idles_is_woken(broker: Broker, puppet: Puppet, version: Version) -> None:
    async with opened(broker, version) as channel, asyncio.timeout(5):
        idling = [asyncio.create_task(channel.idle(seconds)) for seconds in (30, 30, 0.01)]
        await idling[2]
        assert not idling[0].done()
        await puppet.push(1)
        await asyncio.gather(*idling)


async def test_only_so_many_events_are_kept(broker: Broker, puppet: Puppet, version: Version) -> None:
    puppet.script = lambda *_: [batch(1)]
    async with opened(broker, version) as channel:
        for n in range(1, KEPT_EVENTS + 2):
            await puppet.push(n)
        while len((await channel.events(1)).events) < KEPT_EVENTS:
            await pushed(channel)
        assert (await channel.events(0)).events == cleared(1)


async def test_a_device_that_refuses_to_list_its_events(broker: Broker, puppet: Puppet, version: Version) -> None:
    puppet.script = lambda *_: [b'{"v":1,"error":"malformed"}']
    async with opened(broker, version) as channel:
        with pytest.raises(Refused, match="events: refused: malformed"):
            await channel.events(0)


async def test_idling_ends_in_time_without_news(broker: Broker, version: Version) -> None:
    async with opened(broker, version) as channel, asyncio.timeout(5):
        await channel.idle(0.01)


async def test_news_that_came_before_idling_ends_it_once(broker: Broker, puppet: Puppet, version: Version) -> None:
    puppet.script = lambda *_: [number(1)]
    async with opened(broker, version) as channel:
        await puppet.push(1)
        await channel.request(Request("display"))  # by its answer, the event has arrived
        async with asyncio.timeout(5):
            await channel.idle(30)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await channel.idle(30)


async def test_a_malformed_event_is_not_believed(broker: Broker, puppet: Puppet, version: Version) -> None:
    puppet.script = lambda *_: [batch()]
    async with opened(broker, version) as channel:
        await puppet.client.publish(f"{BASE}/event", b'{"v":1,"n":1,"event":"boom"}', 1)
        await puppet.client.publish(f"{BASE}/online", b"perhaps", 1)
        assert (await channel.events(0)).events == ()


async def test_closing_twice_is_fine_and_fails_what_waits(broker: Broker, puppet: Puppet, version: Version) -> None:
    async with opened(broker, version, deadline=30) as channel:
        asking = asyncio.create_task(channel.request(Request("display")))
        await asyncio.sleep(0)
        await channel.close()
        await channel.close()
        with pytest.raises(LineLost):
            await asking


async def test_the_tap_sees_exactly_the_bytes_of_the_wire(broker: Broker, puppet: Puppet, version: Version) -> None:
    seen: dict[bool, list[bytes]] = {True: [], False: []}
    passed: dict[bool, bytearray] = {True: bytearray(), False: bytearray()}

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, outgoing: bool) -> None:
        while data := await reader.read(65536):
            passed[outgoing] += data
            writer.write(data)
        writer.close()
        await writer.wait_closed()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(broker.host, broker.port)
        await asyncio.gather(pump(reader, far_writer, True), pump(far_reader, writer, False), return_exceptions=True)
        done.set()

    done = asyncio.Event()
    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    puppet.script = lambda *_: [number(3)]
    channel = MqttChannel(
        RNG, BASE, Server("127.0.0.1", port, version=version), tap=lambda outgoing, data: seen[outgoing].append(data)
    )
    await channel.open()
    await channel.request(Request("display", token=1))
    await channel.close()
    async with asyncio.timeout(5):
        await done.wait()
    server.close()
    await server.wait_closed()

    assert b"".join(seen[True]) == passed[True]
    assert b"".join(seen[False]) == bytes(passed[False][: sum(map(len, seen[False]))])
    sent = list(Decoder(10_000).feed(b"".join(seen[True])))
    assert [type(packet) for packet in sent[:3]] == [Connect, Subscribe, Publish]
    assert seen[False][0][0] == 0x20
    assert any(number(3)[:20] in data for data in seen[False]) or version == "3.1.1"


async def test_an_answer_to_a_question_that_was_never_asked_is_named(
    broker: Broker, puppet: Puppet, version: Version
) -> None:
    async def other(message: aiomqtt.Message, payload: bytes) -> None:
        assert isinstance(message.payload, bytes)
        if version == "5":
            properties = Properties(PacketTypes.PUBLISH)
            properties.CorrelationData = b"\xff\xff"
            await puppet.client.publish(message.properties.ResponseTopic, payload, 1, properties=properties)
        else:
            document = json.loads(payload) | {"id": 4711}
            await puppet.client.publish(json.loads(message.payload)["reply_to"], json.dumps(document), 1)

    puppet.answer = other  # type: ignore[method-assign]
    puppet.script = lambda *_: [number(3)]
    said = {"5": "correlation data ff ff", "3.1.1": "id 4711"}[version]
    async with opened(broker, version, deadline=0.2) as channel:
        with pytest.raises(Garbage, match=f"an answer to a question that was not asked: {said}"):
            await channel.request(Request("display"))


async def test_small_packets_are_not_held_back_by_tcp(broker: Broker, version: Version) -> None:
    async with opened(broker, version) as channel:
        assert channel._link is not None
        line = channel._link._paho.socket()
        assert isinstance(line, socket.socket)
        assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(ValueError, match=r"3\.1\.1 or 5"):
        Server("127.0.0.1", 1883, version="3.1")  # type: ignore[arg-type]  # what a rig file may say


@pytest.mark.parametrize("size", [0, 4, 100, 130, 20_000])
def test_our_properties_are_those_of_paho(size: int) -> None:
    theirs = Properties(PacketTypes.PUBLISH)
    theirs.ResponseTopic = "a/b"
    theirs.CorrelationData = bytes(size)
    assert CallProperties(bytes(size), "a/b").pack() == theirs.pack()


async def test_a_device_is_awaited_at_a_broker_that_was_started_for_it(broker: Broker) -> None:
    server = Server("127.0.0.1", broker.port)
    channel = MqttChannel(RNG, "t/rng", server, arrival=10.0)
    opening = asyncio.create_task(channel.open())
    station = MqttStation(rng(Setup("rng", 1)), "t/rng", server)
    await asyncio.sleep(0.05)
    assert not opening.done()
    await station.start()
    await opening
    assert (await channel.request(Request("display"))).values == {"number": 0}
    await channel.close()
    await station.stop()


async def test_a_device_that_never_comes_to_the_broker_is_not_awaited_without_end(broker: Broker) -> None:
    channel = MqttChannel(RNG, "t/rng", Server("127.0.0.1", broker.port), arrival=0.05)
    with pytest.raises(LineLost, match="no device came to the broker"):
        await channel.open()


async def test_a_device_that_is_away_is_not_awaited_when_nobody_said_so(broker: Broker) -> None:
    async with aiomqtt.Client("127.0.0.1", broker.port) as other:
        await other.publish("t/rng/online", b'{"v":1,"online":false}', 1, retain=True)
    channel = MqttChannel(RNG, "t/rng", Server("127.0.0.1", broker.port))
    async with asyncio.timeout(5):
        await channel.open()
    await channel.close()
