"""A plain connection: by number, by name, and to whichever of several addresses lets us in."""

import asyncio
import socket

import pytest

from feltrig.protocols.lines import tcp
from feltrig.protocols.lines.fd_line import HUNG_UP


@pytest.fixture
async def echo():
    """The port of a server that sends back what it gets, and then leaves."""

    async def serve(reader, writer):
        writer.write(await reader.readexactly(5))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()


@pytest.fixture
def refusing():
    """A port of this computer at which nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


async def exchange(host, port):
    """What is heard, and how it ends."""
    heard, ended = [], asyncio.get_running_loop().create_future()
    line = await tcp.connect(host, port, heard.append, ended.set_result)
    line.write(b"hello")
    async with asyncio.timeout(10):
        why = await ended
    return b"".join(heard), why


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_it_connects_by_number_and_by_name(echo, host):
    assert await exchange(host, echo) == (b"hello", HUNG_UP)


async def test_a_port_at_which_nobody_listens_is_an_os_error(refusing):
    with pytest.raises(ConnectionRefusedError):
        await tcp.connect("127.0.0.1", refusing, print, print)


async def test_a_name_that_nobody_has_is_an_os_error():
    with pytest.raises(OSError, match=r"Name or service not known|failure in name resolution|No address"):
        await tcp.connect("nobody.invalid", 1, print, print)


async def test_the_first_address_that_lets_us_in_is_taken(echo, refusing, monkeypatch):
    async def addresses(host, port):
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", number)) for number in (refusing, echo)]

    monkeypatch.setattr(tcp, "_addresses", addresses)
    assert await exchange("a.name", 1) == (b"hello", HUNG_UP)


async def test_an_attempt_that_is_given_up_leaves_nothing_open(refusing, monkeypatch):
    made = []

    async def hang(client, address):
        made.append(client)
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", hang)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await tcp.connect("127.0.0.1", refusing, print, print)
    assert [client.fileno() for client in made] == [-1]
