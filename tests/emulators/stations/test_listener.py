"""A port with TLS: early bytes, failed handshakes, and that closing it ends the handshakes under way."""

import asyncio
import contextlib
import ssl

import pytest

from feltrig.emulators.certificates import Authority
from feltrig.emulators.stations.listener import Listener


class Echo(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.transport.write(data)


@pytest.fixture
def authority():
    return Authority()


@pytest.fixture
async def listener(authority):
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue("echo").load_into(server)
    listening = Listener(Echo, "127.0.0.1", 0, server)
    yield listening
    await listening.close()


async def test_a_secure_connection_gets_its_protocol(authority, listener):
    host, port = await listener.open()
    assert (host, port) == await listener.open()
    client = ssl.create_default_context(cadata=authority.pem.decode())
    reader, writer = await asyncio.open_connection(host, port, ssl=client)
    writer.write(b"hello")
    async with asyncio.timeout(5):
        assert await reader.readexactly(5) == b"hello"
    writer.close()
    await writer.wait_closed()


async def test_what_comes_in_one_piece_with_the_end_of_the_handshake_is_not_lost(authority, listener):
    """TLS 1.3: the client's last handshake message and its first request may share a segment."""
    host, port = await listener.open()
    reader, writer = await asyncio.open_connection(host, port)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context(cadata=authority.pem.decode())
    end = client.wrap_bio(incoming, outgoing, server_hostname=host)
    with contextlib.suppress(ssl.SSLWantReadError):
        end.do_handshake()
    writer.write(outgoing.read())
    while True:
        incoming.write(await reader.read(65536))
        try:
            end.do_handshake()
            break
        except ssl.SSLWantReadError:
            writer.write(outgoing.read())
    end.write(b"early")
    writer.write(outgoing.read())
    async with asyncio.timeout(5):
        while True:
            try:
                assert end.read(100) == b"early"
                break
            except ssl.SSLWantReadError:
                received = await reader.read(65536)
                assert received
                incoming.write(received)
    writer.close()
    await writer.wait_closed()


async def test_whoever_speaks_no_tls_is_dropped(listener):
    host, port = await listener.open()
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(b"\x00\x01\x00\x00\x00\x06\x01\x03\x00\x00\x00\x0a")
    async with asyncio.timeout(5):
        with contextlib.suppress(ConnectionResetError):
            await reader.read()
    writer.close()
    with contextlib.suppress(ConnectionResetError):
        await writer.wait_closed()


async def test_closing_ends_a_handshake_that_never_ends(listener):
    host, port = await listener.open()
    reader, writer = await asyncio.open_connection(host, port)
    # a client's greeting, to which the server has an answer, and then nothing more
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname=host).do_handshake()
    writer.write(outgoing.read())
    assert await reader.read(1) == b"\x16"
    await listener.close()
    async with asyncio.timeout(5):
        with contextlib.suppress(ConnectionResetError):
            await reader.read()
    writer.close()
    with contextlib.suppress(ConnectionResetError):
        await writer.wait_closed()


async def test_without_tls_the_protocol_is_made_at_once():
    listening = Listener(Echo, "127.0.0.1", 0)
    host, port = await listening.open()
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(b"hello")
    async with asyncio.timeout(5):
        assert await reader.readexactly(5) == b"hello"
    writer.close()
    await writer.wait_closed()
    await listening.close()
    await listening.close()
