"""A broker that goes away at an awkward moment: the loss is known at once, and leaves nothing behind."""

import asyncio
import gc
import ssl
from contextlib import asynccontextmanager

import pytest

from feltrig.protocols.errors import LineLost
from feltrig.protocols.kinds.rng import RNG
from feltrig.protocols.mqtt.channel import MqttChannel
from feltrig.protocols.mqtt.link import MqttLink, Server

LONG = 60.0
"""A deadline that must not pass: whoever waits for it fails the test."""
SOON = 5.0

CONNACK = {"3.1.1": bytes.fromhex("20 02 00 00"), "5": bytes.fromhex("20 03 00 00 00")}


@asynccontextmanager
async def broker(welcome, *, hears_more, farewell=b"", stays=False):
    """Welcomes who comes and closes the connection: at once, or as soon as it hears more, or when the other has."""

    async def serve(reader, writer):
        await reader.read(1000)
        writer.write(welcome)
        if hears_more:
            await reader.read(1000)
            writer.write(farewell)
        while stays and await reader.read(1000):
            pass
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


@pytest.fixture
def complaints():
    """What the event loop had to complain about."""
    found = []

    def listen():
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: found.append(context["message"]))
        return found

    return listen


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_broker_that_leaves_instead_of_confirming_a_subscription_is_lost_at_once(version):
    async with broker(CONNACK[version], hears_more=True) as port:
        channel = MqttChannel(RNG, "a/b", Server("127.0.0.1", port, version=version), deadline=LONG)
        async with asyncio.timeout(SOON):
            with pytest.raises(LineLost):
                await channel.open()


@pytest.mark.parametrize(
    ("version", "suback", "count"),
    [
        ("3.1.1", "90 02 0001", 0),
        ("3.1.1", "90 03 0001 01", 1),
        ("3.1.1", "90 07 0001 01 01 01 01 01", 5),
        ("5", "90 03 0001 00", 0),
        ("5", "90 04 0001 00 01", 1),
        ("5", "90 08 0001 00 01 01 01 01 01", 5),
    ],
)
async def test_a_subscription_confirmed_with_a_wrong_number_of_codes_is_a_lost_line(version, suback, count):
    async with broker(CONNACK[version], hears_more=True, farewell=bytes.fromhex(suback), stays=True) as port:
        channel = MqttChannel(RNG, "a/b", Server("127.0.0.1", port, version=version), deadline=LONG)
        async with asyncio.timeout(SOON):
            with pytest.raises(LineLost, match=f"answers 4 topics with {count} codes"):
                await channel.open()


@pytest.mark.parametrize("version", ["3.1.1", "5"])
async def test_a_broker_that_leaves_with_its_welcome_is_lost_at_once(version, complaints):
    heard = complaints()
    async with broker(CONNACK[version], hears_more=False) as port:
        channel = MqttChannel(RNG, "a/b", Server("127.0.0.1", port, version=version), deadline=LONG)
        async with asyncio.timeout(SOON):
            with pytest.raises(LineLost):
                await channel.open()
    del channel
    await asyncio.sleep(0)
    assert heard == []


async def test_what_waits_to_be_sent_when_the_line_is_dropped_harms_no_other_line(complaints, broker):
    """The number of the closed socket may belong to another by the time that the event loop would watch it."""
    link = MqttLink(Server(broker.host, broker.port), SOON, lambda _: None, lambda: None)
    await link.open()
    heard = complaints()
    link.send("a/b", b"x")
    link._drop()
    for _ in range(3):
        await asyncio.sleep(0)
    await link.close()
    assert heard == []


async def test_a_farewell_that_comes_too_late_is_not_worth_a_word(caplog, broker):
    link = MqttLink(Server(broker.host, broker.port), SOON, lambda _: None, lambda: None)
    await link.open()
    link._paho._sock_close()
    await link.close()
    assert caplog.records == []


async def test_a_topic_that_is_no_text_ends_the_connection_with_one_line(caplog):
    """As noise can make it: PUBLISH with a topic of one byte that no UTF-8 has."""
    lost = asyncio.Event()
    async with broker(CONNACK["5"], hears_more=True, farewell=bytes.fromhex("30 05 00 01 ff 00 78")) as port:
        link = MqttLink(Server("127.0.0.1", port), SOON, lambda _: None, lost.set)
        await link.open()
        link.send("a/b", b"x")
        async with asyncio.timeout(SOON):
            await lost.wait()
        await link.close()
    (record,) = caplog.records
    assert record.getMessage() == f"127.0.0.1:{port}: a topic that is not text; the connection was given up"
    assert record.exc_info is None


async def test_a_tls_handshake_that_fails_leaves_no_socket_behind():
    """A socket that nobody closed is reported when it is collected, and fails the test."""
    async with broker(b"this is not TLS", hears_more=False) as port:
        server = Server("127.0.0.1", port, tls=ssl.create_default_context())
        link = MqttLink(server, SOON, lambda _: None, lambda: None)
        with pytest.raises(LineLost):
            await link.open()
    del link
    gc.collect()
